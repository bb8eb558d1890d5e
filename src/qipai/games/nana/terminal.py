"""NANA on the terminal table: hands in rows with what everyone has seen, moves to choose from.

Drawn from the view alone, so the screen can show nothing that the seat may not know.
This is the only module of the game that needs `rich`; the table loads it when wanted.
"""

from __future__ import annotations

from typing import Any

from rich.align import Align
from rich.console import Group, RenderableType
from rich.text import Text

from qipai.core import Event
from qipai.core.errors import BadText

from .bots.facts import action_values, facts_of
from .bots.hard import memory_from_view
from .state import CENTRE_ACTION
from .text import parse, tell

Move = tuple[str, Text, tuple[int, ...]]  # the key, what it does in words, the actions

UP, OWN, KNOWN, DARK, GONE = (
    "bold black on green",
    "bold",
    "yellow",
    "bright_black on #2b3b4a",
    "bright_black",
)
CHANCES = ("%", "chances", "chance", "概率")

WORDS: dict[str, dict[str, Any]] = {
    "en": {
        "goal": "Turn up three cards of one number in a row: heads, tails, or the centre.\n"
        "Three sevens win at once; so do two trios whose sum or difference is 7, or any three trios.\n"
        "Type % to see the true chance of each move.",
        "modes": "nana: all three ways · simple: no connected trios · spicy: no three trios",
        "turn": "turn {}",
        "chain": "face up: {}",
        "nothing": "nothing yet",
        "centre": "centre",
        "won": "has {}",
        "ask": ("find three of a kind", "find another {}", "find the third {}"),
        "head": "head of {}",
        "tail": "tail of {}",
        "your head": "your head",
        "your tail": "your tail",
        "card": "centre card {}",
        "hand card": "card {1} of {0}",
        "unknown": "?",
        "chances": "chance of a trio: ",
        "unread": "“{}” is no move: type a number of the list, or head, tail 2, centre 4.",
        "over": "nobody wins",
        "wins": "{} wins: {}",
        "trios": "{}: {}",
        "none": "no trio",
    },
    "zh": {
        "goal": "连续翻开三张相同的数字：头牌、尾牌或公共牌。\n"
        "三张7立即获胜；两组三条的和或差为7，或任意三组，也获胜。\n"
        "输入 % 查看每一步的真实概率。",
        "modes": "nana：三种都算 · simple：不计相连 · spicy：不计三组",
        "turn": "第{}回合",
        "chain": "已翻开：{}",
        "nothing": "还没有",
        "centre": "公共区",
        "won": "已收集{}",
        "ask": ("找三张相同的", "再找一张{}", "找第三张{}"),
        "head": "{}的头牌",
        "tail": "{}的尾牌",
        "your head": "自己的头牌",
        "your tail": "自己的尾牌",
        "card": "公共牌{}",
        "hand card": "{0}的第{1}张",
        "unknown": "?",
        "chances": "凑成三条的概率：",
        "unread": "“{}”不是一手：请输入列表中的编号，或 头、尾2、中4 这样的位置。",
        "over": "无人获胜",
        "wins": "{}获胜：{}",
        "trios": "{}：{}",
        "none": "没有三条",
    },
}


class NanaScreen:
    """How NANA looks."""

    def welcome(self, lang: str) -> RenderableType:
        """The aim, in three lines."""
        words = WORDS.get(lang, WORDS["en"])
        title = Text("NANA", style="bold yellow", justify="center")
        return Group(
            Align.center(title), Align.center(Text(words["goal"])), Align.center(Text(words["modes"], GONE))
        )

    def table(self, look: Any) -> RenderableType:
        """A row a hand, the centre, and the chain."""
        words, seen = WORDS.get(look.lang, WORDS["en"]), look.view
        chain = " ".join(str(card["number"]) for card in seen["face_up"]) or words["nothing"]
        rows = [Text(words["turn"].format(seen["turn"]) + "   " + words["chain"].format(chain)), Text()]
        for hand in seen["hands"]:
            k = hand["seat"]
            row = Text(("▶ " if k == seen["current"] else "  ") + f"{look.titles[k]:<12.12} ")
            for i in range(seen["dealt"]["hands"][k]):
                row.append_text(card_text(seen, f"h{k}.{i}"))
            won = seen["collections"][k]
            if won:
                row.append("  " + words["won"].format(" ".join(f"{n}·{n}·{n}" for n in won)), "bold green")
            rows.append(row)
        centre = Text(f"  {words['centre']:<12.12} ")
        for card in seen["centre"]:
            centre.append_text(card_text(seen, card["slot"]))
        return Group(*rows, Text(), centre)

    def hand(self, look: Any) -> RenderableType | None:
        """The own hand is a row of the table."""
        return None

    def ask(self, look: Any) -> str:
        """What is looked for now."""
        up = look.view["face_up"]
        words: tuple[str, ...] = WORDS.get(look.lang, WORDS["en"])["ask"]
        return words[len(up)].format(up[0]["number"] if up else "")

    def moves(self, look: Any) -> list[Move]:
        """Every legal reveal, numbered, with the card where it is known (and its chance with --hint)."""
        odds = chances_of(look.view) if look.hint else {}
        found: list[Move] = []
        for i, action in enumerate(look.legal):
            text = Text(self.name([action], look))
            number = shown_number(look.view, action)
            text.append(f" ({number})" if number else " (?)", KNOWN if number else DARK)
            if action in odds:
                text.append(f" {odds[action]:.1%}", "cyan")
            found.append((str(i + 1), text, (action,)))
        return found

    def read(self, text: str, look: Any) -> list[int]:
        """A key or an action in notation; `%` answers with the chances."""
        typed = text.strip().lower()
        if typed in CHANCES:
            odds = chances_of(look.view)
            listed = ", ".join(f"{i + 1}: {odds.get(a, 0):.1%}" for i, a in enumerate(look.legal))
            raise BadText(WORDS.get(look.lang, WORDS["en"])["chances"] + listed)
        if typed.isascii() and typed.isdigit() and 1 <= int(typed[:3]) <= len(look.legal):
            return [look.legal[int(typed) - 1]]
        try:
            return [parse(typed)]
        except BadText as error:
            raise BadText(WORDS.get(look.lang, WORDS["en"])["unread"].format(typed[:20])) from error

    def name(self, actions: list[int], look: Any) -> str:
        """A reveal in words."""
        words, seen = WORDS.get(look.lang, WORDS["en"]), look.view
        found = []
        for action in actions:
            if action >= CENTRE_ACTION:
                found.append(words["card"].format(action - CENTRE_ACTION))
                continue
            end = "tail" if action & 1 else "head"
            seat = (seen["current"] + action // 2) % seen["players"]
            own = seat == seen["seat"]
            found.append(words[f"your {end}"] if own else words[end].format(look.names[seat]))
        return ", ".join(found)

    def tell(self, event: Event, look: Any) -> str:
        """An event with names in place of seats."""
        lang = look.lang if look.lang in WORDS else "en"
        named = dict(event)
        for key in ("by", "player"):
            if key in named:
                named[key] = look.names[named[key]]
        if event["type"] == "reveal":
            return f"{named['by']}: {self._place(event['slot'], look)} = {event['number']}"
        text = tell(event, lang)
        for key in ("by", "player"):
            if key in event:
                for old in (f"seat {event[key]}", f"座位{event[key]}"):
                    text = text.replace(old, str(named[key]))
        return text

    def _place(self, slot: str, look: Any) -> str:
        """A slot with its owner's name."""
        words = WORDS.get(look.lang, WORDS["en"])
        if slot[0] == "c":
            return str(words["card"].format(slot[1:]))
        seat, _, i = slot[1:].partition(".")
        return str(words["hand card"].format(look.names[int(seat)], int(i) + 1))

    def closing(self, look: Any) -> RenderableType:
        """The table after the end."""
        return Group(self.table(look), Text())

    def explain(self, look: Any, last: list[Event]) -> list[str]:
        """Who won, why, and what everyone had collected."""
        words, seen = WORDS.get(look.lang, WORDS["en"]), look.view
        lines = [self.tell(event, look) for event in last if event["type"] in ("win", "end")]
        for k, won in enumerate(seen["collections"]):
            lines.append(words["trios"].format(look.names[k], ", ".join(map(str, won)) or words["none"]))
        return lines


def card_text(seen: dict[str, Any], slot: str) -> Text:
    """One card: face up, own, seen by all, never seen, or gone."""
    up = {card["slot"]: card["number"] for card in seen["face_up"]}
    own = {card["slot"]: card["number"] for card in seen["my_hand"]} | (seen["cards"] or {})
    if slot in seen["removed"]:
        return Text(" ·· ", GONE)
    if slot in up:
        return Text(f"[{up[slot]:>2}]", UP)
    if slot in seen["known"]:
        return Text(f" {seen['known'][slot]:>2} ", KNOWN)
    if slot in own:
        return Text(f" {own[slot]:>2} ", OWN)
    return Text(" ▒▒ ", DARK)


def shown_number(seen: dict[str, Any], action: int) -> int | None:
    """The number that an action will show, where the viewer knows it."""
    own = {card["slot"]: card["number"] for card in seen["my_hand"]}
    if action >= CENTRE_ACTION:
        slot = f"c{action - CENTRE_ACTION}"
    else:
        seat = (seen["current"] + action // 2) % seen["players"]
        up = {card["slot"] for card in seen["face_up"]}
        down = [x for x in seen["hands"][seat]["slots"] if x not in up]
        slot = down[-1] if action & 1 else down[0]
    number = seen["known"].get(slot, own.get(slot))
    return None if number is None else int(number)


def chances_of(seen: dict[str, Any]) -> dict[int, float]:
    """By legal action: the true chance that the attempt ends in a trio, from the view alone."""
    facts, _ = facts_of(memory_from_view(seen), [card["slot"] for card in seen["face_up"]])
    values = action_values(facts, [card["number"] for card in seen["face_up"]])
    dark = next((f"c{i}" for i, e in enumerate(facts.centre) if e is None), "")
    found = {}
    for action in seen["legal"]:
        if action >= CENTRE_ACTION:
            slot = f"c{action - CENTRE_ACTION}"
            found[action] = float(values[slot if facts.entry(slot) is not None else dark])
        else:
            seat = (seen["current"] + action // 2) % seen["players"]
            found[action] = float(values[f"{'tail' if action & 1 else 'head'} {seat}"])
    return found


SCREEN = NanaScreen()
