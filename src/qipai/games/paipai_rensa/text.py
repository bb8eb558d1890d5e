"""Paipai Rensa in words: actions as text and back, events told, the table drawn."""

from __future__ import annotations

import re
from typing import Any

from qipai.core import Event, State
from qipai.core.errors import BadText

from .state import ACTIONS, DISCARD, KEEP
from .tiles import EMPTY_CODE
from .view import view

ROTATIONS = ("up", "right", "down", "left")  # where the rotor is, seen from the axis
HELP = "column and rotor such as 3 up, 1 right, 6 down, 2 left; keep or discard (k, d)"
_PLACE = re.compile(r"(?:column |c)?\s*([1-6])\s*(up|right|down|left|u|r|d|l|上|右|下|左)?")
_ROTATION = {**{name: i for i, name in enumerate(ROTATIONS)}, **dict(zip("urdl", range(4), strict=True))}
_ROTATION |= dict(zip("上右下左", range(4), strict=True))
_ANSWERS = {"keep": KEEP, "k": KEEP, "hand": KEEP, "手": KEEP, "留": KEEP}
_ANSWERS |= {"discard": DISCARD, "d": DISCARD, "x": DISCARD, "捨": DISCARD, "弃": DISCARD}


def say(action: int) -> str:
    """An action as text: the axis column from 1 and where the rotor lies, or keep, discard."""
    if not 0 <= action < ACTIONS:
        raise BadText(f"no action has the number {action}")
    if action == KEEP:
        return "keep"
    if action == DISCARD:
        return "discard"
    return f"{(action >> 2) + 1} {ROTATIONS[action & 3]}"


def parse(text: str) -> int:
    """The action that `text` names; BadText if it names none."""
    if not isinstance(text, str) or len(text) > 40:
        raise BadText(f"not an action: say {HELP}")
    words = text.strip().lower()
    if words in _ANSWERS:
        return _ANSWERS[words]
    found = _PLACE.fullmatch(words)
    if found is None:
        raise BadText(f"{text.strip()!r} is not an action: say {HELP}")
    return 4 * (int(found[1]) - 1) + _ROTATION[found[2] or "up"]


# --- events ---------------------------------------------------------------------------

_TELL = {
    "en": {
        "land": "{axis} {rotor} land in column {column}, rotor {where}{lost_words}",
        "clear": "chain {chain}: {tiles_words} clear, +{points}",
        "alloc": "{count} tiles to share out: {tiles_words}",
        "allocate": "hand: {hand_words}; discarded: {discards_words}",
        "hold": "player: {player_words}; CPU: {cpu_words}",
        "close": "player {score}, CPU {cpuScore}",
        "spawn": "{axis} {rotor} fall; next {next_words}; {remaining} tiles left",
        "over": "the supply is used up: player {playerTotal}, CPU {cpuTotal}: {winner_words}",
    },
    "zh": {
        "land": "{axis} {rotor} 落在第{column}列，转牌在{where}{lost_words}",
        "clear": "{chain}连锁：{tiles_words} 消除，+{points}",
        "alloc": "分配{count}张：{tiles_words}",
        "allocate": "手牌：{hand_words}；弃牌：{discards_words}",
        "hold": "玩家：{player_words}；CPU：{cpu_words}",
        "close": "玩家{score}，CPU {cpuScore}",
        "spawn": "{axis} {rotor} 落下；下一对 {next_words}；余{remaining}张",
        "over": "牌已用尽：玩家{playerTotal}，CPU {cpuTotal}：{winner_words}",
    },
}
_WHERE = {"en": ROTATIONS, "zh": ("上", "右", "下", "左")}
_WINNER = {
    "en": {"player": "the player wins", "cpu": "the CPU wins", "draw": "a draw"},
    "zh": {"player": "玩家胜", "cpu": "CPU胜", "draw": "平局"},
}
_NO_HAND = {"en": "no hand", "zh": "未成立"}
_LOST = {"en": ", crushing {}", "zh": "，压碎{}"}


def tell(event: Event, lang: str = "en") -> str:
    """An event in words."""
    lang = lang if lang in _TELL else "en"
    form = _TELL[lang].get(str(event.get("type")))
    if form is None:
        raise BadText(f"no event of Paipai Rensa is called {str(event.get('type'))[:40]!r}")
    words = dict(event)
    for name in ("tiles", "hand", "discards", "next"):
        if name in event:
            words[f"{name}_words"] = " ".join(event[name]) or "-"
    for side in ("player", "cpu"):
        if side in event:
            words[f"{side}_words"] = side_words(event[side], lang)
    if event["type"] == "land":
        words["column"] = event["col"] + 1
        words["where"] = _WHERE[lang][event["rot"]]
        words["lost_words"] = _LOST[lang].format(" ".join(event["lost"])) if event["lost"] else ""
    if "winner" in event:
        words["winner_words"] = _WINNER[lang][str(event["winner"])]
    words["count"] = len(event.get("tiles", ()))
    return form.format(**words)


def side_words(side: dict[str, Any], lang: str) -> str:
    """What one side has at HOLD."""
    if not side["won"]:
        return _NO_HAND[lang]
    if "tiles" in side:
        tiles = side["tiles"]
        melds = [tiles[i : i + 3] for i in range(2, 14, 3)] + [tiles[:2]]
    else:
        melds = [*side["melds"], side["pair"]]
    return f"{'  '.join(' '.join(m) for m in melds)} +{side['score']}"


# --- drawing --------------------------------------------------------------------------

_WORDS = {
    "en": {
        "score": "score",
        "cpu": "CPU",
        "chain": "chain",
        "left": "left",
        "falls": "falls",
        "next": "next",
        "hand": "hand",
        "discards": "discards",
        "list": "list",
        "asked": "hand or discard?",
        "lost": "lost",
        "axis": "axis, rotor",
    },
    "zh": {
        "score": "得分",
        "cpu": "CPU",
        "chain": "连锁",
        "left": "余",
        "falls": "落下",
        "next": "下一对",
        "hand": "手牌",
        "discards": "弃牌",
        "list": "分配",
        "asked": "留还是弃？",
        "lost": "损失",
        "axis": "轴牌、转牌",
    },
}


def board_text(board: list[list[str | None]]) -> str:
    """§2.2 twelve lines of six codes, top first."""
    return "\n".join(" ".join(cell or EMPTY_CODE for cell in row) for row in board)


def draw(s: State, seat: int, lang: str = "en") -> str:
    """The table as `seat` (or a watcher) sees it, from its view alone."""
    return draw_view(view(s, seat), lang)


def draw_view(seen: dict[str, Any], lang: str = "en") -> str:
    """The table from a view."""
    w = _WORDS.get(lang, _WORDS["en"])
    side = [
        f"{w['score']} {seen['score']}   {w['cpu']} {seen['cpuScore']}   {w['chain']} {seen['chain']}",
        f"{w['left']} {seen['remaining']}/{seen['total']}",
        "",
    ]
    fall = seen["falling"]
    if fall:
        side.append(f"{w['falls']} {fall['axis']} {fall['rotor']}  ({w['axis']})")
    side += [f"{w['next']} {' '.join(seen['next']) or '-'}", ""]
    side += _wrapped(f"{w['hand']} ({len(seen['hand'])}/14)", sorted(seen["hand"], key=listing_order))
    side += _wrapped(f"{w['discards']} ({len(seen['discards'])})", seen["discards"])
    if seen["lost"]:
        side += _wrapped(f"{w['lost']} ({len(seen['lost'])})", seen["lost"])
    rows = board_text(seen["board"]).splitlines()
    lines = ["  1  2  3  4  5  6"]
    for i in range(max(len(rows), len(side))):
        row = f"| {rows[i]} |" if i < len(rows) else " " * 21
        lines.append(f"{row}  {side[i] if i < len(side) else ''}".rstrip())
    if seen["alloc"]:
        lines += _alloc_lines(seen["alloc"], w)
    return "\n".join(lines)


def _wrapped(title: str, tiles: list[str], width: int = 18) -> list[str]:
    rows = [tiles[i : i + width] for i in range(0, len(tiles), width)] or [["-"]]
    return [title, *("  " + " ".join(row) for row in rows)]


def _alloc_lines(alloc: dict[str, Any], w: dict[str, str]) -> list[str]:
    marks = []
    for i, tile in enumerate(alloc["tiles"]):
        if i < alloc["cursor"]:
            marks.append(f"{tile}{'+' if alloc['assign'][i] == 'hand' else '-'}")
        else:
            marks.append(f"[{tile}]" if i == alloc["cursor"] else tile)
    asked = f"{w['asked']} ({alloc['kept']}/14)"
    return [f"{w['list']}: {' '.join(marks)}", f"{alloc['tiles'][alloc['cursor']]}: {asked}"]


def listing_order(code: str) -> tuple[int, int]:
    """§16 man, pin, sou, honours; a red five among the fives."""
    suit = "mpsz".index(code[0])
    if suit == 3:
        return suit, "ESWNPFC".index(code[1])
    return suit, (2 * int(code[1]) if code[1] != "0" else 9)
