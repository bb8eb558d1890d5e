"""Single rules made callable from plain Python: for layouts, narration, the named API and live play."""

from __future__ import annotations

from functools import cache

from qipai.core import State, compile_rules, new_state

from . import board, planner, rules, win
from .options import OPTIONS

SINGLE = (
    board.settle,
    board.gravity,
    board.is_free,
    board.reachable,
    board.clear,
    planner.plan,
    planner.exponent,
    planner.zoro_chance,
    planner.base_weights,
    planner.noisy_weights,
    planner.pick_suit,
    planner.nth_bit,
    win.cpu_wins,
    win.player_wins,
    win.melds_in_suit,
    rules.clear_state,
    rules.look_at_supply,
    rules.place,
    rules.land,
    rules.answer,
    rules.confirm,
    rules.advance,
    rules.evaluate,
    rules.close_hold,
    rules.remove_used,
    rules.tick,
)


@cache
def ready() -> None:
    """Compile (or load) the rules of this list; costs nothing the second time."""
    compile_rules(SINGLE, rules.State, "paipai_rensa/single")


def blank() -> State:
    """An empty table with the default options, before a deal."""
    ready()
    s = new_state(rules.State)
    s["seats"] = 1
    for option in OPTIONS:
        s[option.name] = option.default
    rules.clear_state(s)
    return s
