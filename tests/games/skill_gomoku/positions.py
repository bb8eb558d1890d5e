"""Positions of Skill Gomoku in the shorthand of the spec's checks, and the engines to load them in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from qipai.games.skill_gomoku import BASE_CARDS, CardRegistry, SkillGomokuMatch, TurnMachine
from tests.naive.skill_gomoku_machine import NaiveMachine

P, T, PI, TF, SG = "Place", "Take", "PolarityInversion", "TimeFreeze", "SpontaneousGeneration"
Engine = SkillGomokuMatch | TurnMachine | NaiveMachine
Json = dict[str, Any]

# Full 5 x 5 boards without a five, and with four and five cells cleared.
F = ["11221", "22112", "11221", "22112", "11221"]
F4 = ["01220", "22112", "11221", "22112", "01220"]
F5 = ["01220", "22112", "11021", "22112", "01220"]

# The compiled rules; their plain variants, with one or all cards played as those of a third party; the twin.
ENGINES = ("compiled", "one copied", "all copied", "naive")


def registry(engine: str) -> CardRegistry:
    """Return a registry with copies of the base cards, which count as cards of a third party."""
    copied = {"one copied": (PI,), "all copied": (P, T, PI, TF, SG)}.get(engine, ())
    return CardRegistry(tuple(replace(card) if card.id in copied else card for card in BASE_CARDS))


def state(
    pile: list[str] | None = None,
    *,
    discard: list[str] | None = None,
    black: list[tuple[int, int]] | None = None,
    white: list[tuple[int, int]] | None = None,
    rows: list[str] | None = None,
    player: int = 1,
    skips: tuple[int, int] = (0, 0),
    rng: int = 77,
    size: int = 15,
    last: Json | None = None,
    **settings: Any,
) -> Json:
    """Return a state document at maybeSkip; piles are written bottom to top."""
    cells = [[int(c) for c in row] for row in rows] if rows else [[0] * size for _ in range(size)]
    for stones, colour in ((black, 1), (white, 2)):
        for x, y in stones or []:
            cells[y][x] = colour
    return {
        "game": "skill_gomoku",
        "version": 1,
        "settings": {"boardSize": len(cells), **settings},
        "board": {"size": len(cells), "cells": cells},
        "currentPlayer": player,
        "deck": {"drawPile": pile or [], "discardPile": discard or []},
        "status": {"skipNextTurns": {"1": skips[0], "2": skips[1]}},
        "turn": {"number": 1, "state": "maybeSkip"},
        "lastMove": last,
        "winner": None,
        "reason": None,
        "rng": {"algorithm": "mulberry32", "state": rng},
        "log": [],
    }


def load(engine: str, doc: Json) -> Engine:
    """Load the document in one of the engines."""
    if engine == "naive":
        return NaiveMachine.load(doc)
    match = SkillGomokuMatch.load(doc, registry=registry(engine))
    assert match.compiled == (engine == "compiled")
    return match


def new(engine: str, seed: int | str = "demo", **settings: Any) -> Engine:
    """Return a fresh match in one of the engines."""
    if engine == "naive":
        return NaiveMachine(seed, settings)
    match = SkillGomokuMatch(seed, settings, registry=registry(engine))
    assert match.compiled == (engine == "compiled")
    return match


def choose(match: Engine, index: int) -> Json:
    return match.send({"type": "CHOOSE_CARD", "index": index})


def cell(match: Engine, x: int, y: int) -> Json:
    target = {"kind": "cell", "point": {"x": x, "y": y}}
    return match.send({"type": "SELECT_TARGET", "target": target})


def opponent(match: Engine, player: int) -> Json:
    return match.send({"type": "SELECT_TARGET", "target": {"kind": "player", "player": player}})


def code(answer: Json) -> str:
    """Return the code of a refusal; "ok" when there was none."""
    return "ok" if answer["ok"] else str(answer["error"]["code"])


def tags(match: Engine, turn: int | None = None) -> list[str]:
    return [e["tag"] for e in match.dump()["log"] if turn is None or e["turn"] == turn]


def at(match: Engine, x: int, y: int) -> int:
    return int(match.dump()["board"]["cells"][y][x])


def discards(match: Engine) -> list[str]:
    return list(match.dump()["deck"]["discardPile"])


def pile(match: Engine) -> list[str]:
    return list(match.dump()["deck"]["drawPile"])


def drawn(match: Engine) -> list[str]:
    return list(match.dump()["turn"]["drawn"])


def player(match: Engine) -> int:
    return int(match.dump()["currentPlayer"])


def refused_unchanged(match: Engine, event: Any, wanted: str) -> None:
    """Check that the event is refused with this code and changes nothing at all."""
    before = match.dump()
    assert code(match.send(event)) == wanted
    assert match.dump() == before
