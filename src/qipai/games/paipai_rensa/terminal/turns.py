"""Paipai Rensa in the terminal, placement by placement: faces in colour, short keys.

It is drawn from the view only. Live play, with falling pairs, is in `live.py`. This module needs `rich`.
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

from ..state import DISCARD, HAND_MAX, KEEP
from ..text import MESSAGES, listing_order, name, parse
from ..tiles import LETTERS
from .frame import (
    DARK,
    HONOUR_COLOURS,
    HONOUR_SIGNS,
    NUMERALS,
    PAPER,
    RED,
    SUIT_COLOURS,
    SUIT_SIGNS,
    speaker,
)

Move = tuple[str, str | Text, tuple[int, ...]]
TURNS = "urdl"
ROW = 14  # tiles in a line
_ANSWERS = re.compile(r"[kd]+")


def face(code: str | None) -> Text:
    """Return a tile in four columns, with its colours; a dot for an empty cell."""
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
    """Return tiles side by side, in lines."""
    text = Text()
    for i, code in enumerate(codes):
        text.append("" if not i else "\n" if i % width == 0 else " ").append_text(face(code))
    return text


class PaipaiScreen:
    """How the terminal shows the game."""

    def welcome(self, lang: str) -> RenderableType:
        """Return the name and what the game is about."""
        return Group(
            Align.center(Text(" ".join(MESSAGES.say("title", "ja")), style="bold")),
            Align.center(faces(["m1", "p5", "s0", "zF", "zC"])),
            Align.center(Text(MESSAGES.say("terminal.about", lang))),
        )

    def table(self, scene: Any) -> RenderableType:
        """Return the board, and next to it scores, NEXT, the hand and the discards."""
        seen, say = scene.view, speaker(scene.lang)
        board = Text("  " + "".join(f"{c:^4}" for c in range(1, 7)) + "\n")
        for row in seen["board"]:
            board.append("║ ")
            for code in row:
                board.append_text(face(code))
            board.append(" ║\n")
        scores = f"{say('table.score')} {seen['score']}   {say('table.cpu')} {seen['cpuScore']}\n"
        side = Text(scores, style="bold")
        side.append(f"{say('table.chain')} {seen['chain']}   ")
        side.append(f"{say('table.left')} {seen['remaining']}/{seen['total']}\n\n")
        if seen["falling"]:
            pair = [seen["falling"]["axis"], seen["falling"]["rotor"]]
            side.append(say("terminal.falls") + " ").append_text(faces(pair)).append("   ")
        side.append(f"{say('table.next')} ").append_text(faces(seen["next"]))
        side.append(f"\n\n{say('table.hand')} {len(seen['hand'])}/{HAND_MAX}\n")
        side.append_text(faces(sorted(seen["hand"], key=listing_order), 7))
        side.append(f"\n\n{say('table.discards')} {len(seen['discards'])}\n")
        side.append_text(faces(seen["discards"][-21:], 7))
        beside = Table.grid(padding=(0, 2))
        beside.add_row(board, side)
        return beside

    def hand(self, scene: Any) -> RenderableType | None:
        """Return the list of an open allocation, the tile in question between arrows."""
        alloc = scene.view["alloc"]
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

    def ask(self, scene: Any) -> str:
        """Return the question for the current decision."""
        alloc = scene.view["alloc"]
        if not alloc:
            return MESSAGES.say("ask.place", scene.lang)
        return MESSAGES.say("ask.list", scene.lang, kept=alloc["kept"])

    def moves(self, scene: Any) -> list[Move]:
        """Return short keys for the legal actions; for a list also one for all the rest."""
        alloc = scene.view["alloc"]
        if not alloc:
            return [(f"{(a >> 2) + 1}{TURNS[a & 3]}", "", (a,)) for a in scene.legal]
        keys = [("k", KEEP), ("d", DISCARD)]
        found: list[Move] = [(key, name(a, scene.lang), (a,)) for key, a in keys if a in scene.legal]
        return [*found, ("a", MESSAGES.say("terminal.share", scene.lang), self._rest(alloc))]

    def _rest(self, alloc: dict[str, Any]) -> tuple[int, ...]:
        """Return the remaining answers as suggested, never more than the hand can hold."""
        kept = alloc["kept"]
        answers = []
        for keep in alloc["suggest"][alloc["cursor"] :]:
            take = keep and kept < HAND_MAX
            kept += take
            answers.append(KEEP if take else DISCARD)
        return tuple(answers)

    def read(self, text: str, scene: Any) -> list[int]:
        """Return the actions of a key, a row of answers, or an action in words."""
        typed = text.strip().lower()
        for key, _, actions in self.moves(scene):
            if typed == key:
                return list(actions)
        if scene.view["alloc"] and _ANSWERS.fullmatch(typed.replace(" ", "")):
            return [KEEP if c == "k" else DISCARD for c in typed.replace(" ", "")]
        try:
            return [parse(typed)]
        except BadText as error:
            raise BadText(MESSAGES.say("refuse.unread", scene.lang, typed=typed[:20])) from error

    def name(self, actions: list[int], scene: Any) -> str:
        """Return a move in words."""
        return ", ".join(name(action, scene.lang) for action in actions)

    def tell(self, event: Event, scene: Any) -> str:
        """Return an event in words."""
        return str(scene.game.tell(event, scene.lang, scene.names, scene.seat))

    def closing(self, scene: Any) -> RenderableType:
        """Return the board at the end."""
        return Group(self.table(scene), Text())

    def explain(self, scene: Any, last: list[Event]) -> list[str]:
        """Return the latest events and the totals."""
        told = [text for event in last if (text := self.tell(event, scene))]
        return told or [MESSAGES.say("table.why", scene.lang)]


SCREEN = PaipaiScreen()
