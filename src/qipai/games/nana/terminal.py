"""NANA in the terminal: hands in rows with what everyone has seen, moves to choose from.

It is drawn from the view only, so that the screen cannot show what the seat may not know. This is the
only module of the game that needs `rich`; the terminal imports it when a hand is played.
"""

from __future__ import annotations

from typing import Any

from rich.align import Align
from rich.cells import set_cell_size
from rich.console import Group, RenderableType
from rich.text import Text

from qipai.core import Event, Line, list_value, seat_value
from qipai.core.errors import BadText

from .bots.facts import action_values, facts_of
from .bots.hard import memory_from_view
from .options import MODES
from .state import CENTRE_ACTION
from .text import MESSAGES, parse, typed_words

Move = tuple[str, Text, tuple[int, ...]]  # the key, what it does in words, the actions

UP, OWN, KNOWN, DARK, GONE = (
    "bold black on green",
    "bold",
    "yellow",
    "bright_black on #2b3b4a",
    "bright_black",
)
CHANCES = ("%", *typed_words("notation.chances"))
NAME_WIDTH = 13  # columns of a heading
CARDS_ASKED = ("ask.first", "ask.two_more", "ask.one_more")  # by number of cards face up


class NanaScreen:
    """How NANA looks in the terminal."""

    def welcome(self, lang: str) -> RenderableType:
        """Return the aim, and what each mode changes."""

        def said(key: str) -> str:
            return MESSAGES.say(key, lang)

        ways = [f"· {said(key)}" for key in ("goal.sevens", "goal.connected", "goal.three")]
        aim = [said("goal.lead"), said("goal.wins"), *ways, said("terminal.percent")]
        modes = " · ".join(said(f"option.mode.{mode}") for mode in MODES)
        return Group(
            Align.center(Text(said("title"), style="bold yellow")),
            Align.center(Text("\n".join(aim))),
            Align.center(Text(modes, GONE)),
        )

    def table(self, scene: Any) -> RenderableType:
        """Return one row per hand, the centre, and the cards face up."""
        seen, lang = scene.view, scene.lang
        chain = " ".join(str(card["number"]) for card in seen["face_up"])
        up = MESSAGES.say("terminal.up", lang, cards=chain or ("terminal.nothing", {}))
        rows = [Text(f"{MESSAGES.say('terminal.turn', lang, n=seen['turn'] + 1)}   {up}"), Text()]
        for hand in seen["hands"]:
            k = hand["seat"]
            mark = "▶ " if k == seen["current"] else "  "
            row = Text(mark + set_cell_size(scene.titles[k], NAME_WIDTH - 1) + " ")
            for i in range(seen["dealt"]["hands"][k]):
                row.append_text(card_text(seen, f"h{k}.{i}"))
            won = " ".join(f"{n}·{n}·{n}" for n in seen["collections"][k])
            if won:
                row.append("  " + MESSAGES.say("draw.has", lang, trios=won), "bold green")
            rows.append(row)
        centre = Text("  " + set_cell_size(MESSAGES.say("draw.centre", lang), NAME_WIDTH))
        for card in seen["centre"]:
            centre.append_text(card_text(seen, card["slot"]))
        return Group(*rows, Text(), centre)

    def hand(self, scene: Any) -> RenderableType | None:
        """Return None: the viewer's hand is a row of the table."""
        return None

    def ask(self, scene: Any) -> str:
        """Return what the viewer is looking for now."""
        seen = scene.view
        up = seen["face_up"]
        values = {"n": up[0]["number"]} if up else {}
        return MESSAGES.say(CARDS_ASKED[len(up)], scene.lang, **values)

    def moves(self, scene: Any) -> list[Move]:
        """Return every legal reveal, numbered, with the card if known (and a probability, with hints)."""
        odds = chances_of(scene.view) if scene.hint else {}
        found: list[Move] = []
        for i, action in enumerate(scene.legal):
            text = Text(self.name([action], scene))
            number = shown_number(scene.view, action)
            text.append(f" ({number})" if number else " (?)", KNOWN if number else DARK)
            if action in odds:
                text.append(f" {odds[action]:.1%}", "cyan")
            found.append((str(i + 1), text, (action,)))
        return found

    def read(self, text: str, scene: Any) -> list[int]:
        """Return the action of a key or of notation; `%` answers with the probabilities as `BadText`."""
        typed = text.strip().lower()
        if typed in CHANCES:
            odds = chances_of(scene.view)
            listed = [f"{i + 1}: {odds.get(a, 0):.1%}" for i, a in enumerate(scene.legal)]
            raise BadText(MESSAGES.say("terminal.chances", scene.lang, list=list_value(listed)))
        if typed.isascii() and typed.isdigit() and 1 <= int(typed[:3]) <= len(scene.legal):
            return [scene.legal[int(typed) - 1]]
        try:
            return [parse(typed)]
        except BadText as error:
            raise BadText(MESSAGES.say("refuse.unread", scene.lang, text=typed[:20])) from error

    def name(self, actions: list[int], scene: Any) -> str:
        """Return reveals in words."""
        named = [card_line(action, scene.view) for action in actions]
        return MESSAGES.tell(("list", {"items": list_value(named)}), scene.lang, scene.names, scene.seat)

    def tell(self, event: Event, scene: Any) -> str:
        """Return an event in words."""
        told: str = scene.game.tell(event, scene.lang, scene.names, scene.seat)
        return told

    def closing(self, scene: Any) -> RenderableType:
        """Return the table after the end."""
        return Group(self.table(scene), Text())

    def explain(self, scene: Any, last: list[Event]) -> list[str]:
        """Return who won, why, and what everyone collected."""
        lines = [self.tell(event, scene) for event in last if event["type"] in ("win", "end")]
        for k, won in enumerate(scene.view["collections"]):
            trios: Any = list_value(won) if won else ("terminal.no_trio", {})
            line = ("terminal.trios", {"who": seat_value(k), "trios": trios})
            lines.append(MESSAGES.tell(line, scene.lang, scene.names, scene.seat))
        return lines


def card_line(action: int, seen: dict[str, Any]) -> Line:
    """Return the line that names the card that an action turns up."""
    if action >= CENTRE_ACTION:
        return "card.centre", {"n": action - CENTRE_ACTION + 1}
    seat = (seen["current"] + action // 2) % seen["players"]
    return "card.high" if action & 1 else "card.low", {"owner": seat_value(seat)}


def card_text(seen: dict[str, Any], slot: str) -> Text:
    """Return one card: face up, the viewer's own, seen by all, never seen, or gone."""
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
    """Return the number that a legal action will show, if the viewer knows it."""
    own = {card["slot"]: card["number"] for card in seen["my_hand"]}
    slot = next(slot for slot, actions in seen["shows"].items() if action in actions)
    number = seen["known"].get(slot, own.get(slot))
    return None if number is None else int(number)


def chances_of(seen: dict[str, Any]) -> dict[int, float]:
    """Return for each legal action the true probability that the attempt ends in a trio."""
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
