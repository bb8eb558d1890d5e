"""Custom deals and positions for the compiled rules, checked; and the state as JSON.

A layout has the keys of a state document (§14): board, currentPlayer, deck, status, turn,
lastMove, winner, reason; also `logged` (log entries so far) and `topped` (a Place was
put on top of the first pile). `board` may also be a list of strings, one per row. Without
`deck` the pile is shuffled from the options.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qipai.core import NOBODY, State
from qipai.core.errors import BadLayout

from .api.book import STANDARD, Rulebook
from .api.codes import short
from .api.deck import build_deck, ensure_place_top
from .api.lines import Cells, put_cells, winning_lines
from .reference import Sfc32
from .state import CARDS, CELL, CHECK_WIN, CHOOSE, DRAWN_GAME, END_TURN, IDS, NONE, OPPONENT, Phase

KEYS = (
    "board", "currentPlayer", "deck", "status", "turn", "lastMove", "winner", "reason", "logged", "topped",
)  # fmt: skip
PHASES = {"confirm": Phase.checkWin}  # states of the turn machine that are not phases of the rules
BEFORE = ("maybeSkip", "drawTwo", "choose")  # no card is chosen yet
AFTER = ("selectTarget", "resolve", "checkWin", "confirm")  # a card is chosen
REASONS = (None, "five", "simultaneousFive", "turnLimit", "noCards")  # by number in the state


def lay_out(s: State, layout: Mapping[str, Any]) -> None:
    """Fill `s` (with options and generator set) with the position; raise `BadLayout` if it is invalid."""
    lay_out_by(STANDARD, s, layout)


def lay_out_by(book: Rulebook, s: State, layout: Mapping[str, Any]) -> None:
    """Fill `s`, the state of a match played by `book`, with the position."""
    for key in layout:
        if key not in KEYS:
            raise BadLayout(f"a layout has no field {short(key)}; known: {', '.join(KEYS)}")
    book.clear(s)
    size = int(s["board_size"])
    cells = _cells(layout.get("board", ["0" * size] * size), size)
    _put_board(s, cells, layout.get("lastMove"))
    s["mover"] = _whole(layout.get("currentPlayer", int(s["first_seat"]) + 1), "currentPlayer", 1, 2) - 1
    _put_skips(s, layout.get("status", {}), book)
    _put_piles(s, layout, book)
    turn = _mapping(layout.get("turn", {}), "turn")
    s["turn"] = _whole(turn.get("number", 1), "turn.number", 1, book.longest)
    s["logged"] = _whole(layout.get("logged", 0), "logged", 0, book.most_logged)
    _put_turn(s, turn, book)
    _put_outcome(s, layout, cells)
    in_play = sum(c != NONE for c in s["drawn"].tolist())
    room = len(s["pile"])
    if int(s["piled"]) + int(s["discarded"]) + in_play > room:
        raise BadLayout(f"more than {room} cards")


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
    put_cells(s, cells)
    s["scan"] = 1 if winning_lines(cells) else 0
    if last is None:
        return
    last = _mapping(last, "lastMove")
    x = _whole(last.get("x"), "lastMove.x", 0, size - 1)
    y = _whole(last.get("y"), "lastMove.y", 0, size - 1)
    if cells[y][x] != _whole(last.get("player", cells[y][x] or 1), "lastMove.player", 1, 2):
        raise BadLayout("lastMove names a stone that is not there")
    s["last"] = y * size + x


def _put_skips(s: State, status: Any, book: Rulebook) -> None:
    given = _mapping(_mapping(status, "status").get("skipNextTurns", {}), "skipNextTurns")
    for key, value in given.items():
        if key not in ("1", "2"):
            raise BadLayout(f"skipNextTurns has no player {short(key)}")
        s["skips"][int(key) - 1] = _whole(value, "a skip counter", 0, book.most_skips)


def _put_piles(s: State, layout: Mapping[str, Any], book: Rulebook) -> None:
    deck, room = layout.get("deck"), len(s["pile"])
    if deck is None:
        generator = Sfc32(s["rng"].tolist())
        counts = dict(zip(IDS, s["copies"].tolist(), strict=True))
        ids = generator.shuffle(build_deck(counts))
        s["rng"] = generator.words
        s["topped"] = 1 if s["place_top"] == 1 and "Place" in ids else 0
        deck = {"drawPile": ensure_place_top(ids) if s["place_top"] == 1 else ids}
    deck = _mapping(deck, "deck")
    pile = _cards(deck.get("drawPile", []), "drawPile", book, room)
    discards = _cards(deck.get("discardPile", []), "discardPile", book, room)
    if len(pile) + len(discards) > room:
        raise BadLayout(f"more than {room} cards")
    s["pile"][: len(pile)] = pile
    s["piled"] = len(pile)
    s["discard"][: len(discards)] = discards
    s["discarded"] = len(discards)
    topped = layout.get("topped", bool(s["topped"]))
    if not isinstance(topped, bool):
        raise BadLayout("topped is true or false")
    s["topped"] = topped


def _put_turn(s: State, turn: Mapping[str, Any], book: Rulebook) -> None:
    state = turn.get("state", "maybeSkip")
    if not isinstance(state, str) or state not in book.states:
        raise BadLayout(f"a position must be in {', '.join(book.states)}, not {short(state)}")
    s["phase"] = PHASES[state] if state in PHASES else Phase[state]
    drawn = _cards(turn.get("drawn", []), "drawn", book, 2)
    needed = state in ("choose", "selectTarget")
    if (state == "maybeSkip" and drawn) or (needed and not drawn):
        raise BadLayout(f"{len(drawn)} drawn cards do not fit state {state}")
    s["drawn"][: len(drawn)] = drawn
    _put_choice(s, turn, state, drawn, book)
    _put_target(s, turn.get("target"), state, book)
    s["seat"] = s["mover"] if needed else NOBODY


def _put_choice(s: State, turn: Mapping[str, Any], state: str, drawn: list[int], book: Rulebook) -> None:
    index, chosen = turn.get("chosenIndex"), turn.get("chosen")
    if index is None and chosen is not None:
        card = _cards([chosen], "chosen", book, 1)[0]
        if card not in drawn:
            raise BadLayout("the chosen card is not among the drawn ones")
        index = drawn.index(card)
    if index is not None and state in BEFORE:
        raise BadLayout(f"no card is chosen in state {state}")
    if index is None and state in AFTER:
        raise BadLayout(f"state {state} needs a chosen card")
    if index is None:
        return
    s["slot"] = _whole(index, "chosenIndex", 0, len(drawn) - 1)
    card = s["card"] = drawn[index]
    if chosen is not None and chosen != book.ids[card]:
        raise BadLayout("chosen and chosenIndex disagree")
    playable = bool(book.playable(s, card))
    if state == "selectTarget" and not (book.needs_target(card) and playable):
        raise BadLayout("the chosen card takes no target here")
    s["fizzled"] = 0 if playable else 1


def _put_target(s: State, target: Any, state: str, book: Rulebook) -> None:
    if target is None:
        return
    if state == "selectTarget" or s["slot"] == NONE:
        raise BadLayout(f"no target is chosen in state {state}")
    if book.put_target is not None and s["card"] >= CARDS:
        book.put_target(s, target)
        return
    given = _mapping(target, "target")
    if given.get("kind") == "player":
        _whole(given.get("player"), "target.player", 1, 2)
        s["target"] = OPPONENT
        return
    if given.get("kind") != "cell":
        raise BadLayout(f"not a target: {short(target)}")
    point = _mapping(given.get("point"), "target.point")
    size = int(s["board_size"])
    x = _whole(point.get("x"), "target.x", 0, size - 1)
    y = _whole(point.get("y"), "target.y", 0, size - 1)
    s["target"] = CELL + y * size + x


def _put_outcome(s: State, layout: Mapping[str, Any], cells: Cells) -> None:
    winner, reason = layout.get("winner"), layout.get("reason")
    over = s["phase"] == END_TURN
    if s["phase"] == CHECK_WIN and winner is not None:  # found, but the turn has not ended yet
        over = reason in ("five", "simultaneousFive")
    if (winner is not None) != over or (reason is not None) != over:
        raise BadLayout("winner, reason and state endTurn are inconsistent")
    if winner is None:
        return
    if isinstance(winner, bool) or winner not in (1, 2, "draw") or reason not in REASONS:
        raise BadLayout(f"winner {short(winner)} by {short(reason)} is unknown")
    owners = {line["player"] for line in winning_lines(cells)}
    if reason in ("turnLimit", "noCards"):
        fits = winner == "draw"
    else:
        fits = owners == ({1, 2} if reason == "simultaneousFive" else {winner})
    if not fits:
        raise BadLayout("winner and reason do not fit the board")
    s["winner"] = DRAWN_GAME if winner == "draw" else winner
    s["reason"] = REASONS.index(reason)
    s["cut"] = 1 if reason == "turnLimit" else 0
    if winner != "draw":
        s["payoff"][winner - 1] = 1
        s["payoff"][2 - winner] = -1


def _cards(ids: Any, name: str, book: Rulebook, most: int) -> list[int]:
    if not isinstance(ids, list) or len(ids) > most:
        raise BadLayout(f"{name} must be a list of at most {most} card ids")
    for card in ids:
        if not isinstance(card, str) or card not in book.ids:
            raise BadLayout(f"{name}: there is no card {short(card)}")
    return [book.number(card) for card in ids]


def _mapping(value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise BadLayout(f"{name} is an object, not {short(value)}")
    return value


def _whole(value: Any, name: str, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise BadLayout(f"{name} must be a whole number from {low} to {high}, not {short(value)}")
    return value


def pieces(s: State) -> list[int]:
    """Return how many cards of each kind are in the piles and in play: none is ever lost."""
    cards = [*s["pile"][: int(s["piled"])].tolist(), *s["discard"][: int(s["discarded"])].tolist()]
    if s["seat"] != NOBODY:
        if s["phase"] == CHOOSE:
            cards += [c for c in s["drawn"].tolist() if c != NONE]
        else:
            cards.append(int(s["card"]))
    return [cards.count(card) for card in range(CARDS)]
