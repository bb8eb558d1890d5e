"""Skill Gomoku's constants, its phases and edges, and the state itself.

Cells are numbered row by row from the top left, cell = y * board_size + x, so that one
state of 19 x 19 serves every size; a stone of seat s is stored as s + 1. Clause numbers
(§) are those of the README.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from qipai.core import header, state_dtype

SEATS = 2
MIN_SIDE = 5
MAX_SIDE = 19
CELLS = MAX_SIDE * MAX_SIDE
MAX_DECK = 64
FIVE = 5
SCATTERED = 5  # stones of one Spontaneous Generation
EMPTY = 0
# cell // size without a division: cell * ROW_OF[size] >> 16, exact for every cell
ROW_OF = np.array([0] + [-(-65536 // size) for size in range(1, MAX_SIDE + 1)], np.int64)
NONE = -1  # no card, no slot, no cell

# §3 the cards, in registry order
CARDS = 5
PLACE, TAKE, POLARITY, FREEZE, GENERATE = range(CARDS)
IDS = ("Place", "Take", "PolarityInversion", "TimeFreeze", "SpontaneousGeneration")  # in documents

# §4 cards of each kind, by preset
DECKS = np.array([[12, 6, 3, 3, 5], [12, 6, 3, 0, 5], [3, 2, 1, 1, 1]], np.int8)
DECK_DEFAULT, DECK_SOURCE_CURRENT, DECK_SOURCE_EARLY = range(3)

# §8 actions: two slots, the opponent, then the cells
LEFT = 0
RIGHT = 1
OPPONENT = 2
CELL = 3  # + cell

# Values of options in the state
ATTACKER_WINS, BOTH_DRAW = 0, 1
NO_LIMIT = -1
LONGEST = 30000  # maximum turn limit

# §7 how a match ended; a winner is stored as seat + 1
NO_WINNER = 0
DRAWN_GAME = 3
REASON_NONE, REASON_FIVE, REASON_BOTH, REASON_LIMIT, REASON_NO_CARDS = range(5)


class Phase(IntEnum):
    """The states of the turn machine (§5), by their own names."""

    maybeSkip = 0
    drawTwo = 1
    choose = 2
    maybeTarget = 3
    selectTarget = 4
    resolve = 5
    checkWin = 6
    endTurn = 7


MAYBE_SKIP = int(Phase.maybeSkip)
DRAW_TWO = int(Phase.drawTwo)
CHOOSE = int(Phase.choose)
MAYBE_TARGET = int(Phase.maybeTarget)
SELECT_TARGET = int(Phase.selectTarget)
RESOLVE = int(Phase.resolve)
CHECK_WIN = int(Phase.checkWin)
END_TURN = int(Phase.endTurn)

EDGES = (
    (MAYBE_SKIP, END_TURN),
    (MAYBE_SKIP, DRAW_TWO),
    (DRAW_TWO, CHOOSE),
    (CHOOSE, MAYBE_TARGET),
    (MAYBE_TARGET, SELECT_TARGET),
    (MAYBE_TARGET, RESOLVE),
    (SELECT_TARGET, RESOLVE),
    (RESOLVE, CHECK_WIN),
    (CHECK_WIN, END_TURN),
    (DRAW_TWO, END_TURN),  # added, §6.5: no card is left anywhere
    (END_TURN, MAYBE_SKIP),  # added, §5.1: the next turn begins by itself
)

# Labels of the edges in the diagram of the specification: guards, events, actions. -1 is [*].
LABELS = {
    (-1, MAYBE_SKIP): "",
    (MAYBE_SKIP, END_TURN): "guard shouldSkip / actions consumeSkip, logSkip",
    (MAYBE_SKIP, DRAW_TWO): "(not shouldSkip)",
    (DRAW_TWO, CHOOSE): "(entry doDrawTwo, logDrawTwo)",
    (CHOOSE, MAYBE_TARGET): "CHOOSE_CARD / setChosen, logChosen",
    (MAYBE_TARGET, SELECT_TARGET): "guard needsTarget",
    (MAYBE_TARGET, RESOLVE): "else",
    (SELECT_TARGET, RESOLVE): "SELECT_TARGET [targetValid] / setTarget, logTarget",
    (RESOLVE, CHECK_WIN): "(entry applyCardEffect, logEffect)",
    (CHECK_WIN, END_TURN): "(entry applyWinCheck, logWinCheck)",
    (DRAW_TWO, END_TURN): "guard noCards",
    (END_TURN, MAYBE_SKIP): "next turn",
    (END_TURN, -1): "(entry advanceTurn)",
}

State = state_dtype(
    [
        *header(seats=SEATS),
        # options
        ("board_size", np.int8),
        ("first_seat", np.int8),
        ("five_policy", np.int8),
        ("deck", np.int8),
        ("places", np.int8),  # -1, here and below: as in the preset
        ("takes", np.int8),
        ("inversions", np.int8),
        ("freezes", np.int8),
        ("generations", np.int8),
        ("place_top", np.int8),
        ("max_turns", np.int32),  # NO_LIMIT: none
        ("drawn_public", np.int8),
        # the board
        ("board", np.int8, (CELLS,)),
        ("row_empty", np.int8, (MAX_SIDE,)),  # empty cells of each row
        ("empties", np.int16),
        ("stones", np.int16, (SEATS,)),  # by colour
        ("last", np.int16),  # cell of the last stone placed if it is still there, else NONE
        ("scan", np.int8),  # 1: the position was set up with a line of five, so scan all of it
        # the cards
        ("copies", np.int8, (CARDS,)),  # in the whole deck
        ("pile", np.int8, (MAX_DECK,)),  # bottom first; 0 above the top
        ("piled", np.int8),
        ("discard", np.int8, (MAX_DECK,)),
        ("discarded", np.int8),
        ("topped", np.int8),  # 1 while the pile is the first one and a Place was put on top of it
        # the turn
        ("turn", np.int32),  # from 1
        ("mover", np.int8),  # whose turn it is; already the next one's once a turn has ended
        ("skips", np.int16, (SEATS,)),  # turns for which each seat will be frozen
        ("drawn", np.int8, (2,)),
        ("split", np.int8),  # 1: the pile was reshuffled between the two cards of this draw
        ("slot", np.int8),  # chosen slot
        ("card", np.int8),  # chosen card
        ("target", np.int16),  # the action that named it; 0 before
        ("fizzled", np.int8),  # 1: neither drawn card can be played, so the chosen one has no effect
        ("choice", np.int8, (4,)),  # the last choice made: seat, slot, card, other card
        ("changed", np.int16, (SCATTERED,)),  # cells filled by this card, until the win check
        ("changes", np.int8),
        ("logged", np.int32),  # log entries so far
        # the end
        ("winner", np.int8),
        ("reason", np.int8),
    ]
)
