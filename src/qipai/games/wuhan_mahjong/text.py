"""Wuhan mahjong in words: events as lines, actions as text and back, the table as a drawing.

Tiles are `1m`-`9m` (characters), `1s`-`9s` (bamboo), `1p`-`9p` (dots), `1z`-`7z` (East, South, West,
North, Red, Green, White). A tile alone is its discard. Sentences and names come from `messages/`; what
`parse` reads in addition to the notation comes from there too, in every language. Nothing here knows what is
legal.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from qipai.core import Event, Messages, State
from qipai.core.errors import BadText
from qipai.core.message import LANGUAGES, Line, list_value, seat_value

from .tiles import (
    ACTIONS,
    CHOW,
    CODES,
    CONCEALED,
    EXPOSED,
    KINDS,
    KONG_LAZY,
    KONG_RED,
    KONG_SKIN,
    PASS,
    PONG,
    SUPPLEMENT,
    WIN,
)
from .view import headline, view

MESSAGES = Messages.of_package(__package__)
NOTATION = {
    CHOW: "chow left",
    CHOW + 1: "chow middle",
    CHOW + 2: "chow right",
    PONG: "pong",
    EXPOSED: "kong",
    KONG_RED: "red",
    KONG_LAZY: "laizi",
    KONG_SKIN: "skin0",
    KONG_SKIN + 1: "skin1",
    WIN: "win",
    PASS: "pass",
}
NAMED = {  # actions without a tile, by the key of their name
    PONG: "action.pong",
    EXPOSED: "action.kong_exposed",
    KONG_RED: "action.kong_red",
    KONG_LAZY: "action.kong_lazy",
    WIN: "action.win",
    PASS: "action.pass",
}
WITH_TILE = {  # actions with a tile, by their first: the keys of their name and of what may be typed for it
    0: ("action.discard", "input.discard"),
    SUPPLEMENT: ("action.kong_supplement", "input.kong_supplement"),
    CONCEALED: ("action.kong_concealed", "input.kong_concealed"),
}
TYPED = {  # other words that may be typed
    CHOW: "input.chow_left",
    CHOW + 1: "input.chow_middle",
    CHOW + 2: "input.chow_right",
    EXPOSED: "input.kong_exposed",
    KONG_RED: "input.kong_red",
    KONG_LAZY: "input.kong_lazy",
    WIN: "input.win",
    PASS: "input.pass",
}


# --- events ---------------------------------------------------------------------------

CLAIMS = ("chow", "pong", "kong_exposed")
TOLD = (*CLAIMS, "discard", "kong_supplement", "kong_red", "kong_skin", "kong_lazy", "win")


def line(event: Event) -> Line | None:
    """Return the line of an event; None for questions and for what others draw."""
    kind = event["event"]
    if kind == "end":
        return _end_line(event)
    tile = event.get("tile")
    values: dict[str, Any] = {"by": seat_value(event.get("seat", -1))}
    if tile is not None:
        values["tile"] = tile_line(tile)
    if kind == "draw":
        return None if tile is None else ("log.draw", {**values, "left": event["wall_left"]})
    if kind == "kong_concealed":
        return ("log.kong_concealed" if tile is None else "log.kong_concealed_own"), values
    if kind in CLAIMS:
        values["from"] = seat_value(event["from"])
    if kind == "chow":
        values["tiles"] = tile_list(event["tiles"])
    return (f"log.{kind}", values) if kind in TOLD else None


def _end_line(event: Event) -> Line:
    values: dict[str, Any] = {"how": headline(event), "scores": score_list(event["deltas"])}
    if event["contractor"] is None:
        return "log.end", values
    return "log.end_contract", {**values, "contract": contract_line(event["contractor"])}


def contract_line(seat: int) -> Line:
    """Return who pays for all."""
    return "end.contract", {"payer": seat_value(seat)}


def score_list(deltas: Sequence[int]) -> dict[str, list[Any]]:
    """Return what each seat has won or lost, as a value of a line."""
    return list_value([("end.score", {"by": seat_value(k), "chips": d}) for k, d in enumerate(deltas)])


def result_lines(result: dict[str, Any]) -> list[Line]:
    """Return winner, win types, contract, fan products and the four deltas (§8.5), one line each."""
    fans = [("end.fan", {"by": seat_value(k), "n": n}) for k, n in enumerate(result["fans"])]
    contract = [] if result["contractor"] is None else [contract_line(result["contractor"])]
    return [
        headline(result),
        *contract,
        ("draw.fans", {"list": list_value(fans)}),
        ("draw.scores", {"list": score_list(result["deltas"])}),
    ]


# --- tiles and actions ----------------------------------------------------------------


def tile_line(code: str) -> Line:
    """Return the name of a tile, as sentences use it."""
    return f"tile.{code[1]}", {"n": int(code[0])}


def tile_list(codes: Sequence[str]) -> dict[str, list[Any]]:
    """Return several tiles, as a value of a line."""
    return list_value([tile_line(code) for code in codes])


@cache
def tile_name(code: str, lang: str) -> str:
    """Return a tile as it is drawn."""
    return MESSAGES.say(f"draw.tile.{code[1]}", lang, n=int(code[0]))


def row(codes: Sequence[str], lang: str) -> str:
    """Return tiles side by side; tiles drawn by their codes are grouped by suit: `123m 55s 6z`."""
    names = [tile_name(code, lang) for code in codes]
    if names != list(codes):
        return " ".join(names)
    suits = {suit: "".join(code[0] for code in codes if code[1] == suit) for suit in "mspz"}
    return " ".join(ranks + suit for suit, ranks in suits.items() if ranks)


def say(action: int) -> str:
    """Return an action in notation; `parse` reads it back."""
    if not 0 <= action < ACTIONS:
        raise BadText(f"wuhan_mahjong has actions 0 to {ACTIONS - 1}, not {action}")
    if action < KINDS:
        return CODES[action]
    if action in NOTATION:
        return NOTATION[action]
    if action < CONCEALED:
        return f"supplement {CODES[action - SUPPLEMENT]}"
    return f"conceal {CODES[action - CONCEALED]}"


def action_line(action: int, form: str = "draw.tile") -> Line:
    """Return the name of an action, with its tile as it is drawn (or as sentences say it, `tile`)."""
    if action in NAMED:
        return NAMED[action], {}
    if CHOW <= action < PONG:
        return "action.chow", {"at": action - CHOW}
    if action in (KONG_SKIN, KONG_SKIN + 1):
        return "action.kong_skin", {"n": action - KONG_SKIN}
    first = max(start for start in WITH_TILE if start <= action)
    code = CODES[action - first]
    return WITH_TILE[first][0], {"tile": (f"{form}.{code[1]}", {"n": int(code[0])})}


def action_name(action: int, lang: str) -> str:
    """Return an action for people, in their language."""
    return MESSAGES.tell(action_line(action), lang)


def parse(text: str) -> int:
    """Return the action that `text` names, in notation or in any language; raise `BadText` if none."""
    if not isinstance(text, str):
        raise BadText(f"an action must be a string, not {type(text).__name__}")
    action = _spoken().get(_clean(text))
    if action is None:
        raise BadText(f"{text[:40]!r} names no action such as 5m, chow left, pong, kong, win, pass")
    return action


def typed(key: str) -> list[str]:
    """Return the words that may be typed for something, in every language."""
    return [word for lang in LANGUAGES for word in MESSAGES.say(key, lang).split()]


@cache
def _spoken() -> dict[str, int]:
    """Return everything that `parse` reads, cleaned; the first meaning wins."""
    found: dict[str, int] = {}
    for words, action in _phrases():
        found.setdefault(_clean(words), action)
    return found


def _phrases() -> Iterator[tuple[str, int]]:
    for action in range(ACTIONS):
        yield say(action), action
    for lang in LANGUAGES:
        for action in range(ACTIONS):
            for form in ("draw.tile", "tile"):
                yield MESSAGES.tell(action_line(action, form), lang), action
    for action, key in TYPED.items():
        yield from ((word, action) for word in typed(key))
    for tile, code in enumerate(CODES):
        names = [code, *(name for lang in LANGUAGES for name in _names(code, lang))]
        yield from ((name, tile) for name in names)
        for first, (_, key) in WITH_TILE.items():
            yield from ((word + name, first + tile) for word in typed(key) for name in names)


def _names(code: str, lang: str) -> tuple[str, str]:
    return tile_name(code, lang), MESSAGES.tell(tile_line(code), lang)


def _clean(text: str) -> str:
    """Return `text` in lower case without blanks and brackets, its numerals as digits."""
    folded = unicodedata.normalize("NFKC", text).lower()
    return re.sub(r"[\s()_\-]+", "", "".join(map(_digit, folded)))


def _digit(letter: str) -> str:
    """Return the digit of a Chinese numeral from one to nine, else the letter itself."""
    value = unicodedata.numeric(letter, 0)
    return str(int(value)) if value in range(1, 10) else letter


# --- the table ------------------------------------------------------------------------


def draw(s: State, seat: int, lang: str) -> str:
    """Return the table as `seat` (or a watcher) sees it."""
    return draw_view(view(s, seat), lang)


def draw_view(seen: dict[str, Any], lang: str, names: Sequence[str] | None = None) -> str:
    """Return a view as lines of text."""
    phase = MESSAGES.say(f"phase.{seen['phase']}", lang)
    lines = [f"{top(seen, lang)} · {phase}"]
    lines += [_seat_line(seen, k, lang, names) for k in range(seen["seats"])]
    if seen["claimed"]:
        tile, source = tile_name(seen["claimed"]["tile"], lang), seat_value(seen["claimed"]["seat"])
        lines.append(MESSAGES.tell(("draw.claimed", {"tile": tile, "from": source}), lang, names))
    if "result" in seen:
        for k, hand in enumerate(seen["hands"]):
            values = {"by": seat_value(k), "tiles": row(hand, lang)}
            lines.append(MESSAGES.tell(("draw.hand_of", values), lang, names))
        lines += [MESSAGES.tell(told, lang, names) for told in result_lines(seen["result"])]
    elif seen["viewer"] >= 0:
        lines.append(_hand_line(seen, lang))
    return "\n".join(lines)


def top(seen: dict[str, Any], lang: str) -> str:
    """Return the indicator, the special tiles and the wall."""
    values = {
        "indicator": tile_name(seen["indicator"], lang),
        "laizi": tile_name(seen["laizi"], lang),
        "skins": " ".join(tile_name(t, lang) for t in seen["skins"]),
        "n": seen["wall_left"],
    }
    return MESSAGES.say("draw.top", lang, **values)


def marks(seen: dict[str, Any], k: int, lang: str) -> list[str]:
    """Return the notes next to a seat's name: dealer, tiles, fan."""
    found = [MESSAGES.say("draw.dealer", lang)] if seen["dealer"] == k else []
    found.append(MESSAGES.say("draw.tiles", lang, n=seen["hand_counts"][k]))
    found.append(MESSAGES.say("draw.fan", lang, n=seen["fans"][k]))
    return found


def meld_text(meld: dict[str, Any], lang: str) -> str:
    """Return a meld as it is drawn."""
    hidden = meld["tiles"] is None
    inside = MESSAGES.say("draw.hidden", lang) if hidden else row(meld["tiles"], lang)
    name = MESSAGES.say(f"meld.{meld['type']}", lang)
    return f"[{name} {inside}]"


def _seat_line(seen: dict[str, Any], k: int, lang: str, names: Sequence[str] | None) -> str:
    acts = seen["decider"] == k
    beside = marks(seen, k, lang) + ([MESSAGES.say("draw.to_act", lang)] if acts else [])
    name = MESSAGES.tell(("draw.seat", {"by": seat_value(k)}), lang, names)
    parts = [f"{'>' if acts else ' '} {name} ({', '.join(beside)})"]
    parts += [meld_text(meld, lang) for meld in seen["melds"][k]]
    if seen["special_kongs"][k]:
        parts.append(MESSAGES.say("draw.special", lang, tiles=row(seen["special_kongs"][k], lang)))
    river = " ".join(tile_name(t, lang) for t in seen["rivers"][k])
    return "  ".join([*parts, MESSAGES.say("draw.river", lang, tiles=river)])


def _hand_line(seen: dict[str, Any], lang: str) -> str:
    told = MESSAGES.say("draw.hand", lang, tiles=row(seen["hand"], lang))
    return told + (f"  ({drawn_text(seen, lang)})" if seen["drawn"] else "")


def drawn_text(seen: dict[str, Any], lang: str) -> str:
    """Return which tile the viewer has just drawn."""
    return MESSAGES.say("draw.drawn", lang, tile=tile_name(seen["drawn"], lang))


def waits_text(seen: dict[str, Any], lang: str) -> str:
    """Return what the viewer waits for, or would after each discard."""
    if seen["waits"]:
        return MESSAGES.say("terminal.waits", lang, tiles=row(seen["waits"], lang))
    lines = [
        MESSAGES.say("terminal.ready", lang, tile=tile_name(tile, lang), tiles=row(waiting, lang))
        for tile, waiting in seen["ready_discards"].items()
    ]
    return "\n".join(lines) or MESSAGES.say("terminal.not_ready", lang)
