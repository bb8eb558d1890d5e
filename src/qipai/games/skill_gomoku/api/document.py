"""Reading a state document (§14): settings, log and generator, checked field by field.

The position itself is read by `layout.py`. Test positions are accepted: piles need not add up to the deck,
sizes go from 1 to 25, a turn may not have started. A position that cannot be continued raises InvalidConfig.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..reference import Mulberry32, Sfc32, core_generator, read_generator, seed_state
from .book import LARGEST_COUNT
from .cards import CardRegistry
from .codes import Code, SkillGomokuError, short
from .interface import VERSION, Json
from .log import EVENT_OF_TAG, Entry
from .settings import LARGEST_BOARD, Settings, read_settings

LARGEST_PILE = 10_000
KEYS = (
    "game", "version", "settings", "board", "currentPlayer", "deck", "status", "turn",
    "lastMove", "winner", "reason", "winningLines", "rng", "log",
)  # fmt: skip
POSITION = ("board", "currentPlayer", "deck", "status", "turn", "lastMove", "winner", "reason")


@dataclass
class Loaded:
    """The parts of a state document."""

    settings: Settings
    layout: Json  # for layout.lay_out_by
    generator: Mulberry32 | Sfc32
    log: list[Entry] = field(default_factory=list)
    lines: list[Any] = field(default_factory=list)  # winningLines of the document
    added: list[Any] = field(default_factory=list)  # targets added so far, for a card that takes several

    @property
    def state(self) -> Any:
        """The state of the turn machine in the document."""
        return self.layout.get("turn", {}).get("state")

    @property
    def cards(self) -> int:
        """Total number of cards."""
        deck, turn = self.layout["deck"], self.layout.get("turn", {})
        lists = (deck["drawPile"], deck.get("discardPile", []), turn.get("drawn", []))
        return sum(map(len, lists))


def read_document(doc: Any, registry: CardRegistry, pinned: bool) -> Loaded:
    """Split `doc` into its parts; the position in `layout` remains to be checked."""
    doc = mapping(doc, "a state")
    for key in doc:
        if key not in KEYS:
            raise bad(f"a state has no field {short(key)}")
    if doc.get("game", "skill_gomoku") != "skill_gomoku" or doc.get("version", VERSION) != VERSION:
        raise bad("this is not a state of skill_gomoku version 1")
    settings = read_loaded_settings(doc, read_size(doc.get("board")), registry)
    read_piles(doc, registry)
    layout = {key: doc[key] for key in POSITION if doc.get(key) is not None}
    log = read_log(doc.get("log", []))
    layout["logged"] = log[-1]["seq"] if log else 0
    turn = mapping(doc.get("turn", {}), "turn")
    number = whole(turn.get("number", 1), "turn.number", 1, LARGEST_COUNT)
    if log and log[-1]["turn"] > number:
        raise bad("the log has a later turn than the current one")
    layout["turn"] = {key: value for key, value in turn.items() if key != "added"}
    if turn.get("state") == "confirm" and doc.get("winner") is not None:
        raise bad("winner, reason and state endTurn are inconsistent")
    generator = read_generator(doc.get("rng"), True) if pinned else generator_of(doc)
    added, lines = turn.get("added", []), doc.get("winningLines", [])
    for name, found in (("added", added), ("winningLines", lines)):
        if not isinstance(found, list):
            raise bad(f"{name} must be a list, not {short(found)}")
    return Loaded(settings, layout, generator, log, lines, added)


def generator_of(doc: Mapping[str, Any]) -> Mulberry32 | Sfc32:
    """Return the generator of a state document, before any automatic step has used it."""
    if doc.get("rng") is not None:
        return read_generator(doc["rng"])
    seed = (doc.get("settings") or {}).get("seed")
    return core_generator(0 if seed is None else seed_state(seed))


def read_loaded_settings(doc: Mapping[str, Any], size: int, registry: CardRegistry) -> Settings:
    """Return the settings of a loaded state; the board's size is that of the cells."""
    given = dict(mapping(doc.get("settings", {}), "settings"))
    given.setdefault("boardSize", size)
    settings = read_settings(given, registry.ids, loaded=True)
    if settings.board_size != size:
        raise bad(f"settings say {settings.board_size} rows, the board has {size}")
    return settings


def read_size(board: Any) -> int:
    """Return the size of a board; its rows are lists."""
    board = mapping(board, "board")
    cells = board.get("cells")
    if not isinstance(cells, list) or not 1 <= len(cells) <= LARGEST_BOARD:
        raise bad(f"a board has 1 to {LARGEST_BOARD} rows")
    size = len(cells)
    if board.get("size", size) != size or isinstance(board.get("size", size), bool):
        raise bad(f"the board says size {short(board.get('size'))} and has {size} rows")
    if not all(isinstance(row, list) for row in cells):
        raise bad("a row of the board must be a list")
    return size


def read_piles(doc: Mapping[str, Any], registry: CardRegistry) -> None:
    """Check that the piles and the drawn cards are lists of registered cards."""
    deck, turn = mapping(doc.get("deck"), "deck"), mapping(doc.get("turn", {}), "turn")
    piles = {"drawPile": deck.get("drawPile"), "discardPile": deck.get("discardPile", [])}
    for name, pile in {**piles, "drawn": turn.get("drawn", [])}.items():
        if not isinstance(pile, list) or len(pile) > LARGEST_PILE:
            raise bad(f"{name} must be a list of card ids, not {short(pile)}")
        for card in pile:
            registry.require(card)


def read_log(log: Any) -> list[Entry]:
    """Return a log: entries numbered without gaps, each with a known tag."""
    if not isinstance(log, list):
        raise bad(f"log must be a list, not {short(log)}")
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
    """Return a log entry's data as JSON would restore it: a tuple becomes a list."""
    try:
        return json.loads(json.dumps(data, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise bad("a log entry's data is JSON") from error


def read_target(target: Any) -> Any:
    """Return the target of a third party's card: one value, or a list of them."""
    if isinstance(target, list):
        return [_shape(t) for t in target]
    return _shape(target)


def _shape(target: Any) -> Json:
    given = mapping(target, "a target")
    point = given.get("point")
    player = given.get("player")
    if given.get("kind") == "player" and type(player) is int and player in (1, 2):
        return plain_target(given)
    if given.get("kind") == "cell" and isinstance(point, Mapping):
        if type(point.get("x")) is int and type(point.get("y")) is int:
            return plain_target(given)
    raise bad(f"not a target: {short(target)}")


def plain_target(target: Any) -> Json:
    """Return a valid target value with its known fields only, so that a log contains nothing else."""
    kind = target["kind"]
    if kind == "cell":
        return {"kind": kind, "point": {"x": target["point"]["x"], "y": target["point"]["y"]}}
    if kind == "player":
        return {"kind": kind, "player": target["player"]}
    raise SkillGomokuError(Code.InvalidTarget)


# --- small checks ---------------------------------------------------------------------


def bad(message: str) -> SkillGomokuError:
    """Return InvalidConfig with this message."""
    return SkillGomokuError(Code.InvalidConfig, message)


def mapping(value: Any, name: str) -> Mapping[str, Any]:
    """Return `value` if it is an object, or raise."""
    if not isinstance(value, Mapping):
        raise bad(f"{name} is an object, not {short(value)}")
    return value


def whole(value: Any, name: str, low: int, high: int) -> int:
    """Return `value` if it is a whole number from low to high, or raise."""
    if type(value) is not int or not low <= value <= high:
        raise bad(f"{name} must be a whole number from {low} to {high}, not {short(value)}")
    return value
