"""A trained net as a policy of the search: every seat acts by what it sees itself, never by the open world.

The net lies packed in `work` (`bots/net/packed.py`), followed by the scratch of one evaluation. Matrix
products are sums of whole numbers that fit 32 bits; everything else is one multiplication or addition per
entry in single precision, a square root and a division. So the result is the same on every machine. It is
not exactly that of the agent `net`, whose numbers are wider: their choices differ in about one of a hundred
decisions.

`observe` is a slot for a game's function.
"""

from __future__ import annotations

import math

import numpy as np

from qipai.core import Slot, draw, rule

observe = Slot("observe(s, seat, out)")

# Entries of `work`: sizes, settings, and where each part begins.
COLUMNS, WIDTH, LAYERS, OUTPUTS, LENGTH, HEAT, UNIT, READERS, FIRST, HIDDEN, HEAD, REALS, TABLE = range(13)
SEEN, ACTIVE, SUMS, UNITS, RESULT, FLOOR, HEADER = range(13, 20)

INPUT_BITS = 7  # of columns
UNIT_BITS = 7  # of activations
UNIT_MOST = 4095  # the largest activation
FIRST_BITS = 13  # of weights at most, with the sign: fewer where a sum would not fit 32 bits
WEIGHT_BITS = 10
NORM_BITS = 10  # of sums before they are normalised
NORM_MOST = 1 << 20
RESULT_BITS = 10  # of logits and the value
RESULT_MOST = 1 << 24
STEP_BITS = 6  # of logits in the table of exponentials
EPSILON = 1e-5 * (1 << (2 * NORM_BITS))
PER_LAYER = 4  # rows of reals: factor, bias, scale, shift
SCALED = 0  # kind of a column, as in bots/net/encode.py


# --- the policy, the prior and the value ----------------------------------------------------


@rule(work="i8[:]")
def choose(s, mask, n, rng, work):
    """Choose as the net does from what the deciding seat sees: its best action, or, with heat, a draw."""
    evaluate(s, s.seat, work)
    logits = work[work[RESULT] :].view(np.int32)
    best = best_of(mask, work[OUTPUTS] - 1, logits)
    if work[HEAT] == 0:
        return best
    whole = 0
    for a in range(work[OUTPUTS] - 1):
        if mask[a] != 0:
            whole += weight_of(int(logits[best]) - int(logits[a]), work)
    k = draw(rng, whole)
    for a in range(work[OUTPUTS] - 1):
        if mask[a] != 0:
            k -= weight_of(int(logits[best]) - int(logits[a]), work)
            if k < 0:
                return a
    return best


@rule(work="i8[:]", weights="f8[:]")
def weigh(s, mask, n, work, weights):
    """Weigh the legal actions by the chance with which the net takes them; 0 below the floor."""
    evaluate(s, s.seat, work)
    logits = work[work[RESULT] :].view(np.int32)
    best = best_of(mask, weights.shape[0], logits)
    for a in range(weights.shape[0]):
        weights[a] = 0.0
        if mask[a] != 0:
            weight = weight_of(int(logits[best]) - int(logits[a]), work)
            weights[a] = float(weight) if weight >= work[FLOOR] else 0.0
    weights[best] += 1.0  # the first of equal ones


@rule(work="i8[:]", values="f8[:]")
def judge(s, rng, work, values):
    """Fill `values` with what the net expects for the seat that decides; the others share the rest evenly."""
    evaluate(s, s.seat, work)
    logits = work[work[RESULT] :].view(np.int32)
    own = float(logits[work[OUTPUTS] - 1]) * work[UNIT] / float(1 << (RESULT_BITS + 10))
    for k in range(values.shape[0]):
        values[k] = own if k == s.seat else -own / max(values.shape[0] - 1, 1)


@rule(logits="i4[:]")
def best_of(mask, actions, logits):
    """Return the legal action with the largest logit, the lowest of equal ones."""
    best = -1
    for a in range(actions):
        if mask[a] != 0 and (best < 0 or logits[a] > logits[best]):
            best = a
    return best


@rule(work="i8[:]")
def weight_of(behind, work):
    """Return the weight, at least 1, of an action whose logit is `behind` the best one."""
    step = behind >> (RESULT_BITS - STEP_BITS)
    table = work[work[TABLE] : work[SEEN]]
    return table[min(step, table.shape[0] - 1)]


# --- the net --------------------------------------------------------------------------------


@rule(work="i8[:]")
def evaluate(s, seat, work):
    """Fill the results with the logits of what `seat` sees, and the value at the end."""
    observe(s, seat, work[work[SEEN] :].view(np.int8)[: work[LENGTH]])
    width = work[WIDTH]
    add_columns(work, activate(work))
    normalize(work, 0)
    for k in range(1, work[LAYERS]):
        multiply(work, work[HIDDEN] + (k - 1) * width * width // 4, width)
        normalize(work, k)
    multiply(work, work[HEAD], work[OUTPUTS])
    finish(work)


@rule(work="i8[:]")
def activate(work):
    """List the columns that are not 0, with their values; return how many."""
    obs = work[work[SEEN] :].view(np.int8)
    readers = work[work[READERS] :].view(np.int32)
    active = work[work[ACTIVE] :].view(np.int32)
    count = 0
    for d in range(work[COLUMNS]):
        entry = int(obs[readers[4 * d]])
        low = int(readers[4 * d + 2])
        if readers[4 * d + 1] == SCALED:
            value = entry * low
        else:
            value = 1 << INPUT_BITS if low <= entry <= readers[4 * d + 3] else 0
        active[2 * count] = d
        active[2 * count + 1] = value
        if value != 0:
            count += 1
    return count


@rule(work="i8[:]")
def add_columns(work, count):
    """Fill the sums with the first layer's: the weights of the active columns, times their values."""
    width = work[WIDTH]
    active = work[work[ACTIVE] :].view(np.int32)
    first = work[work[FIRST] :].view(np.int16)
    sums = work[work[SUMS] :].view(np.int32)[:width]
    for o in range(width):
        sums[o] = 0
    k = 0
    while k + 1 < count:  # two at a time, so that sums are read and written half as often
        row = first[active[2 * k] * width : (active[2 * k] + 1) * width]
        next_row = first[active[2 * k + 2] * width : (active[2 * k + 2] + 1) * width]
        value = np.int32(active[2 * k + 1])
        next_value = np.int32(active[2 * k + 3])
        if value == 1 << INPUT_BITS and next_value == 1 << INPUT_BITS:
            for o in range(width):
                both = np.int32(np.int32(row[o]) + np.int32(next_row[o]))
                sums[o] = np.int32(sums[o] + np.int32(both << INPUT_BITS))
        else:
            for o in range(width):
                sums[o] = np.int32(sums[o] + value * np.int32(row[o]) + next_value * np.int32(next_row[o]))
        k += 2
    if k < count:
        row = first[active[2 * k] * width : (active[2 * k] + 1) * width]
        value = np.int32(active[2 * k + 1])
        for o in range(width):
            sums[o] = np.int32(sums[o] + value * np.int32(row[o]))


@rule(work="i8[:]")
def multiply(work, at, outputs):
    """Fill the sums with the products of the activations and the matrix (outputs, width) at `at`."""
    width = work[WIDTH]
    matrix = work[at:].view(np.int16)
    sums = work[work[SUMS] :].view(np.int32)
    units = work[work[UNITS] :].view(np.int16)[:width]
    for o in range(outputs):
        row = matrix[o * width : (o + 1) * width]
        total = np.int32(0)
        for i in range(width):
            total = np.int32(total + np.int32(units[i]) * np.int32(row[i]))
        sums[o] = total


@rule(work="i8[:]")
def normalize(work, k):
    """Turn the sums of layer `k` into activations; those of a later layer are added to the ones before."""
    width = work[WIDTH]
    sums = work[work[SUMS] :].view(np.int32)[:width]
    units = work[work[UNITS] :].view(np.int16)[:width]
    at = 2 * work[REALS] + PER_LAYER * width * k
    reals = work.view(np.float32)
    factor = reals[at : at + width]
    bias = reals[at + width : at + 2 * width]
    scale = reals[at + 2 * width : at + 3 * width]
    shift = reals[at + 3 * width : at + 4 * width]
    most = np.float32(NORM_MOST)
    for o in range(width):
        z = np.float32(sums[o]) * factor[o] + bias[o]
        sums[o] = np.int32(min(max(z, -most), most))
    whole = 0
    for o in range(width):
        whole += int(sums[o])
    mean = np.int32(whole // width)
    squares = 0
    for o in range(width):
        d = int(np.int32(sums[o] - mean))
        squares += d * d
    inverse = np.float32(1.0 / math.sqrt(squares / width + EPSILON))
    low = np.float32(0.0)
    high = np.float32(UNIT_MOST)
    for o in range(width):
        y = np.float32(np.int32(sums[o] - mean)) * inverse * scale[o] + shift[o]
        y = min(max(y, low), high)
        if k > 0:
            y = min(y + np.float32(units[o]), high)
        units[o] = np.int16(np.int32(y))


@rule(work="i8[:]")
def finish(work):
    """Turn the sums of the heads into logits and the value."""
    n = work[OUTPUTS]
    at = 2 * work[REALS] + PER_LAYER * work[WIDTH] * work[LAYERS]
    reals = work.view(np.float32)
    sums = work[work[SUMS] :].view(np.int32)
    result = work[work[RESULT] :].view(np.int32)
    most = np.float32(RESULT_MOST)
    for o in range(n):
        y = np.float32(sums[o]) * reals[at + o] + reals[at + n + o]
        result[o] = np.int32(min(max(y, -most), most))
