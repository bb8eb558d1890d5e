"""Writes tests/vectors/skill_gomoku.json from questions and the answers that the spec's checks state.

`python -m tests.games.skill_gomoku.make_vectors` rewrites the file; a test compares them. What is
expected is written here by hand; nothing is taken from the implementation.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .positions import F4, F5, PI, SG, TF, F, P, T, state

FILE = Path(__file__).parents[2] / "vectors" / "skill_gomoku.json"
Json = dict[str, Any]
EMPTY5 = ["00000"] * 5
BOTH = ["11111", "22222", "00000", "00000", "00000"]


def cell(x: Any, y: Any) -> Json:
    return {"kind": "cell", "point": {"x": x, "y": y}}


def rows(size: int, *stones: tuple[int, int, int]) -> list[str]:
    cells = [["0"] * size for _ in range(size)]
    for x, y, colour in stones:
        cells[y][x] = str(colour)
    return ["".join(row) for row in cells]


def choose(index: int) -> Json:
    return {"type": "CHOOSE_CARD", "index": index}


def aim(x: int, y: int) -> Json:
    return {"type": "SELECT_TARGET", "target": cell(x, y)}


def freeze(player: int) -> Json:
    return {"type": "SELECT_TARGET", "target": {"kind": "player", "player": player}}


def answer(code: str | None) -> Json:
    return {"ok": True} if code is None else {"ok": False, "code": code}


def _can_play() -> list[tuple[str, str, Json, Json]]:
    table: list[tuple[str, list[str], int, str, str | None]] = [
        ("42-full", ["12", "21"], 1, P, "InsufficientEmpties"),
        ("42-one-cleared", ["12", "01"], 1, P, None),
        ("44-none", rows(5, (1, 1, 1)), 1, T, "CardNotPlayable"),
        ("44-one", rows(5, (1, 1, 2)), 1, T, None),
        ("46-empty-board", EMPTY5, 1, PI, None),
        ("48-always", F, 2, TF, None),
        ("50-four", F4, 1, SG, "InsufficientEmpties"),
        ("50-five", F5, 1, SG, None),
    ]
    return [
        (name, "can_play", {"rows": r, "player": p, "card": c}, answer(code)) for name, r, p, c, code in table
    ]


def _targets() -> list[tuple[str, str, Json, Json]]:
    board = rows(15, (3, 3, 2), (1, 1, 1))
    table: list[tuple[str, str, Any, str | None]] = [
        ("41-occupied", P, cell(3, 3), "CellOccupied"),
        ("41-left", P, cell(-1, 0), "OutOfBounds"),
        ("41-below", P, cell(0, 15), "OutOfBounds"),
        ("41-player", P, {"kind": "player", "player": 2}, "InvalidTarget"),
        ("41-none", P, None, "InvalidTarget"),
        ("41-half", P, cell(1.5, 0), "InvalidTarget"),
        ("41-without-y", P, {"kind": "cell", "point": {"x": 1}}, "InvalidTarget"),
        ("41-empty", P, cell(0, 0), None),
        ("43-their", T, cell(3, 3), None),
        ("43-own", T, cell(1, 1), "InvalidTarget"),
        ("43-empty", T, cell(0, 0), "CellEmpty"),
        ("43-outside", T, cell(15, 3), "OutOfBounds"),
        ("47-self", TF, {"kind": "player", "player": 1}, "TargetNotOpponent"),
        ("47-cell", TF, cell(0, 0), "InvalidTarget"),
        ("47-opponent", TF, {"kind": "player", "player": 2}, None),
        ("24-untargeted", PI, cell(0, 0), "InvalidTarget"),
    ]
    out = [
        (name, "validate_target", {"rows": board, "player": 1, "card": c, "target": t}, answer(code))
        for name, c, t, code in table
    ]
    own = {"kind": "player", "relation": "self"}
    specs: list[tuple[str, Json, Any, str | None]] = [
        ("53-other", own, {"kind": "player", "player": 2}, "TargetIsSelf"),
        ("53-oneself", own, {"kind": "player", "player": 1}, None),
        ("53-own-cell", {"kind": "cell", "mustBeOwnedBy": "self"}, cell(0, 0), "InvalidTarget"),
        ("53-none", {"kind": "none"}, cell(0, 0), "InvalidTarget"),
    ]
    return out + [
        (name, "validate_target", {"rows": board, "player": 1, "spec": s, "target": t}, answer(code))
        for name, s, t, code in specs
    ]


def _effects() -> list[tuple[str, str, Json, Json]]:
    board = rows(5, (2, 2, 2))
    table: list[tuple[str, int, str, Any, list[Json]]] = [
        ("40-one", 1, P, cell(0, 0), [{"type": "place", "point": {"x": 0, "y": 0}, "player": 1}]),
        ("40-two", 2, P, cell(0, 0), [{"type": "place", "point": {"x": 0, "y": 0}, "player": 2}]),
        ("43", 1, T, cell(2, 2), [{"type": "remove", "point": {"x": 2, "y": 2}}]),
        ("46", 1, PI, None, [{"type": "swapAll"}]),
        ("47", 1, TF, {"kind": "player", "player": 2}, [{"type": "freeze", "target": 2, "amount": 1}]),
    ]
    return [
        (
            f"effect-{n}",
            "effect",
            {"rows": board, "player": p, "card": c, "target": t},
            {"ok": True, "ops": o},
        )
        for n, p, c, t, o in table
    ]


def _operations() -> list[tuple[str, str, Json, Json]]:
    place = {"type": "place", "point": {"x": 0, "y": 0}, "player": 1}
    white = {"type": "place", "point": {"x": 1, "y": 0}, "player": 2}
    remove = {"type": "remove", "point": {"x": 0, "y": 0}}
    cold = {"type": "freeze", "target": 2, "amount": 1}
    last = {"x": 1, "y": 0, "player": 2}
    return [
        (
            "54-list",
            "apply_ops",
            {"rows": rows(3), "ops": [place, white, cold]},
            {"ok": True, "rows": ["120", "000", "000"], "lastMove": last, "skipNextTurns": {"1": 0, "2": 1}},
        ),
        (
            "54-swap",
            "apply_ops",
            {"rows": ["120", "000", "000"], "ops": [{"type": "swapAll"}], "lastMove": last},
            {"ok": True, "rows": ["210", "000", "000"], "lastMove": {**last, "player": 1}},
        ),
        (
            "54-remove",
            "apply_ops",
            {"rows": ["210", "000", "000"], "ops": [remove]},
            {"rows": ["010", "000", "000"]},
        ),
        ("54-occupied", "apply_ops", {"rows": ["100", "000", "000"], "ops": [place]}, answer("CellOccupied")),
        ("54-nothing", "apply_ops", {"rows": rows(3), "ops": [remove]}, answer("CellEmpty")),
        (
            "54-outside",
            "apply_ops",
            {"rows": rows(3), "ops": [{"type": "remove", "point": {"x": 3, "y": 0}}]},
            answer("OutOfBounds"),
        ),
        (
            "55-cleared",
            "apply_ops",
            {"rows": ["100", "000", "000"], "ops": [remove], "lastMove": {"x": 0, "y": 0, "player": 1}},
            {"rows": ["000", "000", "000"], "lastMove": None},
        ),
    ]


def _lines() -> list[tuple[str, str, Json, Json]]:
    def won(player: int, start: tuple[int, int], end: tuple[int, int], length: int = 5) -> Json:
        return {"player": player, "length": length, "start": list(start), "end": list(end)}

    five = rows(10, *[(x, 3, 1) for x in range(2, 7)])
    wrapped = rows(15, (13, 3, 1), (14, 3, 1), (0, 4, 1), (1, 4, 1), (2, 4, 1))
    cross = rows(15, *[(x, 4, 1) for x in range(2, 7)], *[(4, y, 1) for y in range(2, 7)])
    none: Json = {"winner": None, "reason": None, "lines": []}
    table: list[tuple[str, list[str], int, str, Json]] = [
        (
            "57-across",
            five,
            2,
            "attacker",
            {"winner": 1, "reason": "five", "lines": [won(1, (2, 3), (6, 3))]},
        ),
        (
            "57-down",
            rows(7, *[(0, y, 2) for y in range(1, 6)]),
            1,
            "attacker",
            {"winner": 2, "reason": "five", "lines": [won(2, (0, 1), (0, 5))]},
        ),
        (
            "57-diagonal",
            rows(7, *[(i, i, 1) for i in range(1, 6)]),
            1,
            "attacker",
            {"winner": 1, "lines": [won(1, (1, 1), (5, 5))]},
        ),
        (
            "57-anti",
            rows(7, *[(6 - i, i, 2) for i in range(1, 6)]),
            1,
            "attacker",
            {"winner": 2, "lines": [won(2, (1, 5), (5, 1))]},
        ),
        ("58-four", rows(7, *[(x, 3, 1) for x in range(4)]), 1, "attacker", none),
        (
            "58-nine",
            rows(15, *[(x, 3, 1) for x in range(9)]),
            2,
            "attacker",
            {"winner": 1, "lines": [won(1, (0, 3), (8, 3), 9)]},
        ),
        ("59-gap", rows(7, *[(x, 3, 1) for x in (0, 1, 2, 3, 5)]), 1, "attacker", none),
        ("60-no-wrap", wrapped, 1, "attacker", none),
        ("61-first", BOTH, 1, "attacker", {"winner": 1, "reason": "simultaneousFive"}),
        ("61-second", BOTH, 2, "attacker", {"winner": 2, "reason": "simultaneousFive"}),
        ("61-draw", BOTH, 1, "draw", {"winner": "draw", "reason": "simultaneousFive"}),
        (
            "64-cross",
            cross,
            2,
            "attacker",
            {"winner": 1, "lines": [won(1, (4, 2), (4, 6)), won(1, (2, 4), (6, 4))]},
        ),
    ]
    return [(n, "win_check", {"rows": r, "attacker": a, "policy": p}, e) for n, r, a, p, e in table]


def _draws() -> list[tuple[str, str, Json, Json]]:
    return [
        (
            "37-two",
            "draw",
            {"drawPile": [PI, T], "discardPile": [P], "n": 2},
            {"drawn": [T, PI], "drawPile": [], "discardPile": [P], "reshuffled": False},
        ),
        (
            "24-one",
            "draw",
            {"drawPile": [], "discardPile": [P], "n": 2},
            {"drawn": [P], "drawPile": [], "discardPile": [], "reshuffled": True},
        ),
        (
            "25-none",
            "draw",
            {"drawPile": [], "discardPile": [], "n": 2},
            {"drawn": [], "drawPile": [], "discardPile": [], "reshuffled": False},
        ),
        (
            "35-reshuffled",
            "draw",
            {"drawPile": [T], "discardPile": [P, P, P], "n": 2},
            {"drawn": [T, P], "drawPile": [P, P], "discardPile": [], "reshuffled": True},
        ),
    ]


def _facts(**known: Any) -> Json:
    base: Json = {
        "state": "choose",
        "turnNumber": 1,
        "currentPlayer": 1,
        "drawn": [],
        "drawPile": [],
        "discardPile": [],
        "skipNextTurns": {"1": 0, "2": 0},
        "winner": None,
        "reason": None,
        "lastMove": None,
        "legalActions": [],
        "stones": {"1": [], "2": []},
        "tagsByTurn": {},
        "logLength": 0,
    }
    return {**base, **known}


FOUR = [(3, 7), (4, 7), (5, 7), (6, 7)]
CHOICE = ["drawTwo", "choose"]
AIMED = [*CHOICE, "selectTarget", "resolve", "checkWin"]


def _traces() -> list[tuple[str, str, Json, Json]]:
    cells = list(range(3, 228))
    one = _facts(drawn=[P, T], legalActions=[0], tagsByTurn={"1": ["drawTwo"]}, logLength=1)
    aiming = _facts(
        state="selectTarget",
        drawn=[P, T],
        discardPile=[T],
        legalActions=cells,
        tagsByTurn={"1": CHOICE},
        logLength=2,
    )
    four = [[x, y] for x, y in FOUR]
    started = {**one, "stones": {"1": four, "2": []}}
    aimed = {
        **aiming,
        "stones": {"1": four, "2": []},
        "legalActions": [a for a in cells if a - 3 not in range(108, 112)],
    }
    won = _facts(
        state="endTurn",
        currentPlayer=2,
        drawn=[P, T],
        discardPile=[T, P],
        winner=1,
        reason="five",
        lastMove={"x": 7, "y": 7, "player": 1},
        stones={"1": [*four, [7, 7]], "2": []},
        tagsByTurn={"1": AIMED},
        logLength=5,
    )
    limit = {**one, "drawn": [PI, P], "legalActions": [0, 1]}
    drawn_game = _facts(
        state="endTurn",
        currentPlayer=2,
        drawn=[PI, P],
        discardPile=[P, PI],
        winner="draw",
        reason="turnLimit",
        tagsByTurn={"1": [*CHOICE, "resolve", "checkWin"]},
        logLength=4,
    )
    frozen = _facts(
        turnNumber=3,
        drawn=[P, P],
        skipNextTurns={"1": 0, "2": 0},
        discardPile=[T, TF],
        legalActions=[0, 1],
        tagsByTurn={"1": AIMED, "2": ["skip"], "3": ["drawTwo"]},
        logLength=7,
    )
    before = _facts(
        drawn=[TF, T], drawPile=[P, P], legalActions=[0], tagsByTurn={"1": ["drawTwo"]}, logLength=1
    )
    freezing = _facts(
        state="selectTarget",
        drawn=[TF, T],
        drawPile=[P, P],
        discardPile=[T],
        legalActions=[2],
        tagsByTurn={"1": CHOICE},
        logLength=2,
    )
    refused = [
        (choose(1), "CardNotPlayable"),
        ({"type": "CHOOSE_CARD", "cardId": SG}, "CardNotDrawn"),
        ({"type": "FOO"}, "InvalidEvent"),
        (aim(0, 0), "WrongState"),
        ({**choose(0), "player": 2}, "NotYourTurn"),
        (228, "InvalidAction"),
    ]
    return [
        ("1-draw", "turn_trace", {"state": state([T, P]), "events": []}, {"afterLoad": one, "steps": []}),
        (
            "11-17-refused",
            "turn_trace",
            {"state": state([T, P]), "events": [e for e, _ in refused]},
            {"steps": [{"ok": False, "code": c, "after": one} for _, c in refused]},
        ),
        (
            "13-win",
            "turn_trace",
            {"state": state([T, P], black=FOUR), "events": [choose(0), aim(6, 7), aim(7, 7), choose(0)]},
            {
                "afterLoad": started,
                "steps": [
                    {"ok": True, "after": aimed},
                    {"ok": False, "code": "CellOccupied", "after": aimed},
                    {"ok": True, "after": won},
                    {"ok": False, "code": "GameOver", "after": won},
                ],
            },
        ),
        (
            "25-no-cards",
            "turn_trace",
            {"state": state([]), "events": []},
            {
                "afterLoad": _facts(
                    state="endTurn",
                    currentPlayer=2,
                    winner="draw",
                    reason="noCards",
                    tagsByTurn={"1": ["drawTwo"]},
                    logLength=1,
                )
            },
        ),
        (
            "26-turn-limit",
            "turn_trace",
            {"state": state([P, PI], maxTurns=1), "events": [choose(0)]},
            {"afterLoad": limit, "steps": [{"ok": True, "after": drawn_game}]},
        ),
        (
            "48-freeze",
            "turn_trace",
            {"state": state([P, P, T, TF]), "events": [choose(0), freeze(1), freeze(2)]},
            {
                "afterLoad": before,
                "steps": [
                    {"ok": True, "after": freezing},
                    {"ok": False, "code": "TargetNotOpponent", "after": freezing},
                    {"ok": True, "after": frozen},
                ],
            },
        ),
    ]


def _sights() -> list[tuple[str, str, Json, Json]]:
    doc = state([SG, SG, T, P])
    means = [
        0,
        0,
        1,
        0,
        1,
        1,
        1,
        1,
        0,
        0,
        0,
        0,
        0,
        1,
        0,
        0,
        0,
        1,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        2 / 5,
        2 / 29,
        0.001,
        1,
    ]
    hidden = {"drawCount": 2, "discardPile": [], "unseenCounts": {P: 1, T: 1, PI: 0, TF: 0, SG: 2}}
    own = {"drawCount": 2, "discardPile": [], "unseenCounts": {P: 0, T: 0, PI: 0, TF: 0, SG: 2}}
    turn = {"number": 1, "state": "choose", "chosen": None, "chosenIndex": None, "target": None}
    return [
        (
            "69-own",
            "view",
            {"state": doc, "events": [], "viewer": 1},
            {"viewer": 1, "toAct": 1, "deck": own, "turn": {**turn, "drawn": [P, T]}, "legalActions": [0]},
        ),
        (
            "69-other",
            "view",
            {"state": doc, "events": [], "viewer": 2},
            {
                "viewer": 2,
                "toAct": 1,
                "deck": hidden,
                "turn": {**turn, "drawn": None, "drawnCount": 2},
                "legalActions": [],
            },
        ),
        (
            "78-planes",
            "observation",
            {"state": doc, "events": [choose(0)]},
            {"shape": [32, 15, 15], "planeMeans": means},
        ),
    ]


def document() -> Json:
    """Return the whole file."""
    parts = [
        *_can_play(),
        *_targets(),
        *_effects(),
        *_operations(),
        *_lines(),
        *_draws(),
        *_traces(),
        *_sights(),
    ]
    vectors = [
        {"id": name, "kind": kind, "input": given, "expect": expect} for name, kind, given, expect in parts
    ]
    return {"game": "skill_gomoku", "vectors": vectors}


if __name__ == "__main__":
    FILE.write_text(json.dumps(document(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
