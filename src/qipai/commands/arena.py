"""`qipai arena`: being written."""

import argparse

from qipai.core import QipaiError

ABOUT = "arena"


def configure(parser: argparse.ArgumentParser) -> None:
    """No arguments yet."""


def run(args: argparse.Namespace) -> int:
    """Refuse."""
    raise QipaiError("not written yet")
