"""`qipai verify`: replay record files and check that they are correct."""

from __future__ import annotations

import argparse

from qipai.core.errors import BadRecord
from qipai.match import RecordFile, Shares, Trust, check_record, read_record, signature_of
from qipai.match.record import shown
from qipai.match.signature import read_keys

ABOUT = "replay record files and check commitment, shares, moves, hash chain, signature, result and digest"

INTACT = "hash chain intact"
UNCHAINED = "no hash chain (an older record; other moves with the same result would not be noticed)"
UNSIGNED = "not signed"
UNCHECKED = "signature not checked (pip install 'qipai[serve]')"
ALONE = "deal drawn by the table alone"
GOOD, DIFFERS, MALFORMED = 0, 1, 2  # exit status; the highest of several files


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments: one or more files, and the key that must have signed them."""
    parser.add_argument("file", nargs="+", help="a record file")
    parser.add_argument(
        "--key",
        metavar="FILE|HEX",
        help="accept only records signed by this public key: 64 hexadecimal digits, "
        "or a file with them or with the server's /.well-known/qipai-key.json",
    )


def run(args: argparse.Namespace) -> int:
    """Check the files and print one line per file."""
    keys = None if args.key is None else read_keys(args.key)
    worst = GOOD
    for path in args.file:
        try:
            status, text = _check(read_record(path), keys)
        except BadRecord as error:
            status, text = MALFORMED, f"cannot be checked: {error}"
        print(f"{shown(path)}: {text}")
        worst = max(worst, status)
    return worst


def _check(record: RecordFile, keys: frozenset[str] | None) -> tuple[int, str]:
    match, wrong = check_record(record)
    trust = signature_of(record)
    if record.end is None and not wrong:
        wrong = [f"not finished: {len(record.moves)} moves are correct, there is no result to check"]
    key = "" if record.end is None or record.end.signature is None else record.end.signature.key
    if keys is not None:
        if trust is Trust.NONE:
            wrong.append("not signed, but --key asks for a signature")
        elif key not in keys:
            wrong.append(f"signed by another key than that of --key: {key}")
        elif trust is Trust.UNCHECKED:
            raise BadRecord(UNCHECKED)
    if wrong:
        return DIFFERS, "; ".join(wrong)
    signed = {Trust.NONE: UNSIGNED, Trust.UNCHECKED: UNCHECKED}.get(trust, f"signed by {key}")
    result = " ".join(f"{chips:+d}" for chips in match.payoff or [])
    return GOOD, (
        f"good: {match.game.name}, {match.seats} seats, {len(record.moves)} moves, result {result}, "
        f"{INTACT if record.chained else UNCHAINED}, {signed}, "
        f"{_origin(record.head.shares)}, commitment {match.commitment}"
    )


def _origin(shares: Shares | None) -> str:
    """Return who contributed to the seed, and who was asked and did not."""
    if shares is None:
        return ALONE
    given = [share.seat for share in shares.seats if share.reveal is not None]
    by = f"deal drawn by the server and {_seats(given)}" if given else ALONE
    return f"{by}, {_seats(shares.withheld)} withheld" if shares.withheld else by


def _seats(seats: list[int]) -> str:
    return f"seat {seats[0]}" if len(seats) == 1 else f"seats {', '.join(map(str, seats))}"
