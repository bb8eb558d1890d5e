"""Custom deals and full positions, checked and then written to the state; and rules called one by one.

A deal is `{"deck": [...]}`: tiles as ids or codes in supply order, axis before rotor, at
most 136. A position names its phase and everything that differs from an empty table:

    phase      title, supply, place, chain, alloc, evaluate, hold or over
    board      12 lines of six codes (text or list), or 72 ids/codes/None
    pair       the falling pair (place only)        deck       the supply, NEXT first
    hand, discards, lost, collected                 lists of tiles
    score, cpu_score, player_wins, cpu_wins, chain, holds, consumed   whole numbers

Tiles given as codes become the lowest free ids of that code.

Layouts, narration, the named API and live play call single rules from plain Python: `ready` compiles
those of `SINGLE`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from qipai.core import NOBODY, compile_rules, new_state
from qipai.core import State as Record
from qipai.core.errors import BadLayout, BadText

from . import board, hold, planner, rules, win
from .options import OPTIONS
from .state import ALL_COLUMNS, CELLS, COLS, HAND_MAX, ROWS, Phase, State
from .tiles import CODE, EMPTY_CODE, TILES, Box, values

PHASES = {p.name.lower(): p for p in Phase}
NUMBERS = {
    "score": 1 << 28,
    "cpu_score": 1 << 28,
    "player_wins": 9,
    "cpu_wins": 60,
    "chain": 60,
    "holds": 60,
    "consumed": TILES,
}
KEYS = ("phase", "board", "pair", "deck", "hand", "discards", "lost", "collected", *NUMBERS)

SINGLE = (
    board.settle,
    board.gravity,
    board.is_free,
    board.reachable,
    board.landings,
    board.clear,
    planner.plan,
    planner.exponent,
    planner.zoro_chance,
    planner.base_weights,
    planner.noisy_weights,
    planner.pick_suit,
    planner.nth_bit,
    win.cpu_wins,
    win.player_wins,
    win.melds_in_suit,
    rules.clear_state,
    rules.look_at_supply,
    rules.place,
    rules.land,
    rules.answer,
    rules.confirm,
    rules.advance,
    rules.tick,
    hold.evaluate,
    hold.close_hold,
    hold.remove_used,
)


@cache
def ready() -> None:
    """Compile (or load) the rules of `SINGLE`. A second call costs nothing."""
    compile_rules(SINGLE, State, "paipai_rensa/single")


def blank() -> Record:
    """Return an empty table with the default options, before a deal."""
    ready()
    s = new_state(State)
    s["seats"] = 1
    for option in OPTIONS:
        s[option.name] = option.default
    rules.clear_state(s)
    return s


# --- layouts --------------------------------------------------------------------------


class Layout:
    """A layout that was read and checked, but not written yet."""

    def __init__(self, given: Mapping[str, Any], box: Box) -> None:
        unknown = [k for k in given if k not in KEYS]
        if unknown:
            raise BadLayout(f"a layout has the keys {', '.join(KEYS)}, not {str(unknown[0])[:40]!r}")
        self.phase = self._phase(given)
        try:
            self.board = read_board(given.get("board"), box)
            self.pair = box.take_all(given.get("pair", ()), "pair", 2)
            self.hand = box.take_all(given.get("hand", ()), "hand", HAND_MAX)
            self.collected = box.take_all(given.get("collected", ()), "collected", CELLS)
            self.discards = box.take_all(given.get("discards", ()), "discards")
            self.lost = box.take_all(given.get("lost", ()), "lost")
            self.deck = box.take_all(given.get("deck", ()), "deck")
        except BadText as error:
            raise BadLayout(str(error)) from error
        self.numbers = {k: self._number(given[k], k, most) for k, most in NUMBERS.items() if k in given}
        self._check()

    def _phase(self, given: Mapping[str, Any]) -> Phase:
        name = given.get("phase", "place" if "pair" in given else "title")
        if not isinstance(name, str) or name not in PHASES:
            raise BadLayout(f"'phase' must be one of {', '.join(PHASES)}")
        if not given:
            raise BadLayout("a layout needs a deck or a position")
        return PHASES[name]

    def _number(self, value: Any, name: str, most: int) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
            raise BadLayout(f"'{name}' must be a whole number from 0 to {most}")
        return value

    def _check(self) -> None:
        phase = self.phase
        if len(self.pair) != (2 if phase == Phase.PLACE else 0):
            raise BadLayout("'pair' is two tiles, in the phase place and in no other")
        if self.collected and phase not in (Phase.CHAIN, Phase.ALLOC):
            raise BadLayout("'collected' belongs to the phases chain and alloc")
        if phase == Phase.ALLOC and not self.collected:
            raise BadLayout("the phase alloc needs collected tiles")
        if phase in (Phase.PLACE, Phase.ALLOC) and not is_settled(self.board):
            raise BadLayout(f"in the phase {phase.name.lower()} no tile of the board may float")
        tiles = sum(map(len, (self.pair, self.hand, self.collected, self.discards, self.lost, self.deck)))
        if tiles + sum(map(bool, self.board)) + self.numbers.get("consumed", 0) > TILES:
            raise BadLayout(f"there are more than {TILES} tiles, those consumed included")


def lay_out(s: Record, given: Mapping[str, Any], box: Box | None = None) -> None:
    """Fill `s` with a checked layout; raise `BadLayout` and change nothing if it is impossible.

    `box` gives codes their tiles; conformance vectors pass a less strict one.
    """
    layout = Layout(given, box or Box())
    ready()
    rules.clear_state(s)
    s["board"][:] = layout.board
    s["loose"] = ALL_COLUMNS
    s["stable"] = 0
    if is_settled(layout.board):
        board.gravity(s)
    supply = layout.pair + layout.deck
    _put(s["deck"], supply)
    s["total"] = len(supply)
    s["at"] = len(layout.pair)
    _put(s["pair"], layout.pair)
    _put(s["hand"], layout.hand)
    s["n_hand"] = len(layout.hand)
    _put(s["discards"], layout.discards)
    s["n_discards"] = len(layout.discards)
    _put(s["lost"], layout.lost)
    s["n_lost"] = len(layout.lost)
    listed = layout.hand + layout.collected if layout.phase == Phase.ALLOC else layout.collected
    _put(s["tiles"], listed)
    s["n_tiles"] = len(listed)
    for name, number in layout.numbers.items():
        s[name] = number
    s["longest"] = s["chain"]
    rules.look_at_supply(s)
    for tile in layout.discards:
        s["thrown"][CODE[tile + 1] - 1] += 1
    s["payoff"][0] = int(s["score"]) - int(s["cpu_score"])
    s["phase"] = layout.phase
    if layout.phase == Phase.OVER:
        _finish(s)
    elif layout.phase == Phase.HOLD:
        hold.evaluate(s)  # a HOLD is entered after the evaluation


def _put(array: Any, tiles: list[int]) -> None:
    array[: len(tiles)] = [t + 1 for t in tiles]


def _finish(s: Record) -> None:
    s["seat"] = NOBODY
    gap = int(s["payoff"][0])
    s["winner"] = 1 if gap > 0 else 2 if gap < 0 else 3


def read_board(given: Any, box: Box) -> list[int]:
    """Return 72 stored values from text, lines or cells; raise `BadText` if they are not a board."""
    if given is None:
        return [0] * CELLS
    cells: list[Any]
    if isinstance(given, str):
        given = [line for line in given.splitlines() if line.strip()]
    if not isinstance(given, list | tuple) or len(given) not in (ROWS, CELLS):
        raise BadText(f"a board is {ROWS} lines of {COLS} codes, top first, or a list of {CELLS} cells")
    if len(given) == ROWS:
        cells = []
        for line in given:
            row = line.split() if isinstance(line, str) else line
            if not isinstance(row, list | tuple) or len(row) != COLS:
                raise BadText(f"a line of a board has {COLS} codes")
            cells += row
    else:
        cells = list(given)
    empty = (None, EMPTY_CODE)
    return [
        0 if any(c is e or (isinstance(c, str) and c == e) for e in empty) else box.take(c) + 1 for c in cells
    ]


def is_settled(board: list[int]) -> bool:
    """Return whether no tile has an empty cell below it."""
    return all(not board[i] or board[i + COLS] for i in range(CELLS - COLS))


def pieces(s: Record) -> list[int]:
    """Return what is conserved (§1): the number of tiles, including consumed ones, and of duplicates."""
    tiles = values(s["deck"][int(s["at"]) : int(s["total"])]) + values(s["pair"]) + values(s["board"])
    tiles += values(s["tiles"]) + values(s["discards"]) + values(s["lost"])
    if int(s["phase"]) != Phase.ALLOC:
        tiles += values(s["hand"])
    return [len(tiles) + int(s["consumed"]), len(tiles) - len(set(tiles))]
