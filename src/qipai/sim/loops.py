"""The loops over a batch on the CPU, written once for every game.

`deal`, `legal`, `apply` and `observe` are slots for a game's functions: the engine makes
a copy of these loops for each game with the slots filled in (`core.Variant`). All
loops work on lanes lo..hi-1, so that threads share a batch without sharing a lane. On a GPU
one thread plays one lane, which needs other loops: they are in `sim/cuda/kernels.py` and use
`fresh` from here. Invariant between calls: `mask[i]` and `seat[i]` belong to the next decision.
"""

from __future__ import annotations

from qipai.core import Slot, pick, rule, seed_words

# Slots for a game's functions, filled in for each copy of these loops.
deal = Slot("deal(s)")
legal = Slot("legal(s, mask)")
apply = Slot("apply(s, action)")
observe = Slot("observe(s, seat, out)")

MAX_REDEALS = 1000  # consecutive deals without a decision before the lane counts as over
CHANCE, CHOICE = 0, 1  # the two streams of a lane


@rule
def fresh(s):
    """Deal until a seat has a decision."""
    deal(s)
    tries = 1
    while s.seat < 0 and tries < MAX_REDEALS:
        deal(s)
        tries += 1


@rule(reward="i4[:,:]", done="u1[:]", cut="u1[:]")
def play_kept(s, action, reward, done, cut, i):
    """Apply `action`; write reward, done and cut of lane `i`. A finished game stays finished."""
    seats = reward.shape[1]
    for k in range(seats):
        reward[i, k] = -s.payoff[k]
    apply(s, action)
    for k in range(seats):
        reward[i, k] += s.payoff[k]
    over = 1 if s.seat < 0 else 0
    done[i] = over
    cut[i] = s.cut if over != 0 else 0
    return over


@rule(reward="i4[:,:]", done="u1[:]", cut="u1[:]")
def play_on(s, action, reward, done, cut, i):
    """Do the same as `play_kept`, and deal again if the game is over."""
    over = play_kept(s, action, reward, done, cut, i)
    if over != 0:
        fresh(s)
    return over


@rule(states="states", choice="u4[:,:]")
def reset_lanes(states, choice, low_word, high_word, lo, hi):
    """Seed and deal each lane from the two words of the seed and the lane's number."""
    for i in range(lo, hi):
        s = states[i]
        seed_words(s.rng[:], low_word, high_word, i, CHANCE)
        seed_words(choice[i], low_word, high_word, i, CHOICE)
        fresh(s)


@rule(states="states", mask="u1[:,:]", obs="i1[:,:]", seat="i1[:]")
def deliver_lanes(states, mask, obs, seat, lo, hi):
    """Fill seat, mask and observation of each lane's next decision; zeros if its game is over."""
    for i in range(lo, hi):
        s = states[i]
        seat[i] = s.seat
        if s.seat >= 0:
            legal(s, mask[i])
            observe(s, s.seat, obs[i])
        else:
            mask[i, :] = 0
            obs[i, :] = 0


@rule(states="states", seen="i1[:,:]")
def observe_all_lanes(states, seen, seats, lo, hi):
    """Fill row i * seats + k of `seen` with the observation of the k-th seat from lane i's seat to move."""
    for i in range(lo, hi):
        s = states[i]
        for k in range(seats):
            if s.seat >= 0:
                observe(s, (s.seat + k) % seats, seen[i * seats + k])
            else:
                seen[i * seats + k, :] = 0


@rule(actions="i4[:]", mask="u1[:,:]", seat="i1[:]")
def first_illegal(actions, mask, seat, n_actions, lo, hi):
    """Return the first lane whose action is illegal, or -1."""
    for i in range(lo, hi):
        a = actions[i]
        if seat[i] < 0 or a < 0 or a >= n_actions or mask[i, a] == 0:
            return i
    return -1


@rule(
    states="states",
    actions="i4[:]",
    mask="u1[:,:]",
    obs="i1[:,:]",
    seat="i1[:]",
    reward="i4[:,:]",
    done="u1[:]",
    cut="u1[:]",
)
def step_lanes(states, actions, mask, obs, seat, reward, done, cut, lo, hi):
    """Apply one action per lane and write all outputs; return the number of games ended."""
    ended = 0
    for i in range(lo, hi):
        s = states[i]
        ended += play_on(s, actions[i], reward, done, cut, i)
        seat[i] = s.seat
        legal(s, mask[i])
        observe(s, s.seat, obs[i])
    return ended


@rule(choice="u4[:,:]", mask="u1[:,:]", actions="i4[:]")
def choose_lanes(choice, mask, actions, lo, hi):
    """Choose a uniformly random legal action per lane, from its stream of choice; -1 if a game is over."""
    for i in range(lo, hi):
        n = 0
        for k in range(mask.shape[1]):
            n += mask[i, k]
        actions[i] = pick(choice[i], mask[i], n) if n > 0 else -1


@rule(
    states="states",
    choice="u4[:,:]",
    mask="u1[:,:]",
    seat="i1[:]",
    reward="i4[:,:]",
    done="u1[:]",
    cut="u1[:]",
)
def rollout_lanes(states, choice, mask, seat, reward, done, cut, steps, lo, hi):
    """Make `steps` random decisions per lane, one lane after the other; return the number of games ended.

    The outputs are those of the last decision. A lane that is over, which only a state written
    from outside can be, stays unchanged. If faulty rules leave a seat without an action, the function
    stops there and returns -1 - lane.
    """
    ended = 0
    for i in range(lo, hi):
        s = states[i]
        if s.seat < 0:
            continue
        row = mask[i]
        rng = choice[i]
        n = legal(s, row)
        for _ in range(steps):
            if n == 0:
                return -1 - i
            a = pick(rng, row, n)
            ended += play_on(s, a, reward, done, cut, i)
            n = legal(s, row)
        seat[i] = s.seat
    return ended


@rule(
    states="states",
    choice="u4[:,:]",
    mask="u1[:,:]",
    obs="i1[:,:]",
    seat="i1[:]",
    reward="i4[:,:]",
    done="u1[:]",
    cut="u1[:]",
)
def rollout_observed_lanes(states, choice, mask, obs, seat, reward, done, cut, steps, lo, hi):
    """Do the same as `rollout_lanes`, step by step over all lanes, writing mask and observation each time."""
    ended = 0
    for _ in range(steps):
        for i in range(lo, hi):
            s = states[i]
            if s.seat < 0:
                continue
            row = mask[i]
            n = 0
            for k in range(row.shape[0]):
                n += row[k]
            if n == 0:
                return -1 - i
            a = pick(choice[i], row, n)
            ended += play_on(s, a, reward, done, cut, i)
            seat[i] = s.seat
            legal(s, row)
            observe(s, s.seat, obs[i])
    return ended
