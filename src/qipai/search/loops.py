"""The compiled loops of the search with a game's functions in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from qipai.core import Game, compile_rules
from qipai.core.compiling import rules_digest
from qipai.core.progress import progress_line
from qipai.core.variant import Variant

from . import flat, playing, tree
from .playing import choose_any, prefer_none, stand

TREE = ("simulate",)
FLAT = ("line_up", "try_out", "rank")


@dataclass(frozen=True, eq=False)
class Policies:
    """What a search is told about play; each is a rule, or None for what the game has itself.

    `playout` goes on where the tree ends. `opponent` plays for the other seats where they are not searched.
    `tables` is what their scratch begins with, instead of zeros.
    """

    playout: Any = None
    opponent: Any = None
    prior: Any = None
    value: Any = None
    tables: NDArray[np.int64] | None = None


OWN = Policies()  # everything as the game has it
_made: WeakKeyDictionary[Game, dict[tuple[str, tuple[int, ...]], tuple[dict[str, Any], Any]]] = (
    WeakKeyDictionary()
)


def loops_for(game: Game, policies: Policies = OWN, variant: str = "compiled") -> dict[str, Any]:
    """Return the loops of `tree.py` and `flat.py` for a game, compiled and ready."""
    names = _functions(game, policies)
    known = _made.setdefault(game, {})
    key = (variant, tuple(id(fn) for fn in names.values()))
    if key not in known:
        known[key] = _make(game, names, variant), names  # which keeps alive what the ids stand for
    return known[key][0]


def _functions(game: Game, policies: Policies) -> dict[str, Any]:
    rules = game.rules
    playout = policies.playout or rules.playout or choose_any
    return {
        "legal": rules.legal,
        "apply": rules.apply,
        "observe": rules.observe,
        "determinize": rules.determinize,
        "playout": playout,
        "other": policies.opponent or playout,
        "prior": policies.prior or game.search.prior or prefer_none,
        "value": policies.value or game.search.value or stand,
    }


def _make(game: Game, names: dict[str, Any], variant: str) -> dict[str, Any]:
    game.compile()
    if variant != "compiled":
        copy = Variant(variant)
        names = {name: copy(fn) for name, fn in names.items()}
    # One cache folder for each game and its rules, as for the loops of a batch.
    tag = f"{game.name}-{game.rules.actions}-{rules_digest(names.values())}"
    modules = dict.fromkeys((m.__name__ for m in (tree, flat, playing)), names)
    make = Variant(variant, tag=tag, names=modules, entries=(*TREE, *FLAT))
    loops = {name: make(getattr(tree, name)) for name in TREE}
    loops |= {name: make(getattr(flat, name)) for name in FLAT}
    if variant != "plain":
        label = f"search/{game.name}/{game.rules.actions}/{variant}"
        progress = progress_line(game.title("en"))
        compile_rules(list(loops.values()), game.rules.State, label, progress)
    return loops
