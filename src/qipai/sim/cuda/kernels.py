"""The CUDA kernels of a batch: one thread a lane, every game alike.

They call a game's rules through the names `deal, legal, apply, act, rest, observe` and the helpers of
`sim/loops.py`; `build.py` makes a copy for each game with the names filled in, as device
functions. A lane's state lives in local memory while its thread works on it. Masks and
observations are written to shared memory, a row a thread, and then carried to global
memory by the whole block, so that neighbouring threads write neighbouring bytes. Rows that do
not fit there (`CARRY_MASK` and `CARRY_OBS` say) are made in global memory at once; a thread without a
lane never writes to the row it is given.

`RECORD`, `WIDTH`, `WIDTH_USED`, `SIZE`, `GATHER`, `SPLIT`, `BLOCK` and the shapes of what is shared
(`ROWS_...` and `STRIDE_...`) are of the game and of the launch, filled in likewise. A row's stride is an odd
number of 4-byte words: so threads that write the same place of their rows hit different banks. `SPLIT` says
that the game has `apply` in two parts: then all warps of a block begin each decision of a rollout together.
"""

from __future__ import annotations

from qipai.core import Slot, pick, seed_words

from ..loops import CHANCE, CHOICE, fresh

# Filled in by `build.py`: numba.cuda and its types, and how words and records are moved.
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
# The game's shapes and the launch's, explained above.
RECORD, WIDTH, WIDTH_USED, SIZE = (Slot(n) for n in ("RECORD", "WIDTH", "WIDTH_USED", "SIZE"))
BLOCK, GATHER, SPLIT = (Slot(n) for n in ("BLOCK", "GATHER", "SPLIT"))
CARRY_MASK, ROWS_MASK, STRIDE_MASK = (Slot(n) for n in ("CARRY_MASK", "ROWS_MASK", "STRIDE_MASK"))
CARRY_OBS, ROWS_OBS, STRIDE_OBS = (Slot(n) for n in ("CARRY_OBS", "ROWS_OBS", "STRIDE_OBS"))

WARP = 0xFFFFFFFF  # all threads of a warp

# A lane in a rollout: decisions left, games ended; whether an action's outcome is not told yet, its long step
# waits, its game is over and waits to be dealt anew.
LEFT, GAMES, ACTED, HELD, OVER = range(5)
STUCK = -1  # decisions left where faulty rules offer no action


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
    """One decision a lane; a lane whose action is not legal stays as it is and is counted."""
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
    """A uniformly random legal action a lane, from its own stream of choice; -1 where a game is over."""
    i = cuda.grid(1)
    if i < actions.shape[0]:
        row = mask[i]
        n = total(row)
        actions[i] = pick(choice[i], row, n) if n > 0 else -1


def rollout_kernel(states, choice, seat, reward, done, cut, ended, steps):
    """`steps` random decisions a lane, state and mask in local memory; outputs of the last.

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
    """Mask and observation of every lane's next decision, and whose it is; nothing where a game is over."""
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
    """Every seat's observation, the deciding seat's first; `seats` rows of `seen` for each lane."""
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
    """As `rollout_kernel`, mask and observation delivered to global memory at every decision."""
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
    """A lane's state and stream of choice to local memory; a thread without a lane has nothing to do.

    Nor has a lane that is over, which only a state written from outside can be.
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
    """A random one of the `n` actions of `row`; the rest is left to `settle`. Faulty rules may have none."""
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
    """What follows an action; whether another decision is due now.

    All of a warp wait for a thread that deals, or takes a long step (`act` says that one is due), alone. So
    such lanes wait until they are `GATHER` of 32, or nobody else can go on. Lanes do not know of one another:
    the order between them changes nothing.
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
    """A lane's state and stream of choice to global memory, and what became of it."""
    for j in range(4):
        choice[i, j] = rng[j]
    copy_record(states[i], s)
    cuda.atomic.add(ended, 0, lane[GAMES])
    if lane[LEFT] == STUCK:
        cuda.atomic.add(ended, 1, 1)


def is_going(lane):
    """Whether a lane can decide now."""
    return lane[LEFT] > 0 and lane[HELD] == 0 and lane[OVER] == 0


def is_busy(lane):
    """Whether anything is left to do for a lane."""
    return 1 if lane[LEFT] > 0 or lane[HELD] != 0 or lane[OVER] != 0 else 0


def deliver(s, row, seen):
    """Mask and observation of the next decision, zeros where a game is over; how many actions there are."""
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
    """As loops.play_on."""
    before(s, reward)
    apply(s, action)
    after(s, reward, done, cut, i)
    if s.seat < 0:
        fresh(s)


def before(s, reward):
    """What an action's reward starts from."""
    for j in range(reward.shape[0]):
        reward[j] = -s.payoff[j]


def after(s, reward, done, cut, i):
    """Reward, done and cut of the action just applied."""
    for j in range(reward.shape[0]):
        reward[j] += s.payoff[j]
    done[i] = 1 if s.seat < 0 else 0
    cut[i] = s.cut if s.seat < 0 else 0


def whole(s, action):
    """`act` of a game that has no long step."""
    apply(s, action)
    return 0


def is_gathered(waits, going):
    """Whether the lanes that wait go on now: the same for the whole warp, or, `SPLIT`, the whole block."""
    if SPLIT:
        waiting = cuda.syncthreads_count(1 if waits else 0)
        enough = waiting * 32 >= GATHER * cuda.blockDim.x
    else:
        waiting = cuda.popc(cuda.ballot_sync(WARP, waits != 0))
        enough = waiting >= GATHER
    return enough or (waiting > 0 and not is_any(1 if going else 0))


def is_any(vote):
    """Whether one of the warp, or, `SPLIT`, of the block, says yes."""
    return cuda.syncthreads_or(vote) if SPLIT else cuda.any_sync(WARP, vote)


def carry_all(rows, mask, seen, obs):
    """What the block has made in shared memory, to where it belongs."""
    if CARRY_MASK:
        carry(rows, mask, WIDTH)
    if CARRY_OBS:
        carry(seen, obs, SIZE)


def carry(rows, out, width):
    """The block's rows to global memory, four bytes a time, neighbouring threads side by side.

    The block's part of `out` is one run of bytes that begins on a multiple of four.
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
    """How many are set."""
    n = 0
    for j in range(row.shape[0]):
        n += row[j]
    return n
