"""The kernels that a search needs: lanes that stay over, and playouts. `sim/primitives.py` is their twin.

They use the helpers, shapes and slots of `kernels.py`. A playout has no lane: each thread plays every
`stride`-th one, sums in local memory, and adds its sums to global memory when it moves to another
position. The sums are integers, so the order of threads changes nothing.
"""

from __future__ import annotations

from qipai.core import Slot, pick, seed_words

from ..loops import CHANCE, CHOICE, fresh
from ..primitives import MORE, OF_STUCK, PARTS, begin_playout, tally
from .kernels import (
    ACTED,
    CARRY_MASK,
    CARRY_OBS,
    GAMES,
    HELD,
    LEFT,
    OVER,
    RECORD,
    ROWS_MASK,
    ROWS_OBS,
    SIZE,
    SPLIT,
    STRIDE_MASK,
    STRIDE_OBS,
    WARP,
    WIDTH,
    WIDTH_USED,
    act,
    after,
    apply,
    before,
    begin,
    carry_all,
    copy_record,
    cuda,
    deliver,
    int8,
    int32,
    is_any,
    is_busy,
    is_gathered,
    is_going,
    legal,
    observe,
    rest,
    uint8,
    uint32,
)
from .kernels import STUCK as NO_ACTION

int64 = Slot("numba.int64")
choose = Slot("choose(s, mask, n, rng, work)")
SEATS, COLUMNS = Slot("the most seats of the game"), Slot("columns of sums")


def reset_chosen_kernel(
    states, choice, chosen, mask, obs, seat, reward, done, cut, seeded, low_word, high_word
):
    """Deal again in the chosen lanes: from the seed and the lane's number, or from the lane's generator."""
    rows = cuda.shared.array((ROWS_MASK, STRIDE_MASK), uint8, alignment=16)
    seen = cuda.shared.array((ROWS_OBS, STRIDE_OBS), int8, alignment=16)
    i = cuda.grid(1)
    k = cuda.threadIdx.x
    at = min(i, states.shape[0] - 1)
    row = rows[k] if CARRY_MASK else mask[at]
    out = seen[k] if CARRY_OBS else obs[at]
    if i < states.shape[0]:
        if chosen[i] != 0:
            place = cuda.local.array(1, RECORD, alignment=16)
            s = place[0]
            copy_record(s, states[i])
            if seeded != 0:
                seed_words(s.rng[:], low_word, high_word, i, CHANCE)
                seed_words(choice[i], low_word, high_word, i, CHOICE)
            fresh(s)
            nothing(reward[i], done, cut, i)
            seat[i] = s.seat
            deliver(s, row, out)
            copy_record(states[i], s)
        else:
            recall(row, out, mask[i], obs[i])
    cuda.syncthreads()
    carry_all(rows, mask, seen, obs)


def step_kept_kernel(states, actions, mask, obs, seat, reward, done, cut, illegal):
    """Make one decision in each lane that is not over; a lane with an illegal action stays and is counted."""
    rows = cuda.shared.array((ROWS_MASK, STRIDE_MASK), uint8, alignment=16)
    seen = cuda.shared.array((ROWS_OBS, STRIDE_OBS), int8, alignment=16)
    i = cuda.grid(1)
    k = cuda.threadIdx.x
    at = min(i, states.shape[0] - 1)
    row = rows[k] if CARRY_MASK else mask[at]
    out = seen[k] if CARRY_OBS else obs[at]
    if i < states.shape[0]:
        place = cuda.local.array(1, RECORD, alignment=16)
        s = place[0]
        copy_record(s, states[i])
        a = actions[i]
        by = int(s.seat)
        if by < 0:
            nothing(reward[i], done, cut, i)
            recall(row, out, mask[i], obs[i])
        elif 0 <= a < WIDTH and mask[i, a] != 0:
            before(s, reward[i])
            apply(s, a)
            after(s, reward[i], done, cut, i)
            seat[i] = s.seat
            copy_record(states[i], s)
            show(s, by, row, out)
        else:
            cuda.atomic.add(illegal, 0, 1)
            cuda.atomic.min(illegal, 1, i)
            nothing(reward[i], done, cut, i)
            deliver(s, row, out)
    cuda.syncthreads()
    carry_all(rows, mask, seen, obs)


def rollout_kept_kernel(states, choice, reward, done, cut, payoff, last, ended, steps):
    """Make at most `steps` random decisions per lane, without a new deal.

    `last` gets the seat that acted last, or -1 if nobody did. `ended` gets the games that ended, the lanes
    that faulty rules leave without an action, and the decisions.
    """
    i = cuda.grid(1)
    place = cuda.local.array(1, RECORD, alignment=16)
    rng = cuda.local.array(4, uint32)
    row = cuda.local.array(WIDTH, uint8)
    lane = cuda.local.array(5, int32)
    paid = cuda.local.array(SEATS, int32)
    s = place[0]
    by = -1
    made = 0
    begin(s, rng, lane, states, choice, i, steps)
    while is_any(is_busy(lane)):
        if is_going(lane):
            n = legal(s, row)
            if n == 0:
                lane[LEFT] = NO_ACTION
            else:
                by = int(s.seat)
                made += 1
                for j in range(reward.shape[1]):
                    paid[j] = s.payoff[j]
                lane[HELD] = act(s, pick(rng, row, n))
                lane[ACTED] = 1
                lane[LEFT] -= 1
        if SPLIT and is_gathered(lane[HELD], is_going(lane)):
            if lane[HELD]:
                rest(s)
                lane[HELD] = 0
            cuda.syncwarp(WARP)
        if lane[ACTED] and not lane[HELD]:
            lane[ACTED] = 0
            if s.seat < 0:
                lane[GAMES] = 1
                lane[LEFT] = 0
    if i < states.shape[0]:
        last[i] = by
        for j in range(reward.shape[1]):
            payoff[i, j] = s.payoff[j]
            if made > 0:
                reward[i, j] = s.payoff[j] - paid[j]
        if made > 0:
            done[i] = lane[GAMES]
            cut[i] = s.cut if lane[GAMES] else 0
            for j in range(4):
                choice[i, j] = rng[j]
            copy_record(states[i], s)
            cuda.atomic.add(ended, 0, lane[GAMES])
            cuda.atomic.add(ended, 2, made)
        if lane[LEFT] == NO_ACTION:
            cuda.atomic.add(ended, 1, 1)


def show_kernel(states, last, mask, obs, seat):
    """Write mask, observation and seat of lanes in which a seat acted (`last`); others keep theirs."""
    rows = cuda.shared.array((ROWS_MASK, STRIDE_MASK), uint8, alignment=16)
    seen = cuda.shared.array((ROWS_OBS, STRIDE_OBS), int8, alignment=16)
    i = cuda.grid(1)
    k = cuda.threadIdx.x
    at = min(i, states.shape[0] - 1)
    row = rows[k] if CARRY_MASK else mask[at]
    out = seen[k] if CARRY_OBS else obs[at]
    if i < states.shape[0]:
        if last[i] >= 0:
            seat[i] = states[i].seat
            show(states[i], int(last[i]), row, out)
        else:
            recall(row, out, mask[i], obs[i])
    cuda.syncthreads()
    carry_all(rows, mask, seen, obs)


def playout_kernel(states, actions, sums, first, end, n, seats, stride, limit, low_word, high_word):
    """Play playouts first..end-1, where number k is playout k % n of position k // n.

    A lane that has reached an end waits, as in a rollout, until the next playout can begin in several.
    """
    place = cuda.local.array(1, RECORD, alignment=16)
    rng = cuda.local.array(4, uint32)
    row = cuda.local.array(WIDTH, uint8)
    lane = cuda.local.array(5, int32)
    totals = cuda.local.array(COLUMNS, int64)
    work = cuda.local.array(1, int64)  # for policies without scratch only
    s = place[0]
    for j in range(5):
        lane[j] = 0
    for j in range(COLUMNS):
        totals[j] = 0
    for j in range(WIDTH_USED, WIDTH):
        row[j] = 0  # a policy may read the whole mask
    k = first + cuda.grid(1)
    at = k // n
    made = 0
    action = -1
    if k < end:
        lane[OVER] = 1
    while is_any(is_busy(lane)):
        if is_gathered(lane[OVER], is_going(lane)):
            if lane[OVER]:
                p = k // n
                if p != at:
                    give(totals, sums, at, seats)
                    at = p
                copy_record(s, states[p if states.shape[0] > 1 else 0])
                begin_playout(s, rng, low_word, high_word, p, k - p * n)
                action = int(actions[p])
                made = 0
                lane[LEFT] = limit
                lane[OVER] = 0
            cuda.syncwarp(WARP)
        if is_going(lane):
            lane[ACTED] = 1
            if action < 0:
                count = legal(s, row)
                if count > 0:
                    action = int(choose(s, row, count, rng, work))
            if action < 0:
                totals[PARTS * seats + OF_STUCK] += 1
                lane[LEFT] = 0
            else:
                lane[HELD] = act(s, action)
                lane[LEFT] -= 1
                made += 1
                action = -1
        if SPLIT and is_gathered(lane[HELD], is_going(lane)):
            if lane[HELD]:
                rest(s)
                lane[HELD] = 0
            cuda.syncwarp(WARP)
        if lane[ACTED] and not lane[HELD]:
            lane[ACTED] = 0
            if s.seat < 0 or lane[LEFT] == 0:
                tally(s, totals, seats, made)
                k += stride
                lane[LEFT] = 0
                lane[OVER] = 1 if k < end else 0
    give(totals, sums, at, seats)


# --- device functions -----------------------------------------------------------------


def show(s, by, row, seen):
    """Write mask and observation of the next decision, or of the end as `by`, who acted last, may know it."""
    if s.seat < 0:
        for j in range(WIDTH):
            row[j] = 0
        observe(s, by, seen)
    else:
        deliver(s, row, seen)


def recall(row, seen, mask, obs):
    """Fill the rows of a lane that keeps its data: they are copied back with those of its block."""
    if CARRY_MASK:
        for j in range(WIDTH):
            row[j] = mask[j]
    if CARRY_OBS:
        for j in range(SIZE):
            seen[j] = obs[j]


def nothing(reward, done, cut, i):
    """Write that nothing has happened in lane `i`."""
    for j in range(reward.shape[0]):
        reward[j] = 0
    done[i] = 0
    cut[i] = 0


def give(totals, sums, at, seats):
    """Add a thread's sums to those of position `at`, and begin new ones."""
    for j in range(PARTS * seats + MORE):
        if totals[j] != 0:
            cuda.atomic.add(sums, (at, j), totals[j])
            totals[j] = 0
