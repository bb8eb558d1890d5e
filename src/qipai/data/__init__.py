"""Datasets of games: `write` plays games and writes them as Parquet, `load` checks and reads them.

    from qipai.data import load, write

    write("xianqi", "folder", games=1000, agents=["heuristic"])
    arrays = load("folder").numpy()

pyarrow is imported when the first dataset is written or read.
"""

from .read import Dataset, load
from .write import write

__all__ = ["Dataset", "load", "write"]
