"""The loops that a search needs, written once for every game: lanes that stay over, worlds, playouts.

They are templates like those of `loops.py`, compiled on first use, so that a batch that only
steps and rolls out does not wait for them. `choose` is the policy of playouts: `core.calls.uniform`, or the
game's own `Rules.playout`. On a GPU, `sim/cuda/primitives.py` does the same, lane by lane
and playout by playout.
"""

from __future__ import annotations

from qipai.core import Slot, next_word, pick, rule, seed_words

from .loops import CHANCE, CHOICE, fresh, play_kept

# Slots for a game's functions, filled in for each copy of these loops.
legal = Slot("legal(s, mask)")
apply = Slot("apply(s, action)")
observe = Slot("observe(s, seat, out)")
determinize = Slot("determinize(s, seat)")
choose = Slot("choose(s, mask, n, rng, work)")

WORD = 0xFFFFFFFF
PLAYOUT = 1 << 31  # in the third word of a playout's seed, where a lane has a number below 2^28
PARTS = 3  # columns of sums for each seat: payoffs, and the low and high halves of their squares
OF_CUT, OF_DECISIONS, OF_STUCK, MORE = 0, 1, 2, 3  # columns behind those of the seats


# --- lanes ------------------------------------------------------------------------------


@rule(mask="u1[:,:]", obs="i1[:,:]", seat="i1[:]")
def deliver_lane(s, mask, obs, seat, i):
    """Fill seat, mask and observation of lane `i`'s next decision; zeros if its game is over."""
    seat[i] = s.seat
    if s.seat >= 0:
        legal(s, mask[i])
        observe(s, s.seat, obs[i])
    else:
        mask[i, :] = 0
        obs[i, :] = 0


@rule(
    states="states",
    choice="u4[:,:]",
    chosen="u1[:]",
    mask="u1[:,:]",
    obs="i1[:,:]",
    seat="i1[:]",
    reward="i4[:,:]",
    done="u1[:]",
    cut="u1[:]",
)
def reset_chosen_lanes(
    states, choice, chosen, mask, obs, seat, reward, done, cut, seeded, low_word, high_word, lo, hi
):
    """Deal again in each chosen lane: from the seed and its number, or from the state of its generator."""
    for i in range(lo, hi):
        if chosen[i] == 0:
            continue
        s = states[i]
        if seeded != 0:
            seed_words(s.rng[:], low_word, high_word, i, CHANCE)
            seed_words(choice[i], low_word, high_word, i, CHOICE)
        fresh(s)
        reward[i, :] = 0
        done[i] = 0
        cut[i] = 0
        deliver_lane(s, mask, obs, seat, i)


@rule(states="states", choice="u4[:,:]", viewers="i1[:]")
def redraw_lanes(states, choice, viewers, lo, hi):
    """Draw again what a lane's viewer cannot know, from four words of the lane's stream of choice."""
    for i in range(lo, hi):
        s = states[i]
        if s.seat < 0:
            continue
        rng = choice[i]
        w0 = next_word(rng)
        w1 = next_word(rng)
        w2 = next_word(rng)
        w3 = next_word(rng)
        seed_words(s.rng[:], w0, w1, w2, w3)
        determinize(s, viewers[i])


@rule(states="states", mask="u1[:,:]", obs="i1[:,:]", seat="i1[:]")
def deliver_going_lanes(states, mask, obs, seat, lo, hi):
    """Fill seat, mask and observation of each lane that is not over; the others keep theirs."""
    for i in range(lo, hi):
        s = states[i]
        if s.seat >= 0:
            deliver_lane(s, mask, obs, seat, i)


@rule(actions="i4[:]", mask="u1[:,:]", seat="i1[:]")
def first_illegal_going(actions, mask, seat, n_actions, lo, hi):
    """Return the first lane that is not over and whose action is not legal, or -1."""
    for i in range(lo, hi):
        a = actions[i]
        if seat[i] >= 0 and (a < 0 or a >= n_actions or mask[i, a] == 0):
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
def step_kept_lanes(states, actions, mask, obs, seat, reward, done, cut, lo, hi):
    """Make one decision in each lane that is not over; a game's end is shown to the seat that acted."""
    for i in range(lo, hi):
        s = states[i]
        if s.seat < 0:
            reward[i, :] = 0
            done[i] = 0
            cut[i] = 0
            continue
        by = int(s.seat)
        if play_kept(s, actions[i], reward, done, cut, i) != 0:
            mask[i, :] = 0
            observe(s, by, obs[i])
        else:
            legal(s, mask[i])
            observe(s, s.seat, obs[i])
        seat[i] = s.seat


@rule(
    states="states",
    choice="u4[:,:]",
    mask="u1[:,:]",
    obs="i1[:,:]",
    seat="i1[:]",
    reward="i4[:,:]",
    done="u1[:]",
    cut="u1[:]",
    payoff="i4[:,:]",
    made="i4[:]",
)
def rollout_kept_lanes(states, choice, mask, obs, seat, reward, done, cut, payoff, made, steps, lo, hi):
    """Make at most `steps` random decisions in each lane, until its game ends; return the games ended.

    `made` gets the decisions of each lane and `payoff` its payoffs. The other outputs are those of the last
    decision; a lane that makes none keeps them. If faulty rules leave a seat without an action the loop
    stops there, and returns -1 - lane.
    """
    ended = 0
    for i in range(lo, hi):
        s = states[i]
        row = mask[i]
        rng = choice[i]
        left = steps if s.seat >= 0 else 0
        by = 0
        while left > 0:
            n = legal(s, row)
            if n == 0:
                return -1 - i
            by = int(s.seat)
            left -= 1
            made[i] += 1
            if play_kept(s, pick(rng, row, n), reward, done, cut, i) != 0:
                ended += 1
                left = 0
        for k in range(payoff.shape[1]):
            payoff[i, k] = s.payoff[k]
        if made[i] > 0:
            seat[i] = s.seat
            if s.seat >= 0:
                legal(s, row)
                observe(s, s.seat, obs[i])
            else:
                row[:] = 0
                observe(s, by, obs[i])
    return ended


# --- playouts ---------------------------------------------------------------------------


@rule(states="states", actions="i4[:]")
def first_bad(states, actions, mask, n_actions, lo, hi):
    """Return the first position that is over or whose first action (-1: none) is not legal; else -1."""
    for i in range(lo, hi):
        s = states[0 if len(states) == 1 else i]
        if s.seat < 0:
            return i
        a = actions[i]
        if a >= 0:
            legal(s, mask)
            if a >= n_actions or mask[a] == 0:
                return i
    return -1


@rule
def begin_playout(s, rng, low_word, high_word, i, j):
    """Set the policy's stream and the chance of playout `j` of position `i`."""
    seed_words(rng, low_word, high_word, PLAYOUT | i, j)
    for k in range(4):
        s.rng[k] = next_word(rng)


@rule(totals="i8[:]")
def tally(s, totals, seats, decisions):
    """Add a playout that has reached its end, or its limit, to the sums of its position."""
    for k in range(seats):
        payoff = int(s.payoff[k])
        square = payoff * payoff
        totals[PARTS * k] += payoff
        totals[PARTS * k + 1] += square & WORD
        totals[PARTS * k + 2] += square >> 32
    totals[PARTS * seats + OF_CUT] += 1 if s.seat >= 0 or s.cut != 0 else 0
    totals[PARTS * seats + OF_DECISIONS] += decisions


@rule(states="states", place="states", actions="i4[:]", work="i8[:]", sums="i8[:,:]")
def playout_range(
    states, place, actions, mask, rng, work, sums, n, seats, limit, low_word, high_word, first, lo, hi
):
    """Play playouts lo..hi-1, where number k is playout k % n of position k // n.

    Row 0 of `sums` belongs to position `first`; `place`, `mask`, `rng` and `work` are scratch. All of a
    playout follows from the seed, its position and its number there.
    """
    i = lo // n
    j = lo - i * n
    for _ in range(lo, hi):
        place[0] = states[0 if len(states) == 1 else i]
        s = place[0]
        begin_playout(s, rng, low_word, high_word, i, j)
        made = 0
        action = int(actions[i])
        while s.seat >= 0 and made < limit:
            if action < 0:
                count = legal(s, mask)
                if count > 0:
                    action = int(choose(s, mask, count, rng, work))
                if action < 0:
                    sums[i - first, PARTS * seats + OF_STUCK] += 1
                    break
            apply(s, action)
            action = -1
            made += 1
        tally(s, sums[i - first], seats, made)
        j += 1
        if j == n:
            j = 0
            i += 1
