"""Skill Gomoku 技能五子棋: five in a row, played with skill cards drawn from one shared deck.

This module has the deal, the turn machine, what is legal, what a card changes, and who has won.
The state is in `state.py`, lines of five in `fives.py`, extensions in `api/` and `extensions/`.
"""

from __future__ import annotations

import numpy as np

from qipai.core import NOBODY, below, goto, rule, shuffle

from .fives import has_five_at, row_of, scan_colours
from .state import (
    BOTH_DRAW,
    CARDS,
    CELL,
    CELLS,
    CHECK_WIN,
    CHOOSE,
    DECKS,
    DRAW_TWO,
    DRAWN_GAME,
    EMPTY,
    END_TURN,
    FREEZE,
    GENERATE,
    LEFT,
    MAX_DECK,
    MAX_SIDE,
    MAYBE_SKIP,
    MAYBE_TARGET,
    NO_WINNER,
    NONE,
    OPPONENT,
    PLACE,
    POLARITY,
    REASON_BOTH,
    REASON_FIVE,
    REASON_LIMIT,
    REASON_NO_CARDS,
    REASON_NONE,
    RESOLVE,
    RIGHT,
    SCATTERED,
    SEATS,
    SELECT_TARGET,
    TAKE,
)

# --- deal and start -------------------------------------------------------------------


@rule
def deal(s):
    """Set up an empty board, a shuffled deck with a Place on top, and the first turn (§4)."""
    clear(s)
    n = 0
    for card in range(CARDS):
        for _ in range(s.copies[card]):
            s.pile[n] = card
            n += 1
    s.piled = n
    shuffle(s, s.pile[:], n)
    if s.place_top == 1:
        put_place_on_top(s)
    start(s)


@rule
def start(s):
    """Advance to the first decision. A position set up beyond maybeSkip stays where it is."""
    _run(s)


@rule
def clear(s):
    """Reset everything except options and generator, without a deck."""
    size = int(s.board_size)
    s.ply = 0
    s.cut = 0
    s.seat = NOBODY
    goto(s, MAYBE_SKIP)
    for seat in range(SEATS):
        s.payoff[seat] = 0
        s.stones[seat] = 0
        s.skips[seat] = 0
    for i in range(CELLS):
        s.board[i] = EMPTY
    for y in range(MAX_SIDE):
        s.row_empty[y] = size if y < size else 0
    s.empties = size * size
    s.last = NONE
    s.scan = 0
    _clear_cards(s)
    s.turn = 1
    s.mover = s.first_seat
    _clear_turn(s)
    for i in range(4):
        s.choice[i] = NONE
    for i in range(SCATTERED):
        s.changed[i] = 0
    s.changes = 0
    s.logged = 0
    s.winner = NO_WINNER
    s.reason = REASON_NONE


@rule
def _clear_cards(s):
    for i in range(MAX_DECK):
        s.pile[i] = 0
        s.discard[i] = 0
    s.piled = 0
    s.discarded = 0
    s.topped = 0
    s.copies[PLACE] = _copies(s, s.places, PLACE)
    s.copies[TAKE] = _copies(s, s.takes, TAKE)
    s.copies[POLARITY] = _copies(s, s.inversions, POLARITY)
    s.copies[FREEZE] = _copies(s, s.freezes, FREEZE)
    s.copies[GENERATE] = _copies(s, s.generations, GENERATE)


@rule
def _copies(s, given, card):
    return int(DECKS[s.deck, card]) if given < 0 else int(given)


@rule
def _clear_turn(s):
    s.drawn[0] = NONE
    s.drawn[1] = NONE
    s.split = 0
    s.slot = NONE
    s.card = NONE
    s.target = 0
    s.fizzled = 0


@rule
def put_place_on_top(s):
    """Swap the lowest Place of the pile and the top card (§4.4)."""
    top = int(s.piled) - 1
    for i in range(top + 1):
        if s.pile[i] == PLACE:
            s.pile[i] = s.pile[top]
            s.pile[top] = PLACE
            s.topped = 1
            return


# --- legal ----------------------------------------------------------------------------


@rule
def legal(s, mask):
    """Fill `mask` (CELL + board_size ** 2,) for the seat to move; return how many are set."""
    wanted = wanted_cells(s)
    _mark_cells(s, wanted, mask)
    mask[OPPONENT] = 0
    if s.phase == CHOOSE:
        return _legal_slots(s, mask)
    mask[LEFT] = 0
    mask[RIGHT] = 0
    if wanted == NONE:
        mask[OPPONENT] = 1
        return 1
    return int(s.empties) if wanted == EMPTY else int(s.stones[wanted - 1])


@rule
def wanted_cells(s):
    """Return what the cells hold that the mover may aim at; NONE if it may aim at none (§3)."""
    if s.phase != SELECT_TARGET or s.card == FREEZE:
        return NONE
    return EMPTY if s.card == PLACE else 2 - int(s.mover)


@rule
def _mark_cells(s, wanted, mask):
    """Set the cells that hold `wanted`: one loop for all cases, the same for all threads of a GPU."""
    n = int(s.board_size) * int(s.board_size)
    board = s.board[:]
    cells = mask[CELL : CELL + n]
    byte = np.int8(wanted)  # bytes compare with bytes, several at a time
    for i in range(n):
        cells[i] = board[i] == byte


@rule
def _legal_slots(s, mask):
    """Mark the playable slots, or all if none is playable (§6.1, §6.2)."""
    two = s.drawn[1] != NONE
    left = playable(s, s.drawn[0])
    right = two and playable(s, s.drawn[1])
    if not left and not right:
        left = True
        right = two
    mask[LEFT] = left
    mask[RIGHT] = right
    return int(left) + int(right)


@rule
def playable(s, card):
    """Return whether `card` can have its effect now, played by the mover (§3)."""
    if card == PLACE:
        return s.empties > 0
    if card == TAKE:
        return s.stones[1 - int(s.mover)] > 0
    if card == GENERATE:
        return s.empties >= SCATTERED
    return True


@rule
def needs_target(card):
    """Return whether the card needs a target (§3)."""
    return card in (PLACE, TAKE, FREEZE)


# --- apply ----------------------------------------------------------------------------


@rule
def apply(s, action):
    """Make a legal action, then advance to the next decision or the end."""
    make(s, action)
    _run(s)


@rule
def make(s, action):
    """Make the event alone: CHOOSE_CARD, or SELECT_TARGET with the effect of the card."""
    s.ply += 1
    s.seat = NOBODY
    if s.phase == CHOOSE:
        _set_chosen(s, action)
        goto(s, MAYBE_TARGET)
    else:
        s.target = action
        s.logged += 1
        goto(s, RESOLVE)
        apply_card(s)


@rule
def _run(s):
    while s.seat == NOBODY and not is_over(s):
        advance(s)


@rule
def is_over(s):
    """Return whether the last turn has ended."""
    return s.phase == END_TURN and s.winner != NO_WINNER


@rule
def advance(s):
    """Take one automatic step: leave a state, and do what entering the next one does (§5)."""
    phase = int(s.phase)
    if phase == MAYBE_SKIP:
        _maybe_skip(s)
    elif phase == DRAW_TWO:
        _after_draw(s)
    elif phase in (CHOOSE, SELECT_TARGET):
        s.seat = s.mover
    elif phase == MAYBE_TARGET:
        if needs_target(s.card) and s.fizzled == 0:
            goto(s, SELECT_TARGET)
            s.seat = s.mover
        else:
            goto(s, RESOLVE)
            apply_card(s)
    elif phase == RESOLVE:
        goto(s, CHECK_WIN)
        _check_win(s)
    elif phase == CHECK_WIN:
        goto(s, END_TURN)
        _advance_turn(s)
    elif s.winner == NO_WINNER:
        s.turn += 1
        _clear_turn(s)
        goto(s, MAYBE_SKIP)


@rule
def _maybe_skip(s):
    mover = int(s.mover)
    if s.skips[mover] > 0:
        s.skips[mover] -= 1
        s.logged += 1
        goto(s, END_TURN)
        _advance_turn(s)
    else:
        goto(s, DRAW_TWO)
        _draw_two(s)


@rule
def _draw_two(s):
    s.drawn[0] = draw_card(s)
    before = int(s.piled)
    s.drawn[1] = draw_card(s)
    s.split = 1 if before == 0 and s.drawn[1] != NONE else 0
    s.logged += 1


@rule
def draw_card(s):
    """Draw the top card; shuffle the discards if the pile is empty. Return NONE if no card is left (§4.5)."""
    if s.piled == 0:
        n = int(s.discarded)
        if n == 0:
            return NONE
        for i in range(n):
            s.pile[i] = s.discard[i]
            s.discard[i] = 0
        s.piled = n
        s.discarded = 0
        s.topped = 0
        shuffle(s, s.pile[:], n)
    top = int(s.piled) - 1
    card = int(s.pile[top])
    s.pile[top] = 0
    s.piled = top
    return card


@rule
def _after_draw(s):
    if s.drawn[0] == NONE:  # §6.5
        _finish(s, DRAWN_GAME, REASON_NO_CARDS)
        goto(s, END_TURN)
        _advance_turn(s)
    else:
        goto(s, CHOOSE)
        s.seat = s.mover


@rule
def _set_chosen(s, slot):
    card = int(s.drawn[slot])
    s.slot = slot
    s.card = card
    s.target = 0
    s.fizzled = 0 if playable(s, card) else 1
    other = int(s.drawn[1 - slot])
    if other != NONE:
        throw_away(s, other)
    s.choice[0] = s.mover
    s.choice[1] = slot
    s.choice[2] = card
    s.choice[3] = other
    s.logged += 1


@rule
def throw_away(s, card):
    """Put a card on the discard pile."""
    s.discard[s.discarded] = card
    s.discarded += 1


@rule
def apply_card(s):
    """Apply the card's effect (applyCardEffect), then discard the card."""
    card = int(s.card)
    mover = int(s.mover)
    if s.fizzled == 0:
        if card == PLACE:
            put_stone(s, int(s.target) - CELL, mover)
        elif card == TAKE:
            _take_stone(s, int(s.target) - CELL)
        elif card == POLARITY:
            _swap_colours(s)
        elif card == FREEZE:
            s.skips[1 - mover] += 1
        else:
            for _ in range(SCATTERED):
                cell = _empty_cell(s, below(s, int(s.empties)))
                put_stone(s, cell, below(s, SEATS))
    throw_away(s, card)
    s.logged += 1


@rule
def put_stone(s, cell, colour):
    """Put a stone of `colour` (a seat) on an empty cell."""
    s.board[cell] = colour + 1
    s.row_empty[row_of(cell, s.board_size)] -= 1
    s.empties -= 1
    s.stones[colour] += 1
    s.last = cell
    s.changed[s.changes] = cell
    s.changes += 1


@rule
def _take_stone(s, cell):
    s.stones[int(s.board[cell]) - 1] -= 1
    s.board[cell] = EMPTY
    s.row_empty[row_of(cell, s.board_size)] += 1
    s.empties += 1
    if s.last == cell:
        s.last = NONE


@rule
def _swap_colours(s):
    size = int(s.board_size)
    board = s.board[:]
    for i in range(size * size):
        board[i] = (board[i] >> 1) | ((board[i] & 1) << 1)
    black = int(s.stones[0])
    s.stones[0] = s.stones[1]
    s.stones[1] = black


@rule
def _empty_cell(s, k):
    """Return the empty cell with `k` empty ones before it, row by row."""
    y = 0
    while k >= s.row_empty[y]:
        k -= int(s.row_empty[y])
        y += 1
    board = s.board[:]
    cell = y * int(s.board_size)
    k -= board[cell] == EMPTY
    while k >= 0:
        cell += 1
        k -= board[cell] == EMPTY
    return cell


# --- the end --------------------------------------------------------------------------


@rule
def _check_win(s):
    """Check for a win (§7.1 applyWinCheck). Only new stones can make a line, unless one was set up."""
    found = 0  # one bit per colour
    if s.scan == 1:
        found = scan_colours(s)
    else:
        for i in range(s.changes):
            cell = int(s.changed[i])
            if has_five_at(s.board[:], int(s.board_size), cell):
                found |= int(s.board[cell])
    for i in range(s.changes):
        s.changed[i] = 0
    s.changes = 0
    s.logged += 1
    if found == 3:
        winner = DRAWN_GAME if s.five_policy == BOTH_DRAW else int(s.mover) + 1
        _finish(s, winner, REASON_BOTH)
    elif found != 0:
        _finish(s, found, REASON_FIVE)


@rule
def _advance_turn(s):
    """Go to the next turn (advanceTurn); the turn limit applies here (§6.8)."""
    s.mover = 1 - int(s.mover)
    if s.winner == NO_WINNER and 0 < s.max_turns <= s.turn:
        s.cut = 1
        _finish(s, DRAWN_GAME, REASON_LIMIT)


@rule
def _finish(s, winner, reason):
    s.winner = winner
    s.reason = reason
    if winner != DRAWN_GAME:
        s.payoff[winner - 1] = 1
        s.payoff[2 - winner] = -1
