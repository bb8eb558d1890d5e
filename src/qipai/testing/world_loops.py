"""The compiled loops that draw worlds: deals by the thousand, and those that a viewer cannot tell apart.

A viewer's history is a list of F frames: `frames` (F, observation); `masks` (F, width) with the legal
actions if the viewer decides, and zeros if not; `own` (F,) with what it then chose, or -1. A frame
lasts as long as the observation stays the same; an action of the viewer always begins a new one. What other
seats do within a frame is hidden from the viewer, and so is which of several actions led to the next one.

Which seat is asked may be secret too. So a world may show the viewer one moment more, or one less, than the
true game while it waits for others: a detour. Whether it was told the same is checked later, outside these
loops.

`deal`, `legal`, `apply`, `observe` and `determinize` are slots for a game's functions. `raw` shows the
same memory as `states`, byte by byte.
"""

from __future__ import annotations

from qipai.core import Slot, draw, pick, rule, seed_words

deal = Slot("deal(s)")
legal = Slot("legal(s, mask)")
apply = Slot("apply(s, action)")
observe = Slot("observe(s, seat, out)")
determinize = Slot("determinize(s, seat)")

BASE, TRIED, SPARE, CHOSEN, KEPT = (
    0,
    1,
    2,
    3,
    4,
)  # rows of `states`: a start, workspace, and from KEPT on worlds
TRIES, WORK, HIDDEN, BLOCKED, LIMIT = 0, 1, 2, 3, 4  # entries of `tally`
BEGUN, DETOURS, LENGTH, ACTIONS = 0, 1, 2, 3  # entries of a path: its try, how many detours, the actions
LOOK = 24  # actions of another seat that are tried at one decision
SETTLED = 40  # decisions in a frame after which actions that never fitted are no longer tried
# columns of `luck`: tries and successes with the true action, without it, and before the first frame
LUCK = 6

# Where an action leads: nowhere, the same frame, the next, the one after it, or between two.
END, STAY, STEP, SKIP, AWAY = -1, 0, 1, 2, 3


@rule(states="states", raw="u1[:,:]")
def deal_rows(states, raw, low, high, number, first, rows):
    """Deal rows KEPT.. from the blank in BASE, each with its own generator."""
    for i in range(rows):
        raw[KEPT + i] = raw[BASE]
        s = states[KEPT + i]
        seed_words(s.rng[:], low, high, number, first + i)
        deal(s)


@rule(states="states")
def redraw_rows(states, viewer, low, high, number, first, rows):
    """Redraw rows KEPT.. for `viewer`, each with its own generator."""
    for i in range(rows):
        s = states[KEPT + i]
        seed_words(s.rng[:], low, high, number, first + i)
        determinize(s, viewer)


@rule(
    states="states",
    raw="u1[:,:]",
    frames="i1[:,:]",
    masks="u1[:,:]",
    own="i4[:]",
    acts="i4[:,:]",
    luck="i8[:,:]",
    paths="i4[:,:]",
    between="i1[:]",
    tally="i8[:]",
)
def find_worlds(
    states, raw, frames, masks, own, acts, luck, paths, between, mask, out, tally, rng,
    viewer, waits, redraws, low, high, number, tries, found, want,
):  # fmt: skip
    """Keep up to `want` worlds that show `viewer` the frames, in rows KEPT..; return how many there are.

    Each try deals BASE or, with `redraws`, redraws it for the viewer, and plays on from there. With
    `waits` a world counts at the viewer's decision in the last frame, otherwise as soon as that frame
    shows. `acts` (F, 2) holds the seat and action that ended each frame in the true game; `tally` counts
    tries, applied actions, choices that the viewer could not see, and worlds in which the true action
    was impossible. `luck` (F, LUCK) remembers which searches for hidden actions were in vain. `paths`
    tells how to reach each world again. The search continues from `found` worlds, and ends after `tries`
    tries or tally[LIMIT] actions in total.
    """
    while found < want and tally[TRIES] < tries and tally[WORK] < tally[LIMIT]:
        raw[TRIED] = raw[BASE]
        s = states[TRIED]
        seed_words(s.rng[:], low, high, number, tally[TRIES])
        seed_words(rng, low, high, number, ~tally[TRIES])
        tally[TRIES] += 1
        if redraws:
            determinize(s, viewer)
        else:
            deal(s)
        path = paths[found]
        path[BEGUN] = tally[TRIES] - 1
        path[DETOURS] = 0
        path[LENGTH] = 0
        if follow(
            states, raw, frames, masks, own, acts, luck, path, between, mask, out, tally, rng, viewer, waits
        ):
            raw[KEPT + found] = raw[TRIED]
            found += 1
    return found


@rule(
    states="states",
    raw="u1[:,:]",
    frames="i1[:,:]",
    masks="u1[:,:]",
    own="i4[:]",
    acts="i4[:,:]",
    luck="i8[:,:]",
    path="i4[:]",
    between="i1[:]",
    tally="i8[:]",
)
def follow(states, raw, frames, masks, own, acts, luck, path, between, mask, out, tally, rng, viewer, waits):
    """Play states[TRIED] through the frames; return 1 if it shows all of them."""
    s = states[TRIED]
    last = frames.shape[0] - 1
    at = -1  # the frame that is shown, or was shown last
    away = 0
    step = begin(s, frames, own, luck, between, out, viewer, waits)
    while step != END:
        if step in (AWAY, SKIP):
            path[DETOURS] += 1
        away = step == AWAY or (away and step == STAY)
        if step in (STEP, SKIP):
            at += step
        if at == last and not away and (s.seat == viewer or not waits):
            return is_choice(s, viewer, mask, masks[at])
        if tally[WORK] >= tally[LIMIT] or path[LENGTH] + ACTIONS >= path.shape[0]:
            return 0
        if s.seat != viewer:
            step = move_other(
                states, raw, frames, own, acts, luck, path, between, mask, out, tally, rng, viewer, at, away
            )
        elif away or not is_choice(s, viewer, mask, masks[at]):
            return 0
        else:
            apply(s, own[at])
            tally[WORK] += 1
            log_action(path, own[at])
            step = landing(s, frames, own, between, out, viewer, at, 1)
    return 0


@rule(frames="i1[:,:]", own="i4[:]", luck="i8[:,:]", between="i1[:]")
def begin(s, frames, own, luck, between, out, viewer, waits):
    """Return where a fresh world is: in the first frame, in the second, before the first, or nowhere."""
    step = landing(s, frames, own, between, out, viewer, -1, 1)
    if step == STEP or (step == SKIP and waits):
        return step
    if step == END or not waits or (luck[0, 4] >= SETTLED * SETTLED and luck[0, 5] == 0):
        return END
    luck[0, 4] += 1
    return AWAY


@rule(row="u1[:]")
def is_choice(s, viewer, mask, row):
    """Return 1 if the viewer has the choice of `row` in this state, or does not decide."""
    if s.seat != viewer:
        return 1
    legal(s, mask)
    for a in range(mask.shape[0]):
        if mask[a] != row[a]:
            return 0
    return 1


@rule(path="i4[:]")
def log_action(path, action):
    """Add an action to a path."""
    path[path[LENGTH] + ACTIONS] = action
    path[LENGTH] += 1


@rule(frames="i1[:,:]", own="i4[:]", between="i1[:]")
def landing(s, frames, own, between, out, viewer, at, same):
    """Return which frame a state shows that comes after frame `at`.

    `same` says that the action was that of the true game: only it can begin a detour.
    """
    if s.seat < 0:
        return END
    last = frames.shape[0] - 1
    observe(s, viewer, out)
    if at < last and same_row(out, frames[at + 1]):
        return STEP
    if same and at + 1 < last and own[at + 1] < 0 and same_row(out, frames[at + 2]):
        return SKIP
    if not same or at >= last or s.seat == viewer:
        return END
    for i in range(out.shape[0]):
        between[i] = out[i]
    return AWAY


@rule(
    states="states",
    raw="u1[:,:]",
    frames="i1[:,:]",
    own="i4[:]",
    acts="i4[:,:]",
    luck="i8[:,:]",
    path="i4[:]",
    between="i1[:]",
    tally="i8[:]",
)
def move_other(
    states, raw, frames, own, acts, luck, path, between, mask, out, tally, rng, viewer, at, away
):  # fmt: skip
    """Make a random action of another seat that fits the frames; return where it leads."""
    s = states[TRIED]
    n = legal(s, mask)
    ends = not away and at < frames.shape[0] - 1 and own[at] < 0 and s.seat == acts[at, 0]
    known = ends and mask[acts[at, 1]] == 1
    if not known and not away:
        tally[BLOCKED] += 1
    here = max(at, 0)
    kind = 4 if at < 0 else (0 if known else 2)
    alone = ends and luck[here, kind] >= SETTLED and luck[here, kind + 1] == 0
    if alone and not known:
        return END
    luck[here, kind] += 1
    skip = n // LOOK + 1
    turn = draw(rng, skip)
    fits = 0
    step = END
    chosen = 0
    for a in range(mask.shape[0]):
        if mask[a] == 0:
            continue
        turn = turn + 1 if turn < skip - 1 else 0
        same = known and a == acts[at, 1]
        if (turn != 0 or alone) and not same:
            continue
        to = try_other(states, raw, frames, own, between, out, tally, viewer, at, a, away, same)
        if to != END:
            fits += 1
            if not same:
                luck[here, kind + 1] += 1
            if draw(rng, fits) == 0:
                raw[CHOSEN] = raw[SPARE]
                step = to
                chosen = a
    if step != END:
        if not away and (fits > 1 or step == STAY):
            tally[HIDDEN] += 1
        raw[TRIED] = raw[CHOSEN]
        log_action(path, chosen)
    return step


@rule(states="states", raw="u1[:,:]", frames="i1[:,:]", own="i4[:]", between="i1[:]", tally="i8[:]")
def try_other(states, raw, frames, own, between, out, tally, viewer, at, action, away, same):
    """Make an action of another seat in states[SPARE]; return where it leads."""
    raw[SPARE] = raw[TRIED]
    s = states[SPARE]
    apply(s, action)
    tally[WORK] += 1
    if s.seat < 0:
        return END
    observe(s, viewer, out)
    if same_row(out, between if away else frames[at]):
        return STAY
    if not away and own[at] >= 0:
        return END  # only the viewer itself ends this frame
    return landing(s, frames, own, between, out, viewer, at, same)


@rule(states="states", raw="u1[:,:]", table="i1[:,:]")
def look_rows(states, raw, table, mask, rng, low, high, number, first, rows, ahead):
    """Fill `table` (rows, 2 * viewers * observation) with what all viewers see in rows KEPT...

    First as it is, then `ahead` random actions later, or at the end: a world shows what is in it
    when it is played.
    """
    size = table.shape[1] // 2
    for i in range(rows):
        raw[SPARE] = raw[KEPT + i]
        s = states[SPARE]
        seed_words(s.rng[:], low, high, number, first + i)
        seed_words(rng, low, high, number, ~(first + i))
        look(s, table[i, :size])
        for _ in range(ahead):
            if s.seat >= 0:
                apply(s, pick(rng, mask, legal(s, mask)))
        look(s, table[i, size:])


@rule(row="i1[:]")
def look(s, row):
    """Write what each viewer observes, the watcher first."""
    viewers = int(s.seats) + 1
    size = row.shape[0] // viewers
    for k in range(viewers):
        observe(s, k - 1, row[k * size : (k + 1) * size])


@rule(row="i1[:]")
def same_row(out, row):
    """Return whether two observations are equal."""
    for i in range(out.shape[0]):
        if out[i] != row[i]:
            return False
    return True
