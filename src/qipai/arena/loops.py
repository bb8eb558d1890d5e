# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, no-check-untyped-defs
"""The loops of a contest over many tables (`lanes.py`), written once for every game.

Lane i plays deal `first` + i // seatings. Its chance is that of `play.py`: keyed by seed, deal and ply, so
that both play the same games, byte for byte. `words` is uint32 (lanes * seats * 2, 4): for each lane and seat
the generator of the agent, then the one that its worlds are drawn with. `log` is int32 (lanes, length): the
actions of each lane, of which `size` (lanes,) are used. `asked` is int32 (lanes, seats): moves by seat.

`deal`, `legal`, `apply`, `partial`, `determinize` and `observe` are slots for a game's functions, and
`choose` for the rule of an agent.
"""

from __future__ import annotations

from qipai.core import Slot, next_word, rule, seed_words
from qipai.sim.loops import MAX_REDEALS

deal = Slot("deal(s)")
legal = Slot("legal(s, mask)")
apply = Slot("apply(s, action)")
partial = Slot("partial(s)")
determinize = Slot("determinize(s, seat)")
observe = Slot("observe(s, seat, out)")
choose = Slot("choose(states, seat, mask, n, rng, work)")

CHANCE = 0x51_000_000  # the generator of a game at a ply, next to AGENTS; the words of no other generator
AGENTS = 0xA6E27  # the generators of agents, as in core.agent.agent_words


@rule
def key_chance(rng, low, high, number, moment):
    """Set the generator of a game for one moment of deal `number`: 0 the deal, then 1 + ply."""
    seed_words(rng, low, high, number, CHANCE + moment)


@rule(states="states", words="u4[:,:]")
def deal_lanes(states, words, low, high, first, seatings, seats):
    """Deal every lane and seed its agents; return the first lane without a decision, or -1."""
    for i in range(states.shape[0]):
        s = states[i]
        if i % seatings == 0:
            key_chance(s.rng[:], low, high, first + i // seatings, 0)
            deal(s)
            tries = 1
            while s.seat < 0 and tries < MAX_REDEALS:
                deal(s)
                tries += 1
            if s.seat < 0:
                return i
        else:
            states[i] = states[i - 1]
        for k in range(2 * seats):
            lane = 2 * seats * (first * seatings + i) + k
            seed_words(words[2 * seats * i + k], low, high, lane, AGENTS)
    return -1


@rule(log="i4[:,:]", size="i4[:]", asked="i4[:,:]")
def take_action(s, i, action, log, size, asked, low, high, number):
    """Apply an action to lane `i` with the chance of its ply, and record it."""
    if partial(s) == 0:
        asked[i, s.seat] += 1
    log[i, size[i]] = action
    size[i] += 1
    key_chance(s.rng[:], low, high, number, 1 + int(s.ply))
    apply(s, action)


@rule(
    states="states",
    mine="u1[:,:]",
    words="u4[:,:]",
    log="i4[:,:]",
    size="i4[:]",
    asked="i4[:,:]",
    room="states",
    raw="u1[:]",
    scratch="i8[:]",
    work="i8[:]",
)
def play_lanes(
    states, mine, words, log, size, asked, room, raw, scratch, work, mask, sees, actions, low, high, first,
    seatings,
):  # fmt: skip
    """Let the agents of the seats in `mine` move until another decides, a game ends, or its log is full.

    Return the first lane in which such an agent has no legal action or chooses an illegal one, or -1. An
    agent that `sees` is given a world, drawn as for `Sight.state`, in room[0]; `raw` are the bytes of `room`,
    and `scratch` says which of them are cleared.
    """
    seats = asked.shape[1]
    for i in range(states.shape[0]):
        s = states[i]
        while s.seat >= 0 and mine[i, s.seat] != 0 and size[i] < log.shape[1]:
            seat = int(s.seat)
            own = 2 * (seats * i + seat)
            n = legal(s, mask)
            if n == 0:
                return i
            if sees != 0:
                world = words[own + 1]
                w0 = next_word(world)
                w1 = next_word(world)
                w2 = next_word(world)
                w3 = next_word(world)
                room[0] = s
                seed_words(room[0].rng[:], w0, w1, w2, w3)
                determinize(room[0], seat)
                for k in range(scratch.shape[0]):
                    raw[scratch[k]] = 0
            a = choose(room, seat, mask, n, words[own], work)
            if a < 0 or a >= actions or mask[a] == 0:
                return i
            take_action(s, i, a, log, size, asked, low, high, first + i // seatings)
    return -1


@rule(
    states="states",
    mine="u1[:,:]",
    words="u4[:,:]",
    size="i4[:]",
    lanes="i4[:]",
    seen="i1[:,:]",
    masks="u1[:,:]",
    seats="i1[:]",
    generators="u4[:,:]",
)
def ask_lanes(states, mine, words, size, lanes, seen, masks, seats, generators, length):
    """List the lanes in which a seat in `mine` decides, with what it sees; return how many, or -1 - lane.

    `generators` receives their agents' words. A lane whose log is full waits.
    """
    count = 0
    for i in range(states.shape[0]):
        s = states[i]
        if s.seat >= 0 and mine[i, s.seat] != 0 and size[i] < length:
            if legal(s, masks[count]) == 0:
                return -1 - i
            observe(s, s.seat, seen[count])
            lanes[count] = i
            seats[count] = s.seat
            own = 2 * (mine.shape[1] * i + int(s.seat))
            for k in range(4):
                generators[count, k] = words[own, k]
            count += 1
    return count


@rule(
    states="states",
    words="u4[:,:]",
    log="i4[:,:]",
    size="i4[:]",
    asked="i4[:,:]",
    lanes="i4[:]",
    masks="u1[:,:]",
    generators="u4[:,:]",
    chosen="i8[:]",
)
def answer_lanes(
    states, words, log, size, asked, lanes, masks, generators, chosen, actions, low, high, first, seatings
):
    """Apply the actions that were chosen for the listed lanes; return the first illegal one's lane, or -1."""
    for j in range(chosen.shape[0]):
        i = int(lanes[j])
        a = chosen[j]
        if a < 0 or a >= actions or masks[j, a] == 0:
            return i
        s = states[i]
        own = 2 * (asked.shape[1] * i + int(s.seat))
        for k in range(4):
            words[own, k] = generators[j, k]
        take_action(s, i, a, log, size, asked, low, high, first + i // seatings)
    return -1
