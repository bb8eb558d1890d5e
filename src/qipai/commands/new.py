"""`qipai new`: the skeleton of a new game, as a package or as one file."""

from __future__ import annotations

import argparse

from qipai.match.record import shown
from qipai.skeleton.write import write_skeleton, write_small

ABOUT = "write a small complete game to start from, as a package or as one file"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments: the name, the folder, and the form of the game."""
    parser.add_argument("name", help="name of the game and its package: a Python identifier in lower case")
    parser.add_argument("--dir", default=".", metavar="D", help="the folder to create it in (default: here)")
    parser.add_argument("--small", action="store_true", help="write one file, NAME.py, instead of a package")


def run(args: argparse.Namespace) -> int:
    """Write the skeleton and print the next steps."""
    if args.small:
        target = shown(write_small(args.name, args.dir))
        print(f"wrote {target}: a small complete game in one file. Next:")
        print(f"  qipai check {target}")
        print(f"  qipai play {target}")
        return 0
    target = shown(write_skeleton(args.name, args.dir))
    print(f"wrote {target}: a small complete game to start from. Next:")
    print(f"  pip install -e '{target}[test]'")
    print(f"  qipai check {args.name}")
    print(f"  qipai play {args.name}")
    print(f"  pytest {target}")
    return 0
