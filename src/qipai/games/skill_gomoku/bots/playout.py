"""What the search asks of Skill Gomoku: a fast policy, which plays are worth a look, and who is winning.

The policy is that of `heuristic`; prior and value are those of `sharp`, one play deep. `work` holds the
boards and words of the policy, then the workspace and the weights of `evaluation.py`.
"""

from __future__ import annotations

import numpy as np

from qipai.core import draw, pick, rule, seed_words

from ..state import CELLS, OPPONENT, SELECT_TARGET
from .evaluation import BUDGET, NET, PLACES, SAMPLES, TAKES, WIDEST, deal_odds, lay_windows, read_state
from .evaluation import WORK as WORKSPACE
from .heuristic import MOST, choose_play
from .search import list_root_plays, play_value
from .weights import load_weights

WEIGHTS = load_weights()
PLAYS = 2 * WIDEST + 4
WHIM = 16  # one playout move in so many is random

BOARD = 0  # int8
TO = BOARD + CELLS // 8 + 1  # int16
WORDS = TO + MOST // 4  # uint32
SIZE = WORDS + 2  # the board size that the windows were laid for
PLAN = SIZE + 1  # int32
VALUES = PLAN + PLAYS // 2
WEIGHT = VALUES + PLAYS
WINDOWS = WEIGHT + NET
WORK = WINDOWS + WORKSPACE // 2 + 1

NEAR = 0.03  # a play that wins so much less often than the best has half its weight
UNIT = (
    1 << 20
)  # values are whole multiples of 1 / UNIT: the exponential differs between machines in the last digit


@rule(work="i8[:]")
def playout(s, mask, n, rng, work):
    """Choose the play of `heuristic`, and one in WHIM at random."""
    if draw(rng, WHIM) == 0:
        return pick(rng, mask, n)
    board = work[BOARD:TO].view(np.int8)
    to = work[TO:WORDS].view(np.int16)
    return choose_play(s, board, to, work[WORDS:SIZE].view(np.uint32))


@rule(work="i8[:]")
def judge_plays(s, work):
    """Fill in the plays (slot * 1000 + target) and how likely the seat wins after each; how many."""
    ws = work[WINDOWS:WORK].view(np.int32)
    net = work[WEIGHT:WINDOWS].view(np.float64)
    if work[SIZE] != s.board_size:
        lay_windows(ws, int(s.board_size))
        for i in range(WEIGHTS.shape[0]):
            net[i] = WEIGHTS[i]
        ws[BUDGET] = 1 << 30
        ws[PLACES], ws[TAKES], ws[SAMPLES] = 8, 5, 4
        work[SIZE] = s.board_size
    plan = work[PLAN:VALUES].view(np.int32)
    values = work[VALUES:WEIGHT].view(np.float64)
    rng = work[WORDS:SIZE].view(np.uint32)
    read_state(s, ws)
    deal_odds(ws, net)
    n = list_root_plays(s, ws, plan)
    for i in range(n):
        seed_words(rng, 1, 2, 3, 4)  # the same chance for every play
        found = min(play_value(s, ws, net, rng, int(plan[i]), 0, 4), 1.0)
        values[i] = np.floor(found * UNIT) / UNIT
    return n


@rule(work="i8[:]", weights="f8[:]")
def prior(s, mask, n, work, weights):
    """Weigh slots and targets by how much less likely they win than the best."""
    for a in range(weights.shape[0]):
        weights[a] = 0.0
    count = judge_plays(s, work)
    plan = work[PLAN:VALUES].view(np.int32)
    values = work[VALUES:WEIGHT].view(np.float64)
    best = 0.0
    for i in range(count):
        best = max(best, values[i])
    for i in range(count):
        slot = plan[i] // 1000
        action = plan[i] - slot * 1000 if s.phase == SELECT_TARGET else slot
        if s.phase == SELECT_TARGET and action < OPPONENT:
            continue
        less = (best - values[i]) / NEAR
        if mask[action] != 0:
            weights[action] = max(weights[action], 1.0 / (1.0 + less * less))


@rule(work="i8[:]", values="f8[:]")
def value(s, rng, work, values):
    """Give the seat to decide the payoff that its best play promises, and the other seat the opposite."""
    count = judge_plays(s, work)
    found = work[VALUES:WEIGHT].view(np.float64)
    best = 0.0
    for i in range(count):
        best = max(best, found[i])
    seat = int(s.seat)
    values[seat] = 2.0 * best - 1.0
    values[1 - seat] = 1.0 - 2.0 * best
