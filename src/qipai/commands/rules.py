"""`qipai rules`: being written."""

import argparse

from qipai.core import QipaiError

ABOUT = "rules"


def configure(parser: argparse.ArgumentParser) -> None:
    """No arguments yet."""


def run(args: argparse.Namespace) -> int:
    """Refuse."""
    raise QipaiError("not written yet")
