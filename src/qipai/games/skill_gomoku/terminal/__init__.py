"""Skill Gomoku in the terminal: the board in colour, both cards with their effects, a cursor.

It is drawn from the view only, so that the screen cannot show what the seat may not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.align import Align
from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from qipai.core import Event, seat_value
from qipai.core.errors import BadText

from ..state import CELL, EMPTY, IDS, OPPONENT, RIGHT
from ..text import ICON, MESSAGES, STONES, card_line, ending_lines, name_cell, typed_words
from .cursor import can_move_cursor, move_cursor

Move = tuple[str, Text, tuple[int, ...]]  # the key, what it does in words, the actions

WOOD = "on #d9b36c"
BLACK, WHITE = f"bold #101010 {WOOD}", f"bold #ffffff {WOOD}"
LINE = f"#8a6a30 {WOOD}"
LAST, WON, CURSOR = "on #7fb069", "on #e07a5f", "on #6fa8dc"
DIM = "bright_black"
GOLD, KEY = Style(bold=True, color="yellow"), Style(bold=True, color="cyan")
ASKED = {"Place": "terminal.place", "Take": "terminal.take", "TimeFreeze": "terminal.freeze"}


class Screen:
    """How the terminal shows Skill Gomoku; `scene` is what it passes to every screen."""

    def welcome(self, lang: str) -> RenderableType:
        """Return the name of the game, its cards and its goal."""
        title = Text(" ".join(MESSAGES.say("title", lang).upper()), style="bold")
        cards = Text("   ").join(Text(f"{ICON[card]} {MESSAGES.say(f'card.{card}', lang)}") for card in IDS)
        goal = Text(MESSAGES.say("terminal.goal", lang), justify="center")
        return Group(Align.center(title), Text(), Align.center(cards), Text(), Align.center(goal))

    def table(self, scene: Any) -> RenderableType:
        """Return the board, and next to it whose turn it is and what is left in the deck."""
        grid = Table.grid(padding=(0, 3))
        grid.add_row(board_text(scene.view), side_text(scene))
        return grid

    def hand(self, scene: Any) -> RenderableType | None:
        """Return the drawn cards with their effects, the chosen one marked."""
        turn = scene.view["turn"]
        if scene.view["winner"] is not None:
            return None
        if turn["drawn"] is None:
            return Text(" " + MESSAGES.say("draw.drawn", scene.lang, n=turn["drawnCount"]), style=DIM)
        return Text("\n").join(_card_text(scene, i, card) for i, card in enumerate(turn["drawn"]))

    def ask(self, scene: Any) -> str:
        """Return the question for the viewer's current decision."""
        turn = scene.view["turn"]
        key = ASKED[turn["chosen"]] if turn["state"] == "selectTarget" else "terminal.choose"
        return MESSAGES.say(key, scene.lang)

    def moves(self, scene: Any) -> list[Move]:
        """Return the slots by number, the opponent by letter; points are typed by name."""
        turn, lang = scene.view["turn"], scene.lang
        if turn["state"] == "choose":
            drawn = turn["drawn"]
            return [(str(a + 1), Text(MESSAGES.say(f"card.{drawn[a]}", lang)), (a,)) for a in scene.legal]
        if scene.legal == [OPPONENT]:
            return [("o", Text(MESSAGES.say("terminal.opponent", lang)), (OPPONENT,))]
        example = scene.legal[len(scene.legal) // 2]
        points = [(scene.game.words.say(example), Text(MESSAGES.say("terminal.such", lang)), (example,))]
        cursor = [("c", Text(MESSAGES.say("terminal.cursor", lang)), ())] if can_move_cursor() else []
        return [*points, *cursor]

    def name(self, actions: Sequence[int], scene: Any) -> str:
        """Return actions in words: the card, the point."""
        said = []
        for action in actions:
            drawn = scene.view["turn"]["drawn"]
            if action <= RIGHT and drawn and action < len(drawn):
                said.append(f"{action + 1} {MESSAGES.say(f'card.{drawn[action]}', scene.lang)}")
            else:
                said.append(scene.game.words.say(action))
        return ", ".join(said)

    def read(self, text: str, scene: Any) -> list[int]:
        """Return the action that `text` names; raise `BadText` with the reason if there is none."""
        typed = text.strip().lower()
        aiming = scene.view["turn"]["state"] == "selectTarget"
        if aiming and typed in typed_words("cursor"):
            return [self._from_cursor(scene)]
        try:
            action = scene.game.words.parse(typed)
        except BadText as error:
            last = name_cell(scene.view["board"]["size"], scene.view["board"]["size"] - 1, 0)
            raise BadText(MESSAGES.say("terminal.unread", scene.lang, text=typed[:20], last=last)) from error
        if action in scene.legal:
            return [int(action)]
        raise BadText(why_not(scene, int(action)))

    def _from_cursor(self, scene: Any) -> int:
        if scene.view["turn"]["chosen"] not in ("Place", "Take") or not can_move_cursor():
            raise BadText(MESSAGES.say("terminal.no_cursor", scene.lang))
        size = scene.view["board"]["size"]

        def frame(x: int, y: int) -> tuple[RenderableType, str]:
            action = CELL + y * size + x
            note = "" if action in scene.legal else why_not(scene, action)
            return board_text(scene.view, (x, y)), f"{name_cell(size, x, y)}  {note}"

        last = scene.view["lastMove"] or {"x": size // 2, "y": size // 2}
        keys = MESSAGES.say("terminal.cursor_help", scene.lang)
        found = move_cursor(size, (last["x"], last["y"]), frame, keys)
        if found is None:
            raise BadText(MESSAGES.say("terminal.put_away", scene.lang))
        action = CELL + found[1] * int(size) + found[0]
        if action not in scene.legal:
            raise BadText(why_not(scene, action))
        return action

    def tell(self, event: Event, scene: Any) -> str:
        """Return one sentence for what happened; "" if another sentence says it."""
        return str(scene.game.tell(event, scene.lang, scene.names, scene.seat))

    def closing(self, scene: Any) -> RenderableType:
        """Return the board after the end, the winning line marked."""
        return Group(board_text(scene.view), Text())

    def explain(self, scene: Any, last: list[Event]) -> list[str]:
        """Return who won, and why."""
        return ending_lines(scene.view, scene.lang, scene.names, scene.seat)


SCREEN = Screen()


def board_text(seen: dict[str, Any], cursor: tuple[int, int] | None = None) -> Text:
    """Return the board of a view: stones on wood; the last one, winning lines and the cursor marked."""
    size, cells, last = seen["board"]["size"], seen["board"]["cells"], seen["lastMove"]
    won = {(p["x"], p["y"]) for line in seen["winningLines"] for p in line["line"]}
    out = Text()
    for y in range(size):
        out.append(f" {size - y:>2} ", DIM)
        for x in range(size):
            style = (LINE, BLACK, WHITE)[cells[y][x]]
            if (x, y) == cursor:
                style = f"{style.rpartition(' on ')[0]} {CURSOR}"
            elif (x, y) in won:
                style = f"{style.rpartition(' on ')[0]} {WON}"
            elif last is not None and (last["x"], last["y"]) == (x, y):
                style = f"{style.rpartition(' on ')[0]} {LAST}"
            left, right = ("[", "]") if (x, y) == cursor else (" ", " ")
            out.append(f"{left}{STONES[cells[y][x]]}{right}", style)
        out.append("\n")
    out.append("    " + "".join(f" {chr(ord('a') + x)} " for x in range(size)), DIM)
    return out


def side_text(scene: Any) -> Text:
    """Return seats, turn, frozen players, what is left in the deck."""
    seen, lang = scene.view, scene.lang
    out = Text(MESSAGES.say("draw.turn", lang, n=seen["turn"]["number"]) + "\n\n", style="bold")
    for seat in (0, 1):
        moving = seen["toAct"] == seat + 1
        out.append(f"{STONES[seat + 1]} {scene.titles[seat]}", GOLD if moving else "")
        if seen["status"]["skipNextTurns"][str(seat + 1)] > 0:
            out.append(f" ❄ {MESSAGES.say('terminal.frozen', lang)}", "cyan")
        elif moving:
            out.append(f" {MESSAGES.say('terminal.to_move', lang)}", DIM)
        out.append("\n")
    deck = seen["deck"]
    out.append(f"\n{MESSAGES.say('terminal.pile', lang)}\n", DIM)
    for card in IDS:
        n = deck["unseenCounts"][card]
        out.append(f"{ICON[card]} {n:>2} {MESSAGES.say(f'card.{card}', lang)}\n", "" if n else DIM)
    out.append("\n" + MESSAGES.say("terminal.discards", lang, n=len(deck["discardPile"])), DIM)
    return out


def why_not(scene: Any, action: int) -> str:
    """Return why an action is not legal here, in words."""
    seen, lang = scene.view, scene.lang
    turn = seen["turn"]
    if turn["state"] == "choose":
        if action > RIGHT:
            return MESSAGES.say("refuse.card_first", lang)
        if action >= len(turn["drawn"]):
            return MESSAGES.say("terminal.no_card", lang)
        card = turn["drawn"][action]
        return MESSAGES.say("refuse.card", lang, card=card_line(card), why=(f"refuse.card.{card}", {}))
    if action < CELL:
        return MESSAGES.say(ASKED[turn["chosen"]], lang)
    if turn["chosen"] == "TimeFreeze":
        values = {"card": card_line("TimeFreeze"), "who": seat_value(2 - seen["currentPlayer"])}
        return MESSAGES.tell(("refuse.freeze", values), lang, scene.names, scene.seat)
    size = seen["board"]["size"]
    y, x = divmod(action - CELL, size)
    at = name_cell(size, x, y)
    if turn["chosen"] == "Place":
        return MESSAGES.say("refuse.occupied", lang, at=at)
    own = seen["board"]["cells"][y][x] != EMPTY
    return MESSAGES.say("refuse.own_stone" if own else "refuse.no_stone", lang, at=at)


def _card_text(scene: Any, slot: int, card: str) -> Text:
    chosen, lang = scene.view["turn"]["chosenIndex"], scene.lang
    playable = not scene.legal or scene.view["turn"]["state"] != "choose" or slot in scene.legal
    style = GOLD if chosen == slot else "bold" if chosen is None and playable else DIM
    out = Text(f" {slot + 1} ", style=KEY if chosen is None and playable else DIM)
    out.append(f"{ICON[card]} {MESSAGES.say(f'card.{card}', lang)}", style)
    return out.append(f"  {MESSAGES.say(f'card.{card}.about', lang)}", DIM)
