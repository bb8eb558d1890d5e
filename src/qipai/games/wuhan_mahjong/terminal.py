"""Wuhan mahjong on the terminal table: seats, rivers and melds in colour, moves in both languages.

Drawn from the view alone, so the screen can show nothing that the seat may not know.
`w` (or 听) tells the waits. This is the only module of the game that needs `rich`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from qipai.core import Event
from qipai.core.errors import BadText

from .text import (
    MELD_NAMES,
    action_name,
    draw_view,
    language,
    parse,
    result_lines,
    row,
    tell,
    tile_name,
    waits_text,
)
from .tiles import KINDS, KONG_SKIN, PASS, WIN

Move = tuple[str, Text, tuple[int, ...]]

STYLES = {"m": "red", "s": "green", "p": "cyan", "z": "white"}
GOLD, DIM, HERE = "bold yellow", "bright_black", "bold"
WAITS = ("w", "waits", "听", "听牌")
WORDS = {
    "en": {
        "goal": "Open, kong the special tiles away, complete your hand on a pair of 2, 5 or 8, or big.\n"
        "Every loser must owe at least 16. Type w to see what you wait for.",
        "turn": "Your turn: discard, kong or win",
        "meld": "You have claimed: discard or kong",
        "claim": "{} from {}: do you claim it?",
        "rob": "{} kongs {}: rob it?",
        "dealer": "dealer",
        "tiles": "{} tiles",
        "fan": "fan {}",
        "hidden": "hidden",
        "drawn": "drawn",
        "top": "indicator {} · laizi {} · skins {} {} · wall {}",
        "nothing": "there is no move {}",
        "unread": "“{}” is no move: type a number, a tile such as 5m, chow left, pong, kong, win or pass",
    },
    "zh": {
        "goal": "开口，杠出特殊牌，凑成牌型：258 作将，或大胡。\n三家每家至少付 16 才能胡。输入 w 看听什么。",
        "turn": "轮到你：打、杠或胡",
        "meld": "鸣牌之后：打或杠",
        "claim": "{1}打出{0}：要吗？",
        "rob": "{}补杠{}：抢吗？",
        "dealer": "庄",
        "tiles": "{}张",
        "fan": "番 {}",
        "hidden": "盖牌",
        "drawn": "摸",
        "top": "翻牌 {} · 赖子 {} · 皮子 {} {} · 余 {}",
        "nothing": "没有 {} 这一手",
        "unread": "“{}”不是一手：请输入编号、牌（如 5m），或 碰、明杠、胡、过",
    },
}


class MahjongScreen:
    """What the table asks of a game's screen."""

    def welcome(self, lang: str) -> RenderableType:
        """The aim, in two lines."""
        return Text(_words(lang)["goal"], justify="center")

    def table(self, look: Any) -> RenderableType:
        """A line a seat: melds, special kongs, river."""
        view, words = look.view, _words(look.lang)
        special = {view["laizi"]: GOLD, **dict.fromkeys(view["skins"], DIM)}
        shown = [tile_name(t, look.lang) for t in (view["indicator"], view["laizi"], *view["skins"])]
        grid = Table.grid(padding=(0, 2))
        for k in range(view["seats"]):
            grid.add_row(*self._seat(look, k, special))
        return Group(Text(words["top"].format(*shown, view["wall_left"]), style=GOLD), grid)

    def _seat(self, look: Any, k: int, special: dict[str, str]) -> list[Text]:
        view, words, lang = look.view, _words(look.lang), look.lang
        marks = [words["tiles"].format(view["hand_counts"][k]), words["fan"].format(view["fans"][k])]
        if view["dealer"] == k:
            marks.insert(0, words["dealer"])
        acts = view["decider"] == k
        title = Text(f"{'▶' if acts else ' '} {look.titles[k]}", style=HERE if acts else "")
        laid = Text()
        for meld in view["melds"][k]:
            name = MELD_NAMES[language(lang)][meld["type"]]
            inside = words["hidden"] if meld["tiles"] is None else row(meld["tiles"], lang)
            laid.append(f"[{name} {inside}] ", style=DIM if meld["tiles"] is None else "")
        for t in view["special_kongs"][k]:
            laid.append(f"{tile_name(t, lang)} ", style=GOLD)
        river = Text(" ").join(_tile(t, lang, special) for t in view["rivers"][k])
        return [title, Text(" ".join(marks), style=DIM), laid, river]

    def hand(self, look: Any) -> RenderableType | None:
        """The viewer's own tiles, special ones marked, the drawn one named."""
        view = look.view
        if "hand" not in view:
            return None
        special = {view["laizi"]: GOLD, **dict.fromkeys([*view["skins"], "5z"], "magenta")}
        line = Text("  ").join(_tile(t, look.lang, special) for t in view["hand"])
        if view["drawn"]:
            line.append(f"   ({_words(look.lang)['drawn']} {tile_name(view['drawn'], look.lang)})", style=DIM)
        return line

    def ask(self, look: Any) -> str:
        """What is asked of the viewer now."""
        view, words = look.view, _words(look.lang)
        if view["phase"] == "MELD_DECISION":
            return words["meld"]
        if view["claimed"] is None:
            return words["turn"]
        tile, who = tile_name(view["claimed"]["tile"], look.lang), look.names[view["claimed"]["seat"]]
        return (
            words["rob"].format(who, tile)
            if view["phase"] == "WAIT_ROB_KONG"
            else words["claim"].format(tile, who)
        )

    def moves(self, look: Any) -> list[Move]:
        """Every legal action with its number and both its names; discards go by their tile."""
        found: list[Move] = []
        for i, action in enumerate(look.legal):
            style = GOLD if action == WIN else DIM if action == PASS else ""
            found.append((str(i + 1), Text(both_names(action, look.view), style=style), (action,)))
        return found

    def read(self, text: str, look: Any) -> list[int]:
        """A number of the list, or an action in words; `w` tells the waits instead."""
        typed = text.strip()
        if typed.lower() in WAITS:
            raise BadText(waits_text(look.view, look.lang))
        keys = {key: actions for key, _, actions in self.moves(look)}
        if typed in keys:
            return list(keys[typed])
        if typed.isdecimal():
            raise BadText(_words(look.lang)["nothing"].format(typed[:20]))
        try:
            return [parse(typed)]
        except BadText as error:
            raise BadText(_words(look.lang)["unread"].format(typed[:20])) from error

    def name(self, actions: Sequence[int], look: Any) -> str:
        """Actions in words."""
        return ", ".join(action_name(a, look.lang) for a in actions)

    def tell(self, event: Event, look: Any) -> str:
        """The game's sentence."""
        return tell(event, look.lang, look.names)

    def closing(self, look: Any) -> RenderableType:
        """The open table."""
        return Text(draw_view(look.view, look.lang))

    def explain(self, look: Any, last: list[Event]) -> list[str]:
        """Winner, types, fans and deltas."""
        return result_lines(look.view["result"], look.lang, look.names)


def both_names(action: int, view: dict[str, Any]) -> str:
    """§8.5 an action in English and in Chinese; a skin kong names its tile."""
    english, chinese = action_name(action, "en"), action_name(action, "zh")
    if action in (KONG_SKIN, KONG_SKIN + 1):
        tile = view["skins"][action - KONG_SKIN]
        return f"{english} ({tile}) {chinese}{tile_name(tile, 'zh')}"
    return f"{english} {chinese}"


def _words(lang: str) -> dict[str, str]:
    return WORDS[language(lang)]


def _tile(code: str, lang: str, special: dict[str, str]) -> Text:
    return Text(tile_name(code, lang), style=special.get(code, STYLES[code[1]]))


SCREEN = MahjongScreen()
assert KINDS == 34
