"""The agent `net`: trained nets in files, evaluated in integer arithmetic, without a learning library."""

from .encode import Encoding, cells_of
from .infer import Net, load_net
from .quantize import export_net
from .weights import read_container, read_header, write_container

__all__ = [
    "Encoding",
    "Net",
    "cells_of",
    "export_net",
    "load_net",
    "read_container",
    "read_header",
    "write_container",
]
