"""Xianqi on the terminal table: pieces in colour, seats side by side, moves to choose from.

Drawn from the view alone, so the screen can show nothing that the seat may not know.
This is the only module of the game that needs `rich`; the table loads it when wanted.
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

from .state import (
    BUCKLE,
    CARDS,
    CERAMIC,
    COPIES,
    ENOUGH,
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
from .text import CODES, parse, read_cards
from .words import DOGS, FACES, NAMES, TYPE_OF, action_name, cover_name, language, signed, tell

Move = tuple[str, Text, tuple[int, ...]]  # the key, what it does in words, the actions

KEYS = {BUCKLE: "b", REVEAL: "r", PASS: "p"}
PAPER = "#f3e6c8"
RED, BLACK, BACK = f"bold #b01818 on {PAPER}", f"bold #202020 on {PAPER}", "#d7c9a5 on #3b5b7a"
FAINT_RED, FAINT_BLACK = "#9a6a6a on #bdb7a8", "#5c5c5c on #bdb7a8"
DIM, GOLD, GOOD, BAD = "bright_black", "bold yellow", "green", "red"

WORDS: dict[str, dict[str, str]] = {
    "en": {
        "goal": "Win rounds to collect pillars: three are enough, six are ceramic.\n"
        "Opening a round you may buckle, to stop here; others may reveal, to play on.\n"
        "At the end every seat below three pillars pays those that have enough.",
        "cards": "{} cards",
        "enough": "enough",
        "ceramic": "ceramic",
        "revealed": "revealed {}",
        "leads": "to lead",
        "turn": "to play",
        "asked": "reveal?",
        "waits": "asked next",
        "buckled": "buckled",
        "active": "asked first",
        "won": "won the round",
        "unseen": "not seen yet",
        "open": "Your lead: a card, a pair, three niu, or buckle",
        "buckle_first": "Will you buckle?",
        "forced": "Your buckle was revealed: you must lead",
        "reveal": "{} offers to stop. Reveal and play on?",
        "beat": "You can beat, so you must",
        "cover": "You cannot beat: cover {}",
        "covering": "cover {}",
        "as_in": ", as in {}",
        "card1": "one card",
        "card2": "two cards",
        "card3": "three cards",
        "round": "round",
        "left": "left",
        "pillars": "pillars",
        "chips": "chips",
        "need": "Cover exactly {n}; you named {m}.",
        "have": "You do not hold that many: {}.",
        "unknown": "“{}” is no move: type a number, a card such as RS, or a word such as buckle.",
        "nothing": "There is no move {} here.",
    },
    "zh": {
        "goal": "赢回合，收柱：三柱为够，六柱为瓷。\n"
        "轮到你开回合时可以扣棋，提议到此为止；别人可以掀棋，继续打。\n"
        "终局时，不足三柱的付给够棋的。",
        "cards": "{} 张",
        "enough": "够",
        "ceramic": "瓷",
        "revealed": "掀过{}",
        "leads": "领出",
        "turn": "出棋",
        "asked": "掀不掀？",
        "waits": "待问",
        "buckled": "扣棋",
        "active": "先问",
        "won": "赢下回合",
        "unseen": "未见",
        "open": "你领出：单张、对子、三牛，或扣棋",
        "buckle_first": "扣不扣？",
        "forced": "你的扣被掀了：必须领出",
        "reveal": "{}扣棋了。掀不掀？",
        "beat": "能压必须压",
        "cover": "压不了：垫{}",
        "covering": "垫{}",
        "as_in": "，如 {}",
        "card1": "一张",
        "card2": "两张",
        "card3": "三张",
        "round": "回合",
        "left": "剩余",
        "pillars": "柱",
        "chips": "筹码",
        "need": "正好垫{n}张，你给了{m}张。",
        "have": "你没有这么多{}。",
        "unknown": "“{}”不是一手牌：请输入编号、牌名（如 红士 或 RS），或 扣、掀、过。",
        "nothing": "没有第 {} 手。",
    },
}


class Screen:
    """How the terminal table shows Xianqi; `look` is what the table hands to every screen."""

    def welcome(self, lang: str) -> RenderableType:
        """The pieces with their powers, and the goal of the game in three lines."""
        title = Text("掀 棋   X I A N Q I", style="bold")
        singles = [int(PLAY_TYPE[a]) for a in range(PAIRS)]  # from strong to weak
        powers = Text("".join(f"{int(POWER[t]):^5}" for t in singles), style=DIM)
        goal = Text(WORDS[language(lang)]["goal"], justify="center")
        cards = Group(Align.center(big_cards(singles, gap=1)), Align.center(powers))
        return Group(Align.center(title), Text(), cards, Text(), Align.center(goal))

    def table(self, look: Any) -> RenderableType:
        """The three seats in play order, the viewer first, and the cards not yet seen."""
        first = max(look.seat, 0)
        grid = Table.grid(expand=True, padding=0)
        order = [(first + k) % SEATS for k in range(SEATS)]
        for _ in order:
            grid.add_column(ratio=1)
        grid.add_row(*(_seat_panel(look, seat) for seat in order))
        return Group(grid, _unseen_line(look))

    def hand(self, look: Any) -> RenderableType | None:
        """The viewer's own cards, with their letters below."""
        if look.seat < 0:
            return None
        types = [TYPE_OF[card] for card, n in look.view["hand"].items() for _ in range(n)]
        letters = Text(" ").join(Text(f" {CODES[t]} ", style=DIM) for t in types)
        return Padding(Group(big_cards(types, gap=1), letters), (0, 0, 0, 1))

    def ask(self, look: Any) -> str:
        """What is asked of the viewer now."""
        words, seen = WORDS[language(look.lang)], look.view
        if seen["phase"] == "reveal_decision":
            return words["reveal"].format(look.names[seen["buckler"]])
        if seen["phase"] == "buckle_decision":
            return words["buckle_first" if PASS in seen["legal"] else "open"]
        if seen["kind"] == 0:
            return words["forced"]
        if _covers(seen):
            k = seen["kind"]
            example = words["as_in"].format(" ".join("122"[:k])) if k > 1 else ""
            return words["cover"].format(words[f"card{k}"]) + example
        return words["beat"]

    def moves(self, look: Any) -> list[Move]:
        """The legal moves: plays by number, words by letter; in a cover, the types to choose from."""
        moves: list[Move] = []
        seen = look.view
        asked = seen["phase"] == "reveal_decision"
        # A cover may take any card of the hand, though its first action may not.
        actions = [UNDER + TYPE_OF[card] for card in seen["hand"]] if _covers(seen) else seen["legal"]
        number = 0
        for action in actions:
            if action not in KEYS:
                number += 1
            moves.append((KEYS.get(action, str(number)), _label(action, look, asked), (action,)))
        return moves

    def read(self, text: str, look: Any) -> list[int]:
        """The move that `text` names: a number, letters of cards, a word; a cover as a whole."""
        seen = look.view
        keys = {key: actions for key, _, actions in self.moves(look)}
        typed = text.strip().lower()
        if _covers(seen):
            return _read_cover(typed, look, keys)
        if typed in keys:
            return list(keys[typed])
        if typed.isdigit():
            raise BadText(WORDS[language(look.lang)]["nothing"].format(typed))
        try:
            return [parse(typed)]
        except BadText as error:
            raise BadText(WORDS[language(look.lang)]["unknown"].format(typed[:20])) from error

    def name(self, actions: list[int], look: Any) -> str:
        """A move in words; a cover by its cards."""
        if actions[0] < UNDER:
            return action_name(actions[0], look.lang, look.view["phase"] == "reveal_decision")
        cards = Counter(CARDS[action - UNDER] for action in actions)
        return WORDS[language(look.lang)]["covering"].format(cover_name(cards, look.lang))

    def tell(self, event: Event, look: Any) -> str:
        """One sentence for what happened."""
        return tell(event, look.lang, look.names)

    def closing(self, look: Any) -> RenderableType:
        """After the end: every round with its covers turned up, and what each still held."""
        words, seen = WORDS[language(look.lang)], look.view
        first = max(look.seat, 0)
        order = [(first + k) % SEATS for k in range(SEATS)]
        grid = Table(box=box.SIMPLE_HEAD, padding=(0, 2), pad_edge=False)
        grid.add_column(words["round"], justify="right", style=DIM)
        for seat in order:
            grid.add_column(look.names[seat], min_width=10)
        for i, played in enumerate(seen["rounds"]):
            cells = {e["seat"]: _entry_text(e, e["seat"] == played["winner"]) for e in played["entries"]}
            last = i + 1 == len(seen["rounds"])
            grid.add_row(str(i + 1), *(cells[seat] for seat in order), end_section=last)
        grid.add_row(words["left"], *(small_cards(seen["hands"][seat]) for seat in order))
        grid.add_row(words["pillars"], *(_pillar_text(seen["pillars"][seat], look.lang) for seat in order))
        payoff = seen["settlement"]["payoff"]
        grid.add_row(words["chips"], *(chips_text(payoff[seat]) for seat in order))
        return Align.center(grid)

    def explain(self, look: Any, last: list[Event]) -> list[str]:
        """Why the game ended, every payment with its reason, and the sum."""
        seen = look.view
        settled = seen["settlement"]
        events = [{"event": "end", "reason": seen["end"], "pillars": seen["pillars"]}, *settled["reasons"]]
        events.append({"event": "settlement", "payoff": settled["payoff"]})
        return [self.tell(event, look) for event in events]


SCREEN = Screen()


# --- cards ----------------------------------------------------------------------------


def style_of(t: int) -> str:
    """Red or black ink on paper."""
    return BLACK if t % 2 else RED


def big_cards(types: Iterable[int | None], gap: int = 0, faint: bool = False) -> Text:
    """Cards of three lines side by side; None is a card face down, faint ones are one's own cover."""
    rows = [Text(), Text(), Text()]
    for i, t in enumerate(types):
        style, face = (BACK, "▒▒") if t is None else (style_of(t), FACES[t])
        if faint:
            style = FAINT_RED if t is not None and t % 2 == 0 else FAINT_BLACK
        for row, line in zip(rows, ("╭──╮", f"│{face}│", "╰──╯"), strict=True):
            row.append(" " * gap if i else "").append(line, style)
    return Text("\n").join(rows)


def small_cards(cards: Mapping[str, int]) -> Text:
    """Cards in a line, a face each."""
    row = Text()
    for card, n in cards.items():
        for _ in range(n):
            row.append(FACES[TYPE_OF[card]], style_of(TYPE_OF[card])).append(" ")
    row.rstrip()
    return row or Text("—", DIM)


def chips_text(chips: int) -> Text:
    """A gain in green, a loss in red."""
    return Text(signed(chips), style=f"bold {GOOD}" if chips > 0 else f"bold {BAD}" if chips < 0 else DIM)


def _entry_text(entry: dict[str, Any], won: bool) -> Text:
    row = small_cards(entry["cards"])
    if entry["power"] < 0:
        return Text().append("(", DIM).append_text(row).append(")", DIM)
    return row.append(" ✓", GOOD) if won else row


# --- seats ----------------------------------------------------------------------------


def _seat_panel(look: Any, seat: int) -> Panel:
    seen, words = look.view, WORDS[language(look.lang)]
    count = seen["hand_counts"][seat]
    held = Text().append("▮" * count, "#6f8fb0").append(f" {words['cards'].format(count)}", DIM)
    body = Text("\n").join(
        [held, _pillar_text(seen["pillars"][seat], look.lang, dots=True), _relation_text(look, seat)]
    )
    status, style = _status(look, seat)
    return Panel(
        Group(body, _shown_cards(seen, seat)),
        title=Text(look.titles[seat], style="bold"),
        title_align="left",
        subtitle=Text(status, style) if status else None,
        subtitle_align="left",
        border_style=GOLD if seen["decider"] == seat else DIM,
        padding=(0, 1),
    )


def _pillar_text(pillars: int, lang: str, dots: bool = False) -> Text:
    """`●●● ●○○ ○○ 4 enough`: a full first group is enough, a full second one ceramic."""
    style = GOLD if pillars >= CERAMIC else f"bold {GOOD}" if pillars >= ENOUGH else ""
    row = Text()
    if dots:
        line = "●" * pillars + "○" * (8 - pillars)
        row.append(f"{line[:3]} {line[3:6]} {line[6:]} ", style or "default")
    row.append(str(pillars), style or "default")
    if pillars >= ENOUGH:
        row.append(" " + WORDS[language(lang)]["ceramic" if pillars >= CERAMIC else "enough"], style)
    return row


def _relation_text(look: Any, seat: int) -> Text:
    """Whom the seat has revealed against; a star when it already had enough."""
    against = [
        look.names[r["buckler"]] + ("*" if r["was_enough"] else "")
        for r in look.view["relations"]
        if r["revealer"] == seat
    ]
    gap = "、" if language(look.lang) == "zh" else ", "
    row = Text(WORDS[language(look.lang)]["revealed"].format(gap.join(against)) if against else "", style=DIM)
    row.no_wrap, row.overflow = True, "ellipsis"
    return row


def _status(look: Any, seat: int) -> tuple[str, str]:
    """What the seat is doing, for the lower edge of its panel."""
    seen, words = look.view, WORDS[language(look.lang)]
    notes, style = [], DIM
    if seen["buckler"] == seat:
        notes.append(words["buckled"])
        style = GOLD
    if seen["decider"] == seat:
        asked = seen["phase"] == "reveal_decision"
        notes.append(words["asked" if asked else "turn" if seen["kind"] else "leads"])
        style = GOLD
    elif seat in seen["pending"]:
        notes.append(words["waits"])
    elif seen["buckler"] is None and _past_round(seen) and seen["rounds"][-1]["winner"] == seat:
        notes.append(words["won"])
        style = GOOD
    if seen["active_revealer"] == seat:
        notes.append(words["active"])
    return " · ".join(notes), style


def _past_round(seen: dict[str, Any]) -> bool:
    """Whether the table still shows the round that was just won."""
    running = seen["round"]
    return bool(seen["rounds"]) and (running is None or not running["entries"])


def _shown_cards(seen: dict[str, Any], seat: int) -> Text:
    """What the seat has laid down in this round (or in the one just won)."""
    shown = seen["rounds"][-1] if _past_round(seen) else seen["round"]
    for entry in shown["entries"] if shown else ():
        if entry["seat"] == seat:
            if "cards" not in entry:
                return big_cards([None] * entry["covered_count"])
            types = [TYPE_OF[c] for c, n in entry["cards"].items() for _ in range(n)]
            return big_cards(types, faint=entry["power"] < 0)
    return Text("\n\n")


def _unseen_line(look: Any) -> Text:
    """How many of each piece have not been seen: neither played nor one's own."""
    seen = look.view
    left = dict(zip(CARDS, COPIES.tolist(), strict=True))
    mine = [seen.get("hand", {}), seen.get("covered", {})]
    mine += [{card: 1} for card in seen.get("picked", ())]
    for played in [*seen["rounds"], *([seen["round"]] if seen["round"] else [])]:
        mine += [e["cards"] for e in played["entries"] if e["power"] >= 0]
    for cards in mine:
        for card, n in cards.items():
            left[card] -= n
    row = Text().append(f" {WORDS[language(look.lang)]['unseen']} ", DIM)
    for card, n in left.items():
        t = TYPE_OF[card]
        row.append(" ").append(FACES[t], style_of(t) if n else DIM).append(str(n), "bold" if n else DIM)
    return row


# --- moves ----------------------------------------------------------------------------


def _covers(seen: dict[str, Any]) -> bool:
    return bool(seen["legal"]) and seen["legal"][0] >= UNDER


def _label(action: int, look: Any, asked: bool) -> Text:
    if action >= UNDER:
        card = CARDS[action - UNDER]
        n = look.view["hand"].get(card, 0)
        label = small_cards({card: 1}).append(f" {NAMES[language(look.lang)][action - UNDER]}")
        return label.append(f" ×{n}", DIM) if n > 1 else label
    if action >= PLAYS:
        return Text(action_name(action, look.lang, asked), style="bold")
    t, n = int(PLAY_TYPE[action]), int(PLAY_SIZE[action])
    cards = DOGS if action == parse("dog") else {CARDS[t]: n}
    return small_cards(cards).append(" " + action_name(action, look.lang).removeprefix("a "))


def _read_cover(typed: str, look: Any, keys: dict[str, tuple[int, ...]]) -> list[int]:
    """A whole cover from type numbers (`3 5 5`) or cards (`BN2 RC`)."""
    words, seen = WORDS[language(look.lang)], look.view
    numbers = re.split(r"[\s,，、+]+", typed)
    if all(n.isdigit() for n in numbers):
        if len(numbers) == 1 and numbers[0] not in keys and len(typed) == seen["kind"]:
            numbers = list(typed)  # 355 for 3 5 5
        missing = [n for n in numbers if n not in keys]
        if missing:
            raise BadText(words["nothing"].format(missing[0]))
        types = [keys[n][0] - UNDER for n in numbers]
    else:
        try:
            types = read_cards(re.sub(r"^(under|cover|垫)\s*", "", typed))
        except BadText as error:
            raise BadText(words["unknown"].format(typed[:20])) from error
    if len(types) != seen["kind"]:
        raise BadText(words["need"].format(n=seen["kind"], m=len(types)))
    for t in types:
        if types.count(t) > seen["hand"].get(CARDS[t], 0):
            raise BadText(words["have"].format(NAMES[language(look.lang)][t]))
    return [UNDER + t for t in sorted(types)]
