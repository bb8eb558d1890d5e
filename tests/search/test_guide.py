"""A net as a policy: the same numbers compiled and plain, and draws by whole weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.bots.net.guided import _rules
from qipai.bots.net.packed import TOP, packed
from qipai.core import NOBODY, Game, State, compile_rules, copy_state, get
from qipai.core.rng import seed_words
from qipai.core.variant import Variant
from qipai.search import guide
from tests.bots.net.nets import MLP, make_net

GAME = get("xianqi")


def decisions(game: Game, hands: int) -> list[State]:
    """Return every decision with a choice of some hands, played by the first legal actions."""
    found = []
    for k in range(hands):
        s = game.new(words=(k, 2, 3, 4))
        while s["seat"] != NOBODY:
            actions = game.legal_actions(s)
            if len(actions) > 1:
                found.append(copy_state(s))
            game.rules.apply(s, actions[k % len(actions)])
    return found


def results(work: NDArray[np.int64], outputs: int) -> NDArray[np.float64]:
    """Return the logits and the value that lie in `work`."""
    return work[work[guide.RESULT] :].view(np.int32)[:outputs] / 2.0**guide.RESULT_BITS


def evaluator(game: Game, kind: str) -> Any:
    """Return `evaluate` for a game, compiled or plain."""
    game.compile()
    observe = Variant(kind)(game.rules.observe)
    names = {guide.__name__: {"observe": observe}}
    made = Variant(kind, tag=f"test-{game.name}", names=names)(guide.evaluate)
    if kind == "compiled":
        compile_rules([made], game.rules.State, f"test/packed/{game.name}")
    return made


def test_compiled_and_plain_give_the_same_numbers(tmp_path: Path) -> None:
    net, _ = make_net(tmp_path, GAME, {"kind": "mlp", "width": 16, "layers": 3})
    evaluators = [evaluator(GAME, kind) for kind in ("compiled", "plain")]
    works = [packed(net), packed(net)]
    for s in decisions(GAME, 2)[::6]:
        for evaluate, work in zip(evaluators, works, strict=True):
            evaluate(s, int(s["seat"]), work)
        one, other = (results(work, net.actions + 1) for work in works)
        assert np.array_equal(one, other) and one.any()


def test_heat_draws_from_a_table_of_whole_numbers(tmp_path: Path) -> None:
    net, _ = make_net(tmp_path, GAME, MLP)
    cold, warm = packed(net, heat=0.5), packed(net, heat=2.0)
    for work in (cold, warm):
        table = work[work[guide.TABLE] : work[guide.SEEN]]
        assert table[0] == TOP and (np.diff(table) <= 0).all() and table[-1] >= 1
    assert cold[cold[guide.TABLE] + 64] < warm[warm[guide.TABLE] + 64]
    choose = _rules(GAME)["choose"]
    compile_rules([choose], GAME.rules.State, "test/packed/choose")
    s = decisions(GAME, 1)[0]
    mask = GAME.mask(s)
    rng = np.zeros(4, np.uint32)
    seed_words(rng, 1, 2, 3, 4)
    taken = [
        {int(choose(s, mask, int(mask.sum()), rng, work)) for _ in range(60)} for work in (packed(net), warm)
    ]
    assert len(taken[0]) == 1 and len(taken[1]) > 1 and all(mask[a] for a in taken[1])
