"""Skill Gomoku: what a seat may know, as features (`observe`, `planes`), and consistent worlds.

The observer is "own", the other seat "the opponent"; a watcher sees as seat 0, without
secrets. Raw counts are stored, one byte each (turn and limit two); `planes` turns
them into the 32 planes of §9 with values from 0 to 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core import CATEGORY, FLAG, NUMBER, Feature, below, rule, shuffle

from .rules import wanted_cells
from .state import CARDS, CHOOSE, EMPTY, MAX_DECK, MAX_SIDE, NO_WINNER, NONE, PLACE, SELECT_TARGET

# Where each feature starts; `features` below says what it is.
DECIDES = 0
SIDE = 1
TARGETING = 2
LEFT_CARD = 3
RIGHT_CARD = 4
CHOSEN = 5
DRAWN = 6
OWN_SKIPS = 7
THEIR_SKIPS = 8
UNSEEN = 9
COPIES = UNSEEN + CARDS
PILED = COPIES + CARDS
DECK = PILED + 1
TURN = DECK + 1
LIMIT = TURN + 2
RESULT = LIMIT + 2
MOVER = RESULT + 1
BOTH_FIVES = MOVER + 1
OPEN_DRAW = BOTH_FIVES + 1
PLANES = 32  # the five planes of cells begin here
CELL_PLANES = 5
ALL_PLANES = 32
SKIPS_SHOWN = 4  # skip counters are shown up to this


def features(size: int) -> tuple[Feature, ...]:
    """Return the observation of a board of `size`, field by field."""
    cells = size * size
    at = PLANES
    board = (size, size)
    fields = [
        Feature("decides", DECIDES, 1, "1 if the observer decides now", FLAG),
        Feature("side", SIDE, 1, "1 if the observer is player 1 (black)", FLAG),
        Feature("targeting", TARGETING, 1, "1 in selectTarget", FLAG),
        Feature("left", LEFT_CARD, 1, "1 + left drawn card, 0 if none or hidden", CATEGORY, 0, CARDS),
        Feature("right", RIGHT_CARD, 1, "1 + right drawn card, 0 if none or hidden", CATEGORY, 0, CARDS),
        Feature("chosen", CHOSEN, 1, "1 + chosen card, 0 before the choice", CATEGORY, 0, CARDS),
        Feature("drawn", DRAWN, 1, "how many cards are drawn", NUMBER, 0, 2),
        Feature(
            "own_skips",
            OWN_SKIPS,
            1,
            f"turns the observer will be frozen for, up to {SKIPS_SHOWN}",
            NUMBER,
            0,
            SKIPS_SHOWN,
        ),
        Feature(
            "their_skips",
            THEIR_SKIPS,
            1,
            f"turns the opponent will be frozen for, up to {SKIPS_SHOWN}",
            NUMBER,
            0,
            SKIPS_SHOWN,
        ),
        Feature(
            "unseen",
            UNSEEN,
            CARDS,
            "by card: in the draw pile, or drawn and hidden from the observer",
            NUMBER,
            0,
            MAX_DECK,
        ),
        Feature("copies", COPIES, CARDS, "by card: in the whole deck", NUMBER, 0, MAX_DECK),
        Feature("piled", PILED, 1, "cards in the draw pile", NUMBER, 0, MAX_DECK),
        Feature("deck", DECK, 1, "cards in the whole deck", NUMBER, 0, MAX_DECK),
        Feature("turn", TURN, 2, "turn number: low byte, high byte (unsigned)", NUMBER, -128, 127),
        Feature("limit", LIMIT, 2, "turn limit likewise, 0 without one", NUMBER, -128, 127),
        Feature("result", RESULT, 1, "0 running, 1 the observer has won, 2 lost, 3 a draw", CATEGORY, 0, 3),
        Feature("mover", MOVER, 1, "1 if it is the observer's turn", FLAG),
        Feature("both_fives", BOTH_FIVES, 1, "option five_policy", FLAG),
        Feature("open_draw", OPEN_DRAW, 1, "option drawn_public", FLAG),
        Feature("unused", OPEN_DRAW + 1, PLANES - OPEN_DRAW - 1, "always 0", NUMBER, 0, 0),
        Feature("own", at, cells, "by cell: 1 where the observer has a stone", FLAG, shape=board),
        Feature("theirs", at + cells, cells, "by cell: 1 where the opponent has one", FLAG, shape=board),
        Feature("empty", at + 2 * cells, cells, "by cell: 1 where there is none", FLAG, shape=board),
        Feature("last", at + 3 * cells, cells, "1 on the cell of the last stone placed", FLAG, shape=board),
        Feature(
            "targets", at + 4 * cells, cells, "1 on the legal target cells of the observer", FLAG, shape=board
        ),
    ]
    return tuple(fields)


@rule
def observe(s, seat, out):
    """Fill `out` (PLANES + 5 * board_size ** 2,) with what `seat` may know."""
    own = max(seat, 0)
    decides = 1 if seat >= 0 and s.seat == seat else 0
    out[DECIDES] = decides
    out[SIDE] = 1 - own
    out[TARGETING] = 1 if s.phase == SELECT_TARGET else 0
    out[OWN_SKIPS] = min(int(s.skips[own]), SKIPS_SHOWN)
    out[THEIR_SKIPS] = min(int(s.skips[1 - own]), SKIPS_SHOWN)
    _put_word(out, TURN, int(s.turn))
    _put_word(out, LIMIT, max(int(s.max_turns), 0))
    out[RESULT] = _result(s, own)
    out[MOVER] = 1 if s.mover == own else 0
    out[BOTH_FIVES] = s.five_policy
    out[OPEN_DRAW] = s.drawn_public
    for i in range(OPEN_DRAW + 1, PLANES):
        out[i] = 0
    _observe_cards(s, seat, out)
    _observe_cells(s, own, decides, out)


@rule
def _put_word(out, at, value):
    """Store an unsigned number below 2^16 in two bytes, low byte first."""
    out[at] = ((value & 255) ^ 128) - 128
    out[at + 1] = (((value >> 8) & 255) ^ 128) - 128


@rule
def _result(s, own):
    if s.winner == NO_WINNER:
        return 0
    if s.winner == own + 1:
        return 1
    return 2 if s.winner == 2 - own else 3


@rule
def sees_drawn(s, seat):
    """Return whether `seat` sees the drawn cards: its own, chosen from, or open by option (§10)."""
    return s.phase != CHOOSE or s.mover == seat or s.drawn_public == 1


@rule
def _observe_cards(s, seat, out):
    open_cards = sees_drawn(s, seat)
    unseen = 0  # one byte per card
    for i in range(s.piled):
        unseen += 1 << (8 * int(s.pile[i]))
    n = 0
    for k in range(2):
        card = int(s.drawn[k])
        out[LEFT_CARD + k] = card + 1 if open_cards else 0
        if card != NONE:
            n += 1
            if not open_cards:
                unseen += 1 << (8 * card)
    deck = 0
    for card in range(CARDS):
        out[UNSEEN + card] = (unseen >> (8 * card)) & 255
        out[COPIES + card] = s.copies[card]
        deck += int(s.copies[card])
    out[CHOSEN] = s.card + 1
    out[DRAWN] = n
    out[PILED] = s.piled
    out[DECK] = deck


@rule
def _observe_cells(s, own, decides, out):
    """Write the five planes. A stone is stored as 1 or 2, so each colour is a bit of the board's bytes."""
    n = int(s.board_size) * int(s.board_size)
    board = s.board[:]
    black = out[PLANES + own * n : PLANES + (own + 1) * n]
    white = out[PLANES + (1 - own) * n : PLANES + (2 - own) * n]
    empty = out[PLANES + 2 * n : PLANES + 3 * n]
    last = out[PLANES + 3 * n : PLANES + 4 * n]
    targets = out[PLANES + 4 * n : PLANES + 5 * n]
    for i in range(n):
        black[i] = board[i] & 1
        white[i] = board[i] >> 1
        empty[i] = board[i] == EMPTY
    for i in range(n):
        last[i] = 0
    if s.last != NONE:
        last[s.last] = 1
    wanted = np.int8(wanted_cells(s) if decides == 1 else NONE)  # bytes compare with bytes
    for i in range(n):
        targets[i] = board[i] == wanted


@rule
def determinize(s, seat):
    """Redraw the order of the pile, and the drawn cards if they are hidden from `seat`.

    Exact. All orders are equally likely except for a Place put on top of the first shuffle:
    the lowest Place was moved, which makes an order 1 + (cards below the lowest Place)
    times as likely; and the very first card drawn is then known to be a Place.
    """
    n = int(s.piled)
    hidden = 0 if sees_drawn(s, seat) else 2
    if s.drawn[1] == NONE:
        hidden = min(hidden, 1)
    if s.drawn[0] == NONE:
        hidden = 0
    if hidden == 2 and (s.split == 1 or (s.topped == 1 and s.turn == 1)):
        hidden = 1  # the first card is known: the last of the old pile, or the Place on top
        s.pile[n] = s.drawn[1]
    elif hidden == 2:
        s.pile[n] = s.drawn[1]
        s.pile[n + 1] = s.drawn[0]
    elif hidden == 1:
        s.pile[n] = s.drawn[0]
    _shuffle_unseen(s, n + hidden)
    if hidden == 2:
        s.drawn[0] = s.pile[n + 1]
        s.pile[n + 1] = 0
    if hidden > 0:
        if s.drawn[1] == NONE:
            s.drawn[0] = s.pile[n]
        else:
            s.drawn[1] = s.pile[n]
        s.pile[n] = 0


@rule
def _shuffle_unseen(s, n):
    """Shuffle the lowest `n` cards, with the weights of a Place put on top.

    They are sorted first, so that equal generators give equal orders, whatever the true one is.
    """
    counts = 0  # eight bits per card
    for i in range(n):
        counts += 1 << (8 * int(s.pile[i]))
    others = n - (counts >> (8 * PLACE) & 255)
    i = 0
    for card in range(CARDS):
        for _ in range(counts >> (8 * card) & 255):
            s.pile[i] = card
            i += 1
    while True:
        shuffle(s, s.pile[:], n)
        if s.topped == 0 or others == n:
            return
        low = 0
        while s.pile[low] != PLACE:
            low += 1
        if below(s, others + 1) <= low:
            return


def planes(observation: NDArray[np.int8], dtype: Any = np.float64) -> NDArray[Any]:
    """Return the planes (..., 32, N, N) of §9, from observations (..., L) of a board of N x N."""
    size = side_of(observation.shape[-1])
    lead = observation.shape[:-1]
    out = np.zeros((*lead, ALL_PLANES, size, size), dtype)
    cells = observation[..., PLANES:].reshape(*lead, CELL_PLANES, size, size)
    out[..., :CELL_PLANES, :, :] = cells
    scalars = np.zeros((*lead, ALL_PLANES), np.float64)
    scalars[..., 5] = observation[..., SIDE]
    scalars[..., 6] = observation[..., TARGETING]
    for first, at in ((7, LEFT_CARD), (12, RIGHT_CARD), (17, CHOSEN)):
        for card in range(CARDS):
            scalars[..., first + card] = observation[..., at] == card + 1
    scalars[..., 22] = observation[..., OWN_SKIPS] / SKIPS_SHOWN
    scalars[..., 23] = observation[..., THEIR_SKIPS] / SKIPS_SHOWN
    for card in range(CARDS):
        scalars[..., 24 + card] = _share(observation[..., UNSEEN + card], observation[..., COPIES + card])
    scalars[..., 29] = _share(observation[..., PILED], observation[..., DECK])
    turn, limit = (word_at(observation, at) for at in (TURN, LIMIT))
    scalars[..., 30] = np.minimum(_share(turn, limit), 1.0)
    scalars[..., 31] = 1.0
    out[..., CELL_PLANES:, :, :] = scalars[..., CELL_PLANES:, None, None]
    return out


def side_of(length: int) -> int:
    """Return the board's side, from an observation's length."""
    for size in range(1, MAX_SIDE + 1):
        if PLANES + CELL_PLANES * size * size == length:
            return size
    raise ValueError(f"{length} is not the length of an observation")


def word_at(observation: NDArray[np.int8], at: int) -> NDArray[np.int64]:
    """Return the two-byte number that starts at `at`."""
    low = observation[..., at].astype(np.int64) & 255
    high = observation[..., at + 1].astype(np.int64) & 255
    return np.asarray(low + 256 * high, np.int64)


def _share(part: NDArray[Any], whole: NDArray[Any]) -> NDArray[np.float64]:
    """Return part / whole, and 0 where the whole is 0."""
    return np.where(whole > 0, part / np.maximum(whole, 1), 0.0)
