"""Verify a record: the commitment, the hash chain, every move, the result, the seed and the digest."""

from __future__ import annotations

from qipai.core import QipaiError
from qipai.core.errors import BadRecord

from .chain import links
from .keys import commitment
from .match import Match
from .record import RecordFile


def check_record(record: RecordFile) -> tuple[Match, list[str]]:
    """Replay the record; return the match and a list of problems.

    The match stops at the first illegal move. Raises `BadRecord` if the record cannot be
    played at all: an unknown game, another rules version, invalid options.
    """
    match = Match.begin(record.head)
    wrong = []
    if commitment(record.head.seed) != record.commitment:
        wrong.append("the commitment does not match the seed")
    for number, (seat, actions) in enumerate(record.moves, 1):
        try:
            match.act(seat, actions)
        except QipaiError as error:
            wrong.append(f"move {number} does not replay: {error} [{error.code}]")
            return match, wrong + _check_chain(record, match)
    return match, wrong + _check_end(record, match) + _check_chain(record, match)


def restore(record: RecordFile) -> Match:
    """Return the match in the record; raise `BadRecord` if anything in it is wrong."""
    match, wrong = check_record(record)
    if wrong:
        raise BadRecord(wrong[0])
    return match


def _check_chain(record: RecordFile, match: Match) -> list[str]:
    """Return at which move the hash chain breaks, if it does; nothing for an older record without one."""
    if record.links is None:
        return []
    wanted = list(links(match.head(), record.moves))
    for number, (link, found) in enumerate(zip(wanted[1:], record.links, strict=True), 1):
        if link != found:
            return [f"the hash chain breaks at move {number}"]
    if record.end is not None and record.end.chain != wanted[-1]:
        return ["the hash chain of the closing line differs"]
    return []


def _check_end(record: RecordFile, match: Match) -> list[str]:
    end = record.end
    if end is None:
        return []
    if not match.over:
        return ["the closing line comes before the end of the match"]
    wrong = []
    if list(end.payoff) != match.payoff:
        wrong.append(f"the result is {match.payoff}, not {list(end.payoff)}")
    if end.seed != record.head.seed:
        wrong.append("the seed of the closing line differs from that of the head")
    if end.digest != match.digest:
        wrong.append("the digest differs")
    return wrong
