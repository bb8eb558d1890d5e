"""Paipai Rensa in words: events as lines of `messages/`, actions as text and back, the table as a drawing."""

from __future__ import annotations

import re
from typing import Any

from qipai.core import LANGUAGES, Event, Line, Messages, State, list_value, seat_value
from qipai.core.errors import BadText, short

from .state import ACTIONS, DISCARD, KEEP
from .tiles import EMPTY_CODE, HONOURS, LETTERS
from .view import view

MESSAGES = Messages.of_package(__package__)
ROTATIONS = ("up", "right", "down", "left")  # where the rotor is, seen from the axis
HELP = "column and rotor such as 3 up, 1 right, 6 down, 2 left; keep or discard (k, d)"
PLAYER = seat_value(0)
SHOWN = ("alloc", "close", "spawn")  # events that the table shows and the log omits
ROW = 18  # tiles in a line of the drawing


# --- events ---------------------------------------------------------------------------


def line(event: Event) -> Line | None:
    """Return the message that describes an event, with its values; None if it needs no words."""
    kind = event.get("type")
    if kind == "land":
        return "log.land", {
            "who": PLAYER,
            "axis": tile(event["axis"]),
            "rotor": tile(event["rotor"]),
            "column": event["col"] + 1,
            "where": (f"log.where.{ROTATIONS[event['rot']]}", {}),
            "lost": len(event["lost"]),
            "tiles": tiles(event["lost"]),
        }
    if kind == "clear":
        return "log.clear", {"chain": event["chain"], "n": len(event["tiles"]), "points": event["points"]}
    if kind == "allocate":
        return "log.allocate", {"who": PLAYER, "kept": len(event["hand"]), "gone": len(event["discards"])}
    if kind == "hold":
        return _joined(_won(event))
    if kind == "over":
        return _joined([*_won(event), _end(event)])
    if kind in SHOWN or event.get("event") == "start":
        return None
    raise BadText(f"Paipai Rensa has no event {short(kind)}")


def tile(code: str) -> Line:
    """Return a tile's name as a line."""
    return f"tile.{code}", {}


def tiles(codes: list[str]) -> dict[str, list[Any]]:
    """Return several tiles as one value of a line."""
    return list_value([tile(code) for code in codes])


def _won(event: Event) -> list[Line]:
    """Return a line for each side that completes a hand."""
    found: list[Line] = []
    for side, key in (("player", "log.won"), ("cpu", "log.cpu_won")):
        if event[side]["won"]:
            shown = tiles([code for group in event[side]["groups"] for code in group])
            found.append((key, {"who": PLAYER, "points": event[side]["score"], "tiles": shown}))
    return found


def _end(event: Event) -> Line:
    return "log.over", {
        "score": event["playerTotal"],
        "cpu": event["cpuTotal"],
        "verdict": verdict(event["winner"]),
    }


def verdict(winner: str) -> Line:
    """Return who has won as a line."""
    return f"table.verdict.{winner}", {"who": PLAYER}


def _joined(lines: list[Line]) -> Line | None:
    """Return several lines as one, or None if there are none."""
    if not lines:
        return None
    *before, last = lines
    for one in reversed(before):
        last = "log.both", {"one": one, "other": last}
    return last


# --- actions --------------------------------------------------------------------------


def say(action: int) -> str:
    """Return an action as text: the axis column from 1 and where the rotor lies, or keep, discard."""
    if not 0 <= action < ACTIONS:
        raise BadText(f"no action has the number {action}")
    if action == KEEP:
        return "keep"
    if action == DISCARD:
        return "discard"
    return f"{(action >> 2) + 1} {ROTATIONS[action & 3]}"


def name(action: int, lang: str) -> str:
    """Return an action in the words of a language; `parse` reads them too."""
    if action in (KEEP, DISCARD):
        return _words(f"move.{say(action)}", lang)[0]
    turn = _words(f"move.{ROTATIONS[action & 3]}", lang)[0]
    return MESSAGES.say("move.place", lang, column=(action >> 2) + 1, turn=turn)


def _words(key: str, lang: str) -> list[str]:
    """Return the words that a player may type for a part of a move; the first is shown."""
    return (MESSAGES.find(key, lang) or "").split()


_TURN = {word: i for i, t in enumerate(ROTATIONS) for lang in LANGUAGES for word in _words(f"move.{t}", lang)}
_ANSWER = {word: a for a in (KEEP, DISCARD) for lang in LANGUAGES for word in _words(f"move.{say(a)}", lang)}
_PLACE = re.compile(rf"(?:column |c)?\s*([1-6])\s*({'|'.join(_TURN)})?")


def parse(text: str) -> int:
    """Return the action that `text` names; raise `BadText` if it names none."""
    if not isinstance(text, str) or len(text) > 40:
        raise BadText(f"not an action: say {HELP}")
    words = text.strip().lower()
    if words in _ANSWER:
        return _ANSWER[words]
    found = _PLACE.fullmatch(words)
    if found is None:
        raise BadText(f"{text.strip()!r} is not an action: say {HELP}")
    return 4 * (int(found[1]) - 1) + _TURN[found[2] or "up"]


# --- drawing --------------------------------------------------------------------------


def draw(s: State, seat: int, lang: str = "en") -> str:
    """Return the table as `seat` (or a watcher) sees it, from its view only."""
    return draw_view(view(s, seat), lang)


def draw_view(seen: dict[str, Any], lang: str = "en") -> str:
    """Return the table drawn from a view."""

    def put(key: str, **values: Any) -> str:
        return MESSAGES.say(f"draw.{key}", lang, **values)

    phase: Line = (f"phase.{seen['phase']}", {})
    side = [
        put("scores", score=seen["score"], cpu=seen["cpuScore"], chain=seen["chain"]),
        put("left", remaining=seen["remaining"], total=seen["total"], phase=phase),
        "",
    ]
    fall = seen["falling"]
    if fall:
        side.append(put("falls", axis=fall["axis"], rotor=fall["rotor"]))
    side += [put("next", pair=" ".join(seen["next"]) or "-"), ""]
    side += _wrapped(put("hand", n=len(seen["hand"])), sorted(seen["hand"], key=listing_order))
    side += _wrapped(put("discards", n=len(seen["discards"])), seen["discards"])
    if seen["lost"]:
        side += _wrapped(put("lost", n=len(seen["lost"])), seen["lost"])
    rows = board_text(seen["board"]).splitlines()
    lines = ["  1  2  3  4  5  6"]
    for i in range(max(len(rows), len(side))):
        row = f"| {rows[i]} |" if i < len(rows) else " " * 21
        lines.append(f"{row}  {side[i] if i < len(side) else ''}".rstrip())
    alloc = seen["alloc"]
    if alloc:
        lines.append(put("list", tiles=" ".join(_marked(alloc))))
        lines.append(put("asked", tile=alloc["tiles"][alloc["cursor"]], kept=alloc["kept"]))
    return "\n".join(lines)


def board_text(board: list[list[str | None]]) -> str:
    """Return a board as text (§2.2): twelve lines of six codes, top first."""
    return "\n".join(" ".join(cell or EMPTY_CODE for cell in row) for row in board)


def _wrapped(title: str, codes: list[str]) -> list[str]:
    rows = [codes[i : i + ROW] for i in range(0, len(codes), ROW)] or [["-"]]
    return [title, *("  " + " ".join(row) for row in rows)]


def _marked(alloc: dict[str, Any]) -> list[str]:
    """Return the list of an allocation: + kept, - discarded, [the tile in question]."""
    marks = []
    for i, code in enumerate(alloc["tiles"]):
        if i < alloc["cursor"]:
            marks.append(f"{code}{'+' if alloc['assign'][i] == 'hand' else '-'}")
        else:
            marks.append(f"[{code}]" if i == alloc["cursor"] else code)
    return marks


def listing_order(code: str) -> tuple[int, int]:
    """Return the place of a code in a listing (§16): man, pin, sou, honours; red fives before plain ones."""
    suit = LETTERS.index(code[0])
    if suit == 3:
        return suit, HONOURS.index(code[1])
    return suit, (2 * int(code[1]) if code[1] != "0" else 9)
