"""Malformed actions, decks, states and options at every door of Wuhan mahjong."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

import numpy as np

from qipai.core import QipaiError
from qipai.envs.wuhan_mahjong import WuhanMahjongEnv
from qipai.games.wuhan_mahjong import (
    GAME,
    action_to_index,
    evaluate_win,
    index_to_action,
    is_ready,
    legal_mask,
    settle_flow_draw,
    settle_win,
    special_tiles,
)
from qipai.games.wuhan_mahjong.examples import position
from tests.games.wuhan_mahjong.generate import random_flow, random_table, random_win

JUNK: tuple[Any, ...] = (
    *(None, True, False, -1, 0, 1, 3, 4, 9, 10, 11, 13, 31, 33, 34, 35, 136, 278, 10**30, -(10**30)),
    *(0.0, 1.5, float("nan"), float("inf"), "", "0", "PONG", "PASS", "SELF_DRAW", "DISCARD", "x" * 500, b"1"),
    *((), [], {}, [[]], [0], [0, 0], (0, 0), (10, 0), (9, 0), (0, 0, 0), {"type": "PONG"}, {1: 2}, {"a": []}),
    *(
        [0] * 14,
        [0] * 200,
        ["1m"],
        [[0], [1], [2], [3]],
        np.int64(3),
        np.array([1, 2]),
        np.array(5),
        np.bool_(True),
    ),
    *(object(), lambda: 0, {0, 1}, range(3), complex(1, 2), Ellipsis),
)

BASE = position("WAITING_RESPONSE", 1, {1: "17m 59s 235p 123467z"}, last_discard=[21, 0], wall=60)
OPTIONS = tuple(o.name for o in GAME.rules.options)


def spoil(rng: random.Random, value: Any, depth: int = 0) -> Any:
    """Return a copy of `value` with one part replaced, dropped, doubled or moved."""
    if depth > 4 or rng.random() < 0.25 or not isinstance(value, dict | list) or not value:
        if isinstance(value, int) and not isinstance(value, bool) and rng.random() < 0.5:
            return value + rng.choice((-1, 1, 2, 34, -40))
        return rng.choice(JUNK)
    spoilt = copy.copy(value)
    if isinstance(spoilt, dict):
        key = rng.choice(list(spoilt))
        if rng.random() < 0.15:
            del spoilt[key]
        elif rng.random() < 0.1:
            spoilt[rng.choice(("x", 3, None))] = spoilt[key]
        else:
            spoilt[key] = spoil(rng, spoilt[key], depth + 1)
        return spoilt
    i = rng.randrange(len(spoilt))
    if rng.random() < 0.15:
        del spoilt[i]
    elif rng.random() < 0.15:
        spoilt.append(spoilt[i])
    else:
        spoilt[i] = spoil(rng, spoilt[i], depth + 1)
    return spoilt


class Fuzz:
    """Tries one malformed thing at a time and counts how it was refused."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.env = WuhanMahjongEnv()
        self.env.reset(seed=seed)
        self.flat = WuhanMahjongEnv(action_format="flat")
        self.flat.reset(seed=seed)
        self.counts = {"tried": 0, "refused": 0, "accepted": 0}

    def run(self, count: int) -> dict[str, int]:
        """Make `count` attempts, spread over the entry points."""
        doors: tuple[Callable[[], None], ...] = (
            self.step,
            self.flat_step,
            self.reset,
            self.settings,
            self.layout,
            self.pure,
        )
        for i in range(count):
            self.counts["tried"] += 1
            doors[i % len(doors)]()
        return self.counts

    def guarded(self, call: Callable[[], Any], env: Any = None) -> bool:
        """Return whether `call` was accepted. A refusal is a named error and changes nothing."""
        before = None if env is None else (env._dealt().tobytes(), env.agent_selection, list(env.agents))
        try:
            call()
        except (ValueError, QipaiError):
            self.counts["refused"] += 1
            if env is not None:
                assert before == (env._dealt().tobytes(), env.agent_selection, list(env.agents))
            return False
        self.counts["accepted"] += 1
        return True

    def step(self) -> None:
        kind = self.rng.choice((*JUNK, *range(12)))
        action = self.rng.choice((kind, (kind, self.rng.choice(JUNK)), [kind, self.rng.randrange(-3, 40)]))
        self._step(self.env, action)

    def flat_step(self) -> None:
        self._step(self.flat, self.rng.choice((*JUNK, self.rng.randrange(-5, 290))))

    def _step(self, env: Any, action: Any) -> None:
        if env.terminations["player_0"]:
            env.reset()
        self.guarded(lambda: env.step(action), env)

    def reset(self) -> None:
        deck = [t // 4 for t in range(136)]
        self.rng.shuffle(deck)
        options: Any = {"deck": deck, "dealer": 1} if self.rng.random() < 0.5 else {"state": BASE}
        options, seed = spoil(self.rng, options), self.rng.choice((None, 5, self.rng.choice(JUNK)))
        self.guarded(lambda: self.env.reset(seed=seed, options=options), self.env)

    def settings(self) -> None:
        names = (
            *OPTIONS,
            "reward_scale",
            "training_phase",
            "phase2_progress",
            "action_format",
            "render_mode",
            "x",
        )
        given = {self.rng.choice(names): self.rng.choice(JUNK)}
        if given.get("render_mode") is None:
            self.guarded(lambda: WuhanMahjongEnv(**given))

    def layout(self) -> None:
        layout = spoil(self.rng, BASE)
        self.guarded(lambda: GAME.new(layout=layout))
        self.guarded(lambda: legal_mask(spoil(self.rng, {**BASE, "partial": True}), self.rng.choice(JUNK)))

    def pure(self) -> None:
        rng = self.rng
        win, table, flow = random_win(rng), random_table(rng), random_flow(rng)
        call = rng.choice(
            (
                lambda: evaluate_win(**_kept(spoil(rng, win), win)),
                lambda: settle_win(**_kept(spoil(rng, table), table)),
                lambda: settle_flow_draw(**_kept(spoil(rng, flow), flow)),
                lambda: is_ready(rng.choice(JUNK), rng.choice(JUNK), rng.choice(JUNK)),
                lambda: special_tiles(rng.choice(JUNK)),
                lambda: index_to_action(rng.choice(JUNK)),
                lambda: action_to_index(rng.choice(JUNK), rng.choice((10, None, rng.choice(JUNK)))),
            )
        )
        self.guarded(call)


def _kept(spoilt: Any, good: dict[str, Any]) -> dict[str, Any]:
    """Arguments by name: spoilt values, but the names a call must have."""
    return {**good, **{k: v for k, v in spoilt.items() if k in good}} if isinstance(spoilt, dict) else good


def fuzz_doors(count: int, seed: int) -> dict[str, int]:
    """Pass `count` malformed values to the entry points; return what was refused and accepted."""
    return Fuzz(seed).run(count)
