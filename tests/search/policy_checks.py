"""What every game's playout policy, prior and value must keep, checked over random hands."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

from qipai.core import NOBODY, Game, State, compile_rules, copy_state, same


def decisions(game: Game, hands: int, seats: int | None = None) -> Iterator[State]:
    """Every decision with a choice of some random hands."""
    for seed in range(hands):
        chance = random.Random(seed)
        s = game.new(seats=seats, words=(seed, 4, 2, 1))
        while s["seat"] != NOBODY:
            actions = game.legal_actions(s)
            if len(actions) > 1:
                yield copy_state(s)
            game.rules.apply(s, chance.choice(actions))


def check_hooks(game: Game, hands: int = 3, seats: int | None = None, most: int = 300) -> None:
    """Check that policies answer legally, weigh legal actions only, and repeat themselves."""
    rules, search = game.rules, game.search
    hooks = [hook for hook in (rules.playout, search.prior, search.value) if hook is not None]
    compile_rules(hooks, rules.State, f"{game.name}/hooks")
    work, fresh = np.zeros((2, max(search.work, 1)), np.int64)
    weights, again = np.zeros((2, rules.actions))
    for k, s in zip(range(most), decisions(game, hands, seats), strict=False):
        mask = game.mask(s)
        n = int(mask.sum())
        rng = np.array([k, 1, 2, 3], np.uint32)
        world = copy_state(s)
        action = int(rules.playout(world, mask, n, rng, work))
        assert mask[action] == 1 and same(world, s)
        if k % 40 == 0:  # what earlier calls left in `work` changes nothing
            fresh[:] = 0
            rng = np.array([k, 1, 2, 3], np.uint32)
            assert int(rules.playout(world, mask, n, rng, fresh)) == action
        if search.prior is not None:
            search.prior(copy_state(s), mask, n, work, weights)
            assert (
                (weights >= 0).all() and weights.sum() > 0 and not weights[mask[: rules.actions] == 0].any()
            )
            search.prior(copy_state(s), mask, n, work, again)
            assert np.array_equal(weights, again)
        if search.value is not None:
            values = np.full(int(s["seats"]), np.nan)
            search.value(copy_state(s), rng, work, values)
            assert np.isfinite(values).all()
