# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, no-check-untyped-defs
"""The loops behind the Gymnasium environments: one seat of each lane is the learner's.

Between two decisions of the learner its opponents move. Random ones move here, inside
compiled code; others are called from Python (`learner.py`) while their lane waits: one lane at a time, or
all waiting lanes at once if the agent has `act_many`.
`deal`, `legal`, `apply` and `observe` are slots for a game's functions, as in sim/loops.py.

`book` is int32 (n, 7), one row per lane; its columns are named below. `kinds` says who sits
where, counted from the learner's seat: kinds[0] is LEARNER. `chosen` is uint8 (n,): a lane
with 0 stays unchanged.
"""

from __future__ import annotations

from qipai.core import Slot, pick, rule, seed_words
from qipai.sim.loops import CHANCE, MAX_REDEALS, fresh

# Slots for a game's functions, filled in for each copy of these loops.
deal = Slot("deal(s)")
legal = Slot("legal(s, mask)")
apply = Slot("apply(s, action)")
observe = Slot("observe(s, seat, out)")

# Who decides in a lane
LEARNER = 0
RANDOM = 1
NAMED = 2  # an agent that is called from Python
OVER = 3  # nobody: the game has ended
STUCK = 4  # nobody: one game after another ends without a decision of the learner
NO_ACTION = 5  # nobody: faulty rules leave an opponent without a legal action
MANY = 6  # an agent that is asked for all waiting lanes at once

# Columns of the book
SEAT = 0  # the learner's seat
FIRST = 1  # 1 until the learner has decided in this game
BASE = 2  # the learner's payoff that is already accounted for
WHO = 3  # one of the constants above
REWARD = 4  # reward of the last step
DONE = 5  # 1 if a game ended in it
CUT = 6  # 1 if a cap ended it
COLUMNS = 7

# What follows the end of a game, by Gymnasium's names
NEXT_STEP = 0  # the lane's next step deals
SAME_STEP = 1  # the next game starts immediately
DISABLED = 2  # nothing, until a deal is requested

AGENTS = 0xA6E27  # the generators of agents, as in core.agent.agent_words
OPPONENTS = 2  # the opponents' stream of choice, in addition to CHANCE and CHOICE of sim.loops


@rule(kinds="i1[:]")
def decider(s, learner, kinds):
    """Return which kind of player decides now."""
    if s.seat < 0:
        return OVER
    place = int(s.seat) - learner
    if place < 0:
        place += int(s.seats)
    return int(kinds[place])


@rule(row="i4[:]", kinds="i1[:]")
def run_on(s, rng, mask, row, kinds):
    """Let random opponents move until someone else decides or the game ends.

    A game that ends before the learner has decided in it is dealt again: there is nothing
    to learn from it, and an episode without a step cannot be represented.
    """
    tries = 0
    while True:
        who = decider(s, row[SEAT], kinds)
        while who == RANDOM:
            n = legal(s, mask)
            if n == 0:
                row[WHO] = NO_ACTION
                return
            apply(s, pick(rng, mask, n))
            who = decider(s, row[SEAT], kinds)
        row[WHO] = who
        if who != OVER or row[FIRST] == 0:
            return
        tries += 1
        if tries == MAX_REDEALS:
            row[WHO] = STUCK
            return
        fresh(s)
        row[BASE] = s.payoff[row[SEAT]]


@rule(row="i4[:]", kinds="i1[:]")
def open_game(s, rng, mask, row, kinds):
    """Advance a newly dealt game to the learner's first decision."""
    row[FIRST] = 1
    row[BASE] = s.payoff[row[SEAT]]
    run_on(s, rng, mask, row, kinds)


@rule(row="i4[:]", kinds="i1[:]")
def next_game(s, rng, mask, row, kinds, turn):
    """Deal, with the learner `turn` seats further on."""
    row[SEAT] = (row[SEAT] + turn) % int(s.seats)
    fresh(s)
    open_game(s, rng, mask, row, kinds)


@rule(row="i4[:]", kinds="i1[:]", final="i1[:]")
def settle(s, rng, mask, row, kinds, final, turn, mode):
    """Advance after a move, and record the result if that ended the game."""
    run_on(s, rng, mask, row, kinds)
    if row[WHO] == OVER and row[DONE] == 0:
        row[DONE] = 1
        row[CUT] = s.cut
        row[REWARD] = s.payoff[row[SEAT]] - row[BASE]
        observe(s, row[SEAT], final)
        if mode == SAME_STEP:
            next_game(s, rng, mask, row, kinds, turn)


@rule(row="i4[:]", kinds="i1[:]", final="i1[:]")
def forfeit(s, rng, mask, row, kinds, final, turn, mode):
    """End the game where it stands: the learner has tried what is not legal."""
    row[FIRST] = 0
    row[WHO] = OVER
    row[DONE] = 1
    observe(s, row[SEAT], final)
    if mode == SAME_STEP:
        next_game(s, rng, mask, row, kinds, turn)


@rule(states="states", choice="u4[:,:]", mask="u1[:,:]", book="i4[:,:]", kinds="i1[:]", chosen="u1[:]")
def seed_lanes(states, choice, mask, book, kinds, chosen, low_word, high_word, lo, hi):
    """Deal the first games of a seed, by lane number: the same deals as reset_lanes of sim.loops."""
    for i in range(lo, hi):
        if chosen[i] != 0:
            s = states[i]
            seed_words(s.rng[:], low_word, high_word, i, CHANCE)
            seed_words(choice[i], low_word, high_word, i, OPPONENTS)
            fresh(s)
            open_game(s, choice[i], mask[i], book[i], kinds)


@rule(states="states", choice="u4[:,:]", mask="u1[:,:]", book="i4[:,:]", kinds="i1[:]", chosen="u1[:]")
def deal_lanes(states, choice, mask, book, kinds, chosen, turn, lo, hi):
    """Deal the next game."""
    for i in range(lo, hi):
        if chosen[i] != 0:
            next_game(states[i], choice[i], mask[i], book[i], kinds, turn)


@rule(actions="i4[:]", mask="u1[:,:]")
def illegal_lanes(actions, mask, n_actions, lo, hi):
    """Return the first lane whose action is illegal, or -1."""
    for i in range(lo, hi):
        a = actions[i]
        if a < 0 or a >= n_actions or mask[i, a] == 0:
            return i
    return -1


@rule(
    states="states",
    actions="i4[:]",
    choice="u4[:,:]",
    mask="u1[:,:]",
    book="i4[:,:]",
    kinds="i1[:]",
    final="i1[:,:]",
)
def act_lanes(states, actions, choice, mask, book, kinds, final, turn, mode, lo, hi):
    """Apply the learner's actions, where -1 forfeits the game.

    If a game had already ended (only with NEXT_STEP), deal a new one.
    """
    for i in range(lo, hi):
        s = states[i]
        row = book[i]
        row[REWARD] = 0
        row[DONE] = 0
        row[CUT] = 0
        if row[WHO] == OVER:
            next_game(s, choice[i], mask[i], row, kinds, turn)
        elif actions[i] < 0:
            forfeit(s, choice[i], mask[i], row, kinds, final[i], turn, mode)
        else:
            row[FIRST] = 0
            apply(s, actions[i])
            settle(s, choice[i], mask[i], row, kinds, final[i], turn, mode)


@rule(states="states", choice="u4[:,:]", mask="u1[:,:]", book="i4[:,:]", kinds="i1[:]", final="i1[:,:]")
def resume_lanes(states, choice, mask, book, kinds, final, turn, mode, lo, hi):
    """Continue after the agents that are called from Python have moved."""
    for i in range(lo, hi):
        if book[i, WHO] == NAMED:
            settle(states[i], choice[i], mask[i], book[i], kinds, final[i], turn, mode)


@rule(words="u4[:,:]", numbers="i8[:]", chosen="u1[:]")
def seed_agents(words, numbers, chosen, low_word, high_word, seats, place, lo, hi):
    """Seed the generators of the agent at one place, as `agent_words` does for the lane's own agent."""
    for i in range(lo, hi):
        if chosen[i] != 0:
            seed_words(words[i], low_word, high_word, 2 * (int(numbers[i]) * seats + place), AGENTS)


@rule(states="states", mask="u1[:,:]", obs="i1[:,:]", seat="i1[:]", book="i4[:,:]", places="i1[:]")
def ask_lanes(states, mask, obs, seat, book, places, lo, hi):
    """Write mask, observation, seat and place of the agent that is asked in a batch; place 0 elsewhere."""
    for i in range(lo, hi):
        places[i] = 0
        if book[i, WHO] == MANY:
            s = states[i]
            seat[i] = s.seat
            places[i] = (int(s.seat) - book[i, SEAT] + int(s.seats)) % int(s.seats)
            if legal(s, mask[i]) == 0:
                book[i, WHO] = NO_ACTION
                places[i] = 0
            observe(s, s.seat, obs[i])


@rule(actions="i4[:]", mask="u1[:,:]", places="i1[:]")
def refused_lanes(actions, mask, places, n_actions, lo, hi):
    """Return the first asked lane whose action is illegal, or -1."""
    for i in range(lo, hi):
        if places[i] != 0:
            a = actions[i]
            if a < 0 or a >= n_actions or mask[i, a] == 0:
                return i
    return -1


@rule(
    states="states",
    actions="i4[:]",
    places="i1[:]",
    choice="u4[:,:]",
    mask="u1[:,:]",
    book="i4[:,:]",
    kinds="i1[:]",
    final="i1[:,:]",
)
def answer_lanes(states, actions, places, choice, mask, book, kinds, final, turn, mode, lo, hi):
    """Apply the actions of the agents that were asked in a batch."""
    for i in range(lo, hi):
        if places[i] != 0:
            apply(states[i], actions[i])
            settle(states[i], choice[i], mask[i], book[i], kinds, final[i], turn, mode)


@rule(states="states", mask="u1[:,:]", obs="i1[:,:]", seat="i1[:]", book="i4[:,:]")
def deliver_lanes(states, mask, obs, seat, book, n_actions, mode, lo, hi):
    """Write reward, mask and observation of the learner, which decides in every lane or sees its end.

    If the game has ended, every action is legal if the lane's next step deals (the action
    is ignored then), and none otherwise.
    """
    for i in range(lo, hi):
        s = states[i]
        row = book[i]
        payoff = int(s.payoff[row[SEAT]])
        if row[DONE] == 0 and row[FIRST] == 0:  # what came before the first decision counts towards it
            row[REWARD] = payoff - row[BASE]
            row[BASE] = payoff
        seat[i] = s.seat
        if row[WHO] == OVER:
            for a in range(n_actions):
                mask[i, a] = 1 if mode == NEXT_STEP else 0
        else:
            legal(s, mask[i])
        observe(s, row[SEAT], obs[i])
