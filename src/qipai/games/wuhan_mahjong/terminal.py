"""The terminal screen of Wuhan mahjong: seats, rivers and melds in colour, moves by two names.

It is drawn from the view only, so that it cannot show what the seat may not know. This is the only
module of the game that needs `rich`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from qipai.core import Event
from qipai.core.errors import BadText
from qipai.core.message import seat_value

from .text import (
    MESSAGES,
    action_name,
    draw_view,
    drawn_text,
    marks,
    meld_text,
    parse,
    result_lines,
    tile_line,
    tile_name,
    top,
    typed,
    waits_text,
)
from .tiles import CHOW, KONG_SKIN, PASS, WIN

Move = tuple[str, Text, tuple[int, ...]]

STYLES = {"m": "red", "s": "green", "p": "cyan", "z": "white"}
GOLD, DIM, HERE, KONG = "bold yellow", "bright_black", "bold", "magenta"
ON_TABLE = {"laizi": GOLD, "skin": DIM}  # styles of special tiles
IN_HAND = {"laizi": GOLD, "skin": KONG, "red": KONG}


class MahjongScreen:
    """The screen of Wuhan mahjong."""

    def welcome(self, lang: str) -> RenderableType:
        """Return the aim of the game and how tiles are written."""
        return Text(MESSAGES.say("terminal.goal", lang), justify="center")

    def table(self, scene: Any) -> RenderableType:
        """Return one row per seat: melds, special kongs, river."""
        grid = Table.grid(padding=(0, 2))
        for k in range(scene.view["seats"]):
            grid.add_row(*self._seat(scene, k))
        return Group(Text(top(scene.view, scene.lang), style=GOLD), grid)

    def _seat(self, scene: Any, k: int) -> list[Text]:
        view, lang = scene.view, scene.lang
        acts = view["decider"] == k
        title = Text(f"{'▶' if acts else ' '} {scene.titles[k]}", style=HERE if acts else "")
        laid = Text()
        for meld in view["melds"][k]:
            laid.append(meld_text(meld, lang) + " ", style=DIM if meld["tiles"] is None else "")
        for t in view["special_kongs"][k]:
            laid.append(f"{tile_name(t, lang)} ", style=GOLD)
        river = Text(" ").join(_tile(t, scene, ON_TABLE) for t in view["rivers"][k])
        return [title, Text(" ".join(marks(view, k, lang)), style=DIM), laid, river]

    def hand(self, scene: Any) -> RenderableType | None:
        """Return the viewer's own tiles, special ones marked, the drawn one named."""
        if "hand" not in scene.view:
            return None
        line = Text("  ").join(_tile(t, scene, IN_HAND) for t in scene.view["hand"])
        if scene.view["drawn"]:
            line.append(f"   ({drawn_text(scene.view, scene.lang)})", style=DIM)
        return line

    def ask(self, scene: Any) -> str:
        """Return the question for the viewer's current decision."""
        view, lang = scene.view, scene.lang
        if view["claimed"] is not None:
            key = "ask.rob" if view["phase"] == "WAIT_ROB_KONG" else "ask.claim"
            values = {"from": seat_value(view["claimed"]["seat"]), "tile": tile_line(view["claimed"]["tile"])}
            return MESSAGES.tell((key, values), lang, scene.names, scene.seat)
        if WIN in scene.legal:
            return MESSAGES.say("ask.win", lang)
        if view["phase"] == "MELD_DECISION":
            return MESSAGES.say("ask.meld", lang)
        kongs = any(action >= CHOW for action in scene.legal)
        return MESSAGES.say("ask.discard_or_kong" if kongs else "ask.discard", lang)

    def moves(self, scene: Any) -> list[Move]:
        """Return every legal action with its number and two names; discards go by their tile."""
        found: list[Move] = []
        for i, action in enumerate(scene.legal):
            style = GOLD if action == WIN else DIM if action == PASS else ""
            found.append(
                (str(i + 1), Text(both_names(action, scene.view, scene.lang), style=style), (action,))
            )
        return found

    def read(self, text: str, scene: Any) -> list[int]:
        """Return the action of a number in the list, or of words; `w` shows the waits instead."""
        words = text.strip()
        if words.lower() in typed("input.waits"):
            raise BadText(waits_text(scene.view, scene.lang))
        keys = {key: actions for key, _, actions in self.moves(scene)}
        if words in keys:
            return list(keys[words])
        if words.isdecimal():
            raise BadText(MESSAGES.say("refuse.number", scene.lang, text=words[:20]))
        try:
            return [parse(words)]
        except BadText as error:
            raise BadText(MESSAGES.say("refuse.text", scene.lang, text=words[:20])) from error

    def name(self, actions: Sequence[int], scene: Any) -> str:
        """Return actions in words."""
        return ", ".join(action_name(a, scene.lang) for a in actions)

    def tell(self, event: Event, scene: Any) -> str:
        """Return an event in words."""
        told: str = scene.game.tell(event, scene.lang, scene.names, scene.seat)
        return told

    def closing(self, scene: Any) -> RenderableType:
        """Return the open table."""
        return Text(draw_view(scene.view, scene.lang, scene.names))

    def explain(self, scene: Any, last: list[Event]) -> list[str]:
        """Return winner, types, fans and deltas."""
        lines = result_lines(scene.view["result"])
        return [MESSAGES.tell(line, scene.lang, scene.names, scene.seat) for line in lines]


def both_names(action: int, view: dict[str, Any], lang: str) -> str:
    """Return an action by its English name and by another: Chinese (§8.5), or Japanese in that language."""
    other = "ja" if lang == "ja" else "zh"
    names = f"{action_name(action, 'en')} {action_name(action, other)}"
    if action in (KONG_SKIN, KONG_SKIN + 1):
        names += f" ({tile_name(view['skins'][action - KONG_SKIN], lang)})"
    return names


def _tile(code: str, scene: Any, styles: dict[str, str]) -> Text:
    style = styles.get(scene.view["specials"].get(code, ""), STYLES[code[1]])
    return Text(tile_name(code, scene.lang), style=style)


SCREEN = MahjongScreen()
