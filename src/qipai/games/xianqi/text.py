"""Xianqi in words: actions as text and back, events as sentences, the table as a drawing.

The notation is two letters a card (`RS` red shi ... `BN` black niu), a number for how
many (`RS2`), `dog` for the dog pair, `under RS` for a card put under, and the words
`buckle`, `reveal`, `pass`. Chinese words are read too. Nothing here knows what is legal.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from qipai.core import State
from qipai.core.errors import BadText

from .state import (
    ACTIONS,
    BUCKLE,
    CARDS,
    CERAMIC,
    DOG_PAIR,
    ENOUGH,
    PASS,
    PLAY_SIZE,
    PLAY_TYPE,
    PLAYS,
    REVEAL,
    TYPES,
    UNDER,
)
from .view import view
from .words import NAMES, TYPE_OF, language, signed, tell

__all__ = ["CODES", "draw", "parse", "play_of", "read_cards", "say", "tell"]

CODES = ("RS", "BS", "RX", "BX", "RM", "BM", "RC", "BC", "RG", "BG", "RN", "BN")
WORDS = {BUCKLE: "buckle", REVEAL: "reveal", PASS: "pass"}

_PLAY_OF = {(int(PLAY_TYPE[a]), int(PLAY_SIZE[a])): a for a in range(PLAYS) if a != DOG_PAIR}


# --- actions --------------------------------------------------------------------------


def say(action: int) -> str:
    """An action in notation; the exact inverse of `parse`."""
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
    """The action that `text` names (letters, words or Chinese); BadText if none."""
    words = _clean(text)
    if words in _SPOKEN:
        return _SPOKEN[words]
    match = re.fullmatch(r"(?:under|cover|垫)\s*(.+)", words)
    if match:
        cards = read_cards(match[1])
        if len(cards) == 1:
            return UNDER + cards[0]
        raise BadText(f"{_quote(text)}: put cards under one at a time")
    return play_of(read_cards(words), text)


def play_of(cards: Sequence[int], text: str = "") -> int:
    """The play that lays down exactly `cards` (types); BadText when they are no combo."""
    types = sorted(cards)
    if types == [TYPE_OF["R_GOU"], TYPE_OF["B_GOU"]]:
        return DOG_PAIR
    if types and types[0] == types[-1] and (types[0], len(types)) in _PLAY_OF:
        return _PLAY_OF[types[0], len(types)]
    raise BadText(f"{_quote(text or ' '.join(CODES[t] for t in types))} is not a combo that can be played")


def read_cards(text: str) -> list[int]:
    """The card types that `text` lists, as `RS2 BN`, `red shi, black niu` or `红士黑牛`."""
    words = _clean(text)
    found: list[int] = []
    while words:
        match = _CARD.match(words)
        if match is None:
            raise BadText(f"{_quote(text)} names no card; cards are {' '.join(CODES)}")
        t = _CARD_WORDS[match["card"] or match["tail"]]
        times = match["times"] or _TIMES.get(match["many"] or match["after"] or "", "1")
        found += [t] * int(times)
        words = words[match.end() :].lstrip(" ,+、，")
    if len(found) > 24:
        raise BadText(f"{_quote(text)}: that is more cards than there are")
    return found


def _clean(text: str) -> str:
    if not isinstance(text, str):
        raise BadText(f"an action is text, not {type(text).__name__}")
    folded = unicodedata.normalize("NFKC", text[:200]).lower().translate(_TRADITIONAL)
    return re.sub(r"[\s_]+", " ", folded).strip()


def _quote(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")


# Other characters in use for the same piece or word.
_TRADITIONAL = str.maketrans("紅馬傌車俥砲炮仕象兵卒對雙墊過", "红马马车车狗狗士相牛牛对双垫过")
_SPOKEN = {
    "buckle": BUCKLE,
    "扣": BUCKLE,
    "扣棋": BUCKLE,
    "reveal": REVEAL,
    "掀": REVEAL,
    "掀棋": REVEAL,
    "pass": PASS,
    "过": PASS,
    "不掀": PASS,
    "不扣": PASS,
    "dog": DOG_PAIR,
    "dogs": DOG_PAIR,
    "dog pair": DOG_PAIR,
    "狗脚对": DOG_PAIR,
    "狗对": DOG_PAIR,
    "对狗": DOG_PAIR,
    "双狗": DOG_PAIR,
    "一对狗": DOG_PAIR,
}
_TIMES = {"对": "2", "一对": "2", "双": "2", "三": "3", "三个": "3", "pair of ": "2", "three ": "3"}
_CARD_WORDS: dict[str, int] = {}
for _t in range(TYPES):
    for _word in (CODES[_t].lower(), CARDS[_t].lower().replace("_", " "), NAMES["en"][_t], NAMES["zh"][_t]):
        _CARD_WORDS[_word] = _t
_NAME = "|".join(sorted(map(re.escape, _CARD_WORDS), key=len, reverse=True))
_CARD = re.compile(
    rf"(?:(?P<many>一对|对|双|三个|三|pair of |three )(?P<card>{_NAME})"
    rf"|(?P<tail>{_NAME})(?:\s*[x×*]?\s*(?P<times>[1-3])(?!\d)|(?P<after>对))?)(?![a-z])"
)


# --- the table ------------------------------------------------------------------------

_LABELS = {
    "en": {
        "title": "Xianqi",
        "round": "round",
        "seat": "Seat {}",
        "cards": "cards",
        "pillars": "pillars",
        "decides": "decides",
        "buckler": "buckled",
        "pending": "asked",
        "active": "active revealer",
        "enough": "enough",
        "ceramic": "ceramic",
        "hand": "Hand",
        "covered": "Covered",
        "picked": "Putting under",
        "cover": "covers {}",
        "leads": "to be led",
        "wins": "wins",
        "over": "over",
        "relations": "Reveals",
        "none": "-",
    },
    "zh": {
        "title": "掀棋",
        "round": "回合",
        "seat": "{}号位",
        "cards": "手牌",
        "pillars": "柱",
        "decides": "思考",
        "buckler": "扣棋",
        "pending": "待答",
        "active": "活跃掀棋者",
        "enough": "够",
        "ceramic": "瓷",
        "hand": "手牌",
        "covered": "已垫",
        "picked": "正在垫",
        "cover": "垫{}张",
        "leads": "等待领出",
        "wins": "赢",
        "over": "结束",
        "relations": "掀扣",
        "none": "无",
    },
}


def draw(s: State, seat: int, lang: str) -> str:
    """The table as `seat` (or a watcher, -1) sees it, in plain text."""
    seen = view(s, seat)
    words = _LABELS[language(lang)]
    over = seen["phase"] == "finished"
    number = len(seen["rounds"]) + (0 if over else 1)
    lines = [f"{words['title']} · {words['over'] if over else words['round'] + ' ' + str(number)}"]
    lines += [_seat_line(seen, k, lang) for k in range(seen["seats"])]
    for i, played in enumerate([*seen["rounds"], seen["round"]]):
        if played is not None:
            lines.append(f"  {i + 1}. " + _round_line(played, lang))
    if seen["relations"]:
        pairs = [
            f"{r['revealer']}→{r['buckler']}" + ("*" if r["was_enough"] else "") for r in seen["relations"]
        ]
        lines.append(f"{words['relations']}: " + " ".join(pairs))
    if over:
        lines += _open_lines(seen, lang)
    elif seat >= 0:
        lines.append(f"{words['hand']}: " + cards_text(seen["hand"], lang))
        if seen["covered"]:
            lines.append(f"{words['covered']}: " + cards_text(seen["covered"], lang))
        if seen["picked"]:
            picked = {card: seen["picked"].count(card) for card in seen["picked"]}
            lines.append(f"{words['picked']}: " + cards_text(picked, lang))
    return "\n".join(lines)


def cards_text(cards: Mapping[str, int], lang: str) -> str:
    """Cards in a row, short: `RS RS BN`, 红士 红士 黑牛."""
    names = NAMES["zh"] if language(lang) == "zh" else CODES
    row = " ".join(names[TYPE_OF[c]] for c, n in cards.items() for _ in range(n))
    return row or _LABELS[language(lang)]["none"]


def _seat_line(seen: dict[str, Any], seat: int, lang: str) -> str:
    words = _LABELS[language(lang)]
    pillars = seen["pillars"][seat]
    marks = [words["ceramic"]] if pillars >= CERAMIC else [words["enough"]] if pillars >= ENOUGH else []
    if seen["active_revealer"] == seat:
        marks.append(words["active"])
    if seen["buckler"] == seat:
        marks.append(words["buckler"])
    if seat in seen["pending"][1:]:
        marks.append(words["pending"])
    if seen["decider"] == seat:
        marks.append(words["decides"])
    if "settlement" in seen:
        marks.append(signed(seen["settlement"]["payoff"][seat]))
    pointer = ">" if seen["decider"] == seat else " "
    name = words["seat"].format(seat)
    row = f"{pointer} {name}  {words['cards']} {seen['hand_counts'][seat]}  {words['pillars']} {pillars}"
    return (row + "  " + ", ".join(marks)).rstrip()


def _round_line(played: dict[str, Any], lang: str) -> str:
    words = _LABELS[language(lang)]
    parts = []
    for entry in played["entries"]:
        what = "" if "cards" not in entry else cards_text(entry["cards"], lang)
        if entry["power"] < 0:
            hidden = words["cover"].format(entry["covered_count"])
            what = f"{hidden} ({what})" if what else hidden
        parts.append(f"{words['seat'].format(entry['seat'])} {what}")
    if played["winner"] is not None:
        parts.append(f"{words['seat'].format(played['winner'])} {words['wins']} {played['kind']}")
    if not parts:
        parts.append(f"{words['seat'].format(played['lead'])} {words['leads']}")
    return " · ".join(parts)


def _open_lines(seen: dict[str, Any], lang: str) -> list[str]:
    """After the end: what everyone still held and had covered, and the chips with reasons."""
    words = _LABELS[language(lang)]
    lines = []
    for k in range(seen["seats"]):
        hand, covered = cards_text(seen["hands"][k], lang), cards_text(seen["covers"][k], lang)
        lines.append(f"{words['seat'].format(k)}  {words['hand']}: {hand}  {words['covered']}: {covered}")
    settled = seen["settlement"]
    events = [{"event": "end", "reason": seen["end"], "pillars": seen["pillars"]}, *settled["reasons"]]
    events.append({"event": "settlement", "payoff": settled["payoff"]})
    return lines + [tell(event, lang) for event in events]
