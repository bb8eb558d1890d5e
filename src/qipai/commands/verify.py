"""`qipai verify`: replay record files and check that they are correct."""

from __future__ import annotations

import argparse

from qipai.core.errors import BadRecord
from qipai.match import RecordFile, check_record, read_record
from qipai.match.record import shown

ABOUT = "replay record files and check commitment, moves, hash chain, result and digest"

INTACT = "hash chain intact"
UNCHAINED = "no hash chain (an older record; other moves with the same result would not be noticed)"
GOOD, DIFFERS, MALFORMED = 0, 1, 2  # exit status; the highest of several files


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the argument: one or more files."""
    parser.add_argument("file", nargs="+", help="a record file")


def run(args: argparse.Namespace) -> int:
    """Check the files and print one line per file."""
    worst = GOOD
    for path in args.file:
        try:
            status, text = _check(read_record(path))
        except BadRecord as error:
            status, text = MALFORMED, f"cannot be checked: {error}"
        print(f"{shown(path)}: {text}")
        worst = max(worst, status)
    return worst


def _check(record: RecordFile) -> tuple[int, str]:
    match, wrong = check_record(record)
    if record.end is None and not wrong:
        wrong = [f"not finished: {len(record.moves)} moves are correct, there is no result to check"]
    if wrong:
        return DIFFERS, "; ".join(wrong)
    result = " ".join(f"{chips:+d}" for chips in match.payoff or [])
    return GOOD, (
        f"good: {match.game.name}, {match.seats} seats, {len(record.moves)} moves, result {result}, "
        f"{INTACT if record.chained else UNCHAINED}, commitment {match.commitment}"
    )
