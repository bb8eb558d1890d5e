"""`qipai new`: the skeleton of a new game package."""

from __future__ import annotations

import argparse

from qipai.match.record import shown
from qipai.skeleton.write import write_skeleton

ABOUT = "write the skeleton of a new game package"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments: the name, and the folder for the package."""
    parser.add_argument("name", help="name of the game and its package: a Python identifier in lower case")
    parser.add_argument("--dir", default=".", metavar="D", help="the folder to create it in (default: here)")


def run(args: argparse.Namespace) -> int:
    """Write the skeleton and print the next steps."""
    target = shown(write_skeleton(args.name, args.dir))
    print(f"wrote {target}: a small complete game to start from. Next:")
    print(f"  pip install -e '{target}[test]'")
    print(f"  qipai play {args.name}")
    print(f"  pytest {target}")
    return 0
