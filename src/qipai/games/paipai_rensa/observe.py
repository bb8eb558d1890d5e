"""What the seat may know as numbers (`observe`), and the rest drawn again (`determinize`).

Everything is public except the order of the supply behind the NEXT pair. `determinize` is
exact for a dealt game: given all pairs seen, the suits to come are a chain that only depends on
the stock, the latest pairs and the streak, and tiles of one suit are equally likely
in every order; so the planner, continued from there, draws from exactly the right worlds.
(A custom deck was ordered by hand; its rest is redrawn the same way.)

With `next_pairs=2` the view shows a second pair, and `determinize` keeps it. The observation stays as it is:
it shows one pair, and counts the second among the tiles behind NEXT.

Version 2 of the observation adds `held` and `ahead`: version 1 did not show a seat in ALLOC what it had kept.
"""

from __future__ import annotations

from qipai.core import CATEGORY, NUMBER, Feature, rule

from .planner import behind_next, plan
from .rules import is_kept
from .state import ALLOC, CELLS, COLS, HAND_MAX, LIST_MAX, PLACE, PLACEMENTS, ROWS
from .tiles import CODE, CODES, TILES

TILE = (CATEGORY, 0, CODES)
COUNT = (NUMBER, 0, 4)
MOST = 127
ANY = (NUMBER, 0, MOST)
SUITS = ((1, 9), (10, 18), (19, 27), (28, 34), (35, 35), (36, 36), (37, 37))  # and the red fives

# Name, length, meaning, then kind and range.
_SIZES = (
    ("phase", 1, "member of Phase", CATEGORY, 0, 7),
    ("board", CELLS, "row by row from the top: 0 empty, else 37-kind index + 1", *TILE),
    ("pair", 2, "falling axis and rotor, coded like the board", *TILE),
    ("next", 2, "the NEXT pair", *TILE),
    ("remaining", 1, "pairs in the supply behind NEXT", NUMBER, 0, TILES // 2),
    ("hand", HAND_MAX, "the hand in order", *TILE),
    ("list", LIST_MAX, "in ALLOC the hand and the collected tiles, in order", *TILE),
    ("size", 1, "length of the list", NUMBER, 0, LIST_MAX),
    ("cursor", 1, "tiles of the list answered for (0 for a watcher)", NUMBER, 0, LIST_MAX),
    ("kept", 1, "how many of them were kept (0 for a watcher)", NUMBER, 0, HAND_MAX),
    ("tile", 1, "the tile that is asked about (0 for a watcher)", *TILE),
    ("discards", CODES, "discarded tiles by 37-kind index", *COUNT),
    ("unseen", CODES, "tiles behind NEXT by 37-kind index", *COUNT),
    ("score", 2, "player's score in hundreds: // 100 (at most 127), % 100", *ANY),
    ("cpu_score", 2, "CPU's score in hundreds, likewise", *ANY),
    ("wins", 2, "hands won by player and CPU", *ANY),
    ("chain", 1, "chain level", *ANY),
    ("last", 1, "latest placement, -1 before the first", CATEGORY, -1, PLACEMENTS - 1),
    ("lost", 1, "tiles overwritten (at most 127)", *ANY),
    ("zoros", 1, "same-suit pairs among the latest bias_window_pairs seen, NEXT included", *ANY),
    ("main", 1, "suit + 1 of the axis of the NEXT pair (0: none)", CATEGORY, 0, 4),
    ("streak", 1, "how many pairs in a row had that main suit", *ANY),
    ("held", CODES, "by 37-kind index: the hand; in ALLOC what was kept so far (0 for a watcher)", *COUNT),
    ("ahead", CODES, "by 37-kind index: tiles of the list not yet answered for (0 for a watcher)", *COUNT),
)


def _features() -> tuple[Feature, ...]:
    found, at = [], 0
    for name, length, about, kind, low, high in _SIZES:
        shape = (ROWS, COLS) if name == "board" else ()
        groups = SUITS if kind == CATEGORY and high == CODES else ()
        found.append(Feature(name, at, length, about, kind, low, high, shape, groups))
        at += length
    return tuple(found)


FEATURES = _features()
_AT = {f.name: f.start for f in FEATURES}
BOARD, PAIR, NEXT, REMAINING = _AT["board"], _AT["pair"], _AT["next"], _AT["remaining"]
HAND, LIST, SIZE = _AT["hand"], _AT["list"], _AT["size"]
DISCARDS, UNSEEN, SCORE, CPU_SCORE = _AT["discards"], _AT["unseen"], _AT["score"], _AT["cpu_score"]
WINS, ZOROS = _AT["wins"], _AT["zoros"]
HELD, AHEAD = _AT["held"], _AT["ahead"]


@rule
def observe(s, seat, out):
    """Fill `out` with what `seat` may know; a watcher (-1) sees no unfinished allocation."""
    out[0] = s.phase
    row = out[BOARD : BOARD + CELLS]
    for i in range(CELLS):
        row[i] = code37(int(s.board[i]))
    at = int(s.at)
    total = int(s.total)
    for k in range(2):
        out[PAIR + k] = CODE[s.pair[k]]
        out[NEXT + k] = CODE[s.deck[at + k]] if at + k < total else 0
    out[REMAINING] = (total - at - 2) // 2 if total - at > 2 else 0
    hand = out[HAND : HAND + HAND_MAX]
    for i in range(HAND_MAX):
        hand[i] = code37(int(s.hand[i]))
    observe_list(s, seat, out[LIST : LIST + LIST_MAX + 4])
    thrown = out[DISCARDS : DISCARDS + CODES]
    unseen = out[UNSEEN : UNSEEN + CODES]
    for i in range(CODES):
        thrown[i] = s.thrown[i]
        unseen[i] = s.unseen[i]
    split_score(int(s.score), out[SCORE : SCORE + 2])
    split_score(int(s.cpu_score), out[CPU_SCORE : CPU_SCORE + 2])
    out[WINS] = s.player_wins
    out[WINS + 1] = s.cpu_wins
    out[WINS + 2] = s.chain
    out[WINS + 3] = s.last
    out[WINS + 4] = s.n_lost if s.n_lost < MOST else MOST
    out[ZOROS] = s.zoros
    out[ZOROS + 1] = s.main
    out[ZOROS + 2] = s.streak
    count_hand(s, seat, out[HELD : HELD + CODES], out[AHEAD : AHEAD + CODES])


@rule
def observe_list(s, seat, out):
    """Write the allocation list, its length, cursor, kept tiles and the tile in question."""
    n = int(s.n_tiles) if s.phase == ALLOC else 0
    if n > 0:
        for i in range(LIST_MAX):
            out[i] = code37(int(s.tiles[i]))
    else:
        for i in range(LIST_MAX):
            out[i] = 0
    out[LIST_MAX] = n
    asked = n > 0 and seat >= 0
    out[LIST_MAX + 1] = s.cursor if asked else 0
    out[LIST_MAX + 2] = s.kept if asked else 0
    out[LIST_MAX + 3] = CODE[s.tiles[s.cursor]] if asked else 0


@rule(held="i1[:]", ahead="i1[:]")
def count_hand(s, seat, held, ahead):
    """Count the hand by kind; in ALLOC what the seat has kept so far, and what it has yet to answer for."""
    for i in range(CODES):
        held[i] = 0
        ahead[i] = 0
    if s.phase != ALLOC:
        for i in range(s.n_hand):
            held[CODE[s.hand[i]] - 1] += 1
    elif seat >= 0:
        for i in range(s.cursor):
            held[CODE[s.tiles[i]] - 1] += is_kept(s, i)
        for i in range(s.cursor, s.n_tiles):
            ahead[CODE[s.tiles[i]] - 1] += 1


@rule
def code37(value):
    """Return the 37-kind index + 1 of a stored value, like the table CODE, in a form that vectorises."""
    red = 30 * (value == 17) + 22 * (value == 53) + 14 * (value == 89)
    return ((value + 3) >> 2) + red


@rule
def split_score(score, out):
    """Store a score in hundreds, in two entries."""
    hundreds = score // 100
    high = hundreds // 100
    out[0] = high if high < MOST else MOST
    out[1] = hundreds - 100 * high


@rule
def determinize(s, seat):
    """Redraw what lies behind the NEXT pairs shown with this copy's generator, continuing the planner."""
    first = behind_next(s)
    if first < s.total and (s.phase == PLACE or s.phase == ALLOC):
        plan(s, first)
