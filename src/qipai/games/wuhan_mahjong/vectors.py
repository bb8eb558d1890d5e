"""Wuhan mahjong's conformance vectors: how each kind calls the named API.

No rule is written here. `rules` are options (§10) that override those of a state. An error is
a result: `{"ok": false, "code": ...}`, with whether the position was left unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from qipai.core import NOBODY, QipaiError, State, copy_state, same
from qipai.core.errors import BadVectors

from . import api
from .api.observation import PARTS, SIZE, fill_observation, make_ready
from .api.positions import load_partial, read_settings
from .errors import BadPosition, IllegalMove
from .layout import dump, hand_of
from .state import WON, Phase
from .tiles import NONE, PASS, SEATS, WinWay, type_names

Json = dict[str, Any]


def run_vector(kind: str, input: Json, rules: Any = None) -> Json:
    """Return the result of this implementation for one vector."""
    if not isinstance(kind, str) or kind not in KINDS:
        raise BadVectors(
            f"wuhan_mahjong has no vectors of kind {str(kind)[:40]!r}; known: {', '.join(KINDS)}"
        )
    if not isinstance(input, dict):
        raise BadVectors(f"{kind}: input is an object")
    try:
        return KINDS[kind](input, rules or {})
    except BadVectors:
        raise
    except QipaiError as error:
        return {"ok": False, "code": error.code, "error_code": error.code, "message": str(error)}


def _take(given: Json, *names: str) -> Json:
    missing = [name for name in names if name not in given]
    if missing:
        raise BadVectors(f"the input lacks {', '.join(missing)}")
    return {name: given[name] for name in names}


def _need(given: Json, *names: str) -> list[Any]:
    return list(_take(given, *names).values())


def _special_tiles(given: Json, rules: Json) -> Json:
    laizi, skin0, skin1 = api.special_tiles(**_take(given, "indicator"))
    return {"laizi": laizi, "skins": [skin0, skin1]}


def _evaluate_win(given: Json, rules: Json) -> Json:
    asked = _take(given, "hand", "melds", "indicator", "win_way", "wall_left")
    found = api.evaluate_win(**{**asked, "options": _options(given, rules)})
    if found is None:
        return {"win": False, "hard": None, "substitutes": None, "types": None}
    return {"win": True, **found}


def _settle_win(given: Json, rules: Json) -> Json:
    asked = _take(
        given, "dealer", "indicator", "winner", "win_way", "payer", "hand", "melds", "special_kongs"
    )
    asked |= _take(given, "wall_left")
    return api.settle_win(
        **{**asked, "payer_hand": given.get("payer_hand"), "options": _options(given, rules)}
    )


def _ting(given: Json, rules: Json) -> Json:
    asked = _take(given, "hand", "melds", "indicator")
    ready, waits = api.is_ready(**{**asked, "options": _options(given, rules)})
    return {"ting": ready, "waits": waits}


def _flow_draw(given: Json, rules: Json) -> Json:
    asked = _take(given, "indicator", "hands", "melds", "special_kongs")
    return api.settle_flow_draw(**{**asked, "options": _options(given, rules)})


def _mask(given: Json, rules: Json) -> Json:
    state, seat = _need(given, "state", "seat")
    return {"set_bits": np.flatnonzero(api.legal_mask(_with_options(state, rules), _seat(seat))).tolist()}


def _sequence(given: Json, rules: Json) -> Json:
    state, steps = _need(given, "state", "steps")
    s = _load(state, rules)
    if not isinstance(steps, list) or not all(isinstance(step, dict) for step in steps):
        raise BadVectors("sequence: steps must be a list of objects")
    unchanged = True
    for i, step in enumerate(steps):
        before = copy_state(s)
        try:
            _step(s, step.get("seat"), *_need(step, "action"))
        except IllegalMove as error:
            unchanged = unchanged and same(before, s)
            if not step.get("raises") or str(step.get("message_contains") or "") not in str(error):
                return {
                    "ok": False,
                    "code": error.code,
                    "message": f"step {i}: {error}",
                    "unchanged": unchanged,
                }
            continue
        if step.get("raises"):
            return {"ok": False, "code": "accepted", "message": f"step {i} was accepted"}
    return {**_facts(s), "ok": unchanged}


def _deal(given: Json, rules: Json) -> Json:
    s = _dealt(given, rules)
    wall = dump(s)["wall"]
    return {
        "hands": [hand_of(s, k) for k in range(SEATS)],
        "indicator": int(s["indicator"]),
        "laizi": int(s["laizi"]),
        "skins": [int(s["skin0"]), int(s["skin1"])],
        "wall_len": len(wall),
        "first_front": wall[0],
        "first_tail": wall[-1],
        "phase": Phase(int(s["phase"])).name,
        "current": int(s["seat"]),
    }


def _trace(given: Json, rules: Json) -> Json:
    s = _dealt(given, rules)
    (actions,) = _need(given, "actions")
    if not isinstance(actions, list) or not all(isinstance(a, list) and len(a) == 3 for a in actions):
        raise BadVectors("trace: actions must be a list of [seat, type, parameter]")
    sums = []
    for seat, kind, parameter in actions:
        sums.append(sum(api.public_bits(s)))
        _step(s, seat, [kind, parameter])
    return {"mask_sums": sums, **_facts(s)}


def _observation(given: Json, rules: Json) -> Json:
    state, agent = _need(given, "state", "agent")
    s = _load(state, rules)
    seat = _seat(agent)
    out, fans = np.zeros(SIZE, np.int8), np.zeros(SEATS, np.int16)
    fill_observation(s, seat, 0, np.zeros(-(-(PASS + 1) // 32) * 32, np.uint8), out, fans)
    seen: Json = {key: out[start:end].tolist() for key, (start, end) in PARTS.items()}
    for key in ("current_phase", "remaining_tiles"):
        seen[key] = seen[key][0]
    return {**seen, "fan_counts": fans.tolist()}


KINDS: dict[str, Callable[[Json, Json], Json]] = {
    "special_tiles": _special_tiles,
    "evaluate_win": _evaluate_win,
    "settle_win": _settle_win,
    "mask": _mask,
    "sequence": _sequence,
    "deal": _deal,
    "trace": _trace,
    "ting": _ting,
    "flow_draw": _flow_draw,
    "observation": _observation,
}


# --- helpers --------------------------------------------------------------------------


def _options(given: Json, rules: Json) -> Json:
    own = given.get("options") or {}
    if not isinstance(own, dict) or not isinstance(rules, dict):
        raise BadVectors("options are an object")
    return {**rules, **own}


def _with_options(state: Any, rules: Json) -> Json:
    if not isinstance(state, dict):
        raise BadVectors("a state is an object")
    return {**state, "options": _options(state, rules)}


def _load(state: Any, rules: Json) -> State:
    """Return a position to play on (or, if partial, to query)."""
    from . import GAME

    make_ready()
    whole = _with_options(state, rules)
    if whole.get("partial"):
        return load_partial(whole)
    s = _blank(whole.pop("options"))
    GAME.place(s, whole)
    return s


def _dealt(given: Json, rules: Json) -> State:
    from . import GAME

    deck, dealer = _need(given, "deck", "dealer")
    s = _blank(_options(given, rules))
    GAME.place(s, {"deck": deck, "dealer": dealer})
    return s


def _blank(options: Mapping[str, Any]) -> State:
    from . import GAME

    GAME.compile()
    s = GAME.blank()
    for name, value in read_settings(options).items():
        s[name] = value
    return s


def _seat(agent: Any) -> int:
    if isinstance(agent, str) and agent.startswith("player_"):
        agent = int(agent[-1]) if agent[-1].isdecimal() else agent
    if isinstance(agent, bool) or not isinstance(agent, int) or not 0 <= agent < SEATS:
        raise BadPosition(f"a seat is 0 to {SEATS - 1}")
    return agent


def _step(s: State, seat: Any, action: Any) -> None:
    from . import GAME

    if int(s["seat"]) == NOBODY:
        raise IllegalMove("the hand is over")
    if seat is not None and _seat(seat) != int(s["seat"]):
        raise IllegalMove(f"seat {seat} is not the one to act")
    GAME.rules.apply(s, api.checked_pair(s, action))


def _facts(s: State) -> Json:
    """Return the current position of a hand, or how it ended."""
    seat = int(s["seat"])
    over, won = seat == NOBODY, int(s["phase"]) == WON
    way, contractor, ready = int(s["win_way"]), int(s["contractor"]), int(s["ready"])
    return {
        "phase": Phase(int(s["phase"])).name,
        "current": None if over else seat,
        "hand": [] if over else hand_of(s, seat),
        "wall_left": int(s["back"]) - int(s["front"]),
        "set_bits": api.public_bits(s),
        "win_way": WinWay(way).name if way != NONE and (won or not over) else None,
        "winner": int(s["winner"]) if won else None,
        "types": type_names(int(s["types"])) if won else None if not over else [],
        "deltas": [int(p) for p in s["payoff"]] if over else None,
        "contractor": None if contractor == NONE else contractor,
        "ting": [bool(ready >> k & 1) for k in range(SEATS)] if over and not won else None,
    }
