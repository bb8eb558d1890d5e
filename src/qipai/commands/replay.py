"""`qipai replay`: being written."""

import argparse

from qipai.core import QipaiError

ABOUT = "replay"


def configure(parser: argparse.ArgumentParser) -> None:
    """No arguments yet."""


def run(args: argparse.Namespace) -> int:
    """Refuse."""
    raise QipaiError("not written yet")
