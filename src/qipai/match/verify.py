"""Verify a record: commitment, shares, hash chain, signature, every move, the result, seed and digest."""

from __future__ import annotations

from qipai.core import QipaiError
from qipai.core.errors import BadRecord

from .chain import links
from .keys import commitment
from .match import Match
from .record import RecordFile
from .shares import check_shares
from .signature import Trust


def check_record(record: RecordFile) -> tuple[Match, list[str]]:
    """Replay the record; return the match and a list of problems.

    The match stops at the first illegal move. Raises `BadRecord` if the record cannot be
    played at all: an unknown game, another rules version, invalid options.
    """
    match = Match.begin(record.head)
    wrong = []
    if commitment(record.head.seed) != record.commitment:
        wrong.append("the commitment does not match the seed")
    if record.head.shares is not None:
        wrong += check_shares(record.head.shares, record.head.seed, match.seats)
    for number, (seat, actions) in enumerate(record.moves, 1):
        try:
            match.act(seat, actions)
        except QipaiError as error:
            wrong.append(f"move {number} does not replay: {error} [{error.code}]")
            return match, wrong + _check_chain(record, match)
    return match, wrong + _check_end(record, match) + _check_chain(record, match)


def signature_of(record: RecordFile) -> Trust:
    """Return what is known of the record's signature. Only together with an intact chain it says anything."""
    if record.end is None or record.end.signature is None or record.end.chain is None:
        return Trust.NONE
    return record.end.signature.check(record.end.chain)


def restore(record: RecordFile) -> Match:
    """Return the match in the record; raise `BadRecord` if anything in it is wrong."""
    match, wrong = check_record(record)
    if wrong:
        raise BadRecord(wrong[0])
    return match


def chain_problems(record: RecordFile, match: Match | None = None) -> list[str]:
    """Return at which move the hash chain breaks, if it does; nothing for an older record without one."""
    if record.links is None:
        return []
    wanted = links((match or Match.begin(record.head)).head(), record.moves)
    link = next(wanted)
    for number, found in enumerate(record.links, 1):
        link = next(wanted)
        if link != found:
            return [f"the hash chain breaks at move {number}"]
    if record.end is not None and record.end.chain != link:
        return ["the hash chain of the closing line differs"]
    return []


def _check_chain(record: RecordFile, match: Match) -> list[str]:
    """Return what is wrong with the hash chain, or else with its signature."""
    broken = chain_problems(record, match)
    return broken or (["the signature does not match"] if signature_of(record) is Trust.FALSE else [])


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
