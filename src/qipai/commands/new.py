"""`qipai new`: the skeleton of a game package of one's own."""

from __future__ import annotations

import argparse

from qipai.match.record import shown
from qipai.skeleton.write import write_skeleton

ABOUT = "write the skeleton of a new game package"


def configure(parser: argparse.ArgumentParser) -> None:
    """The name, and where the package's folder goes."""
    parser.add_argument("name", help="of the game and its package: a Python name in small letters")
    parser.add_argument("--dir", default=".", metavar="D", help="the folder to make it in (default: here)")


def run(args: argparse.Namespace) -> int:
    """Write it and say what to do next."""
    target = shown(write_skeleton(args.name, args.dir))
    print(f"wrote {target}: a small complete game to start from. Next:")
    print(f"  pip install -e '{target}[test]'")
    print(f"  qipai play {args.name}")
    print(f"  pytest {target}")
    return 0
