"""Paipai Rensa at the terminal table, placement by placement: faces in colour, short keys.

Drawn from the view alone. Live play, with falling pairs, is `live.py`. This module needs
`rich`; the table loads it when wanted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from rich.align import Align
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from qipai.core import Event
from qipai.core.errors import BadText

from ..shapes import keep_mask
from ..state import DISCARD, KEEP
from ..text import listing_order, parse, say, tell
from ..tiles import LETTERS, Box
from .frame import DARK, HONOUR_COLOURS, HONOUR_SIGNS, NUMERALS, PAPER, RED, SUIT_COLOURS, SUIT_SIGNS, WORDS

Move = tuple[str, str | Text, tuple[int, ...]]
TURNS = "urdl"
ROW = 14  # tiles in a line
_ANSWERS = re.compile(r"[kd]+")
_SAY = {
    "en": {
        "about": "Chains of one suit, hands of fourteen, and a CPU that takes what you leave.",
        "place": "Column of the axis, and the rotor up, right, down or left of it: 3u",
        "alloc": "Hand or discard, tile by tile: k, d, or several at once (kkdk)",
        "share": "share out the rest by shape",
        "falls": "falls",
        "over": "The supply is used up",
    },
    "zh": {
        "about": "同花色连锁，十四张成和，留下的都归 CPU。",
        "place": "放在哪里？列1-6，转牌方向：u 上，r 右，d 下，l 左（3u）",
        "alloc": "逐张留（k）或弃（d），可连写（kkdk）",
        "share": "其余按牌形分配",
        "falls": "落下",
        "over": "牌已用尽",
    },
}


def face(code: str | None) -> Text:
    """A tile in four columns, with its colours; a dot for an empty cell."""
    if code is None:
        return Text(" ·  ", style="bright_black")
    paper = _hex(PAPER)
    if code[0] == "z":
        return Text(
            f" {HONOUR_SIGNS[code[1]]} ", f"bold {_hex(HONOUR_COLOURS.get(code[1], DARK))} on {paper}"
        )
    suit = LETTERS.index(code[0])
    number = int(code[1]) or 5
    ink = RED if code[1] == "0" else DARK if suit == 0 else SUIT_COLOURS[suit]
    text = Text(NUMERALS[suit][number - 1] + ("" if suit == 0 else " "), f"bold {_hex(ink)} on {paper}")
    return text.append(SUIT_SIGNS[suit], f"bold {_hex(SUIT_COLOURS[suit])} on {paper}")


def _hex(colour: tuple[int, int, int]) -> str:
    red, green, blue = colour
    return f"#{red:02x}{green:02x}{blue:02x}"


def faces(codes: Iterable[str], width: int = ROW) -> Text:
    """Tiles side by side, several lines of them."""
    text = Text()
    for i, code in enumerate(codes):
        text.append("" if not i else "\n" if i % width == 0 else " ").append_text(face(code))
    return text


class PaipaiScreen:
    """How the table shows the game."""

    def welcome(self, lang: str) -> RenderableType:
        """The name and what it is about."""
        w = _SAY.get(lang, _SAY["en"])
        return Group(
            Align.center(Text("牌 牌 連 鎖", style="bold")),
            Align.center(faces(["m1", "p5", "s0", "zF", "zC"])),
            Align.center(Text(w["about"])),
        )

    def table(self, look: Any) -> RenderableType:
        """The board, and beside it scores, NEXT, the hand and the discards."""
        seen, w = look.view, WORDS.get(look.lang, WORDS["en"])
        board = Text("  " + "".join(f"{c:^4}" for c in range(1, 7)) + "\n")
        for row in seen["board"]:
            board.append("║ ")
            for code in row:
                board.append_text(face(code))
            board.append(" ║\n")
        side = Text(f"{w['score']} {seen['score']}   {w['cpu']} {seen['cpuScore']}\n", style="bold")
        side.append(f"{w['chain']} {seen['chain']}   {w['left']} {seen['remaining']}/{seen['total']}\n\n")
        if seen["falling"]:
            pair = [seen["falling"]["axis"], seen["falling"]["rotor"]]
            side.append(_SAY.get(look.lang, _SAY["en"])["falls"] + " ").append_text(faces(pair)).append("   ")
        side.append(f"{w['next']} ").append_text(faces(seen["next"])).append(f"\n\n{w['hand']} ")
        side.append(f"{len(seen['hand'])}/14\n").append_text(
            faces(sorted(seen["hand"], key=listing_order), 7)
        )
        side.append(f"\n\n({len(seen['discards'])}) ").append_text(faces(seen["discards"][-21:], 7))
        beside = Table.grid(padding=(0, 2))
        beside.add_row(board, side)
        return beside

    def hand(self, look: Any) -> RenderableType | None:
        """The list of an open allocation, the tile in question between arrows."""
        alloc = look.view["alloc"]
        if not alloc:
            return None
        text = Text()
        for i, code in enumerate(alloc["tiles"]):
            answered = i < alloc["cursor"]
            mark = "+" if answered and alloc["assign"][i] == "hand" else "-" if answered else " "
            here = i == alloc["cursor"]
            text.append("\n" if i and i % ROW == 0 else "").append("▶" if here else mark)
            text.append_text(face(code)).append("◀" if here else " ")
        return text

    def ask(self, look: Any) -> str:
        """What is asked."""
        w = _SAY.get(look.lang, _SAY["en"])
        alloc = look.view["alloc"]
        return w["place"] if not alloc else f"{w['alloc']}  ({alloc['kept']}/14)"

    def moves(self, look: Any) -> list[Move]:
        """Short keys for the legal actions; for a list also all the rest at once."""
        alloc = look.view["alloc"]
        if not alloc:
            return [(f"{(a >> 2) + 1}{TURNS[a & 3]}", "", (a,)) for a in look.legal]
        w = _SAY.get(look.lang, _SAY["en"])
        keys = [("k", say(KEEP), (KEEP,)), ("d", say(DISCARD), (DISCARD,))]
        found: list[Move] = [move for move in keys if move[2][0] in look.legal]
        return [*found, ("a", w["share"], self._rest(alloc))]

    def _rest(self, alloc: dict[str, Any]) -> tuple[int, ...]:
        """The remaining answers by shape, never more than the hand can hold."""
        tiles = Box().take_all(alloc["tiles"], "list")
        mask, kept = keep_mask(tuple(tiles)), alloc["kept"]
        answers = []
        for keep in mask[alloc["cursor"] :]:
            take = keep and kept < 14
            kept += take
            answers.append(KEEP if take else DISCARD)
        return tuple(answers)

    def read(self, text: str, look: Any) -> list[int]:
        """A key, a row of answers, or an action in words."""
        typed = text.strip().lower()
        for key, _, actions in self.moves(look):
            if typed == key:
                return list(actions)
        if look.view["alloc"] and _ANSWERS.fullmatch(typed.replace(" ", "")):
            return [KEEP if c == "k" else DISCARD for c in typed.replace(" ", "")]
        try:
            return [parse(typed)]
        except BadText as error:
            raise BadText(WORDS.get(look.lang, WORDS["en"])["unread"].format(typed[:20])) from error

    def name(self, actions: list[int], look: Any) -> str:
        """A move in words."""
        return ", ".join(map(say, actions))

    def tell(self, event: Event, look: Any) -> str:
        """An event in words."""
        return tell(event, look.lang)

    def closing(self, look: Any) -> RenderableType:
        """The board at the end."""
        return Group(self.table(look), Text())

    def explain(self, look: Any, last: list[Event]) -> list[str]:
        """The latest events and the totals."""
        told = [tell(e, look.lang) for e in last]
        return told or [_SAY.get(look.lang, _SAY["en"])["over"]]


SCREEN = PaipaiScreen()
