"""`python -m qipai`: the command line."""

import sys

from qipai.cli import main

sys.exit(main())
