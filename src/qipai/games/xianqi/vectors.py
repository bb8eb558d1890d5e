"""Xianqi's conformance vectors: how each kind calls the named API.

No rule is written here. An error is a result (`error_code`) and says whether the engine
was left unchanged (`unchanged`). `qipai.vectors` compares.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qipai.core.errors import BadVectors

from .api import EngineError, XianqiGameEngine, enumerate_combos
from .state import SEATS

Json = dict[str, Any]


def run_vector(kind: str, input: Json, rules: Any = None) -> Json:
    """Return the result of this implementation for one vector."""
    if not isinstance(kind, str) or kind not in KINDS:
        raise BadVectors(f"xianqi has no vectors of kind {str(kind)[:40]!r}; known: {', '.join(KINDS)}")
    if not isinstance(input, dict):
        raise BadVectors(f"{kind}: input is an object")
    try:
        return KINDS[kind](input, rules)
    except EngineError as error:
        return {"error_code": error.code}


def _enumerate_combos(given: Json, rules: Any) -> Json:
    return {"combos": enumerate_combos(_need(given, "hand"), given.get("round_kind"), rules)}


def _legal_actions(given: Json, rules: Any) -> Json:
    return _loaded(given, rules).get_legal_actions(_need(given, "seat"))


def _apply_action(given: Json, rules: Any) -> Json:
    engine = _loaded(given, rules)
    return _refusable(engine, engine.apply_action, *_call(given))


def _apply_sequence(given: Json, rules: Any) -> Json:
    engine = _loaded(given, rules)
    calls = _need(given, "calls")
    if not isinstance(calls, list):
        raise BadVectors("apply_sequence: calls must be a list")
    answers = [_refusable(engine, engine.apply_action, *_call(call)) for call in calls]
    return {
        "results": [answer.get("error_code", "ok") for answer in answers],
        "unchanged": all(answer.get("unchanged", True) for answer in answers),
        "new_state": engine.dump_state(),
    }


def _settle(given: Json, rules: Any) -> Json:
    engine = _loaded(given, rules)
    return _refusable(engine, _settled, engine)


def _public_state(given: Json, rules: Any) -> Json:
    return {"public_state": _loaded(given, rules).get_public_state()}


def _private_state(given: Json, rules: Any) -> Json:
    engine = _loaded(given, rules)
    return {"private_state_by_seat": {str(k): engine.get_private_state(k) for k in range(SEATS)}}


def _init_game(given: Json, rules: Any) -> Json:
    engine = XianqiGameEngine(rules)
    return _refusable(engine, _dealt, engine, given)


def _load_state(given: Json, rules: Any) -> Json:
    engine = XianqiGameEngine(rules)
    state = _need(given, "state")
    answer = _refusable(engine, engine.load_state, state, given.get("strict", False))
    return {"ok": "error_code" not in answer, **answer, "new_state": engine.dump_state()}


def _full_game(given: Json, rules: Any) -> Json:
    engine = XianqiGameEngine(rules)
    _dealt(engine, given)
    actions = _need(given, "actions")
    if not isinstance(actions, list):
        raise BadVectors("full_game: actions must be a list")
    for at, action in enumerate(actions):
        answer = _refusable(engine, engine.apply_action, *_call(action))
        if "error_code" in answer:
            return {**answer, "at": at}
    return _refusable(engine, _settled, engine)


KINDS: dict[str, Callable[[Json, Any], Json]] = {
    "enumerate_combos": _enumerate_combos,
    "legal_actions": _legal_actions,
    "apply_action": _apply_action,
    "apply_sequence": _apply_sequence,
    "settle": _settle,
    "public_state": _public_state,
    "private_state": _private_state,
    "init_game": _init_game,
    "load_state": _load_state,
    "full_game": _full_game,
}


# --- helpers --------------------------------------------------------------------------


def _need(given: Json, key: str) -> Any:
    if key not in given:
        raise BadVectors(f"input lacks {key!r}")
    return given[key]


def _loaded(given: Json, rules: Any) -> XianqiGameEngine:
    engine = XianqiGameEngine(rules)
    engine.load_state(_need(given, "state"))
    return engine


def _call(value: Any) -> list[Any]:
    """Return the arguments of a call: an index alone, a list of up to three, or the request of §6.2."""
    if isinstance(value, dict):
        return [_need(value, "action_idx"), value.get("cover_list"), value.get("client_version")]
    if isinstance(value, list):
        if not 1 <= len(value) <= 3:
            raise BadVectors("a call is [action_idx, cover_list, client_version]")
        return value
    return [value]


def _refusable(engine: XianqiGameEngine, act: Callable[..., Json | None], *args: Any) -> Json:
    before = engine.dump_state()
    try:
        return act(*args) or {}
    except EngineError as error:
        return {"error_code": error.code, "unchanged": engine.dump_state() == before}


def _dealt(engine: XianqiGameEngine, given: Json) -> Json:
    out = engine.init_game(_need(given, "config"), given.get("rng_seed"))
    state = out["new_state"]
    return {
        **out,
        "version": state["version"],
        "phase": state["phase"],
        "decision": state["decision"],
        "hands": [player["hand"] for player in state["players"]],
        "first_seat": state["turn"]["current_seat"],
    }


def _settled(engine: XianqiGameEngine) -> Json:
    out = engine.settle()
    return {
        **out,
        "version": out["new_state"]["version"],
        "phase": out["new_state"]["phase"],
        "chip_delta_by_seat": out["settlement"]["chip_delta_by_seat"],
    }
