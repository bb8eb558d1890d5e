"""What the seat may know as numbers (`observe`), and the rest drawn anew (`determinize`).

Everything is public but the order of the supply behind the NEXT pair. `determinize` is
exact for a dealt game: given all pairs seen, the suits to come are a chain that depends on
the stock, the latest pairs and the streak alone, and tiles of one suit are equally likely
in every order; so the planner, run on from there, draws from exactly the right worlds.
(A custom deck was ordered by hand; its rest is redrawn the same way.)
"""

from __future__ import annotations

from qipai.core import Feature, rule

from .planner import plan
from .state import ALLOC, CELLS, HAND_MAX, LIST_MAX, PLACE
from .tiles import CODE, CODES

_SIZES = (
    ("phase", 1, "member of Phase"),
    ("board", CELLS, "row by row from the top: 0 empty, else 37-kind index + 1"),
    ("pair", 2, "falling axis and rotor, coded like the board"),
    ("next", 2, "the NEXT pair"),
    ("remaining", 1, "pairs in the supply behind NEXT"),
    ("hand", HAND_MAX, "the hand in order"),
    ("list", LIST_MAX, "in ALLOC the hand and the collected tiles, in order"),
    ("size", 1, "length of the list"),
    ("cursor", 1, "tiles of the list answered for (0 for a watcher)"),
    ("kept", 1, "how many of them were kept (0 for a watcher)"),
    ("tile", 1, "the tile that is asked about (0 for a watcher)"),
    ("discards", CODES, "discarded tiles by 37-kind index"),
    ("unseen", CODES, "tiles behind NEXT by 37-kind index"),
    ("score", 2, "player's score in hundreds: // 100 (at most 127), % 100"),
    ("cpu_score", 2, "CPU's score in hundreds, likewise"),
    ("wins", 2, "hands won by player and CPU"),
    ("chain", 1, "chain level"),
    ("last", 1, "latest placement, -1 before the first"),
    ("lost", 1, "tiles overwritten (at most 127)"),
    ("zoros", 1, "same-suit pairs among the latest bias_window_pairs seen, NEXT included"),
    ("main", 1, "suit + 1 of the axis of the NEXT pair (0: none)"),
    ("streak", 1, "how many pairs in a row had that main suit"),
)


def _features() -> tuple[Feature, ...]:
    found, at = [], 0
    for name, length, about in _SIZES:
        found.append(Feature(name, at, length, about))
        at += length
    return tuple(found)


FEATURES = _features()
_AT = {f.name: f.start for f in FEATURES}
BOARD, PAIR, NEXT, REMAINING = _AT["board"], _AT["pair"], _AT["next"], _AT["remaining"]
HAND, LIST, SIZE = _AT["hand"], _AT["list"], _AT["size"]
DISCARDS, UNSEEN, SCORE, CPU_SCORE = _AT["discards"], _AT["unseen"], _AT["score"], _AT["cpu_score"]
WINS, ZOROS = _AT["wins"], _AT["zoros"]
MOST = 127


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


@rule
def observe_list(s, seat, out):
    """The allocation list, its length, cursor, kept tiles and the tile in question."""
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


@rule
def code37(value):
    """37-kind index + 1 of a stored value, as the table CODE has it, in a form that vectorises."""
    red = 30 * (value == 17) + 22 * (value == 53) + 14 * (value == 89)
    return ((value + 3) >> 2) + red


@rule
def split_score(score, out):
    """A score in hundreds, in two entries."""
    hundreds = score // 100
    high = hundreds // 100
    out[0] = high if high < MOST else MOST
    out[1] = hundreds - 100 * high


@rule
def determinize(s, seat):
    """Order the supply behind NEXT anew, from this copy's generator, as the planner would go on."""
    first = int(s.at) + 2
    if first < s.total and (s.phase == PLACE or s.phase == ALLOC):
        plan(s, first)
