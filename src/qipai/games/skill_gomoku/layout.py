"""Custom deals and positions for the compiled rules, checked; and the record as JSON.

A layout has the keys of a state document (§14): board, currentPlayer, deck, status, turn,
lastMove, winner, reason; besides, `logged` (log entries so far) and `topped` (a Place was
put on top of the first pile). `board` may also be a list of strings, a row each. Without
`deck` the pile is shuffled from the options.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qipai.core import NOBODY, State
from qipai.core.errors import BadLayout

from . import record, rules
from .board import Cells, winning_lines
from .codes import short
from .deck import IDS, build_deck, ensure_place_top
from .reference import Sfc32

KEYS = (
    "board", "currentPlayer", "deck", "status", "turn", "lastMove", "winner", "reason", "logged", "topped",
)  # fmt: skip
STATES = ("maybeSkip", "choose", "selectTarget", "endTurn")
REASONS = (None, "five", "simultaneousFive", "turnLimit", "noCards")  # by number in the record
MOST_SKIPS = 30_000


def lay_out(s: State, layout: Mapping[str, Any]) -> None:
    """Fill `s` (options and generator are set) with the position; BadLayout names what is wrong."""
    for key in layout:
        if key not in KEYS:
            raise BadLayout(f"a layout has no field {short(key)}; known: {', '.join(KEYS)}")
    rules.clear(s)
    size = int(s["board_size"])
    cells = _cells(layout.get("board", ["0" * size] * size), size)
    _put_board(s, cells, layout.get("lastMove"))
    s["mover"] = _whole(layout.get("currentPlayer", int(s["first_seat"]) + 1), "currentPlayer", 1, 2) - 1
    _put_skips(s, layout.get("status", {}))
    _put_piles(s, layout)
    turn = _mapping(layout.get("turn", {}), "turn")
    s["turn"] = _whole(turn.get("number", 1), "turn.number", 1, record.LONGEST)
    s["logged"] = _whole(layout.get("logged", 0), "logged", 0, 1 << 30)
    _put_turn(s, turn)
    _put_outcome(s, layout, cells)
    in_play = sum(c != record.NONE for c in s["drawn"].tolist())
    if int(s["piled"]) + int(s["discarded"]) + in_play > record.MAX_DECK:
        raise BadLayout(f"more than {record.MAX_DECK} cards")


def _cells(board: Any, size: int) -> Cells:
    rows = board.get("cells") if isinstance(board, Mapping) else board
    if not isinstance(rows, list) or len(rows) != size:
        raise BadLayout(f"the board has {size} rows")
    out: Cells = []
    for row in rows:
        if isinstance(row, str) and set(row) <= set("012"):
            row = [int(c) for c in row]
        if not isinstance(row, list) or len(row) != size:
            raise BadLayout(f"a row of the board has {size} cells")
        if any(type(c) is not int or c not in (0, 1, 2) for c in row):
            raise BadLayout("a cell is 0, 1 or 2")
        out.append(list(row))
    return out


def _put_board(s: State, cells: Cells, last: Any) -> None:
    size = len(cells)
    s["empties"] = 0
    for y, row in enumerate(cells):
        s["board"][y * size : (y + 1) * size] = row
        s["row_empty"][y] = row.count(0)
        s["empties"] += row.count(0)
        for colour in (1, 2):
            s["stones"][colour - 1] += row.count(colour)
    s["scan"] = 1 if winning_lines(cells) else 0
    if last is None:
        return
    last = _mapping(last, "lastMove")
    x = _whole(last.get("x"), "lastMove.x", 0, size - 1)
    y = _whole(last.get("y"), "lastMove.y", 0, size - 1)
    if cells[y][x] == 0 or last.get("player", cells[y][x]) != cells[y][x]:
        raise BadLayout("lastMove names a stone that is not there")
    s["last"] = y * size + x


def _put_skips(s: State, status: Any) -> None:
    given = _mapping(_mapping(status, "status").get("skipNextTurns", {}), "skipNextTurns")
    for key, value in given.items():
        if key not in ("1", "2"):
            raise BadLayout(f"skipNextTurns has no player {short(key)}")
        s["skips"][int(key) - 1] = _whole(value, "a skip counter", 0, MOST_SKIPS)


def _put_piles(s: State, layout: Mapping[str, Any]) -> None:
    deck = layout.get("deck")
    if deck is None:
        generator = Sfc32(s["rng"].tolist())
        counts = dict(zip(IDS, s["copies"].tolist(), strict=True))
        ids = generator.shuffle(build_deck(counts))
        s["rng"] = generator.words
        s["topped"] = 1 if s["place_top"] == 1 and "Place" in ids else 0
        deck = {"drawPile": ensure_place_top(ids) if s["place_top"] == 1 else ids}
    deck = _mapping(deck, "deck")
    pile = _cards(deck.get("drawPile", []), "drawPile")
    discards = _cards(deck.get("discardPile", []), "discardPile")
    if len(pile) + len(discards) > record.MAX_DECK:
        raise BadLayout(f"more than {record.MAX_DECK} cards")
    s["pile"][: len(pile)] = pile
    s["piled"] = len(pile)
    s["discard"][: len(discards)] = discards
    s["discarded"] = len(discards)
    topped = layout.get("topped", bool(s["topped"]))
    if not isinstance(topped, bool):
        raise BadLayout("topped is true or false")
    s["topped"] = topped


def _put_turn(s: State, turn: Mapping[str, Any]) -> None:
    state = turn.get("state", "maybeSkip")
    if not isinstance(state, str) or state not in STATES:
        raise BadLayout(f"a position is laid out in {', '.join(STATES)}, not {short(state)}")
    s["phase"] = record.Phase[state]
    drawn = _cards(turn.get("drawn", []), "drawn")
    needed = state in ("choose", "selectTarget")
    if len(drawn) > 2 or (state == "maybeSkip" and drawn) or (needed and not drawn):
        raise BadLayout(f"{len(drawn)} drawn cards do not fit state {state}")
    s["drawn"][: len(drawn)] = drawn
    _put_choice(s, turn.get("chosenIndex"), turn.get("chosen"), state, drawn)
    _put_target(s, turn.get("target"), state)
    s["seat"] = s["mover"] if needed else NOBODY


def _put_choice(s: State, index: Any, chosen: Any, state: str, drawn: list[int]) -> None:
    if index is None and chosen is not None:
        card = _cards([chosen], "chosen")[0]
        if card not in drawn:
            raise BadLayout("the chosen card is not among the drawn ones")
        index = drawn.index(card)
    if index is not None and state in ("maybeSkip", "choose"):
        raise BadLayout(f"no card is chosen in state {state}")
    if index is None and state == "selectTarget":
        raise BadLayout("state selectTarget needs a chosen card")
    if index is not None:
        s["slot"] = _whole(index, "chosenIndex", 0, len(drawn) - 1)
        s["card"] = drawn[index]
        if chosen is not None and chosen != IDS[drawn[index]]:
            raise BadLayout("chosen and chosenIndex disagree")
        s["fizzled"] = 0 if state == "selectTarget" or rules.playable(s, drawn[index]) else 1
    card = int(s["card"])
    if state == "selectTarget" and not (rules.needs_target(card) and rules.playable(s, card)):
        raise BadLayout("the chosen card takes no target here")


def _put_target(s: State, target: Any, state: str) -> None:
    if target is None:
        return
    if state != "endTurn" or s["slot"] == record.NONE:
        raise BadLayout(f"no target is chosen in state {state}")
    given = _mapping(target, "target")
    if given.get("kind") == "player":
        s["target"] = record.OPPONENT
        return
    point = _mapping(given.get("point"), "target.point")
    size = int(s["board_size"])
    x = _whole(point.get("x"), "target.x", 0, size - 1)
    y = _whole(point.get("y"), "target.y", 0, size - 1)
    s["target"] = record.CELL + y * size + x


def _put_outcome(s: State, layout: Mapping[str, Any], cells: Cells) -> None:
    winner, reason = layout.get("winner"), layout.get("reason")
    over = record.Phase(int(s["phase"])) == record.Phase.endTurn
    if (winner is not None) != over or (reason is not None) != over:
        raise BadLayout("winner, reason and state endTurn go together")
    if winner is None:
        return
    if isinstance(winner, bool) or winner not in (1, 2, "draw") or reason not in REASONS:
        raise BadLayout(f"winner {short(winner)} by {short(reason)} is not known")
    owners = {line["player"] for line in winning_lines(cells)}
    if reason in ("turnLimit", "noCards"):
        fits = winner == "draw"
    else:
        fits = owners == ({1, 2} if reason == "simultaneousFive" else {winner})
    if not fits:
        raise BadLayout("winner and reason do not fit the board")
    s["winner"] = record.DRAWN_GAME if winner == "draw" else winner
    s["reason"] = REASONS.index(reason)
    s["cut"] = 1 if reason == "turnLimit" else 0
    if winner != "draw":
        s["payoff"][winner - 1] = 1
        s["payoff"][2 - winner] = -1


def _cards(ids: Any, name: str) -> list[int]:
    if not isinstance(ids, list) or len(ids) > record.MAX_DECK:
        raise BadLayout(f"{name} is a list of at most {record.MAX_DECK} card ids")
    for card in ids:
        if not isinstance(card, str) or card not in IDS:
            raise BadLayout(f"{name}: no card is called {short(card)}")
    return [IDS.index(card) for card in ids]


def _mapping(value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise BadLayout(f"{name} is an object, not {short(value)}")
    return value


def _whole(value: Any, name: str, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise BadLayout(f"{name} is a whole number from {low} to {high}, not {short(value)}")
    return value
