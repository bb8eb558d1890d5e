"""What the search asks of Skill Gomoku: a policy, which plays are worth a look, and who is winning.

Policy and value are those of `sharp`, one play deep; the prior is that of its whole search, so that the
favourite is the play that `sharp` makes. `work` holds the words of chance, the plays, then the weights and
the workspace of `evaluation.py`.
"""

from __future__ import annotations

import numpy as np

from qipai.core import rule, seed_words

from ..state import OPPONENT, SELECT_TARGET
from .evaluation import BUDGET, NET, PLACES, SAMPLES, TAKES, WIDEST, deal_odds, lay_windows, read_state
from .evaluation import WORK as WORKSPACE
from .search import list_root_plays, play_value, search
from .weights import load_weights

WEIGHTS = load_weights()
PLAYS = 2 * WIDEST + 4

WORDS = 0  # uint32
SIZE = WORDS + 2  # the board size that the windows were laid for
PLAN = SIZE + 1  # int32
VALUES = PLAN + PLAYS // 2
WEIGHT = VALUES + PLAYS
WINDOWS = WEIGHT + NET
WORK = WINDOWS + WORKSPACE // 2 + 1

DEPTH, WIDTH, TRIES, POSITIONS = 3, 12, 48, 100_000  # the search of the prior, as that of `sharp`
NEAR = 0.03  # a play that wins so much less often than the best has half its weight
UNIT = (
    1 << 20
)  # values are whole multiples of 1 / UNIT: the exponential differs between machines in the last digit


@rule(work="i8[:]")
def playout(s, mask, n, rng, work):
    """Choose the play that promises most, one play deep."""
    count = judge_plays(s, work)
    return best_action(s, mask, count, work)


@rule(work="i8[:]")
def best_action(s, mask, count, work):
    """Return the action of the best of the first `count` plays, the first of equal ones."""
    plan = work[PLAN:VALUES].view(np.int32)
    values = work[VALUES:WEIGHT].view(np.float64)
    best = -1
    most = -1.0
    for i in range(count):
        slot = plan[i] // 1000
        action = plan[i] - slot * 1000 if s.phase == SELECT_TARGET else slot
        if values[i] > most and mask[action] != 0:
            most = values[i]
            best = int(action)
    return best if best >= 0 else first_of(mask)


@rule
def first_of(mask):
    """Return the lowest legal action."""
    a = 0
    while mask[a] == 0:
        a += 1
    return a


@rule(work="i8[:]")
def set_up(s, work):
    """Lay the windows and the weights for the board of `s`, once."""
    ws = work[WINDOWS:WORK].view(np.int32)
    net = work[WEIGHT:WINDOWS].view(np.float64)
    if work[SIZE] != s.board_size:
        lay_windows(ws, int(s.board_size))
        for i in range(WEIGHTS.shape[0]):
            net[i] = WEIGHTS[i]
        ws[PLACES], ws[TAKES], ws[SAMPLES] = 8, 5, 4
        work[SIZE] = s.board_size


@rule(work="i8[:]")
def judge_plays(s, work):
    """Fill in the plays (slot * 1000 + target) and how likely the seat wins after each; how many."""
    set_up(s, work)
    ws = work[WINDOWS:WORK].view(np.int32)
    net = work[WEIGHT:WINDOWS].view(np.float64)
    ws[BUDGET] = 1 << 30
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


@rule(work="i8[:]")
def search_plays(s, work):
    """Fill in the plays, best first, and how likely the seat wins after each, as `sharp` finds them."""
    set_up(s, work)
    ws = work[WINDOWS:WORK].view(np.int32)
    net = work[WEIGHT:WINDOWS].view(np.float64)
    ws[BUDGET] = POSITIONS
    plan = work[PLAN:VALUES].view(np.int32)
    values = work[VALUES:WEIGHT].view(np.float64)
    rng = work[WORDS:SIZE].view(np.uint32)
    seed_words(rng, 1, 2, 3, 4)
    n = search(s, ws, net, rng, plan, values, DEPTH, WIDTH, TRIES)
    for i in range(n):
        values[i] = np.floor(min(values[i], 1.0) * UNIT) / UNIT
    return n


@rule(work="i8[:]", weights="f8[:]")
def prior(s, mask, n, work, weights):
    """Weigh slots and targets by how much less likely they win than the best."""
    for a in range(weights.shape[0]):
        weights[a] = 0.0
    count = search_plays(s, work)
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
            weights[action] = max(weights[action], (2.0 if i == 0 else 1.0) / (1.0 + less * less))


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
