"""Paipai Rensa: the end of a HOLD and of the game (§10, §11): what both sides have, and their points."""

from __future__ import annotations

from qipai.core import NOBODY, goto, rule

from .board import first_cell, settle
from .state import (
    ALL_COLUMNS,
    CELLS,
    CHAIN,
    COLS,
    HAND_MAX,
    OVER,
    USED_ONLY,
    WINNER_CPU,
    WINNER_DRAW,
    WINNER_PLAYER,
)
from .tiles import CODE
from .win import cpu_wins, is_red_value, is_used, no_cpu_tiles, player_wins, points


@rule
def evaluate(s):
    """Evaluate both sides; points are given when HOLD is closed (§10)."""
    s.player_points = 0
    s.cpu_points = 0
    if player_wins(s):
        reds = 0
        for i in range(HAND_MAX):
            reds += 1 if is_red_value(int(s.hand[i])) else 0
        s.player_points = points(reds)
    if cpu_wins(s):
        reds = 0
        for i in range(HAND_MAX):
            reds += 1 if is_red_value(int(s.cpu_tiles[i])) else 0
        s.cpu_points = points(reds)


@rule
def close_hold(s):
    """Close HOLD (§10): points, the hand consumed, the CPU's tiles removed, full settle, then the chain."""
    if s.player_points > 0:
        s.score += int(s.player_points)
        s.player_wins += 1
        s.consumed += HAND_MAX
        s.n_hand = 0
        for i in range(HAND_MAX):
            s.hand[i] = 0
    if s.cpu_points > 0:
        s.cpu_score += int(s.cpu_points)
        s.cpu_wins += 1
        s.stable = 0
        if s.cpu_clear_policy == USED_ONLY:
            remove_used(s)
        else:
            empty_board(s)
    pay(s)
    forget_hold(s)
    settle(s)
    s.chain = 0
    s.n_tiles = 0
    goto(s, CHAIN)


@rule
def remove_used(s):
    """Remove exactly the CPU's tiles from the board and the discards (§10)."""
    loose = int(s.loose)
    for cell in range(first_cell(s), CELLS):
        if is_used(s, int(s.board[cell])):
            s.board[cell] = 0
            loose |= 1 << (cell % COLS)
    s.loose = loose
    thrown = int(s.n_discards)
    n = 0
    for i in range(thrown):
        tile = s.discards[i]
        used = is_used(s, int(tile))
        s.thrown[CODE[tile] - 1] -= used
        s.discards[n] = tile
        n += 1 - used
    for i in range(n, thrown):
        s.discards[i] = 0
    s.n_discards = n
    s.consumed += HAND_MAX


@rule
def empty_board(s):
    """Remove the whole board, but not the discards: the other policy (§10)."""
    for cell in range(CELLS):
        if s.board[cell] != 0:
            s.consumed += 1
            s.board[cell] = 0
    s.loose = ALL_COLUMNS


@rule
def forget_hold(s):
    """Clear the results of a HOLD that is over."""
    s.player_points = 0
    s.cpu_points = 0
    no_cpu_tiles(s)


@rule
def judge(s):
    """Make the final judgement (§11): evaluate both sides once more, remove nothing; then end."""
    evaluate(s)
    if s.player_points > 0:
        s.score += int(s.player_points)
        s.player_wins += 1
    if s.cpu_points > 0:
        s.cpu_score += int(s.cpu_points)
        s.cpu_wins += 1
    pay(s)
    if s.score > s.cpu_score:
        s.winner = WINNER_PLAYER
    elif s.score < s.cpu_score:
        s.winner = WINNER_CPU
    else:
        s.winner = WINNER_DRAW
    s.seat = NOBODY
    goto(s, OVER)


@rule
def pay(s):
    """Update the payoff: player minus CPU."""
    s.payoff[0] = int(s.score) - int(s.cpu_score)
