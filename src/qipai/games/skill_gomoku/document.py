"""Reading a state document (§14) into the plain machine, checked field by field.

Test positions are welcome: piles need not add up to the deck, sizes go from 1 to 25, a
turn may not have begun. What cannot be played on from is refused with InvalidConfig.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from .board import Cells, winning_lines
from .cards import CardRegistry
from .codes import Code, SkillGomokuError, short
from .face import EVENT_OF_TAG, VERSION, Entry, Json
from .machine import TurnMachine, plain_target
from .reference import read_generator
from .settings import LARGEST_BOARD, Settings, read_settings

LARGEST_COUNT = 1 << 31
LARGEST_PILE = 10_000
KEYS = (
    "game", "version", "settings", "board", "currentPlayer", "deck", "status", "turn",
    "lastMove", "winner", "reason", "winningLines", "rng", "log",
)  # fmt: skip
REASONS = ("five", "simultaneousFive", "turnLimit", "noCards")


def read_document(machine: TurnMachine, doc: Any, pinned: bool) -> None:
    """Fill `machine` (its registry is set) with the state of `doc`."""
    doc = mapping(doc, "a state")
    for key in doc:
        if key not in KEYS:
            raise bad(f"a state has no field {short(key)}")
    if doc.get("game", "skill_gomoku") != "skill_gomoku" or doc.get("version", VERSION) != VERSION:
        raise bad("this is not a state of skill_gomoku version 1")
    cells = read_board(doc.get("board"))
    machine._blank(read_loaded_settings(doc, cells, machine.registry))
    machine._cells = cells
    machine._player = whole(doc.get("currentPlayer", machine.settings.first_player), "currentPlayer", 1, 2)
    deck = mapping(doc.get("deck"), "deck")
    machine._pile = read_pile(deck.get("drawPile"), "drawPile", machine.registry)
    machine._discard = read_pile(deck.get("discardPile", []), "discardPile", machine.registry)
    machine._skips = read_skips(doc.get("status"))
    machine._last_move = read_last_move(doc.get("lastMove"), cells)
    machine._generator = read_generator(doc["rng"], True) if pinned else machine.generator_of(doc)
    machine._number, machine.log = read_number(doc), read_log(doc.get("log", []))
    if machine.log and machine.log[-1]["turn"] > machine._number:
        raise bad("the log tells of a later turn than the running one")
    _read_turn(machine, mapping(doc.get("turn", {}), "turn"))
    _read_outcome(machine, doc)


def read_loaded_settings(doc: Mapping[str, Any], cells: Cells, registry: CardRegistry) -> Settings:
    """The settings of a loaded state; the board's size is that of the cells."""
    given = dict(mapping(doc.get("settings", {}), "settings"))
    given.setdefault("boardSize", len(cells))
    settings = read_settings(given, registry.ids, loaded=True)
    if settings.board_size != len(cells):
        raise bad(f"settings say {settings.board_size} rows, the board has {len(cells)}")
    return settings


def read_board(board: Any) -> Cells:
    """The cells of a board, square and of known values."""
    board = mapping(board, "board")
    cells = board.get("cells")
    if not isinstance(cells, list) or not 1 <= len(cells) <= LARGEST_BOARD:
        raise bad(f"a board has 1 to {LARGEST_BOARD} rows")
    size = len(cells)
    if board.get("size", size) != size or isinstance(board.get("size", size), bool):
        raise bad(f"the board says size {short(board.get('size'))} and has {size} rows")
    for row in cells:
        if not isinstance(row, list) or len(row) != size:
            raise bad("the board is not square")
        if any(type(c) is not int or c not in (0, 1, 2) for c in row):
            raise bad("a cell is 0, 1 or 2")
    return [list(row) for row in cells]


def read_pile(pile: Any, name: str, registry: CardRegistry) -> list[str]:
    """A pile of registered cards."""
    if not isinstance(pile, list) or len(pile) > LARGEST_PILE:
        raise bad(f"{name} is a list of card ids, not {short(pile)}")
    return [registry.require(card).id for card in pile]


def read_skips(status: Any) -> dict[str, int]:
    """The skip counters."""
    given = mapping(mapping(status or {}, "status").get("skipNextTurns", {}), "skipNextTurns")
    for key in given:
        if key not in ("1", "2"):
            raise bad(f"skipNextTurns has no player {short(key)}")
    return {p: whole(given.get(p, 0), "a skip counter", 0, LARGEST_COUNT) for p in ("1", "2")}


def read_last_move(last: Any, cells: Cells) -> Json | None:
    """The last stone placed; it must lie where it says."""
    if last is None:
        return None
    last = mapping(last, "lastMove")
    x = whole(last.get("x"), "lastMove.x", 0, len(cells) - 1)
    y = whole(last.get("y"), "lastMove.y", 0, len(cells) - 1)
    player = whole(last.get("player"), "lastMove.player", 1, 2)
    if cells[y][x] != player:
        raise bad("lastMove names a stone that is not there")
    return {"x": x, "y": y, "player": player}


def read_number(doc: Mapping[str, Any]) -> int:
    """The turn's number."""
    turn = mapping(doc.get("turn", {}), "turn")
    return whole(turn.get("number", 1), "turn.number", 1, LARGEST_COUNT)


def read_log(log: Any) -> list[Entry]:
    """A log: entries numbered without gaps, each with a known tag."""
    if not isinstance(log, list):
        raise bad(f"log is a list, not {short(log)}")
    out: list[Entry] = []
    for given in log:
        entry = mapping(given, "a log entry")
        if set(entry) != {"seq", "turn", "player", "at", "tag", "message", "data"}:
            raise bad("a log entry has the fields seq, turn, player, at, tag, message, data")
        first = out[-1]["seq"] + 1 if out else 1
        whole(entry["seq"], "a log entry's seq", first, first if out else LARGEST_COUNT)
        whole(entry["turn"], "a log entry's turn", out[-1]["turn"] if out else 1, LARGEST_COUNT)
        whole(entry["at"], "a log entry's at", 1, LARGEST_COUNT)
        whole(entry["player"], "a log entry's player", 1, 2)
        tag, message = entry["tag"], entry["message"]
        if not isinstance(tag, str) or tag not in EVENT_OF_TAG or not isinstance(entry["data"], Mapping):
            raise bad("a log entry has an unknown tag or no data")
        if tag == "drawTwo" and not isinstance(entry["data"].get("cards"), list):
            raise bad("a drawTwo entry lists its cards")
        if not isinstance(message, str) or not message.startswith(f"{tag}:"):
            raise bad("a log entry's message starts with its tag")
        out.append({**entry, "data": as_json(entry["data"])})
    return out


def as_json(data: Any) -> Any:
    """A log entry's data as a JSON text would bring it back: a tuple is a list."""
    try:
        return json.loads(json.dumps(data, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise bad("a log entry's data is JSON") from error


def _read_turn(machine: TurnMachine, turn: Mapping[str, Any]) -> None:
    settings = machine.settings
    state = turn.get("state", "maybeSkip")
    known = ["maybeSkip", "choose", "selectTarget", "endTurn"]
    known += ["confirm"] if settings.confirm_end else []
    known += ["drawTwo", "resolve", "checkWin"] if settings.paced else []
    if not isinstance(state, str) or state not in known:
        raise bad(f"a turn cannot be loaded in state {short(state)}")
    machine._state = state
    drawn = read_pile(turn.get("drawn", []), "drawn", machine.registry)
    needed = state in ("choose", "selectTarget")
    if len(drawn) > 2 or (state == "maybeSkip" and drawn) or (needed and not drawn):
        raise bad(f"{len(drawn)} drawn cards do not fit state {state}")
    machine._drawn = drawn
    _read_choice(machine, turn)


def _read_choice(machine: TurnMachine, turn: Mapping[str, Any]) -> None:
    state, drawn = machine._state, machine._drawn
    index, chosen, target = turn.get("chosenIndex"), turn.get("chosen"), turn.get("target")
    before = state in ("maybeSkip", "drawTwo", "choose")
    if before and (index is not None or chosen is not None):
        raise bad(f"no card is chosen in state {state}")
    if index is None and chosen is not None and chosen in drawn:
        index = drawn.index(chosen)
    if index is not None:
        whole(index, "chosenIndex", 0, len(drawn) - 1)
        if chosen is not None and chosen != drawn[index]:
            raise bad("chosen and chosenIndex disagree")
        machine._index, machine._chosen = index, drawn[index]
    elif chosen is not None or state in ("selectTarget", "resolve", "checkWin", "confirm"):
        raise bad(f"state {state} needs a chosen card that was drawn")
    if state == "selectTarget":
        if machine._winner is None and machine._card.can_play(machine.context) is not None:
            raise bad("the chosen card cannot be played")
        if not machine._card.needs_target:
            raise bad("the chosen card takes no target")
    machine._target = None if target is None else _read_target(machine, target)
    machine._added = [_read_added(machine, t) for t in _list(turn.get("added", []))]


def _read_target(machine: TurnMachine, target: Any) -> Any:
    if machine._chosen is None or machine._state == "selectTarget":
        raise bad("no target is chosen yet")
    if isinstance(target, list):
        return [_shape(t) for t in target]
    return _shape(target)


def _read_added(machine: TurnMachine, target: Any) -> Json:
    if machine._state != "selectTarget" or machine._card.several is None:
        raise bad("only a card that takes several targets adds them")
    if machine._card.validate_target(machine.context, target) is not None:
        raise bad("an added target is not valid")
    return plain_target(target)


def _shape(target: Any) -> Json:
    given = mapping(target, "a target")
    point = given.get("point")
    if given.get("kind") == "player" and given.get("player") in (1, 2):
        return plain_target(given)
    if given.get("kind") == "cell" and isinstance(point, Mapping):
        if type(point.get("x")) is int and type(point.get("y")) is int:
            return plain_target(given)
    raise bad(f"not a target: {short(target)}")


def _read_outcome(machine: TurnMachine, doc: Mapping[str, Any]) -> None:
    winner, reason = doc.get("winner"), doc.get("reason")
    if isinstance(winner, bool) or winner not in (None, 1, 2, "draw"):
        raise bad(f"winner is null, 1, 2 or 'draw', not {short(winner)}")
    if reason is not None and reason not in REASONS:
        raise bad(f"unknown reason {short(reason)}")
    drawn_game = reason in ("turnLimit", "noCards")
    found = machine._state == "checkWin" and winner is not None and not drawn_game  # paced: shown, not ended
    if (winner is None) != (reason is None) or (winner is not None) != (found or machine._state == "endTurn"):
        raise bad("winner, reason and state endTurn go together")
    if winner is not None:
        owners = {line["player"] for line in winning_lines(machine._cells)}
        expected = {1, 2} if reason == "simultaneousFive" else {winner}
        if (drawn_game and winner != "draw") or (not drawn_game and owners != expected):
            raise bad("winner and reason do not fit the board")
    machine._winner, machine._reason = winner, reason
    lines = doc.get("winningLines", [])
    if not isinstance(lines, list) or (lines and lines != machine.outcome["winningLines"]):
        raise bad("winningLines are not those of the board")


# --- small checks ---------------------------------------------------------------------


def bad(message: str) -> SkillGomokuError:
    """InvalidConfig with this message."""
    return SkillGomokuError(Code.InvalidConfig, message)


def mapping(value: Any, name: str) -> Mapping[str, Any]:
    """`value`, if it is an object."""
    if not isinstance(value, Mapping):
        raise bad(f"{name} is an object, not {short(value)}")
    return value


def whole(value: Any, name: str, low: int, high: int) -> int:
    """`value`, if it is a whole number from low to high."""
    if type(value) is not int or not low <= value <= high:
        raise bad(f"{name} is a whole number from {low} to {high}, not {short(value)}")
    return value


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise bad(f"added is a list, not {short(value)}")
    return value
