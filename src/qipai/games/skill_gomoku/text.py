"""Skill Gomoku in text: actions as h8 and words, the table drawn, events told.

Columns are letters from the left, rows numbers from the bottom, so that h8 is the centre
of 15 x 15.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qipai.core import State
from qipai.core.errors import BadText

from .api.cards import BASE_CARDS
from .api.codes import short
from .state import CELL, LEFT, OPPONENT, RIGHT
from .view import view

CARD = {card.id: card for card in BASE_CARDS}
WORDS = {LEFT: "left", RIGHT: "right", OPPONENT: "opponent"}
ALIASES = {
    "left": LEFT, "l": LEFT, "1": LEFT, "左": LEFT,
    "right": RIGHT, "r": RIGHT, "2": RIGHT, "右": RIGHT,
    "opponent": OPPONENT, "o": OPPONENT, "对方": OPPONENT, "对手": OPPONENT,
}  # fmt: skip
STONES = {0: "·", 1: "●", 2: "○"}
PLAYER = {"en": {1: "Black ●", 2: "White ○"}, "zh": {1: "黑方 ●", 2: "白方 ○"}}
REASON = {
    "en": {
        "five": "five in a row",
        "simultaneousFive": "fives of both colours at once",
        "turnLimit": "the turn limit",
        "noCards": "no cards are left",
    },
    "zh": {
        "five": "五连",
        "simultaneousFive": "双方同时五连",
        "turnLimit": "回合上限",
        "noCards": "无牌可抽",
    },
}


def name_cell(size: int, x: int, y: int) -> str:
    """A cell's name: h8."""
    return f"{chr(ord('a') + x)}{size - y}"


def sayer(size: int) -> Callable[[int], str]:
    """`say` for a board of `size`: an action as text."""

    def say(action: int) -> str:
        if action in WORDS:
            return WORDS[action]
        y, x = divmod(action - CELL, size)
        return name_cell(size, x, y)

    return say


def parser(size: int) -> Callable[[str], int]:
    """`parse` for a board of `size`: text as an action, or BadText."""

    def parse(text: str) -> int:
        word = text.strip().lower() if isinstance(text, str) else ""
        if word in ALIASES:
            return ALIASES[word]
        column, row = word[:1], word[1:]
        if column.isascii() and column.isalpha() and row.isascii() and row.isdigit() and len(row) <= 2:
            x, y = ord(column) - ord("a"), size - int(row)
            if 0 <= x < size and 0 <= y < size and row == str(int(row)):
                return CELL + y * size + x
        last = name_cell(size, size - 1, 0)
        raise BadText(f"{short(text)} is not 'left', 'right', 'opponent' or a cell from a1 to {last}")

    return parse


def card_name(card: str, lang: str) -> str:
    """A card's name in words."""
    return CARD[card].name.get(lang, CARD[card].name["en"])


def draw(s: State, seat: int, lang: str) -> str:
    """The table as `seat` sees it: board with the last stone and winning lines marked, cards, decks."""
    seen = view(s, seat)
    lines = [*board_lines(seen), "", *status_lines(seen, lang)]
    return "\n".join(lines)


def board_lines(seen: dict[str, Any]) -> list[str]:
    """The board of a view. [●] is the last stone, *●* stands in a line of five."""
    size, cells = seen["board"]["size"], seen["board"]["cells"]
    last = seen["lastMove"]
    won = {(p["x"], p["y"]) for line in seen["winningLines"] for p in line["line"]}
    out = []
    for y in range(size):
        row = ""
        for x in range(size):
            stone = STONES[cells[y][x]]
            if (x, y) in won:
                row += f"*{stone}*"
            elif last is not None and (last["x"], last["y"]) == (x, y):
                row += f"[{stone}]"
            else:
                row += f" {stone} "
        out.append(f"{size - y:>2} {row}".rstrip())
    out.append("   " + "".join(f" {chr(ord('a') + x)} " for x in range(size)).rstrip())
    return out


def status_lines(seen: dict[str, Any], lang: str) -> list[str]:
    """Whose turn, the drawn cards, the decks, the end."""
    zh = lang == "zh"
    turn, deck = seen["turn"], seen["deck"]
    who = PLAYER["zh" if zh else "en"]
    out = []
    if seen["winner"] is not None:
        return [outcome_text(seen["winner"], seen["reason"], lang)]
    head = (
        f"第 {turn['number']} 回合，{who[seen['currentPlayer']]}"
        if zh
        else (f"turn {turn['number']}, {who[seen['currentPlayer']]}")
    )
    frozen = [who[p] for p in (1, 2) if seen["status"]["skipNextTurns"][str(p)] > 0]
    if frozen:
        head += ("，冻结：" if zh else ", frozen: ") + ", ".join(frozen)
    out.append(head)
    out.extend(card_lines(turn, lang))
    left = " ".join(f"{card_name(c, lang)} {n}" for c, n in deck["unseenCounts"].items())
    if zh:
        out.append(f"牌堆 {deck['drawCount']} 张，弃牌 {len(deck['discardPile'])} 张；未见：{left}")
    else:
        out.append(f"draw pile {deck['drawCount']}, discards {len(deck['discardPile'])}; unseen: {left}")
    return out


def card_lines(turn: dict[str, Any], lang: str) -> list[str]:
    """The drawn cards and what they do, the chosen one marked."""
    if turn["drawn"] is None:
        return [f"抽了 {turn['drawnCount']} 张牌" if lang == "zh" else f"{turn['drawnCount']} cards drawn"]
    out = []
    for i, card in enumerate(turn["drawn"]):
        mark = ">" if turn["chosenIndex"] == i else " "
        about = CARD[card].description.get(lang, CARD[card].description["en"])
        out.append(f"{mark} {i + 1} {CARD[card].icon} {card_name(card, lang)}: {about}")
    return out


def outcome_text(winner: Any, reason: str, lang: str) -> str:
    """The end in a sentence."""
    language = "zh" if lang == "zh" else "en"
    why = REASON[language][reason]
    if language == "zh":
        return f"平局（{why}）" if winner == "draw" else f"{PLAYER['zh'][winner]} 胜（{why}）"
    return f"a draw ({why})" if winner == "draw" else f"{PLAYER['en'][winner]} wins ({why})"


def teller(size: int) -> Callable[[dict[str, Any], str], str]:
    """`tell` for a board of `size`: an event in words."""

    def tell(event: dict[str, Any], lang: str) -> str:
        kind = event["event"]
        if kind == "matchEnded":
            return outcome_text(event["winner"], event["reason"], lang)
        if kind in ("turnStarted", "turnEnded"):
            return _tell_turn(event, lang)
        who, data = PLAYER["zh" if lang == "zh" else "en"][event["player"]], event["data"]
        if kind == "turnSkipped":
            return f"{who} 被冻结，跳过本回合" if lang == "zh" else f"{who} is frozen: the turn is skipped"
        if kind == "cardsDrawn":
            return _tell_drawn(who, data, lang)
        if kind == "cardChosen":
            name = card_name(data["card"], lang)
            return f"{who} 选择{name}" if lang == "zh" else f"{who} chooses {name}"
        if kind == "targetSelected":
            return _tell_target(who, data["target"], size, lang)
        if kind == "winChecked":
            return _tell_check(data["winner"], lang)
        return _tell_effect(who, data, size, lang)

    return tell


def _tell_turn(event: dict[str, Any], lang: str) -> str:
    n = event["turn"]
    if event["event"] == "turnEnded":
        return f"第 {n} 回合结束" if lang == "zh" else f"turn {n} ends"
    who = PLAYER["zh" if lang == "zh" else "en"][event["player"]]
    return f"第 {n} 回合：{who}" if lang == "zh" else f"turn {n}: {who}"


def _tell_target(who: str, target: dict[str, Any], size: int, lang: str) -> str:
    if target["kind"] == "player":
        return f"{who} 指定对方" if lang == "zh" else f"{who} aims at the opponent"
    cell = name_cell(size, target["point"]["x"], target["point"]["y"])
    return f"{who} 指定 {cell}" if lang == "zh" else f"{who} aims at {cell}"


def _tell_check(winner: Any, lang: str) -> str:
    if winner is None:
        return "没有五连" if lang == "zh" else "no line of five"
    return "五连！" if lang == "zh" else "a line of five!"


def _tell_drawn(who: str, data: dict[str, Any], lang: str) -> str:
    zh = lang == "zh"
    note = ("，牌堆重洗" if zh else "; the discards were shuffled") if data["reshuffled"] else ""
    if data["cards"] is None:
        return f"{who} 抽牌{note}" if zh else f"{who} draws{note}"
    cards = ("、" if zh else ", ").join(card_name(c, lang) for c in data["cards"])
    return f"{who} 抽到 {cards}{note}" if zh else f"{who} draws {cards}{note}"


def _tell_effect(who: str, data: dict[str, Any], size: int, lang: str) -> str:
    zh = lang == "zh"
    name = card_name(data["card"], lang)
    if data["fizzled"]:
        return f"{name} 无法生效" if zh else f"{name} fizzles"
    points = [op["point"] for op in data["ops"] if "point" in op]
    cells = ", ".join(name_cell(size, p["x"], p["y"]) for p in points)
    verbs = {
        "Place": ("落子", "places at"),
        "Take": ("提掉", "takes the stone at"),
        "PolarityInversion": ("黑白互换", "swaps the colours"),
        "TimeFreeze": ("冻结对方", "freezes the opponent"),
        "SpontaneousGeneration": ("散落五子于", "scatters five stones at"),
    }
    verb = verbs[data["card"]][0 if zh else 1]
    return f"{who} {verb} {cells}".rstrip()
