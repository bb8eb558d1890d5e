"""The search without a tree, for very short budgets: sequential halving over the first action.

All actions that are left are played out in the same worlds with the same chance, so that a difference between
two of them is not a difference of luck. The action of the highest prior is the favourite: it stays to the
end, and every other is measured against it, world by world. After each round the better half of the others
stays. `legal`, `apply`, `determinize` and `prior` are slots for a game's functions.
"""

from __future__ import annotations

from qipai.core import Slot, next_word, rule, seed_words

from .playing import play_on

# A game's functions, filled in for each copy of this module.
legal = Slot("legal(s, mask)")
apply = Slot("apply(s, action)")
determinize = Slot("determinize(s, seat)")
prior = Slot("prior(s, mask, n, work, weights)")

ROOT, WORLD, LINE = 0, 1, 2  # states
# Columns of `figures`, a row for each action: playouts, payoffs, and how much more than the favourite's.
TIMES, TOTAL, SQUARES, MORE, MORE_SQUARES, FIGURES = range(6)
FAVOURITE = 0  # its place in `alive`


@rule(states="states", work="i8[:]", weights="f8[:]", alive="i8[:]", figures="f8[:,:]")
def line_up(states, width, mask, work, weights, alive, figures):
    """Put the legal actions into `alive` by prior, at most `width`, none of prior 0; return how many."""
    n = legal(states[ROOT], mask)
    prior(states[ROOT], mask, n, work, weights)
    count = 0
    for a in range(weights.shape[0]):
        for k in range(FIGURES):
            figures[a, k] = 0.0
        if mask[a] != 0 and weights[a] > 0.0:
            i = count
            while i > 0 and weights[alive[i - 1]] < weights[a]:
                alive[i] = alive[i - 1]
                i -= 1
            alive[i] = a
            count += 1
    if count == 0:
        for a in range(weights.shape[0]):
            if mask[a] != 0:
                alive[count] = a
                count += 1
    return min(count, width) if width > 0 else count


@rule(states="states", work="i8[:]", values="f8[:]", alive="i8[:]", figures="f8[:,:]", choice="u4[:]")
def try_out(states, seat, worlds, n, horizon, cut, rng, choice, mask, work, values, alive, figures):
    """Play each of the `n` first actions of `alive` out in the same `worlds` worlds."""
    for _ in range(worlds):
        states[WORLD] = states[ROOT]
        world = states[WORLD]
        for k in range(4):
            world.rng[k] = next_word(rng)
        determinize(world, seat)
        w0, w1, w2, w3 = next_word(rng), next_word(rng), next_word(rng), next_word(rng)
        bar = 0.0
        for i in range(n):
            states[LINE] = states[WORLD]
            line = states[LINE]
            seed_words(choice, w0, w1, w2, w3)
            apply(line, alive[i])
            play_on(line, seat, cut, mask, choice, work, values, horizon)
            own = values[seat]
            figures[alive[i], TIMES] += 1.0
            figures[alive[i], TOTAL] += own
            figures[alive[i], SQUARES] += own * own
            if i == FAVOURITE:
                bar = own
            figures[alive[i], MORE] += own - bar
            figures[alive[i], MORE_SQUARES] += (own - bar) * (own - bar)


@rule(alive="i8[:]", figures="f8[:,:]")
def rank(n, alive, figures):
    """Sort the `n` first actions of `alive` behind the favourite, by how much more they earn, most first."""
    for i in range(2, n):
        a = alive[i]
        gain = figures[a, MORE] / max(figures[a, TIMES], 1.0)
        j = i
        while j > 1 and figures[alive[j - 1], MORE] / max(figures[alive[j - 1], TIMES], 1.0) < gain:
            alive[j] = alive[j - 1]
            j -= 1
        alive[j] = a
