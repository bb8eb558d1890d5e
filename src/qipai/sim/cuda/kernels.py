"""The CUDA kernels of a batch: one thread per lane, the same for every game.

They call a game's rules by the names `deal, legal, apply, act, rest, observe` and use the helpers of
`sim/loops.py`; `build.py` makes a copy for each game with the names filled in as device
functions. A lane's state is in local memory while its thread works on it. Masks and
observations are written to shared memory, one row per thread, and the whole block then copies
them to global memory, so that neighbouring threads write neighbouring bytes. Rows that do
not fit there (see `CARRY_MASK` and `CARRY_OBS`) are written to global memory directly; a thread without a
lane never writes to its row.

`RECORD`, `WIDTH`, `WIDTH_USED`, `SIZE`, `GATHER`, `SPLIT`, `BLOCK` and the shapes of the shared arrays
(`ROWS_...` and `STRIDE_...`) depend on the game and the launch and are filled in too. The stride of a row is
an odd number of 4-byte words, so that threads that write the same place of their rows hit different banks.
`SPLIT` says that the game has `apply` in two parts; then all warps of a block start each decision of a
rollout together.
"""

from __future__ import annotations

from qipai.core import Slot, pick, seed_words

from ..loops import CHANCE, CHOICE, fresh

# Filled in by `build.py`: numba.cuda and its types, and functions that move words and records.
cuda = Slot("numba.cuda")
int8, uint8, int32, uint32 = (Slot(f"numba.{name}") for name in ("int8", "uint8", "int32", "uint32"))
copy_record = Slot("copy_record(to, source)")
get_word = Slot("get_word(array, i)")
put_word = Slot("put_word(array, i, word)")
# The game's functions, as device functions.
deal = Slot("deal(s)")
legal = Slot("legal(s, mask)")
apply = Slot("apply(s, action)")
act = Slot("act(s, action)")
rest = Slot("rest(s)")
observe = Slot("observe(s, seat, out)")
# The shapes of the game and of the launch, explained above.
RECORD, WIDTH, WIDTH_USED, SIZE = (Slot(n) for n in ("RECORD", "WIDTH", "WIDTH_USED", "SIZE"))
BLOCK, GATHER, SPLIT = (Slot(n) for n in ("BLOCK", "GATHER", "SPLIT"))
CARRY_MASK, ROWS_MASK, STRIDE_MASK = (Slot(n) for n in ("CARRY_MASK", "ROWS_MASK", "STRIDE_MASK"))
CARRY_OBS, ROWS_OBS, STRIDE_OBS = (Slot(n) for n in ("CARRY_OBS", "ROWS_OBS", "STRIDE_OBS"))

WARP = 0xFFFFFFFF  # all threads of a warp

# A lane in a rollout: decisions left, games ended, whether the outcome of an action is not yet reported,
# whether its long step is due, whether its game is over and not yet dealt again.
LEFT, GAMES, ACTED, HELD, OVER = range(5)
STUCK = -1  # decisions left, if faulty rules offer no action


def reset_kernel(states, choice, mask, obs, seat, low_word, high_word):
    """Seed and deal every lane from the seed and the lane's number."""
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
        seed_words(s.rng[:], low_word, high_word, i, CHANCE)
        seed_words(choice[i], low_word, high_word, i, CHOICE)
        fresh(s)
        seat[i] = s.seat
        deliver(s, row, out)
        copy_record(states[i], s)
    cuda.syncthreads()
    carry_all(rows, mask, seen, obs)


def step_kernel(states, actions, mask, obs, seat, reward, done, cut, illegal):
    """Apply one action per lane; a lane whose action is illegal stays unchanged and is counted."""
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
        if 0 <= a < WIDTH and s.seat >= 0 and mask[i, a] != 0:
            play(s, a, reward[i], done, cut, i)
            seat[i] = s.seat
            copy_record(states[i], s)
        else:
            cuda.atomic.add(illegal, 0, 1)
            cuda.atomic.min(illegal, 1, i)
            for j in range(reward.shape[1]):
                reward[i, j] = 0
            done[i] = 0
            cut[i] = 0
        deliver(s, row, out)
    cuda.syncthreads()
    carry_all(rows, mask, seen, obs)


def choose_kernel(choice, mask, actions):
    """Choose a uniformly random legal action per lane, from its stream of choice; -1 if a game is over."""
    i = cuda.grid(1)
    if i < actions.shape[0]:
        row = mask[i]
        n = total(row)
        actions[i] = pick(choice[i], row, n) if n > 0 else -1


def rollout_kernel(states, choice, seat, reward, done, cut, ended, steps):
    """Make `steps` random decisions per lane, with state and mask in local memory; output the last ones.

    Mask and observation are left to `deliver_kernel`: without rows in shared memory more
    threads fit on the device.
    """
    i = cuda.grid(1)
    place = cuda.local.array(1, RECORD, alignment=16)
    rng = cuda.local.array(4, uint32)
    row = cuda.local.array(WIDTH, uint8)
    lane = cuda.local.array(5, int32)
    s = place[0]
    begin(s, rng, lane, states, choice, i, steps)
    while is_any(is_busy(lane)):
        if is_going(lane):
            decide(s, rng, lane, row, legal(s, row), reward, i)
        settle(s, lane, reward, done, cut, i)
    if i < states.shape[0]:
        seat[i] = s.seat
        finish(s, rng, lane, states, choice, ended, i)


def deliver_kernel(states, mask, obs, seat):
    """Write mask, observation and seat of every lane's next decision; nothing if its game is over."""
    rows = cuda.shared.array((ROWS_MASK, STRIDE_MASK), uint8, alignment=16)
    seen = cuda.shared.array((ROWS_OBS, STRIDE_OBS), int8, alignment=16)
    i = cuda.grid(1)
    k = cuda.threadIdx.x
    at = min(i, states.shape[0] - 1)
    row = rows[k] if CARRY_MASK else mask[at]
    out = seen[k] if CARRY_OBS else obs[at]
    if i < states.shape[0]:
        seat[i] = states[i].seat
        deliver(states[i], row, out)
    cuda.syncthreads()
    carry_all(rows, mask, seen, obs)


def observe_all_kernel(states, seen, seats):
    """Write every seat's observation, starting with the seat to move; `seats` rows of `seen` per lane."""
    i = cuda.grid(1)
    if i < states.shape[0]:
        first = int(states[i].seat)
        for k in range(seats):
            row = seen[i * seats + k]
            if first >= 0:
                observe(states[i], (first + k) % seats, row)
            else:
                for j in range(SIZE):
                    row[j] = 0


def rollout_observed_kernel(states, choice, mask, obs, seat, reward, done, cut, ended, steps):
    """Do the same as `rollout_kernel`, writing mask and observation to global memory at every decision."""
    rows = cuda.shared.array((ROWS_MASK, STRIDE_MASK), uint8, alignment=16)
    seen = cuda.shared.array((ROWS_OBS, STRIDE_OBS), int8, alignment=16)
    i = cuda.grid(1)
    k = cuda.threadIdx.x
    at = min(i, states.shape[0] - 1)
    row = rows[k] if CARRY_MASK else mask[at]
    out = seen[k] if CARRY_OBS else obs[at]
    place = cuda.local.array(1, RECORD, alignment=16)
    rng = cuda.local.array(4, uint32)
    lane = cuda.local.array(5, int32)
    s = place[0]
    n = 0
    begin(s, rng, lane, states, choice, i, steps)
    if i < states.shape[0]:
        n = deliver(s, row, out)
    while cuda.syncthreads_or(is_busy(lane)):
        if is_going(lane):
            decide(s, rng, lane, row, n, reward, i)
        if settle(s, lane, reward, done, cut, i):
            seat[i] = s.seat
            n = deliver(s, row, out)
        cuda.syncthreads()
        carry_all(rows, mask, seen, obs)
    if i < states.shape[0]:
        finish(s, rng, lane, states, choice, ended, i)


# --- device functions -----------------------------------------------------------------


def begin(s, rng, lane, states, choice, i, steps):
    """Load a lane's state and stream of choice into local memory; a thread without a lane has nothing to do.

    The same holds for a lane that is over, which only a state written from outside can be.
    """
    for j in range(5):
        lane[j] = 0
    if i < states.shape[0]:
        copy_record(s, states[i])
        if s.seat >= 0:
            lane[LEFT] = steps
        for j in range(4):
            rng[j] = choice[i, j]


def decide(s, rng, lane, row, n, reward, i):
    """Choose one of the `n` actions of `row` at random; `settle` does the rest. Faulty rules may offer 0."""
    if n == 0:
        lane[LEFT] = STUCK
        return
    a = pick(rng, row, n)
    if lane[LEFT] == 1:
        before(s, reward[i])
    lane[HELD] = act(s, a)
    lane[ACTED] = 1
    lane[LEFT] -= 1


def settle(s, lane, reward, done, cut, i):
    """Do what follows an action; return whether another decision is due now.

    If one thread deals or takes a long step (`act` says that it is due), its whole warp waits. So such lanes
    wait until `GATHER` of 32 have collected, or no other lane can continue. Lanes are independent: their
    relative order changes nothing.
    """
    if SPLIT and is_gathered(lane[HELD], is_going(lane)):
        if lane[HELD]:
            rest(s)
            lane[HELD] = 0
        cuda.syncwarp(WARP)
    moved = False
    if lane[ACTED] and not lane[HELD]:
        lane[ACTED] = 0
        moved = s.seat >= 0
        if s.seat < 0:
            lane[OVER] = 1
        if lane[LEFT] == 0:
            after(s, reward[i], done, cut, i)
    if is_gathered(lane[OVER], is_going(lane)):
        if lane[OVER]:
            lane[GAMES] += 1
            fresh(s)
            lane[OVER] = 0
            moved = True
        cuda.syncwarp(WARP)
    return moved


def finish(s, rng, lane, states, choice, ended, i):
    """Store a lane's state, stream of choice and counters in global memory."""
    for j in range(4):
        choice[i, j] = rng[j]
    copy_record(states[i], s)
    cuda.atomic.add(ended, 0, lane[GAMES])
    if lane[LEFT] == STUCK:
        cuda.atomic.add(ended, 1, 1)


def is_going(lane):
    """Return whether a lane can decide now."""
    return lane[LEFT] > 0 and lane[HELD] == 0 and lane[OVER] == 0


def is_busy(lane):
    """Return whether a lane has anything left to do."""
    return 1 if lane[LEFT] > 0 or lane[HELD] != 0 or lane[OVER] != 0 else 0


def deliver(s, row, seen):
    """Write mask and observation of the next decision (zeros if over); return the number of actions."""
    if s.seat < 0:
        for j in range(WIDTH):
            row[j] = 0
        for j in range(SIZE):
            seen[j] = 0
        return 0
    n = legal(s, row)
    for j in range(WIDTH_USED, WIDTH):
        row[j] = 0
    observe(s, s.seat, seen)
    return n


def play(s, action, reward, done, cut, i):
    """Apply an action like `loops.play_on`."""
    before(s, reward)
    apply(s, action)
    after(s, reward, done, cut, i)
    if s.seat < 0:
        fresh(s)


def before(s, reward):
    """Store the payoffs from before an action, from which its reward is computed."""
    for j in range(reward.shape[0]):
        reward[j] = -s.payoff[j]


def after(s, reward, done, cut, i):
    """Write reward, done and cut of the action that was applied."""
    for j in range(reward.shape[0]):
        reward[j] += s.payoff[j]
    done[i] = 1 if s.seat < 0 else 0
    cut[i] = s.cut if s.seat < 0 else 0


def whole(s, action):
    """Apply the action and return 0: the `act` of a game without a long step."""
    apply(s, action)
    return 0


def is_gathered(waits, going):
    """Return whether the waiting lanes go on now: one answer per warp or, with `SPLIT`, per block."""
    if SPLIT:
        waiting = cuda.syncthreads_count(1 if waits else 0)
        enough = waiting * 32 >= GATHER * cuda.blockDim.x
    else:
        waiting = cuda.popc(cuda.ballot_sync(WARP, waits != 0))
        enough = waiting >= GATHER
    return enough or (waiting > 0 and not is_any(1 if going else 0))


def is_any(vote):
    """Return whether any thread of the warp (with `SPLIT`, of the block) votes yes."""
    return cuda.syncthreads_or(vote) if SPLIT else cuda.any_sync(WARP, vote)


def carry_all(rows, mask, seen, obs):
    """Copy what the block has built in shared memory to its destination."""
    if CARRY_MASK:
        carry(rows, mask, WIDTH)
    if CARRY_OBS:
        carry(seen, obs, SIZE)


def carry(rows, out, width):
    """Copy the block's rows to global memory, four bytes at a time, neighbouring threads side by side.

    The block's part of `out` is contiguous and begins at a multiple of four bytes.
    """
    first = cuda.blockIdx.x * BLOCK
    size = min(BLOCK, out.shape[0] - first) * width
    at = 4 * cuda.threadIdx.x
    while at + 4 <= size:
        lane = at // width
        place = at - lane * width
        word = 0
        if width % 4 == 0:
            word = get_word(rows, lane, place)
        else:
            for k in range(4):
                word |= (int(rows[lane, place]) & 255) << (8 * k)
                place += 1
                if place == width:
                    place = 0
                    lane += 1
        put_word(out, first * width + at, word)
        at += 4 * BLOCK
    last = size - size % 4 + cuda.threadIdx.x
    if last < size:
        lane = last // width
        out[first + lane, last - lane * width] = rows[lane, last - lane * width]


def total(row):
    """Return how many entries are set."""
    n = 0
    for j in range(row.shape[0]):
        n += row[j]
    return n
