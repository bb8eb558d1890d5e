"""Xianqi in the terminal: pieces in colour, seats side by side, moves to choose from.

Everything is drawn from the view, so the screen cannot show what the seat may not know. This is the
only module of the game that needs `rich`; the terminal imports it on demand.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from rich import box
from rich.align import Align
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from qipai.core import Event
from qipai.core.errors import BadText
from qipai.core.message import list_value, seat_value, signed

from .lines import DOGS, card_line, combo_line, cover_line, hidden_line
from .state import (
    BUCKLE,
    CARDS,
    COPIES,
    DOG_PAIR,
    PAIRS,
    PASS,
    PLAY_SIZE,
    PLAY_TYPE,
    PLAYS,
    POWER,
    REVEAL,
    SEATS,
    UNDER,
)
from .text import CODES, MESSAGES, action_line, parse, read_cover

Move = tuple[str, Text, tuple[int, ...]]  # the key, what it does in words, the actions

KEYS = {BUCKLE: "b", REVEAL: "r", PASS: "p"}
PAPER = "#f3e6c8"
RED, BLACK, BACK = f"bold #b01818 on {PAPER}", f"bold #202020 on {PAPER}", "#d7c9a5 on #3b5b7a"
FAINT_RED, FAINT_BLACK = "#9a6a6a on #bdb7a8", "#5c5c5c on #bdb7a8"
DIM, GOLD, GOOD, BAD = "bright_black", "bold yellow", "green", "red"


class Screen:
    """How the terminal shows Xianqi; `scene` is what the terminal passes to every screen."""

    def welcome(self, lang: str) -> RenderableType:
        """Return the pieces with their powers, and the goal of the game in three lines."""
        title = Text(MESSAGES.say("terminal.title", lang), style="bold")
        singles = [int(PLAY_TYPE[a]) for a in range(PAIRS)]  # from strong to weak
        powers = Text("".join(f"{int(POWER[t]):^5}" for t in singles), style=DIM)
        goal = Text(MESSAGES.say("terminal.goal", lang), justify="center")
        cards = Group(Align.center(big_cards(singles, lang, gap=1)), Align.center(powers))
        return Group(Align.center(title), Text(), cards, Text(), Align.center(goal))

    def table(self, scene: Any) -> RenderableType:
        """Return the three seats in play order, the viewer first, and the pieces not yet seen."""
        first = max(scene.seat, 0)
        grid = Table.grid(expand=True, padding=0)
        order = [(first + k) % SEATS for k in range(SEATS)]
        for _ in order:
            grid.add_column(ratio=1)
        grid.add_row(*(_seat_panel(scene, seat) for seat in order))
        return Group(grid, _unseen_line(scene))

    def hand(self, scene: Any) -> RenderableType | None:
        """Return the viewer's own pieces, with their letters below."""
        if scene.seat < 0:
            return None
        types = [CARDS.index(card) for card, n in scene.view["hand"].items() for _ in range(n)]
        letters = Text(" ").join(Text(f" {CODES[t]} ", style=DIM) for t in types)
        return Padding(Group(big_cards(types, scene.lang, gap=1), letters), (0, 0, 0, 1))

    def ask(self, scene: Any) -> str:
        """Return the question for the viewer's current decision."""
        seen = scene.view
        if seen["phase"] == "reveal_decision":
            return _say(scene, "ask.reveal", by=seat_value(seen["buckler"]))
        if seen["phase"] == "buckle_decision":
            may_buckle = "ask.open" if BUCKLE in seen["legal"] else "ask.lead"
            return _say(scene, "ask.buckle" if PASS in seen["legal"] else may_buckle)
        if seen["kind"] == 0:
            if seen["challenger"] is None:
                return _say(scene, "ask.lead")
            return _say(scene, "ask.lead.revealed", by=seat_value(seen["challenger"]))
        return _ask_to_follow(scene)

    def moves(self, scene: Any) -> list[Move]:
        """Return the legal moves: plays by number, words by letter; in a cover, the types to choose from."""
        moves: list[Move] = []
        seen = scene.view
        asked = seen["phase"] == "reveal_decision"
        # A cover may take any card of the hand, though its first action may not.
        actions = [UNDER + CARDS.index(card) for card in seen["hand"]] if _covers(seen) else seen["legal"]
        number = 0
        for action in actions:
            if action not in KEYS:
                number += 1
            moves.append((KEYS.get(action, str(number)), _label(action, scene, asked), (action,)))
        return moves

    def read(self, text: str, scene: Any) -> list[int]:
        """Return the move that `text` names: a number, pieces, a word; a cover as a whole."""
        seen = scene.view
        keys = {key: actions for key, _, actions in self.moves(scene)}
        typed = text.strip().lower()
        if _covers(seen):
            return _read_cover(typed, scene, keys)
        if typed in keys:
            return list(keys[typed])
        if typed.isdigit():
            raise BadText(_say(scene, "refuse.number", number=typed[:20]))
        try:
            return [parse(typed)]
        except BadText as error:
            raise BadText(_say(scene, "refuse.text", text=typed[:20])) from error

    def name(self, actions: list[int], scene: Any) -> str:
        """Return a move in words; a cover by its pieces."""
        if actions[0] < UNDER:
            asked = scene.view["phase"] == "reveal_decision"
            return MESSAGES.tell(action_line(actions[0], asked), scene.lang)
        cards = Counter(CARDS[action - UNDER] for action in actions)
        return _say(scene, "terminal.cover", cards=cover_line(cards))

    def tell(self, event: Event, scene: Any) -> str:
        """Return one sentence for what happened."""
        found: str = scene.game.tell(event, scene.lang, scene.names, scene.seat)
        return found

    def closing(self, scene: Any) -> RenderableType:
        """Return the table after the end: every round with its covers open, and what each seat still held."""
        seen = scene.view
        first = max(scene.seat, 0)
        order = [(first + k) % SEATS for k in range(SEATS)]
        grid = Table(box=box.SIMPLE_HEAD, padding=(0, 2), pad_edge=False)
        grid.add_column(_say(scene, "terminal.round"), justify="right", style=DIM)
        for seat in order:
            grid.add_column(scene.names[seat], min_width=10)
        for i, played in enumerate(seen["rounds"]):
            cells = {e["seat"]: _entry_text(scene, e, played["winner"]) for e in played["entries"]}
            last = i + 1 == len(seen["rounds"])
            grid.add_row(str(i + 1), *(cells[seat] for seat in order), end_section=last)
        left = [small_cards(seen["hands"][seat], scene.lang) for seat in order]
        grid.add_row(_say(scene, "terminal.left"), *left)
        grid.add_row(_say(scene, "table.pillars.head"), *(_pillar_text(scene, seat) for seat in order))
        payoff = seen["settlement"]["payoff"]
        grid.add_row(_say(scene, "table.chips"), *(chips_text(payoff[seat]) for seat in order))
        return Align.center(grid)

    def explain(self, scene: Any, last: list[Event]) -> list[str]:
        """Return why the hand ended, every payment with its reason, and the sum."""
        lines = scene.view["settlement"]["lines"]
        return [MESSAGES.tell(told, scene.lang, scene.names, scene.seat) for told in lines]


SCREEN = Screen()


def _say(scene: Any, key: str, **values: Any) -> str:
    return MESSAGES.tell((key, values), scene.lang, scene.names, scene.seat)


def _ask_to_follow(scene: Any) -> str:
    """Return the question to a seat that beats the best play or covers."""
    seen, kind = scene.view, scene.view["kind"]
    best = next(e for e in seen["round"]["entries"] if e["seat"] == seen["best"]["seat"])
    aim = {"owner": seat_value(best["seat"]), "cards": combo_line(best["cards"]), "power": best["power"]}
    if not _covers(seen):
        return _say(scene, "ask.beat", n=kind, **aim)
    question = _say(scene, "ask.cover", pieces=hidden_line(kind), **aim)
    example = " ".join("122"[:kind])
    return f"{question} {_say(scene, 'terminal.example', keys=example)}" if kind > 1 else question


# --- cards ----------------------------------------------------------------------------


def style_of(t: int) -> str:
    """Return red or black ink on paper."""
    return BLACK if t % 2 else RED


def face_of(t: int, lang: str) -> str:
    """Return the character on a piece."""
    return MESSAGES.say(f"face.{CARDS[t][2:]}", lang)


def big_cards(types: Iterable[int | None], lang: str, gap: int = 0, faint: bool = False) -> Text:
    """Return pieces of three lines side by side; None is face down, faint ones are one's own cover."""
    rows = [Text(), Text(), Text()]
    for i, t in enumerate(types):
        style, face = (BACK, "▒▒") if t is None else (style_of(t), face_of(t, lang))
        if faint:
            style = FAINT_RED if t is not None and t % 2 == 0 else FAINT_BLACK
        for row, line in zip(rows, ("╭──╮", f"│{face}│", "╰──╯"), strict=True):
            row.append(" " * gap if i else "").append(line, style)
    return Text("\n").join(rows)


def small_cards(cards: Mapping[str, int], lang: str) -> Text:
    """Return pieces in a line, one character each."""
    row = Text()
    for card, n in cards.items():
        t = CARDS.index(card)
        for _ in range(n):
            row.append(face_of(t, lang), style_of(t)).append(" ")
    row.rstrip()
    return row or Text("—", DIM)


def chips_text(chips: int) -> Text:
    """Return a gain in green, a loss in red."""
    return Text(signed(chips), style=f"bold {GOOD}" if chips > 0 else f"bold {BAD}" if chips < 0 else DIM)


def _entry_text(scene: Any, entry: dict[str, Any], winner: int) -> Text:
    row = small_cards(entry["cards"], scene.lang)
    if entry["power"] < 0:
        return Text().append("(", DIM).append_text(row).append(")", DIM)
    return row.append(" ✓", GOOD) if entry["seat"] == winner else row


# --- seats ----------------------------------------------------------------------------


def _seat_panel(scene: Any, seat: int) -> Panel:
    seen = scene.view
    count = seen["hand_counts"][seat]
    held = Text().append("▮" * count, "#6f8fb0").append(f" {_say(scene, 'terminal.held', n=count)}", DIM)
    body = Text("\n").join([held, _pillar_text(scene, seat, dots=True), _relation_text(scene, seat)])
    status, style = _status(scene, seat)
    return Panel(
        Group(body, _shown_cards(scene, seat)),
        title=Text(scene.titles[seat], style="bold"),
        title_align="left",
        subtitle=Text(status, style) if status else None,
        subtitle_align="left",
        border_style=GOLD if seen["decider"] == seat else DIM,
        padding=(0, 1),
    )


def _pillar_text(scene: Any, seat: int, dots: bool = False) -> Text:
    """Return `●●● ●○○ ○○ 4 enough`: a full first group is enough, a full second one ceramic."""
    pillars, goals = scene.view["pillars"][seat], scene.view["goals"]
    is_ceramic, is_enough = pillars >= goals["ceramic"], pillars >= goals["enough"]
    style = GOLD if is_ceramic else f"bold {GOOD}" if is_enough else ""
    row = Text()
    if dots:
        line = "●" * pillars + "○" * (8 - pillars)
        row.append(f"{line[:3]} {line[3:6]} {line[6:]} ", style or "default")
    row.append(str(pillars), style or "default")
    if is_enough:
        row.append(" " + _say(scene, "table.ceramic" if is_ceramic else "table.enough"), style)
    return row


def _relation_text(scene: Any, seat: int) -> Text:
    """Return whom the seat has revealed against; a star when it already had enough."""
    against = [
        ["terminal.starred" if r["was_enough"] else "table.name", {"seat": seat_value(r["buckler"])}]
        for r in scene.view["relations"]
        if r["revealer"] == seat
    ]
    row = Text(_say(scene, "terminal.revealed", seats=list_value(against)) if against else "", style=DIM)
    row.no_wrap, row.overflow = True, "ellipsis"
    return row


def _status(scene: Any, seat: int) -> tuple[str, str]:
    """Return what the seat is doing, for the lower edge of its panel, and its style."""
    seen = scene.view
    notes, style = [], DIM
    if seen["buckler"] == seat:
        notes.append("table.buckled")
        style = GOLD
    if seen["decider"] == seat:
        asked = seen["phase"] == "reveal_decision"
        notes.append("terminal.asked" if asked else "terminal.turn" if seen["kind"] else "terminal.lead")
        style = GOLD
    elif seat in seen["pending"]:
        notes.append("terminal.waits")
    elif seen["buckler"] is None and _past_round(seen) and seen["rounds"][-1]["winner"] == seat:
        notes.append("terminal.won")
        style = GOOD
    if seen["active_revealer"] == seat:
        notes.append("table.first")
    return " · ".join(_say(scene, key) for key in notes), style


def _past_round(seen: dict[str, Any]) -> bool:
    """Return whether the table still shows the round that was just won."""
    running = seen["round"]
    return bool(seen["rounds"]) and (running is None or not running["entries"])


def _shown_cards(scene: Any, seat: int) -> Text:
    """Return what the seat has laid down in this round (or in the one just won)."""
    seen = scene.view
    shown = seen["rounds"][-1] if _past_round(seen) else seen["round"]
    for entry in shown["entries"] if shown else ():
        if entry["seat"] == seat:
            if "cards" not in entry:
                return big_cards([None] * entry["covered_count"], scene.lang)
            types = [CARDS.index(c) for c, n in entry["cards"].items() for _ in range(n)]
            return big_cards(types, scene.lang, faint=entry["power"] < 0)
    return Text("\n\n")


def _unseen_line(scene: Any) -> Text:
    """Return how many of each piece have not been seen: neither played nor one's own."""
    seen = scene.view
    left = dict(zip(CARDS, COPIES.tolist(), strict=True))
    mine = [seen.get("hand", {}), seen.get("covered", {})]
    mine += [{card: 1} for card in seen.get("picked", ())]
    for played in [*seen["rounds"], *([seen["round"]] if seen["round"] else [])]:
        mine += [e["cards"] for e in played["entries"] if e["power"] >= 0]
    for cards in mine:
        for card, n in cards.items():
            left[card] -= n
    row = Text().append(f" {_say(scene, 'terminal.unseen')} ", DIM)
    for card, n in left.items():
        t = CARDS.index(card)
        row.append(" ").append(face_of(t, scene.lang), style_of(t) if n else DIM).append(
            str(n), "bold" if n else DIM
        )
    return row


# --- moves ----------------------------------------------------------------------------


def _covers(seen: dict[str, Any]) -> bool:
    return bool(seen["legal"]) and seen["legal"][0] >= UNDER


def _label(action: int, scene: Any, asked: bool) -> Text:
    if action >= UNDER:
        card = CARDS[action - UNDER]
        n = scene.view["hand"].get(card, 0)
        label = small_cards({card: 1}, scene.lang).append(f" {_say(scene, f'card.{card}')}")
        return label.append(f" ×{n}", DIM) if n > 1 else label
    name = MESSAGES.tell(action_line(action, asked), scene.lang)
    if action >= PLAYS:
        return Text(name, style="bold")
    t, n = int(PLAY_TYPE[action]), int(PLAY_SIZE[action])
    if n == 1:
        name = _say(scene, f"card.{CARDS[t]}")
    return small_cards(DOGS if action == DOG_PAIR else {CARDS[t]: n}, scene.lang).append(f" {name}")


def _read_cover(typed: str, scene: Any, keys: dict[str, tuple[int, ...]]) -> list[int]:
    """Return a whole cover, read from type numbers (`3 5 5`) or pieces (`BN2 RC`)."""
    seen = scene.view
    numbers = re.split(r"[\s,，、+]+", typed)
    if all(n.isdigit() for n in numbers):
        if len(numbers) == 1 and numbers[0] not in keys and len(typed) == seen["kind"]:
            numbers = list(typed)  # 355 for 3 5 5
        missing = [n for n in numbers if n not in keys]
        if missing:
            raise BadText(_say(scene, "refuse.number", number=missing[0][:20]))
        types = [keys[n][0] - UNDER for n in numbers]
    else:
        try:
            types = read_cover(typed)
        except BadText as error:
            raise BadText(_say(scene, "refuse.text", text=typed[:20])) from error
    if len(types) != seen["kind"]:
        raise BadText(_say(scene, "refuse.count", n=seen["kind"], named=len(types)))
    for t in types:
        if types.count(t) > seen["hand"].get(CARDS[t], 0):
            raise BadText(_say(scene, "refuse.held", card=card_line(CARDS[t])))
    return [UNDER + t for t in sorted(types)]
