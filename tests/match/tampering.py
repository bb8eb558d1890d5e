"""Someone edits one move of a signed record; with or without computing its hash chain again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from qipai.core import Player
from qipai.match import Match, RecordFile, Signature, Trust, check_record, parse_record, signature_of
from qipai.match.chain import links
from qipai.match.document import Move
from qipai.match.record import End, end_line, head_line, move_line
from qipai.match.signature import signed_bytes
from qipai.match.verify import chain_problems

Lines = list[dict[str, Any]]
GAMES: dict[str, dict[str, Any]] = {
    "xianqi": {},
    "nana": {"max_turns": 20},
    "wuhan_mahjong": {},
    "skill_gomoku": {},
    "paipai_rensa": {},
}
KINDS = ("altered", "replaced by a legal one", "dropped", "swapped", "added")
RECORDS = "records"
MOST = 2  # records that are played for each one that can be edited in every way
_PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
KEY = _PRIVATE.public_key().public_bytes_raw().hex()


def signed(match: Match) -> bytes:
    """Return the record of a finished match, signed as a server does."""
    assert match.payoff is not None and match.revealed_seed is not None
    chain = list(links(match.head(), match.moves))
    signature = Signature(KEY, _PRIVATE.sign(signed_bytes(chain[-1])).hex())
    lines = [head_line(match.head(), match.commitment)]
    lines += [move_line(number, move, chain[number]) for number, move in enumerate(match.moves, 1)]
    end = End(tuple(match.payoff), match.revealed_seed, match.digest, chain[-1], signature)
    return b"".join([*lines, end_line(end)])


def written(lines: Lines) -> bytes:
    """Return the lines with their moves numbered again."""
    head, *moves, end = lines
    numbered = [head, *({**move, "move": n} for n, move in enumerate(moves, 1)), end]
    return b"".join(json.dumps(line).encode() + b"\n" for line in numbered)


def rechained(lines: Lines) -> bytes:
    """Return the lines with their hash chain computed again, as an editor can who has no key."""
    head = {key: value for key, value in lines[0].items() if key != "commitment"}
    moves = [(line["seat"], tuple(line["actions"])) for line in lines[1:-1]]
    chain = list(links(head, moves))
    linked = [{**line, "link": chain[n]} for n, line in enumerate(lines[1:-1], 1)]
    return written([lines[0], *linked, {**lines[-1], "chain": chain[-1]}])


def edits(record: RecordFile, legal: dict[int, int], rng: Random) -> Iterator[tuple[str, RecordFile]]:
    """Yield the record with one move altered, replaced, dropped, swapped or added, each at a random place.

    `legal` has another legal action for some moves, by number from 0.
    """
    assert record.links is not None
    rows = list(zip(record.moves, record.links, strict=True))
    if not rows:  # a deal that ends at once
        yield "added", _with(record, [((0, (0,)), "0" * 64)])
        return
    at = rng.randrange(len(rows))
    (seat, actions), link = rows[at]
    other = ((seat, (actions[0] + rng.randrange(1, 50), *actions[1:])), link)
    yield "altered", _with(record, [*rows[:at], other, *rows[at + 1 :]])
    yield "dropped", _with(record, [*rows[:at], *rows[at + 1 :]])
    yield "added", _with(record, [*rows[:at], rows[at], *rows[at:]])
    pairs = [n for n in range(len(rows) - 1) if rows[n][0] != rows[n + 1][0]]
    if pairs:
        at = rng.choice(pairs)
        yield "swapped", _with(record, [*rows[:at], rows[at + 1], rows[at], *rows[at + 2 :]])
    if legal:
        at = rng.choice(list(legal))
        other = ((rows[at][0][0], (legal[at],)), rows[at][1])
        yield "replaced by a legal one", _with(record, [*rows[:at], other, *rows[at + 1 :]])


def _with(record: RecordFile, rows: list[tuple[Move, str]]) -> RecordFile:
    return replace(record, moves=tuple(move for move, _ in rows), links=tuple(link for _, link in rows))


def chained_again(record: RecordFile, head: dict[str, Any]) -> RecordFile:
    """Return the record with its hash chain computed again, and the signature as it was."""
    assert record.end is not None
    chain = list(links(head, record.moves))
    return replace(record, links=tuple(chain[1:]), end=replace(record.end, chain=chain[-1]))


def as_file(record: RecordFile, head: dict[str, Any]) -> bytes:
    """Return a record as the bytes of a file."""
    assert record.links is not None and record.end is not None
    moves = enumerate(zip(record.moves, record.links, strict=True), 1)
    lines = [move_line(number, move, link) for number, (move, link) in moves]
    return b"".join([head_line(head, record.commitment), *lines, end_line(record.end)])


def play_random(game: str, seed: int) -> tuple[Match, dict[int, int]]:
    """Return a finished match of random moves, and another legal action for those that had one."""
    match, rng = Match(game, GAMES[game], seed=seed.to_bytes(32, "big")), Random(seed)
    player = Player(match.game, "random", seed)
    legal: dict[int, int] = {}
    while not match.over:
        move = player.move(match.state)
        if len(move) == 1 and (not legal or rng.random() < 0.1):
            others = [a for a in match.legal(match.seat) if a != move[0]]
            if others:
                legal[len(match.moves)] = rng.choice(others)
        match.act(match.seat, move)
    return match, legal


def tamper(game: str, count: int, seed: int = 0, thorough: int = 50) -> dict[str, int]:
    """Edit records in every way, until `count` have had each edit; return how many of each kind there were.

    A hand that ends at once or within few moves does not have them all; it is edited and counted as well.
    What must notice is the chain, and the signature if the chain was computed again. Every `thorough`-th
    record is also written to a file and replayed, as `qipai verify` does.
    """
    tally = dict.fromkeys((RECORDS, *KINDS), 0)
    whole_ones = 0
    for number in range(seed, seed + MOST * count):
        match, legal = play_random(game, number)
        tally[RECORDS] += 1
        good, head = parse_record(signed(match)), match.head()
        assert not chain_problems(good, match) and signature_of(good) is Trust.SIGNED, (game, number)
        whole, made = number % thorough == 0, 0
        assert not whole or check_record(good)[1] == []
        for kind, kept in edits(good, legal, Random(number)):
            where, computed = (game, number, kind), chained_again(kept, head)
            assert chain_problems(kept, match), where
            assert not chain_problems(computed, match) and signature_of(computed) is Trust.FALSE, where
            if whole:
                for record in (kept, computed):
                    assert check_record(parse_record(as_file(record, head)))[1], where
            tally[kind] += 1
            made += 1
        whole_ones += made == len(KINDS)
        if whole_ones == count:
            return tally
    raise AssertionError(f"of {MOST * count} records only {whole_ones} can be edited in every way")
