"""Plain, compiled and bounds-checked play, byte for byte (`tests/testing` runs `check_game`)."""

from __future__ import annotations

from qipai.core import copy_state, pick
from qipai.core.agent import agent_words
from qipai.games.wuhan_mahjong import GAME


def compare_variants(hands: int, seed: int, variants: tuple[str, ...] = ("plain",)) -> dict[str, int]:
    """Play `hands` random hands in step, compiled and otherwise; every state must be the same bytes."""
    compiled = GAME.functions("compiled")
    others = [GAME.functions(v) for v in variants]
    rng = agent_words(GAME, seed, 0)
    steps = 0
    for hand in range(hands):
        s = GAME.blank()
        GAME.key(s, (seed, hand, 1, 2))
        twins = [copy_state(s) for _ in others]
        compiled.deal(s)
        for f, twin in zip(others, twins, strict=True):
            f.deal(twin)
        while int(s["seat"]) >= 0:
            mask = GAME.mask(s)
            action = int(pick(rng, mask, int(mask.sum())))
            compiled.apply(s, action)
            for f, twin in zip(others, twins, strict=True):
                f.apply(twin, action)
                assert twin.tobytes() == s.tobytes()
            steps += 1
    return {"hands": hands, "steps": steps}


def test_plain_and_compiled_play_are_equal() -> None:
    assert compare_variants(2, seed=1)["steps"] > 100
