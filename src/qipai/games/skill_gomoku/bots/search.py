"""The search behind `sharp`: expectimax over (card, target), compiled.

Chance nodes average over all pairs that the unseen cards allow; leaves are evaluated by `evaluation.judge`.
The state is read once and never changed, nor is its generator.
"""

from __future__ import annotations

from qipai.core import draw, rule, seed_words

from ..rules import playable
from ..state import (
    CARDS,
    CELL,
    CELLS,
    CHOOSE,
    EMPTY,
    FREEZE,
    GENERATE,
    LEFT,
    NONE,
    OPPONENT,
    PLACE,
    POLARITY,
    SCATTERED,
    TAKE,
)
from .evaluation import (
    ALL_CELLS,
    BOARD,
    BOTH,
    BUDGET,
    CARD_VALUE,
    COMPLETES,
    COUNT,
    DEEPEST,
    DRAWS,
    FLIP,
    FREE,
    KEPT,
    KEPT_EACH,
    NODES,
    PILE,
    PLACE_SCORE,
    PLACES,
    SAMPLES,
    SCATTER,
    SKIPS,
    TAKE_SCORE,
    TAKES,
    WASTE,
    WIDEST,
    WIN_CELLS,
    deal_odds,
    judge,
    keep_best,
    lift,
    pile_left,
    put,
    read_state,
    reshuffled,
    score_cells,
)

# --- the tree ---------------------------------------------------------------------------
# A play is card * 1000 + cell. A node lists its plays, makes each, evaluates the node after it,
# and undoes the play.


@rule(ws="i4[:]", net="f8[:]")
def outlook(ws, net, rng, seat, depth):
    """Return the probability that `seat`, about to draw, wins, searching `depth` turns."""
    if depth <= 0 or ws[NODES] > ws[BUDGET]:
        return judge(ws, net, seat)
    own = seat ^ ws[FLIP]
    base = CARD_VALUE + depth * CARDS
    for card in range(CARDS):
        net[base + card] = -1.0  # unplayable
    if ws[WIN_CELLS + own] > 0:
        net[base + PLACE] = 1.0
    n = list_plays(ws, own, depth)
    ws[DRAWS] += 1
    at = KEPT + depth * KEPT_EACH
    for i in range(n):
        play = ws[at + i]
        card = play // 1000
        settled = make_play(ws, rng, own, depth, play)
        if settled >= 0:
            value = settled / 2.0
        elif card == FREEZE:
            value = outlook(ws, net, rng, seat, depth - 1)
        elif ws[SKIPS + 1 - seat] > 0:
            ws[SKIPS + 1 - seat] -= 1
            value = outlook(ws, net, rng, seat, depth - 1)
            ws[SKIPS + 1 - seat] += 1
        else:
            below = min(depth - 1, 1) if card == GENERATE else depth - 1
            value = 1.0 - outlook(ws, net, rng, 1 - seat, below)
        undo_play(ws, own, depth, play)
        if card == GENERATE:
            net[base + card] = max(net[base + card], 0.0) + value / ws[SAMPLES]
        else:
            net[base + card] = max(net[base + card], value)
    ws[DRAWS] -= 1
    return weigh_pairs(ws, net, base)


@rule(ws="i4[:]")
def list_plays(ws, own, depth):
    """List the plays worth searching, for every kind of card there is; return how many."""
    at = KEPT + depth * KEPT_EACH
    n = 0
    score_cells(ws, own, 2 if ws[ALL_CELLS] - ws[FREE] > 6 else 1)
    if ws[WIN_CELLS + own] == 0 and _is_left(ws, PLACE) and ws[FREE] > 0:
        n = keep_best(ws, PLACE_SCORE, EMPTY, at, ws[PLACES])
        if n == 0:
            n = keep_any(ws, EMPTY, at)
    if _is_left(ws, TAKE):
        kept = keep_best(ws, TAKE_SCORE, 2 - own, at + n, ws[TAKES])
        if kept == 0:
            kept = keep_any(ws, 2 - own, at + n)
        for i in range(n, n + kept):
            ws[at + i] += TAKE * 1000
        n += kept
    for card in (POLARITY, FREEZE):
        if _is_left(ws, card):
            ws[at + n] = card * 1000
            n += 1
    if _is_left(ws, GENERATE) and ws[FREE] >= SCATTERED:
        for _ in range(ws[SAMPLES]):
            ws[at + n] = GENERATE * 1000
            n += 1
    return n


@rule(ws="i4[:]")
def _is_left(ws, card):
    return ws[PILE + card] > 0 or ws[WASTE + card] > 0


@rule(ws="i4[:]")
def keep_any(ws, wanted, to):
    """Find one cell that holds `wanted`, if no score distinguishes them; return 0 or 1."""
    for cell in range(ws[ALL_CELLS]):
        if ws[BOARD + cell] == wanted:
            ws[to] = cell
            return 1
    return 0


@rule(ws="i4[:]")
def make_play(ws, rng, own, depth, play):
    """Make a play of colour `own`. If it decides the game, return twice its value to the player, else -1."""
    card = play // 1000
    if card == PLACE:
        put(ws, play, own)
    elif card == TAKE:
        lift(ws, play - TAKE * 1000)
    elif card == POLARITY:
        ws[FLIP] ^= 1
    elif card == GENERATE:
        scatter(ws, rng, SCATTER + depth * SCATTERED)
        mine = ws[COUNT + own * 6 + 5] > 0
        theirs = ws[COUNT + (1 - own) * 6 + 5] > 0
        if mine and theirs:
            return int(ws[BOTH])
        if mine:
            return 2
        if theirs:
            return 0
    return -1


@rule(ws="i4[:]")
def undo_play(ws, own, depth, play):
    """Undo a play."""
    card = play // 1000
    if card == PLACE:
        lift(ws, play)
    elif card == TAKE:
        put(ws, play - TAKE * 1000, 1 - own)
    elif card == POLARITY:
        ws[FLIP] ^= 1
    elif card == GENERATE:
        at = SCATTER + depth * SCATTERED
        for i in range(SCATTERED):
            lift(ws, ws[at + SCATTERED - 1 - i])


@rule(ws="i4[:]")
def scatter(ws, rng, at):
    """Put five stones of random colours on random empty cells, recorded at ws[at...]."""
    cells = ws[ALL_CELLS]
    for i in range(SCATTERED):
        cell = draw(rng, cells)
        while ws[BOARD + cell] != EMPTY:
            cell = draw(rng, cells)
        ws[at + i] = cell
        put(ws, cell, draw(rng, 2))


@rule(ws="i4[:]", net="f8[:]")
def weigh_pairs(ws, net, base):
    """Return the mean over all pairs that may be drawn of the better card's value (-1: unplayable)."""
    left = pile_left(ws)
    first = PILE if left > 0 else reshuffled(ws)
    second = PILE if left > 1 else reshuffled(ws)
    split = left == 1  # the second card then comes from the reshuffled discards
    total = 0.0
    weight = 0.0
    for a in range(CARDS):
        for b in range(CARDS):
            copies = ws[second + b]
            if a == b and not split:
                copies -= 1
            ways = ws[first + a] * copies
            if ways > 0:
                value = max(net[base + a], net[base + b])
                total += ways * (value if value >= 0 else 0.5)
                weight += ways
    return total / weight if weight > 0 else 0.5


# --- the root ---------------------------------------------------------------------------


@rule(ws="i4[:]", net="f8[:]", plan="i4[:]", values="f8[:]")
def search(s, ws, net, rng, plan, values, depth, width, samples):
    """Evaluate every play of the seat to move: plan[i] is slot * 1000 + target action, values[i] its value.

    All plays are searched to depth 1, then the best ones deeper while the budget lasts.
    Returns how many plays there are; the best one comes first.
    """
    read_state(s, ws)
    deal_odds(ws, net)
    n = list_root_plays(s, ws, plan)
    w0, w1, w2, w3 = int(rng[0]), int(rng[1]), int(rng[2]), int(rng[3])
    for i in range(n):
        # the same random numbers for every play, so that only plays make a difference
        seed_words(rng, w0, w1, w2, w3)
        values[i] = play_value(s, ws, net, rng, plan[i], 1, samples)
    sort_plays(plan, values, n)
    kept = n
    for d in range(2, depth + 1):
        kept = min(kept, width)
        width = max(2, width // 2)
        for i in range(kept):
            if ws[NODES] > ws[BUDGET]:
                return n
            seed_words(rng, w0, w1, w2, w3)
            values[i] = play_value(s, ws, net, rng, plan[i], d, samples)
        sort_plays(plan, values, kept)
    return n


@rule(ws="i4[:]", plan="i4[:]")
def list_root_plays(s, ws, plan):
    """List every sensible play: both slots, and the targets worth searching."""
    n = 0
    if s.phase == CHOOSE:
        for slot in range(2):
            card = int(s.drawn[slot])
            if card == NONE or not playable(s, card) or (slot == 1 and card == s.drawn[0]):
                continue
            n = _targets(s, ws, plan, n, slot, card)
        if n == 0:  # a forced fizzle
            plan[0] = LEFT * 1000
            n = 1
        return n
    return _targets(s, ws, plan, n, int(s.slot), int(s.card))


@rule(ws="i4[:]", plan="i4[:]")
def _targets(s, ws, plan, n, slot, card):
    own = int(s.seat)
    if card not in (PLACE, TAKE):
        plan[n] = slot * 1000 + (OPPONENT if card == FREEZE else 0)
        return n + 1
    score_cells(ws, own, 1)
    score = PLACE_SCORE if card == PLACE else TAKE_SCORE
    wanted = EMPTY if card == PLACE else 2 - own
    kept = keep_best(ws, score, wanted, KEPT, WIDEST)
    if kept == 0:
        ws[KEPT] = _central(s, ws, wanted)
        kept = 1
    for i in range(kept):
        plan[n] = slot * 1000 + CELL + ws[KEPT + i]
        n += 1
    return n


@rule(ws="i4[:]")
def _central(s, ws, wanted):
    """Return the cell nearest to the centre that holds `wanted`."""
    size = int(s.board_size)
    best = -1
    nearest = 1 << 20
    for cell in range(size * size):
        if ws[BOARD + cell] == wanted:
            y = cell // size
            x = cell - y * size
            far = abs(2 * x - size + 1) + abs(2 * y - size + 1)
            if far < nearest:
                nearest = far
                best = cell
    return best


@rule(ws="i4[:]", net="f8[:]")
def play_value(s, ws, net, rng, planned, depth, samples):
    """Return the probability that the seat to move wins after one planned play; 2 if it wins immediately."""
    seat = int(s.seat)
    slot = planned // 1000
    target = planned - slot * 1000
    card = int(s.card) if s.phase != CHOOSE else int(s.drawn[slot])
    if not playable(s, card):
        return _after(ws, net, rng, seat, card, depth)
    play = card * 1000 + (target - CELL if card in (PLACE, TAKE) else 0)
    if card == PLACE and ws[COMPLETES + seat * CELLS + play] > 0:
        return 2.0
    times = samples if card == GENERATE else 1
    total = 0.0
    for _ in range(times):
        settled = make_play(ws, rng, seat, DEEPEST, play)
        if settled >= 0:
            total += settled / 2.0
        else:
            total += _after(ws, net, rng, seat, card, min(depth, 1) if card == GENERATE else depth)
        undo_play(ws, seat, DEEPEST, play)
    return total / times


@rule(ws="i4[:]", net="f8[:]")
def _after(ws, net, rng, seat, card, depth):
    """Return the value of the position for `seat`, which has just played `card`."""
    if card == FREEZE:
        return outlook(ws, net, rng, seat, depth)
    if ws[SKIPS + 1 - seat] > 0:
        ws[SKIPS + 1 - seat] -= 1
        value = outlook(ws, net, rng, seat, depth)
        ws[SKIPS + 1 - seat] += 1
        return value
    return 1.0 - outlook(ws, net, rng, 1 - seat, depth)


@rule(plan="i4[:]", values="f8[:]")
def sort_plays(plan, values, n):
    """Sort plays, best first; equal ones keep their order."""
    for i in range(1, n):
        play = plan[i]
        value = values[i]
        j = i
        while j > 0 and values[j - 1] < value:
            plan[j] = plan[j - 1]
            values[j] = values[j - 1]
            j -= 1
        plan[j] = play
        values[j] = value
