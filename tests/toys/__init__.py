"""Tiny games for tests, and matches of them played at random."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

from qipai.core import registry
from qipai.match import Match
from qipai.skeleton import game as prizes

from . import whisper

PRIZES = prizes.GAME
WHISPER = whisper.GAME
SEED = bytes(range(32))
TOYS = {game.name: game for game in (PRIZES, WHISPER)}


@contextmanager
def registered() -> Iterator[None]:
    """Register the toys for the duration of the block."""
    before = dict(registry._added)
    registry._added.update(TOYS)
    try:
        yield
    finally:
        registry._added.clear()
        registry._added.update(before)


def random_move(match: Match, rng: random.Random) -> list[int]:
    """Return a whole legal move of the seat that decides."""
    s = match.state
    actions: list[int] = []
    while not actions or match.game.unfinished(s):
        actions.append(rng.choice(match.game.legal_actions(s)))
        match.game.rules.apply(s, actions[-1])
    return actions


def play(match: Match, rng: random.Random, moves: int = 10_000) -> Match:
    """Play at most `moves` random moves; the match itself."""
    while moves > 0 and not match.over:
        match.act(match.seat, random_move(match, rng))
        moves -= 1
    return match
