"""Skill Gomoku's conformance vectors: how each kind calls the named API.

No rule is written here. Errors are results: `{"ok": false, "code": ...}`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qipai.core.errors import BadVectors

from .api.cards import Context, base_registry, validate_spec
from .api.codes import SkillGomokuError
from .api.deck import draw_cards
from .api.lines import cells_from_rows, rows_from_cells
from .api.match import SkillGomokuMatch
from .api.wins import scan_wins
from .extensions.ops import apply_ops
from .reference import Sfc32
from .view import Json

WORDS = (1, 2, 3, 4)  # generator words if a vector leaves chance open


def run_vector(kind: str, input: Json, rules: Any = None) -> Json:
    """Return the result of this implementation for one vector; `rules` override the state's settings."""
    if not isinstance(kind, str) or kind not in KINDS:
        raise BadVectors(f"skill_gomoku has no vectors of kind {str(kind)[:40]!r}; known: {', '.join(KINDS)}")
    if not isinstance(input, dict) or not (rules is None or isinstance(rules, dict)):
        raise BadVectors(f"{kind}: input and rules are objects")
    try:
        return KINDS[kind](input, rules or {})
    except SkillGomokuError as error:
        return {"ok": False, "code": error.code}


def _context(given: Json) -> Context:
    rows, player = _need(given, "rows"), _need(given, "player")
    if type(player) is not int or player not in (1, 2):
        raise BadVectors("player is 1 or 2")
    return Context(_cells(rows), player)


def _cells(rows: Any) -> list[list[int]]:
    square = isinstance(rows, list) and all(isinstance(r, str) and len(r) == len(rows) for r in rows)
    if not square or not rows or any(set(r) - set("012") for r in rows):
        raise BadVectors("rows are strings of 0, 1 and 2, as many as they are long")
    return cells_from_rows(rows)


def _answer(code: Any) -> Json:
    return {"ok": True} if code is None else {"ok": False, "code": str(code)}


def _can_play(given: Json, rules: Json) -> Json:
    return _answer(base_registry().require(_need(given, "card")).can_play(_context(given)))


def _validate_target(given: Json, rules: Json) -> Json:
    context, target = _context(given), given.get("target")
    if "spec" in given:
        if not isinstance(given["spec"], dict):
            raise BadVectors("spec is an object")
        return _answer(validate_spec(given["spec"], context, target))
    return _answer(base_registry().require(_need(given, "card")).validate_target(context, target))


def _effect(given: Json, rules: Json) -> Json:
    card, context = base_registry().require(_need(given, "card")), _context(given)
    target = given.get("target")
    refused = card.can_play(context) or card.validate_target(context, target)
    if refused is not None:
        return _answer(refused)
    return {"ok": True, "ops": card.effect(context, target, Sfc32(WORDS))}


def _apply_ops(given: Json, rules: Json) -> Json:
    cells, ops = _cells(_need(given, "rows")), _need(given, "ops")
    if not isinstance(ops, list):
        raise BadVectors("ops must be a list")
    board = {"size": len(cells), "cells": cells}
    skips = {"1": 0, "2": 0, **_whole_numbers(given, "skipNextTurns")}
    last = _whole_numbers(given, "lastMove") or None
    if last is not None and set(last) != {"x", "y", "player"}:
        raise BadVectors("lastMove has x, y and player")
    after = apply_ops({"board": board, "status": {"skipNextTurns": skips}, "lastMove": last}, ops)
    return {
        "ok": True,
        "rows": rows_from_cells(after["board"]["cells"]),
        "lastMove": after["lastMove"],
        "skipNextTurns": after["status"]["skipNextTurns"],
    }


def _win_check(given: Json, rules: Json) -> Json:
    attacker = given.get("attacker", 1)
    if type(attacker) is not int or attacker not in (1, 2):
        raise BadVectors("attacker is 1 or 2")
    found = scan_wins(_cells(_need(given, "rows")), attacker, given.get("policy", "attacker"))
    lines = [
        {
            "player": line["player"],
            "length": line["length"],
            "start": [line["line"][0]["x"], line["line"][0]["y"]],
            "end": [line["line"][-1]["x"], line["line"][-1]["y"]],
        }
        for line in found["lines"]
    ]
    return {**found, "lines": lines}


def _draw(given: Json, rules: Json) -> Json:
    pile, discards, n = _need(given, "drawPile"), given.get("discardPile", []), given.get("n", 2)
    if not isinstance(pile, list) or not isinstance(discards, list) or type(n) is not int:
        raise BadVectors("drawPile and discardPile are lists, n a number")
    found = draw_cards(pile, discards, n, Sfc32(WORDS))
    if found["reshuffled"]:  # what follows the cards of the old pile is random
        found["order_free"] = {"drawn": len(pile), "drawPile": 0}
    return found


def _loaded(given: Json, rules: Json) -> SkillGomokuMatch:
    state = _need(given, "state")
    if rules and isinstance(state, dict):
        state = {**state, "settings": {**(state.get("settings") or {}), **rules}}
    return SkillGomokuMatch.load(state)


def _turn_trace(given: Json, rules: Json) -> Json:
    match = _loaded(given, rules)
    out: Json = {"ok": True, "afterLoad": facts(match), "steps": []}
    for event in _events(given):
        before = match.dump()
        done = match.act(event) if type(event) is int else match.send(event)
        step: Json = {"ok": done["ok"], "after": facts(match)}
        if not done["ok"]:
            step["code"] = done["error"]["code"]
            if match.dump() != before:
                # never happens; the runner must report it
                raise BadVectors("a refused event changed the match")
        out["steps"].append(step)
    return out


def facts(match: SkillGomokuMatch) -> Json:
    """Return the facts of vectors.md, once the engine waits again."""
    state = match.dump()
    cells, log = state["board"]["cells"], state["log"]
    stones = {
        str(p): [[x, y] for y, row in enumerate(cells) for x, c in enumerate(row) if c == p] for p in (1, 2)
    }
    tags: dict[str, list[str]] = {}
    for entry in log:
        tags.setdefault(str(entry["turn"]), []).append(entry["tag"])
    return {
        "state": state["turn"]["state"],
        "turnNumber": state["turn"]["number"],
        "currentPlayer": state["currentPlayer"],
        "drawn": state["turn"]["drawn"],
        "drawPile": state["deck"]["drawPile"],
        "discardPile": state["deck"]["discardPile"],
        "skipNextTurns": state["status"]["skipNextTurns"],
        "winner": state["winner"],
        "reason": state["reason"],
        "lastMove": state["lastMove"],
        "legalActions": match.legal_actions(),
        "stones": stones,
        "tagsByTurn": tags,
        "logLength": len(log),
    }


def _after_events(given: Json, rules: Json) -> SkillGomokuMatch:
    match = _loaded(given, rules)
    for event in _events(given):
        done = match.act(event) if type(event) is int else match.send(event)
        if not done["ok"]:
            raise BadVectors(f"an event was refused: {done['error']['code']}")
    return match


def _view(given: Json, rules: Json) -> Json:
    return _after_events(given, rules).view(given.get("viewer"))


def _observation(given: Json, rules: Json) -> Json:
    planes = _after_events(given, rules).observation(given.get("player"))
    return {"shape": list(planes.shape), "planeMeans": [float(m) for m in planes.mean(axis=(1, 2))]}


def _events(given: Json) -> list[Any]:
    events = given.get("events", [])
    if not isinstance(events, list):
        raise BadVectors("events must be a list")
    return events


def _whole_numbers(given: Json, key: str) -> dict[str, int]:
    found = given.get(key) or {}
    if not isinstance(found, dict) or any(type(n) is not int for n in found.values()):
        raise BadVectors(f"{key} is an object of whole numbers")
    return found


def _need(given: Json, key: str) -> Any:
    if key not in given:
        raise BadVectors(f"{key!r} is missing")
    return given[key]


KINDS: dict[str, Callable[[Json, Json], Json]] = {
    "can_play": _can_play,
    "validate_target": _validate_target,
    "effect": _effect,
    "apply_ops": _apply_ops,
    "win_check": _win_check,
    "draw": _draw,
    "turn_trace": _turn_trace,
    "view": _view,
    "observation": _observation,
}
