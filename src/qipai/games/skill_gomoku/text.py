"""Skill Gomoku in text: actions as words and points, the board as a drawing, events as lines.

Columns are letters from the left, rows numbers from the bottom, so that h8 is the centre
of 15 x 15. Every sentence is in `messages/`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from qipai.core import Event, Line, Messages, State, list_value, seat_value
from qipai.core.errors import BadText, short

from .state import CELL, IDS, LEFT, OPPONENT, RIGHT
from .view import view

MESSAGES = Messages.of_package(__package__)
ICON = dict(zip(IDS, "●✕☯❄✿", strict=True))  # by card
SLOTS_AND_OPPONENT = {LEFT: "left", RIGHT: "right", OPPONENT: "opponent"}
STONES = "·●○"  # by cell value
COLOUR = {1: "black", 2: "white"}  # by player
Json = dict[str, Any]


# --- actions --------------------------------------------------------------------------


def name_cell(size: int, x: int, y: int) -> str:
    """Return the name of a cell: h8."""
    return f"{chr(ord('a') + x)}{size - y}"


def sayer(size: int) -> Callable[[int], str]:
    """Return `say` for a board of `size`: an action as text."""

    def say(action: int) -> str:
        if action in SLOTS_AND_OPPONENT:
            return SLOTS_AND_OPPONENT[action]
        y, x = divmod(action - CELL, size)
        return name_cell(size, x, y)

    return say


def typed_words(name: str) -> set[str]:
    """Return the words that players may type for something, in every language."""
    return {word for text in MESSAGES.everywhere(f"action.{name}").values() for word in text.split()}


_TYPED = {word: action for action, name in SLOTS_AND_OPPONENT.items() for word in typed_words(name)}


def parser(size: int) -> Callable[[str], int]:
    """Return `parse` for a board of `size`: text as an action, or BadText."""

    def parse(text: str) -> int:
        word = text.strip().lower() if isinstance(text, str) else ""
        if word in _TYPED:
            return _TYPED[word]
        column, row = word[:1], word[1:]
        if column.isascii() and column.isalpha() and row.isascii() and row.isdigit() and len(row) <= 2:
            x, y = ord(column) - ord("a"), size - int(row)
            if 0 <= x < size and 0 <= y < size and row == str(int(row)):
                return CELL + y * size + x
        last = name_cell(size, size - 1, 0)
        raise BadText(f"{short(text)} is not 'left', 'right', 'opponent' or a cell from a1 to {last}")

    return parse


# --- events ---------------------------------------------------------------------------


def liner(size: int) -> Callable[[Event], Line | None]:
    """Return `line` for a board of `size`: the message of an event, or None if another one says it."""

    def line(event: Event) -> Line | None:
        kind = event["event"]
        if kind == "matchEnded":
            return _ended(event["winner"], event["reason"])
        if kind not in ("turnSkipped", "cardsDrawn", "cardChosen", "effectResolved"):
            return None
        by, data = seat_value(event["player"] - 1), event["data"]
        if kind == "turnSkipped":
            return "log.skip", {"by": by}
        if kind == "cardsDrawn":
            return ("log.shuffle", {}) if data["reshuffled"] else None
        if kind == "cardChosen":
            return _chosen(by, data)
        return _effect(event["player"], data, size)

    return line


def card_line(card: str) -> Line:
    """Return the name of a card, as a value."""
    return f"card.{card}", {}


def colour_line(player: int) -> Line:
    """Return the colour of a player's stones, as a value."""
    return f"colour.{COLOUR[player]}", {}


def side_line(player: int) -> Line:
    """Return the name of a player's side, as a value."""
    return f"side.{COLOUR[player]}", {}


def _chosen(by: Json, data: Json) -> Line:
    if data["discarded"] is None:
        return "log.choose_only", {"by": by, "card": card_line(data["card"])}
    gone = card_line(data["discarded"])
    return "log.choose", {"by": by, "card": card_line(data["card"]), "gone": gone}


def _effect(player: int, data: Json, size: int) -> Line:
    card, ops, by = data["card"], data["ops"], seat_value(player - 1)
    if data["fizzled"]:
        return "log.fizzle", {"card": card_line(card)}
    if card == "PolarityInversion":
        return "log.swap", {}
    if card == "TimeFreeze":
        return "log.freeze", {"who": seat_value(ops[0]["target"] - 1)}
    at = [name_cell(size, op["point"]["x"], op["point"]["y"]) for op in ops]
    if card == "Place":
        return "log.place", {"by": by, "colour": colour_line(player), "at": at[0]}
    if card == "Take":
        return "log.take", {"by": by, "colour": colour_line(3 - player), "at": at[0]}
    stones: list[Line] = [
        ("log.stone", {"colour": colour_line(op["player"]), "at": cell})
        for op, cell in zip(ops, at, strict=True)
    ]
    return "log.grow", {"stones": list_value(stones)}


def _ended(winner: Any, reason: str) -> Line:
    if winner == "draw":
        keys = {"turnLimit": "log.draw_limit", "noCards": "log.draw_cards"}
        return keys.get(reason, "log.draw_both"), {}
    by = seat_value(winner - 1)
    if reason == "simultaneousFive":
        return "log.won_both", {"by": by}
    return "log.won", {"by": by, "colour": colour_line(winner)}


# --- the table ------------------------------------------------------------------------


def draw(s: State, seat: int, lang: str) -> str:
    """Return the table as `seat` sees it: the board with its marks, the cards, the decks."""
    seen = view(s, seat)
    lines = [*board_lines(seen), "", *status_lines(seen, lang)]
    return "\n".join(lines)


def board_lines(seen: dict[str, Any]) -> list[str]:
    """Return the board of a view. [●] is the last stone, *●* is in a line of five."""
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


def status_lines(seen: Json, lang: str) -> list[str]:
    """Return whose turn it is, the drawn cards, the decks; or how the match ended."""
    if seen["winner"] is not None:
        return ending_lines(seen, lang)
    turn, player = seen["turn"], seen["currentPlayer"]
    head = MESSAGES.say(
        "draw.moving",
        lang,
        turn=("draw.turn", {"n": turn["number"]}),
        side=side_line(player),
        stone=STONES[player],
        phase=(f"phase.{turn['state']}", {}),
    )
    lines = [head]
    frozen = [side_line(p) for p in (1, 2) if seen["status"]["skipNextTurns"][str(p)] > 0]
    if frozen:
        lines.append(MESSAGES.say("draw.frozen", lang, sides=list_value(frozen)))
    return [*lines, *card_lines(turn, lang), _piles(seen["deck"], lang)]


def _piles(deck: Json, lang: str) -> str:
    left = [("draw.count", {"card": card_line(card), "n": deck["unseenCounts"][card]}) for card in IDS]
    gone = len(deck["discardPile"])
    return MESSAGES.say("draw.piles", lang, draw=deck["drawCount"], gone=gone, cards=list_value(left))


def card_lines(turn: Json, lang: str) -> list[str]:
    """Return the drawn cards and their effects, the chosen one marked."""
    if turn["drawn"] is None:
        return [MESSAGES.say("draw.drawn", lang, n=turn["drawnCount"])]
    out = []
    for i, card in enumerate(turn["drawn"]):
        mark = ">" if turn["chosenIndex"] == i else " "
        name, about = MESSAGES.say(f"card.{card}", lang), MESSAGES.say(f"card.{card}.about", lang)
        out.append(f"{mark} {i + 1} {ICON[card]} {name}: {about}")
    return out


def ending_lines(seen: Json, lang: str, names: Sequence[str] | None = None, viewer: int = -1) -> list[str]:
    """Return how the match ended, and every line of five."""
    size = seen["board"]["size"]
    lines: list[Line] = [_ended(seen["winner"], seen["reason"])]
    for five in seen["winningLines"]:
        ends = [name_cell(size, p["x"], p["y"]) for p in (five["line"][0], five["line"][-1])]
        values = {"side": side_line(five["player"]), "n": five["length"], "from": ends[0], "to": ends[1]}
        lines.append(("draw.five", values))
    return [MESSAGES.tell(line, lang, names, viewer) for line in lines]
