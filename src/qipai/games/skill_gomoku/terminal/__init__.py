"""Skill Gomoku on the terminal table: the board in colour, both cards with what they do, a cursor.

Drawn from the view alone, so the screen can show nothing that the seat may not know. Only
this module and `cursor.py` need a terminal; the table loads them when wanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.align import Align
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from qipai.core import Event
from qipai.core.errors import BadText

from ..api.cards import BASE_CARDS, Context, base_registry
from ..api.codes import MESSAGES, Code
from ..state import CELL, IDS, OPPONENT, RIGHT
from ..text import CARD, STONES, card_name, name_cell, outcome_text
from .cursor import can_move_cursor, move_cursor

Move = tuple[str, Text, tuple[int, ...]]  # the key, what it does in words, the actions

WOOD = "on #d9b36c"
BLACK, WHITE = f"bold #101010 {WOOD}", f"bold #ffffff {WOOD}"
LINE = f"#8a6a30 {WOOD}"
LAST, WON, CURSOR = "on #7fb069", "on #e07a5f", "on #6fa8dc"
DIM, GOLD, GOOD, BAD = "bright_black", "bold yellow", "green", "red"
SILENT = ("turnStarted", "turnEnded", "targetSelected", "matchEnded")

WORDS: dict[str, dict[str, str]] = {
    "en": {
        "goal": "Five stones of your colour in a row win.\nEach turn you draw two skill cards, play one and"
        " throw the other away.\nThe deck is shared: count what is left.",
        "choose": "Which card? 1 left, 2 right",
        "place": "Where? Type a cell such as h8, or press an arrow key",
        "take": "Which stone? Type a cell such as h8, or press an arrow key",
        "freeze": "Whom? There is only the opponent: o",
        "opponent": "the opponent",
        "cursor": "a cursor, moved with the arrow keys",
        "such": "or any such cell",
        "drew": "{} cards drawn",
        "left": "left in the pile",
        "discards": "discards",
        "turn": "turn {}",
        "frozen": "frozen",
        "to_move": "to move",
        "put_away": "The cursor was put away; nothing was played.",
        "unread": "“{}” is no move: type 1 or 2 for a card, or a cell from a1 to {}.",
        "no_cursor": "There is no cursor here: type a cell such as h8.",
        "no_card": "There is no such card here: 1 or 2.",
        "no_cell": "No cell is asked for now: choose a card, 1 or 2.",
        "bad_card": "{} cannot be played now: {}.",
    },
    "zh": {
        "goal": "同色五子连珠即胜。\n每回合抽两张技能牌，打出一张，弃掉另一张。\n牌堆共用，记住还剩什么。",
        "choose": "选哪张？1 左，2 右",
        "place": "落在哪里？输入坐标如 h8，或按方向键",
        "take": "提哪一子？输入坐标如 h8，或按方向键",
        "freeze": "冻结谁？只有对方：o",
        "opponent": "对方",
        "cursor": "用方向键移动光标",
        "such": "等任一合法格",
        "drew": "抽了 {} 张",
        "left": "牌堆剩余",
        "discards": "弃牌",
        "turn": "第 {} 回合",
        "frozen": "冻结",
        "to_move": "行动",
        "put_away": "收起光标，未行动。",
        "unread": "“{}”不是一步：请输入 1 或 2 选牌，或 a1 到 {} 的坐标。",
        "no_cursor": "这里没有光标：请输入坐标如 h8。",
        "no_card": "没有这张牌：1 或 2。",
        "no_cell": "现在不选格：先选牌，1 或 2。",
        "bad_card": "{} 现在不能用：{}。",
    },
}
REFUSED_ZH = {
    Code.CellOccupied: "此处已有棋子",
    Code.CellEmpty: "此处没有棋子",
    Code.InvalidTarget: "这是自己的棋子",
    Code.OutOfBounds: "不在棋盘内",
    Code.CardNotPlayable: "对方没有棋子",
    Code.InsufficientEmpties: "空位不够",
}


class Screen:
    """How the terminal table shows Skill Gomoku; `look` is what the table hands to every screen."""

    def welcome(self, lang: str) -> RenderableType:
        """The name of the game, its cards and its goal."""
        title = Text("技 能 五 子 棋   S K I L L   G O M O K U", style="bold")
        cards = Text("   ").join(Text(f"{c.icon} {card_name(c.id, lang)}") for c in BASE_CARDS)
        goal = Text(_words(lang)["goal"], justify="center")
        return Group(Align.center(title), Text(), Align.center(cards), Text(), Align.center(goal))

    def table(self, look: Any) -> RenderableType:
        """The board, and beside it whose turn it is and what is left in the deck."""
        grid = Table.grid(padding=(0, 3))
        grid.add_row(board_text(look.view), side_text(look))
        return grid

    def hand(self, look: Any) -> RenderableType | None:
        """The drawn cards with what they do, the chosen one marked."""
        turn, lang = look.view["turn"], look.lang
        if look.view["winner"] is not None:
            return None
        if turn["drawn"] is None:
            return Text(" " + _words(lang)["drew"].format(turn["drawnCount"]), style=DIM)
        return Text("\n").join(_card_text(look, i, card) for i, card in enumerate(turn["drawn"]))

    def ask(self, look: Any) -> str:
        """What is asked of the viewer now."""
        turn = look.view["turn"]
        if turn["state"] != "selectTarget":
            return _words(look.lang)["choose"]
        return _words(look.lang)[{"Place": "place", "Take": "take"}.get(turn["chosen"], "freeze")]

    def moves(self, look: Any) -> list[Move]:
        """The slots by number, the opponent by letter; cells are typed by name."""
        turn, lang = look.view["turn"], look.lang
        if turn["state"] == "choose":
            drawn = turn["drawn"]
            return [(str(a + 1), Text(card_name(drawn[a], lang)), (a,)) for a in look.legal]
        if look.legal == [OPPONENT]:
            return [("o", Text(_words(lang)["opponent"]), (OPPONENT,))]
        example = look.legal[len(look.legal) // 2]
        cells = [(look.game.words.say(example), Text(_words(lang)["such"]), (example,))]
        return [*cells, *([("c", Text(_words(lang)["cursor"]), ())] if can_move_cursor() else [])]

    def name(self, actions: Sequence[int], look: Any) -> str:
        """Actions in words: the card, the cell."""
        said = []
        for action in actions:
            drawn = look.view["turn"]["drawn"]
            if action <= RIGHT and drawn and action < len(drawn):
                said.append(f"{action + 1} {card_name(drawn[action], look.lang)}")
            else:
                said.append(look.game.words.say(action))
        return ", ".join(said)

    def read(self, text: str, look: Any) -> list[int]:
        """The action that `text` names; BadText says why there is none."""
        typed = text.strip().lower()
        aiming = look.view["turn"]["state"] == "selectTarget"
        if aiming and typed in ("c", "cursor", "光标"):
            return [self._from_cursor(look)]
        try:
            action = look.game.words.parse(typed)
        except BadText as error:
            last = name_cell(look.view["board"]["size"], look.view["board"]["size"] - 1, 0)
            raise BadText(_words(look.lang)["unread"].format(typed[:20], last)) from error
        if action in look.legal:
            return [int(action)]
        raise BadText(why_not(look, int(action)))

    def _from_cursor(self, look: Any) -> int:
        words = _words(look.lang)
        if look.view["turn"]["chosen"] not in ("Place", "Take") or not can_move_cursor():
            raise BadText(words["no_cursor"])
        size = look.view["board"]["size"]

        def frame(x: int, y: int) -> tuple[RenderableType, str]:
            action = CELL + y * size + x
            note = "" if action in look.legal else why_not(look, action)
            return board_text(look.view, (x, y)), f"{name_cell(size, x, y)}  {note}"

        last = look.view["lastMove"] or {"x": size // 2, "y": size // 2}
        found = move_cursor(size, (last["x"], last["y"]), frame, look.lang)
        if found is None:
            raise BadText(words["put_away"])
        action = CELL + found[1] * int(size) + found[0]
        if action not in look.legal:
            raise BadText(why_not(look, action))
        return action

    def tell(self, event: Event, look: Any) -> str:
        """One sentence for what happened; "" where another sentence says it."""
        if event["event"] in SILENT:
            return ""
        if event["event"] == "winChecked" and event["data"]["winner"] is None:
            return ""
        return str(look.game.tell(event, look.lang))

    def closing(self, look: Any) -> RenderableType:
        """The board after the end, the winning line marked."""
        return Group(board_text(look.view), Text())

    def explain(self, look: Any, last: list[Event]) -> list[str]:
        """Who won, and why."""
        seen = look.view
        lines = [outcome_text(seen["winner"], seen["reason"], look.lang)]
        size = seen["board"]["size"]
        for line in seen["winningLines"]:
            ends = (line["line"][0], line["line"][-1])
            named = " – ".join(name_cell(size, p["x"], p["y"]) for p in ends)
            lines.append(f"{STONES[line['player']]} {named} ({line['length']})")
        return lines


SCREEN = Screen()


def board_text(seen: dict[str, Any], cursor: tuple[int, int] | None = None) -> Text:
    """The board of a view: stones on wood, the last one, winning lines and the cursor marked."""
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
            out.append(f"{left}{'·●○'[cells[y][x]]}{right}", style)
        out.append("\n")
    out.append("    " + "".join(f" {chr(ord('a') + x)} " for x in range(size)), DIM)
    return out


def side_text(look: Any) -> Text:
    """Seats, turn, frozen players, what is left in the deck."""
    seen, words = look.view, _words(look.lang)
    out = Text(words["turn"].format(seen["turn"]["number"]) + "\n\n", style="bold")
    for seat, stone in ((0, "●"), (1, "○")):
        moving = seen["toAct"] == seat + 1
        out.append(f"{stone} {look.titles[seat]}", GOLD if moving else "")
        if seen["status"]["skipNextTurns"][str(seat + 1)] > 0:
            out.append(f" ❄ {words['frozen']}", "cyan")
        elif moving:
            out.append(f" {words['to_move']}", DIM)
        out.append("\n")
    deck = seen["deck"]
    out.append(f"\n{words['left']}\n", DIM)
    for card in IDS:
        n = deck["unseenCounts"][card]
        out.append(f"{CARD[card].icon} {n:>2} {card_name(card, look.lang)}\n", "" if n else DIM)
    out.append(f"\n{words['discards']} {len(deck['discardPile'])}", DIM)
    return out


def why_not(look: Any, action: int) -> str:
    """Why an action is not legal here, in words."""
    seen, lang = look.view, look.lang
    turn, words = seen["turn"], _words(lang)
    context = Context(seen["board"]["cells"], seen["currentPlayer"], seen["status"]["skipNextTurns"])
    registry = base_registry()
    if turn["state"] == "choose":
        if action > RIGHT:
            return words["no_cell"]
        if action >= len(turn["drawn"]):
            return words["no_card"]
        card = turn["drawn"][action]
        refused = registry.require(card).can_play(context)
        return words["bad_card"].format(card_name(card, lang), _reason(refused, lang))
    if action < CELL:
        return {"Place": words["place"], "Take": words["take"]}.get(turn["chosen"], words["freeze"])
    size = seen["board"]["size"]
    y, x = divmod(action - CELL, size)
    target = {"kind": "cell", "point": {"x": x, "y": y}}
    refused = registry.require(turn["chosen"]).validate_target(context, target)
    return f"{name_cell(size, x, y)}: {_reason(refused, lang)}"


def _reason(code: Code | None, lang: str) -> str:
    if code is None:
        return ""
    return REFUSED_ZH.get(code, MESSAGES[code]) if lang == "zh" else MESSAGES[code]


def _card_text(look: Any, slot: int, card: str) -> Text:
    chosen = look.view["turn"]["chosenIndex"]
    playable = not look.legal or look.view["turn"]["state"] != "choose" or slot in look.legal
    style = GOLD if chosen == slot else "bold" if chosen is None and playable else DIM
    about = CARD[card].description.get(look.lang, CARD[card].description["en"])
    out = Text(f" {slot + 1} ", style="bold cyan" if chosen is None and playable else DIM)
    return out.append(f"{CARD[card].icon} {card_name(card, look.lang)}", style).append(f"  {about}", DIM)


def _words(lang: str) -> dict[str, str]:
    return WORDS["zh" if lang == "zh" else "en"]
