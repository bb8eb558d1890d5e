"""NANA in words: events as lines, actions as text and back, the table as a drawing."""

from __future__ import annotations

import re
from typing import Any
from unicodedata import east_asian_width

from qipai.core import LANGUAGES, Event, Line, Messages, State, list_value, seat_value
from qipai.core.errors import BadText

from .state import ACTIONS, CENTRE, CENTRE_ACTION, SEATS
from .view import view

MESSAGES = Messages.of_package(__package__)
NAME_WIDTH = 8  # columns of a name in the drawing


# --- events ---------------------------------------------------------------------------


def line(event: Event) -> Line | None:
    """Return the line of an event; None for an unknown event."""
    kind = event.get("type") or event.get("event")
    if kind == "reveal":
        return _reveal(event)
    if kind == "collect":
        return "log.collect", {"by": seat_value(event["by"]), "number": event["number"]}
    if kind == "win":
        return "log.win", {"by": seat_value(event["player"]), "why": why_line(event["reason"])}
    if kind == "end":
        return "log.end", {"why": why_line(event["reason"])}
    key = {"start": "log.start", "fail": "log.fail"}.get(str(kind))
    return None if key is None else (key, {})


def _reveal(event: Event) -> Line:
    owner, n = place_of(event["slot"])
    values = {"by": seat_value(event["by"]), "n": n, "number": event["number"]}
    if owner is None:
        return "log.reveal.centre", values
    if owner == event["by"]:
        return "log.reveal.own", values
    return "log.reveal.hand", {**values, "owner": seat_value(owner)}


def why_line(reason: str) -> Line:
    """Return why a hand ended, given a reason of the view."""
    return f"log.why.{reason}", {}


def place_of(slot: str) -> tuple[int | None, int]:
    """Return the seat that a slot belongs to (None: the centre) and its place, counted from 1."""
    if slot[0] == "c":
        return None, int(slot[1:]) + 1
    seat, _, i = slot[1:].partition(".")
    return int(seat), int(i) + 1


# --- actions --------------------------------------------------------------------------


def typed_words(key: str) -> list[str]:
    """Return what players of any language may type for a word of the notation."""
    return [word for lang in LANGUAGES for word in MESSAGES.say(key, lang).split()]


HEADS = ("head", "h", "min", *typed_words("notation.low"))
TAILS = ("tail", "t", "max", *typed_words("notation.high"))
CENTRES = ("centre", "center", "c", *typed_words("notation.centre"))
HELP = "head, tail (own), head 2, tail 2 (of the seat 2 places on), centre 4"


def _one_of(words: tuple[str, ...]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_END = re.compile(rf"(?:({_one_of(HEADS)})|{_one_of(TAILS)})\s*\+?\s*(\d*)")
_CENTRE = re.compile(rf"(?:{_one_of(CENTRES)})\s*(\d+)")


def say(action: int) -> str:
    """Return an action as text: `head 0` is the acting seat's head, `centre 1` the first centre card."""
    if not 0 <= action < ACTIONS:
        raise BadText(f"no action has the number {action}")
    if action >= CENTRE_ACTION:
        return f"centre {action - CENTRE_ACTION + 1}"
    return f"{'tail' if action & 1 else 'head'} {action >> 1}"


def parse(text: str) -> int:
    """Return the action that `text` names; raise `BadText` if it names none."""
    if not isinstance(text, str) or len(text) > 40:
        raise BadText(f"not an action: say {HELP}")
    words = text.strip().lower()
    end = _END.fullmatch(words)
    if end and int(end[2] or 0) < SEATS:
        return 2 * int(end[2] or 0) + (end[1] is None)
    centre = _CENTRE.fullmatch(words)
    if centre and 1 <= int(centre[1]) <= CENTRE:
        return CENTRE_ACTION + int(centre[1]) - 1
    raise BadText(f"{text.strip()!r} is not an action: say {HELP}")


# --- the drawing ----------------------------------------------------------------------


def draw(s: State, seat: int, lang: str = "en") -> str:
    """Return the table as `seat` (or a watcher) sees it, from its view only."""
    return draw_view(view(s, seat), lang)


def draw_view(seen: dict[str, Any], lang: str = "en") -> str:
    """Return the table of a view as text."""
    cells = cells_of(seen)
    viewer = -1 if seen["seat"] is None else seen["seat"]
    lines = [MESSAGES.tell(_heading(seen), lang)]
    for hand in seen["hands"]:
        k = hand["seat"]
        name = MESSAGES.tell(("who", {"who": seat_value(k)}), lang, None, viewer)
        mark = ">" if k == seen["current"] else " "
        row = " ".join(cells[f"h{k}.{i}"] for i in range(seen["dealt"]["hands"][k]))
        won = seen["collections"][k]
        has = "   " + MESSAGES.say("draw.has", lang, trios=list_value(won)) if won else ""
        lines.append(f"{mark} {padded(name, NAME_WIDTH)} {row}{has}")
    centre = padded(MESSAGES.say("draw.centre", lang), NAME_WIDTH)
    lines.append(f"  {centre} " + " ".join(cells[c["slot"]] for c in seen["centre"]))
    lines.append("  " + MESSAGES.say("draw.key", lang))
    return "\n".join(lines)


def _heading(seen: dict[str, Any]) -> Line:
    phase = seen["phase"].replace("-", "_")
    cards = " ".join(str(card["number"]) for card in seen["face_up"]) or "-"
    return "draw.heading", {
        "title": ("title", {}),
        "turn": seen["turn"] + 1,
        "phase": (f"phase.{phase}", {}),
        "cards": cards,
    }


def padded(text: str, width: int) -> str:
    """Return `text` padded to a number of columns; a Chinese character takes two."""
    return text + " " * (width - sum(2 if east_asian_width(c) in "WF" else 1 for c in text))


def cells_of(seen: dict[str, Any]) -> dict[str, str]:
    """Return each dealt slot as four characters of the drawing."""
    cells = {slot: " ?? " for hand in seen["hands"] for slot in hand["slots"]}
    cells.update({card["slot"]: " ?? " for card in seen["centre"]})
    cells.update({slot: str(number).center(4) for slot, number in (seen["cards"] or {}).items()})
    cells.update({card["slot"]: str(card["number"]).center(4) for card in seen["my_hand"]})
    cells.update({slot: f"({number})".center(4) for slot, number in seen["known"].items()})
    cells.update({card["slot"]: f"[{card['number']}]".center(4) for card in seen["face_up"]})
    cells.update(dict.fromkeys(seen["removed"], " -- "))
    return cells
