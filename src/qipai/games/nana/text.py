"""NANA in words: actions as text and back, events told, the table drawn."""

from __future__ import annotations

import re
from typing import Any

from qipai.core import Event, State
from qipai.core.errors import BadText

from .state import ACTIONS, CENTRE, CENTRE_ACTION, SEATS
from .view import view

HELP = "head, tail (own), head 2, tail 2 (of the seat 2 places on), centre 4"

_END = re.compile(r"(head|tail|h|t|min|max|头|尾)\s*\+?\s*(\d*)")
_CENTRE = re.compile(r"(?:centre|center|c|中)\s*(\d+)")
_TAILS = ("tail", "t", "max", "尾")


def say(action: int) -> str:
    """An action as text: `head 0` is the own head, `tail 2` that of the seat two places on."""
    if not 0 <= action < ACTIONS:
        raise BadText(f"no action has the number {action}")
    if action >= CENTRE_ACTION:
        return f"centre {action - CENTRE_ACTION}"
    return f"{'tail' if action & 1 else 'head'} {action >> 1}"


def parse(text: str) -> int:
    """The action that `text` names; BadText if it names none."""
    if not isinstance(text, str) or len(text) > 40:
        raise BadText(f"not an action: say {HELP}")
    words = text.strip().lower()
    end = _END.fullmatch(words)
    if end and int(end[2] or 0) < SEATS:
        return 2 * int(end[2] or 0) + (end[1] in _TAILS)
    centre = _CENTRE.fullmatch(words)
    if centre and int(centre[1]) < CENTRE:
        return CENTRE_ACTION + int(centre[1])
    raise BadText(f"{text.strip()!r} is not an action: say {HELP}")


# --- events ---------------------------------------------------------------------------

_TELL = {
    "en": {
        "reveal": "seat {by} turns up {place}: {number}",
        "fail": "no match; the cards go back",
        "collect": "seat {by} collects the three {number}s",
        "turn": "seat {player} to move",
        "win": "seat {player} wins: {why}",
        "end": "the game ends without a winner: {why}",
    },
    "zh": {
        "reveal": "座位{by}翻开{place}：{number}",
        "fail": "不相同，牌翻回去",
        "collect": "座位{by}收集三张{number}",
        "turn": "轮到座位{player}",
        "win": "座位{player}获胜：{why}",
        "end": "本局无胜者：{why}",
    },
}
_WHY = {
    "en": {
        "sevens": "the three sevens",
        "connected": "two connected trios",
        "three-trios": "three trios",
        "exhausted": "no cards are left",
        "cap": "the turn cap is reached",
    },
    "zh": {
        "sevens": "收集三张7",
        "connected": "两组三条相连（和或差为7）",
        "three-trios": "收集三组三条",
        "exhausted": "牌已用尽",
        "cap": "到达回合上限",
    },
}


def tell(event: Event, lang: str = "en") -> str:
    """An event in words."""
    lang = lang if lang in _TELL else "en"
    form = _TELL[lang].get(str(event.get("type")))
    if form is None:
        raise BadText(f"no event of NANA is called {str(event.get('type'))[:40]!r}")
    words = dict(event)
    if "slot" in words:
        words["place"] = place_words(str(words["slot"]), lang)
    if "reason" in words:
        words["why"] = _WHY[lang].get(str(words["reason"]), str(words["reason"]))
    return form.format(**words)


def place_words(slot: str, lang: str) -> str:
    """A slot in words; never its number."""
    if slot.startswith("c"):
        return f"centre card {slot[1:]}" if lang == "en" else f"公共牌{slot[1:]}"
    seat, _, i = slot[1:].partition(".")
    if lang == "en":
        return f"card {int(i) + 1} of seat {seat}'s hand"
    return f"座位{seat}的第{int(i) + 1}张手牌"


# --- drawing --------------------------------------------------------------------------

_WORDS = {
    "en": {
        "turn": "turn",
        "you": "you",
        "seat": "seat",
        "centre": "centre",
        "chain": "face up",
        "has": "has",
        "moves": "to move",
        "key": "[5] face up   5 your card   (5) seen by all   ?? never seen   -- collected",
    },
    "zh": {
        "turn": "回合",
        "you": "你",
        "seat": "座位",
        "centre": "公共区",
        "chain": "已翻开",
        "has": "已收集",
        "moves": "行动",
        "key": "[5] 翻开   5 自己的牌   (5) 大家见过   ?? 未知   -- 已收集",
    },
}


def draw(s: State, seat: int, lang: str = "en") -> str:
    """The table as `seat` (or a watcher) sees it, from its view alone."""
    return draw_view(view(s, seat), lang)


def draw_view(seen: dict[str, Any], lang: str = "en") -> str:
    """The table from a view."""
    words = _WORDS.get(lang, _WORDS["en"])
    cells = cells_of(seen)
    chain = " ".join(str(c["number"]) for c in seen["face_up"]) or "-"
    lines = [f"NANA  {words['turn']} {seen['turn']}  {seen['phase']}  {words['chain']}: {chain}"]
    for hand in seen["hands"]:
        k = hand["seat"]
        name = words["you"] if k == seen["seat"] else f"{words['seat']} {k}"
        mark = ">" if k == seen["current"] else " "
        row = " ".join(cells[f"h{k}.{i}"] for i in range(seen["dealt"]["hands"][k]))
        won = ",".join(map(str, seen["collections"][k]))
        lines.append(f"{mark} {name:7} {row}" + (f"   {words['has']} {won}" if won else ""))
    lines.append(f"  {words['centre']:7} " + " ".join(cells[c["slot"]] for c in seen["centre"]))
    lines.append(f"  {words['key']}")
    return "\n".join(lines)


def cells_of(seen: dict[str, Any]) -> dict[str, str]:
    """Each dealt slot as four characters of the drawing."""
    cells = {slot: " ?? " for hand in seen["hands"] for slot in hand["slots"]}
    cells.update({card["slot"]: " ?? " for card in seen["centre"]})
    cells.update({slot: str(number).center(4) for slot, number in (seen["cards"] or {}).items()})
    cells.update({card["slot"]: str(card["number"]).center(4) for card in seen["my_hand"]})
    cells.update({slot: f"({number})".center(4) for slot, number in seen["known"].items()})
    cells.update({card["slot"]: f"[{card['number']}]".center(4) for card in seen["face_up"]})
    cells.update(dict.fromkeys(seen["removed"], " -- "))
    return cells
