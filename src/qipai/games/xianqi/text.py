"""Xianqi in words: events as lines, actions as text and back, the table as a drawing.

The notation is two letters per piece (`RS` red shi ... `BN` black niu), a number for how many
(`RS2`), `dog` for the dog pair, `under RS` for a piece that is covered, and the words `buckle`,
`reveal`, `pass`. The names of the message files are read too. Nothing here knows what is legal.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from qipai.core import Messages, State
from qipai.core.errors import BadText
from qipai.core.message import LANGUAGES, Line, seat_value, signed

from .lines import DOGS, combo_line, cover_line, line
from .state import (
    ACTIONS,
    BUCKLE,
    CARDS,
    DOG_PAIR,
    PASS,
    PLAY_SIZE,
    PLAY_TYPE,
    PLAYS,
    REVEAL,
    TYPES,
    UNDER,
)
from .view import view

__all__ = [
    "CODES",
    "MESSAGES",
    "action_line",
    "draw",
    "line",
    "parse",
    "play_of",
    "read_cards",
    "read_cover",
    "say",
]

MESSAGES = Messages.of_package("qipai.games.xianqi")

CODES = ("RS", "BS", "RX", "BX", "RM", "BM", "RC", "BC", "RG", "BG", "RN", "BN")
WORDS = {BUCKLE: "buckle", REVEAL: "reveal", PASS: "pass"}

_PLAY_OF = {(int(PLAY_TYPE[a]), int(PLAY_SIZE[a])): a for a in range(PLAYS) if a != DOG_PAIR}


# --- actions --------------------------------------------------------------------------


def say(action: int) -> str:
    """Return an action in notation; the exact inverse of `parse`."""
    if not 0 <= action < ACTIONS:
        raise BadText(f"xianqi has actions 0 to {ACTIONS - 1}, not {action}")
    if action >= UNDER:
        return f"under {CODES[action - UNDER]}"
    if action in WORDS:
        return WORDS[action]
    if action == DOG_PAIR:
        return "dog"
    size = int(PLAY_SIZE[action])
    return CODES[int(PLAY_TYPE[action])] + (str(size) if size > 1 else "")


def parse(text: str) -> int:
    """Return the action that `text` names, in notation or in any language; raise `BadText` if none."""
    words = _clean(text)
    if words in _SPOKEN:
        return _SPOKEN[words]
    match = _COVER.fullmatch(words)
    if match:
        cards = read_cards(match["cards"])
        if len(cards) == 1:
            return UNDER + cards[0]
        raise BadText(f"{_quote(text)}: cover one piece at a time")
    return play_of(read_cards(words), text)


def play_of(cards: Sequence[int], text: str = "") -> int:
    """Return the play of exactly these types; raise `BadText` if they are not a combo."""
    types = sorted(cards)
    if types == [CARDS.index(card) for card in DOGS]:
        return DOG_PAIR
    if types and types[0] == types[-1] and (types[0], len(types)) in _PLAY_OF:
        return _PLAY_OF[types[0], len(types)]
    raise BadText(f"{_quote(text or ' '.join(CODES[t] for t in types))} is not a combo that can be played")


def read_cards(text: str) -> list[int]:
    """Return the types that `text` lists, as in `RS2 BN`, `red shi, black niu` or `红士黑牛`."""
    words = _clean(text)
    found: list[int] = []
    while words:
        match = _CARD.match(words)
        if match is None:
            raise BadText(f"{_quote(text)} names no piece; pieces are {' '.join(CODES)}")
        t = _CARD_WORDS[match["card"] or match["tail"]]
        times = match["times"] or _TIMES.get((match["many"] or match["after"] or "").strip(), "1")
        found += [t] * int(times)
        words = words[match.end() :].lstrip(" ,+、，")
    if len(found) > 24:
        raise BadText(f"{_quote(text)}: there are not that many pieces")
    return found


def read_cover(text: str) -> list[int]:
    """Return the types of a whole cover, with or without the word for it."""
    words = _clean(text)
    match = _COVER.fullmatch(words)
    return read_cards(match["cards"] if match else words)


def action_line(action: int, asked: bool = True) -> Line:
    """Return an action in words, as a line. `asked`: a pass answers a buckle."""
    if action >= UNDER:
        return "terminal.cover", {"cards": cover_line({CARDS[action - UNDER]: 1})}
    if action == BUCKLE:
        return "terminal.buckle", {}
    if action == REVEAL:
        return "terminal.reveal", {}
    if action == PASS:
        return "terminal.pass" if asked else "terminal.pass.open", {}
    cards = DOGS if action == DOG_PAIR else {CARDS[int(PLAY_TYPE[action])]: int(PLAY_SIZE[action])}
    key, values = combo_line(cards)
    return key, values


def _clean(text: str) -> str:
    if not isinstance(text, str):
        raise BadText(f"an action must be a string, not {type(text).__name__}")
    folded = unicodedata.normalize("NFKC", text[:200]).lower().translate(_VARIANTS)
    return re.sub(r"[\s_]+", " ", folded).strip()


def _quote(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")


# --- the words that are read ----------------------------------------------------------

# Other characters in use for the same piece or word.
_VARIANTS = str.maketrans("紅馬傌車俥砲炮仕象兵卒對雙墊過", "红马马车车狗狗士相牛牛对双垫过")


def _read_words(name: str) -> list[str]:
    """Return the words accepted for `name` in every language; the message lists them between commas."""
    texts = (MESSAGES.texts(lang)[f"read.{name}"] for lang in LANGUAGES)
    return [_clean(word) for text in texts for word in text.split(",")]


def _spoken() -> Iterator[tuple[str, int]]:
    """Yield every action in the words of every language."""
    for lang in LANGUAGES:
        for action in range(ACTIONS):
            for asked in (True, False):
                yield _clean(MESSAGES.tell(action_line(action, asked), lang)), action
    for action, name in ((BUCKLE, "buckle"), (REVEAL, "reveal"), (PASS, "pass"), (DOG_PAIR, "dog")):
        for word in _read_words(name):
            yield word, action


def _card_words() -> Iterator[tuple[str, int]]:
    for t in range(TYPES):
        yield CODES[t].lower(), t
        yield _clean(CARDS[t]), t
        for lang in LANGUAGES:
            yield _clean(MESSAGES.say(f"card.{CARDS[t]}", lang)), t


def _any_of(words: Sequence[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_SPOKEN = dict(_spoken())
_CARD_WORDS = dict(_card_words())
_PAIR, _THREE, _TWICE = _read_words("pair"), _read_words("three"), _read_words("twice")
_TIMES = {**dict.fromkeys(_PAIR + _TWICE, "2"), **dict.fromkeys(_THREE, "3")}
_NAME = _any_of(list(_CARD_WORDS))
_AFTER = _any_of([f" {word}" if word.isascii() else word for word in _TWICE])
_CARD = re.compile(
    rf"(?:(?P<many>{_any_of(_PAIR + _THREE)})\s*(?P<card>{_NAME})"
    rf"|(?P<tail>{_NAME})(?:\s*[x×*]?\s*(?P<times>[1-3])(?!\d)|(?P<after>{_AFTER}))?)(?![a-z])"
)
_COVER = re.compile(rf"(?:{_any_of(_read_words('under'))})\s*(?P<cards>.+)")


# --- the table ------------------------------------------------------------------------


def draw(s: State, seat: int, lang: str) -> str:
    """Return the table as `seat` (or a watcher, -1) sees it, as plain text."""
    return "\n".join(_Drawing(view(s, seat), lang).lines(seat))


class _Drawing:
    """A view as lines of plain text in one language."""

    def __init__(self, seen: dict[str, Any], lang: str) -> None:
        self._seen = seen
        self._lang = lang

    def lines(self, seat: int) -> list[str]:
        """Return all lines, the viewer's own pieces last."""
        seen = self._seen
        over = seen["phase"] == "finished"
        found = [self._head(over)]
        found += [self._seat(k) for k in range(seen["seats"])]
        for i, played in enumerate([*seen["rounds"], seen["round"]]):
            if played is not None:
                found.append(f"  {i + 1}. " + self._round(played))
        if seen["relations"]:
            found.append(self._say("draw.reveals", links=" ".join(map(_link, seen["relations"]))))
        if over:
            return found + self._open()
        return found + (self._own() if seat >= 0 else [])

    def _say(self, key: str, **values: Any) -> str:
        return MESSAGES.say(key, self._lang, **values)

    def _head(self, over: bool) -> str:
        phase = [f"phase.{self._seen['phase']}", {}]
        if over:
            return self._say("draw.over", title=["title", {}], phase=phase)
        return self._say("draw.head", title=["title", {}], n=len(self._seen["rounds"]) + 1, phase=phase)

    def _seat(self, seat: int) -> str:
        seen = self._seen
        held, pillars = seen["hand_counts"][seat], seen["pillars"][seat]
        row = self._say("draw.seat", seat=seat_value(seat), held=held, pillars=pillars)
        notes = [self._say(key) for key in self._notes(seat)]
        if "settlement" in seen:
            notes.append(signed(seen["settlement"]["payoff"][seat]))
        pointer = ">" if seen["decider"] == seat else " "
        return f"{pointer} {row}  {', '.join(notes)}".rstrip()

    def _notes(self, seat: int) -> list[str]:
        seen = self._seen
        notes = {
            "table.ceramic": seen["pillars"][seat] >= seen["goals"]["ceramic"],
            "table.enough": seen["goals"]["enough"] <= seen["pillars"][seat] < seen["goals"]["ceramic"],
            "table.first": seen["active_revealer"] == seat,
            "table.buckled": seen["buckler"] == seat,
            "table.asked": seat in seen["pending"][1:],
            "draw.decides": seen["decider"] == seat,
        }
        return [key for key, holds in notes.items() if holds]

    def _round(self, played: dict[str, Any]) -> str:
        parts = [self._entry(entry) for entry in played["entries"]]
        if played["winner"] is not None:
            parts.append(self._say("draw.wins", seat=seat_value(played["winner"]), n=played["kind"]))
        if not parts:
            parts.append(self._say("draw.leads", seat=seat_value(played["lead"])))
        return " · ".join(parts)

    def _entry(self, entry: dict[str, Any]) -> str:
        seat = seat_value(entry["seat"])
        if entry["power"] >= 0:
            return self._say("draw.play", seat=seat, cards=self._cards(entry["cards"]))
        if "cards" not in entry:
            return self._say("draw.cover", seat=seat, n=entry["covered_count"])
        cards = self._cards(entry["cards"])
        return self._say("draw.cover.open", seat=seat, n=entry["covered_count"], cards=cards)

    def _own(self) -> list[str]:
        seen = self._seen
        picked = {card: seen["picked"].count(card) for card in seen["picked"]}
        found = [self._say("draw.hand", cards=self._cards(seen["hand"]))]
        for key, cards in (("draw.covered", seen["covered"]), ("draw.picked", picked)):
            if cards:
                found.append(self._say(key, cards=self._cards(cards)))
        return found

    def _open(self) -> list[str]:
        """Return what everyone still held and had covered, and the chips with reasons."""
        seen = self._seen
        found = []
        for k in range(seen["seats"]):
            hand, covered = self._cards(seen["hands"][k]), self._cards(seen["covers"][k])
            found.append(self._say("draw.open", seat=seat_value(k), hand=hand, covered=covered))
        return found + [MESSAGES.tell(told, self._lang) for told in seen["settlement"]["lines"]]

    def _cards(self, cards: Mapping[str, int]) -> str:
        """Return pieces in a row, each by its name or its letters, whichever is shorter."""
        row = []
        for card, n in cards.items():
            row += [min(self._say(f"card.{card}"), CODES[CARDS.index(card)], key=len)] * n
        return " ".join(row) or self._say("draw.none")


def _link(relation: dict[str, Any]) -> str:
    return f"{relation['revealer']}→{relation['buckler']}" + ("*" if relation["was_enough"] else "")
