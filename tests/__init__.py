"""The tests.

OpenBLAS gets one thread, before NumPy is imported: with more, a process that forks (`subprocess` does with
`user=`) while another of its threads multiplies matrices can wait forever.
"""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"
