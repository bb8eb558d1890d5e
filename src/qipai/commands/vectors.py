"""`qipai vectors FILE...`: run conformance vectors and print the differences."""

from __future__ import annotations

import argparse

from qipai.vectors import run_file

ABOUT = "check this implementation against files of conformance vectors"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the argument: one or more files."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a JSON file of vectors")


def run(args: argparse.Namespace) -> int:
    """Print every difference and one line per file; return 1 if anything differs."""
    differing = 0
    for path in args.files:
        count = failed = 0
        for outcome in run_file(path):
            count += 1
            if outcome.differences:
                failed += 1
                print(f"{outcome.vector.id} ({outcome.vector.kind})")
                for line in outcome.differences:
                    print(f"    {line}")
        print(f"{path}: {count} vectors, " + (f"{failed} differ" if failed else "all agree"))
        differing += failed
    return 1 if differing else 0
