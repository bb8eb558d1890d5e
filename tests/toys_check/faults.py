"""Hush with one thing wrong: a rule or a function for each planted fault.

The healthy game is `hush.GAME`; `broken(legal=legal_empty)` is the same game with that one
part exchanged. Most faults call the healthy function and spoil what it did.

One file because it is one list: a fault a function.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from qipai.core import (
    NOBODY,
    Event,
    Game,
    Line,
    State,
    below,
    copy_state,
    goto,
    next_word,
    rule,
)
from qipai.core.errors import BadText
from tests.toys_check.changing import changed

from . import hush
from .hush import (
    ACTIONS,
    BURY,
    BURYING,
    COPIES,
    DEALT,
    DRAW,
    GAME,
    HAND,
    SEATS,
    SIZE,
    TURN,
    TYPES,
    apply,
    clear,
    deal,
    determinize,
    from_stock,
    legal,
    observe,
    partial,
    redraw,
    start,
    stock_left,
)


def broken(**changes: Any) -> Game:
    """Hush with some of its parts exchanged."""
    return changed(GAME, **changes)


# --- act and rest ---------------------------------------------------------------------


@rule
def act_whole(s: Any, action: int) -> int:
    """All of apply, and nothing is due: sound."""
    apply(s, action)
    return 0


@rule
def act_part(s: Any, action: int) -> int:
    """All but what `rest_count` does, which is due: sound."""
    apply(s, action)
    s.ply -= 1
    return 1


@rule
def act_more(s: Any, action: int) -> int:
    """All of apply, but the rest is said to be due."""
    apply(s, action)
    return 1


@rule
def act_less(s: Any, action: int) -> int:
    """Not all of apply, but the rest is not said to be due."""
    apply(s, action)
    s.ply -= 1
    return 0


@rule
def rest_count(s: Any) -> None:
    """Count the action."""
    s.ply += 1


# --- legal ----------------------------------------------------------------------------


@rule
def legal_empty(s: Any, mask: Any) -> int:
    """Nothing to do in the middle of a burial."""
    n = legal(s, mask)
    if s.phase == BURYING:
        for a in range(ACTIONS):
            mask[a] = 0
        n = 0
    return int(n)


@rule
def legal_miscounts(s: Any, mask: Any) -> int:
    """One too many while there is a stock."""
    return int(legal(s, mask)) + int(mask[DRAW])


@rule
def legal_keeps(s: Any, mask: Any) -> int:
    """Does not clear what it does not set."""
    n = 0
    if s.phase == TURN and stock_left(s) > 0:
        mask[DRAW] = 1
        n = 1
    else:
        mask[DRAW] = 0
    for t in range(TYPES):
        if s.hand[s.seat, t] > 0:
            mask[BURY + t] = 1
            n += 1
    return n


@rule
def legal_beyond(s: Any, mask: Any) -> int:
    """An action more than there are."""
    n = legal(s, mask)
    mask[ACTIONS] = 1
    return int(n)


@rule
def legal_writes(s: Any, mask: Any) -> int:
    """Leaves something in the scratch space."""
    s.pool[1] = 1
    return int(legal(s, mask))


@rule
def legal_shifts(s: Any, mask: Any) -> int:
    """An int8 that wraps when plain and widens when compiled: no drawing with three cards."""
    n = legal(s, mask)
    if (s.held[s.seat] << 6) > 100 and n > 1:
        n -= mask[DRAW]
        mask[DRAW] = 0
    return int(n)


@rule
def legal_overflows(s: Any, mask: Any) -> int:
    """An int8 sum that is right compiled and too much when plain."""
    heavy = s.held[0] * np.int8(30) + s.held[1] * np.int8(30)
    n = legal(s, mask)
    return int(n) if heavy >= 0 else 0


@rule
def legal_out_of_bounds(s: Any, mask: Any) -> int:
    """Looks at the hand of a seat that is not there (and finds the buried cards of seat 0)."""
    n = legal(s, mask)
    seen = s.hand[s.seat + 1, 0]
    return int(n) if seen >= 0 else 0


@rule
def legal_silent(s: Any, mask: Any) -> None:
    """Fills the mask and says nothing."""
    legal(s, mask)


@rule
def legal_sometimes(s: Any, mask: Any) -> Any:
    """Says nothing in the middle of a burial."""
    n = legal(s, mask)
    if s.phase != BURYING:
        return n
    return None


@rule
def legal_halves(s: Any, mask: Any) -> Any:
    """Not a whole number."""
    return legal(s, mask) / 1


# --- deal and apply -------------------------------------------------------------------


@rule
def deal_leaves(s: Any) -> None:
    """The score of the last match is still there."""
    one = int(s.payoff[0])
    deal(s)
    s.payoff[0] = one


@rule
def deal_clean(s: Any) -> None:
    """Never a misdeal (not a fault: an edge is left to the example)."""
    clear(s)
    for t in range(TYPES):
        s.stock[t] = COPIES
        for k in range(SEATS):
            s.hand[k, t] = 0
            s.buried[k, t] = 0
    for k in range(s.seats):
        for _ in range(DEALT):
            s.hand[k, from_stock(s)] += 1
    start(s)


@rule
def deal_void(s: Any) -> None:
    """Nothing but misdeals."""
    deal(s)
    s.seat = NOBODY


@rule
def deal_leaves_scratch(s: Any) -> None:
    """Scratch space is not cleared, and depends on the match before."""
    s.pool[0] = s.held[0]
    deal(s)


@rule
def apply_endless(s: Any, action: int) -> None:
    """A buried card comes back to the hand: nobody is ever done."""
    if action == DRAW:
        apply(s, action)
        s.cut = 0
    else:
        s.ply += 1


@rule
def apply_loses(s: Any, action: int) -> None:
    """A buried card is gone for good."""
    seat = int(s.seat)
    apply(s, action)
    if action != DRAW:
        s.buried[seat, action - BURY] -= 1


@rule
def apply_lost_seat(s: Any, action: int) -> None:
    """The seat after the last one."""
    apply(s, action)
    if s.seat == 1:
        s.seat = s.seats


@rule
def apply_no_phase(s: Any, action: int) -> None:
    """A phase that is not a member."""
    apply(s, action)
    if s.phase == TURN:
        s.phase = 77


@rule
def apply_no_ply(s: Any, action: int) -> None:
    """Drawing does not count."""
    apply(s, action)
    if action == DRAW:
        s.ply -= 1


@rule
def apply_cut(s: Any, action: int) -> None:
    """Neither 0 nor 1."""
    apply(s, action)
    s.cut += 2


@rule
def apply_rich(s: Any, action: int) -> None:
    """More than a payoff can be."""
    apply(s, action)
    if s.seat == NOBODY:
        s.payoff[0] = (1 << 30) + 1


@rule
def apply_undefined(s: Any, action: int) -> None:
    """Use a name that nobody has defined."""
    apply(s, action)
    s.cut = NO_SUCH_NAME  # type: ignore[name-defined]  # noqa: F821


@rule
def apply_grows(s: Any, action: int) -> None:
    """Someone sits down in the middle of the match."""
    apply(s, action)
    s.seats = 2


@rule
def apply_option(s: Any, action: int) -> None:
    """The rules change at the end."""
    apply(s, action)
    if s.seat == NOBODY:
        s.cap -= 1


@rule
def apply_pays(s: Any, action: int) -> None:
    """The house pays, though the option is off."""
    apply(s, action)
    if s.seat == NOBODY and s.payoff[0] > 0:
        s.payoff[0] += 1


@rule
def apply_jumps(s: Any, action: int) -> None:
    """Changes the phase behind goto's back, and ends where the machine ends."""
    if action == DRAW:
        s.phase = BURYING
    apply(s, action)


@rule
def apply_slow(s: Any, action: int) -> None:
    """Thinks for seconds in the middle of a burial: as good as never coming back, but a test ends."""
    apply(s, action)
    if s.phase == BURYING:
        for _ in range(3_000_000_000):
            next_word(s.rng[:])


@rule
def determinize_slow(s: Any, seat: int) -> None:
    """Thinks for seconds."""
    determinize(s, seat)
    for _ in range(3_000_000_000):
        next_word(s.rng[:])


@rule
def apply_misspelt(s: Any, action: int) -> None:
    """Writes a field that is not there."""
    apply(s, action)
    s.picket = 0


@rule
def apply_misread(s: Any, action: int) -> None:
    """Reads a field that is not there."""
    apply(s, action)
    s.picked = s.picket


@rule
def apply_mixes(s: Any, action: int) -> None:
    """What no compiler can type."""
    apply(s, {"a": 1, 2: "b"}[action])


@rule
def partial_truth(s: Any) -> bool:
    """True or false: sound."""
    return bool(s.picked > 0)


@rule
def partial_always(s: Any) -> int:
    """Every move is unfinished."""
    return 1


@rule
def partial_counts(s: Any) -> int:
    """Neither 0 nor 1."""
    return 2 * int(partial(s))


# --- observe and determinize ----------------------------------------------------------


@rule
def observe_writes(s: Any, seat: int, out: Any) -> None:
    """Counts its visitors."""
    observe(s, seat, out)
    s.pool[0] += 1


@rule
def observe_gap(s: Any, seat: int, out: Any) -> None:
    """Leaves the last entry as it finds it."""
    last = out[SIZE - 1]
    observe(s, seat, out)
    out[SIZE - 1] = last


@rule
def observe_wide(s: Any, seat: int, out: Any) -> None:
    """A number that does not fit."""
    observe(s, seat, out)
    out[2] = np.int64(stock_left(s)) * 100


@rule
def observe_leaks(s: Any, seat: int, out: Any) -> None:
    """A watcher sees the hand of seat 0."""
    observe(s, seat, out)
    if seat == NOBODY:
        for t in range(TYPES):
            out[HAND + t] = s.hand[0, t]


@rule
def observe_forgets(s: Any, seat: int, out: Any) -> None:
    """A game of memory: nobody sees even his own cards."""
    observe(s, NOBODY, out)
    out[0] = TURN if s.phase == BURYING and s.seat != seat else s.phase
    out[1] = s.seat + 1


@rule
def observe_burying(s: Any, seat: int, out: Any) -> None:
    """Everyone sees that a burial has begun."""
    observe(s, seat, out)
    out[0] = s.phase


@rule
def determinize_whole(s: Any, seat: int) -> None:
    """Takes another seat's unfinished burial back: sound, and as the contract has it."""
    if s.phase == BURYING and s.seat != seat:
        for t in range(TYPES):
            s.hand[s.seat, t] += s.buried[s.seat, t]
            s.buried[s.seat, t] = 0
        s.picked = 0
        goto(s, TURN)
    determinize(s, seat)


@rule
def determinize_own(s: Any, seat: int) -> None:
    """Takes the seat's own hand for a secret too."""
    determinize(s, NOBODY)


@rule
def determinize_loses(s: Any, seat: int) -> None:
    """A card of the stock falls under the table."""
    determinize(s, seat)
    for t in range(TYPES):
        if s.stock[t] > 0:
            s.stock[t] -= 1
            break


@rule
def determinize_nothing(s: Any, seat: int) -> None:
    """The true world, and nothing but the true world."""
    s.pool[0] = 0


@rule
def determinize_keeps_hands(s: Any, seat: int) -> None:
    """Redraws what is buried out of the stock, and leaves every hand as it is."""
    for t in range(TYPES):
        s.pool[t] = s.stock[t]
        for k in range(s.seats):
            if k != seat:
                s.pool[t] += s.buried[k, t]
    for k in range(s.seats):
        if k != seat:
            redraw(s, s.buried[k])
    for t in range(TYPES):
        s.stock[t] = s.pool[t]
        s.pool[t] = 0


@rule
def determinize_strips(s: Any, seat: int) -> None:
    """Another seat that decides is left without cards to bury or draw."""
    determinize(s, seat)
    if s.seat != seat:
        for t in range(TYPES):
            s.buried[s.seat, t] += s.hand[s.seat, t] + s.stock[t]
            s.hand[s.seat, t] = 0
            s.stock[t] = 0


@rule
def determinize_option(s: Any, seat: int) -> None:
    """Redraws the rules too."""
    determinize(s, seat)
    s.spoils = 1 - s.spoils


@rule
def determinize_keeps_stock(s: Any, seat: int) -> None:
    """Forgets that the stock is hidden: cards change only between hands."""
    for t in range(TYPES):
        s.pool[t] = s.stock[t]
    one = 1 if seat != 1 else 2
    other = 2 if seat != 2 else 1
    if seat < 1 and s.seats == 3 and s.seat != one and s.seat != other:
        for t in range(TYPES):
            u = (t + 1) % TYPES
            if s.hand[one, t] > 0 and s.hand[other, u] > 0:
                s.hand[one, t] -= 1
                s.hand[other, t] += 1
                s.hand[one, u] += 1
                s.hand[other, u] -= 1
                break
    for t in range(TYPES):
        s.pool[t] = 0


# --- view, events, words --------------------------------------------------------------


def view_leaks(s: State, seat: int) -> dict[str, Any]:
    """Everyone sees the hand of seat 1."""
    return {**hush.view(s, seat), "peek": s["hand"][1].tolist()}


def view_leaks_order(s: State, seat: int) -> dict[str, Any]:
    """The order of two keys tells whether seat 1 holds the heaviest card."""
    seen = hush.view(s, seat)
    if s["hand"][1, TYPES - 1] > 0:
        seen["stock"] = seen.pop("stock")
    return seen


def view_leaks_stock(s: State, seat: int) -> dict[str, Any]:
    """The stock by type, which determinize_keeps_stock forgets too."""
    return {**hush.view(s, seat), "stock_cards": s["stock"].tolist()}


def view_numpy(s: State, seat: int) -> dict[str, Any]:
    """A NumPy number in the JSON."""
    return {**hush.view(s, seat), "picked": s["ply"]}


def view_keys(s: State, seat: int) -> dict[str, Any]:
    """Numbers as keys."""
    return {**hush.view(s, seat), "seats": {0: "first"}}


def view_writes(s: State, seat: int) -> dict[str, Any]:
    """Looks, and touches."""
    seen = hush.view(s, seat)
    s["pool"][0] = 1
    return seen


def view_raises(s: State, seat: int) -> dict[str, Any]:
    """Not made for watchers."""
    if seat < 0:
        raise KeyError(seat)
    return hush.view(s, seat)


def view_forgets(s: State, seat: int) -> dict[str, Any]:
    """A game of memory: nobody sees even his own cards."""
    return {name: value for name, value in hush.view(s, seat).items() if name not in ("hand", "buried")}


def view_burying(s: State, seat: int) -> dict[str, Any]:
    """Tells everyone that a burial has begun."""
    return {**hush.view(s, seat), "phase": true_phase(s)}


def true_phase(s: State) -> str:
    """The true phase."""
    return hush.Phase(int(s["phase"])).name.lower()


def narrate_leaks_card(before: State, action: int, seat: int) -> list[Event]:
    """What someone drew is told to all, though it goes into the hand unseen."""
    events = hush.narrate(before, action, seat)
    mine = hush.narrate(before, action, int(before["seat"]))
    return mine if action == DRAW else events


def narrate_leaks_action(before: State, action: int, seat: int) -> list[Event]:
    """A burial is told with the card that completed it."""
    events = hush.narrate(before, action, seat)
    for event in events:
        if event["kind"] == "bury":
            event["last"] = action - BURY
    return events


def narrate_own(before: State, action: int, seat: int) -> list[Event]:
    """Of a game of memory: a seat hears what it buried itself, and never what is drawn."""
    return hush.narrate(before, action, NOBODY if action == DRAW else seat)


def narrate_leaks_compound(before: State, action: int, seat: int) -> list[Event]:
    """All but the burier hear at the end of a burial what the next seat holds."""
    events = hush.narrate(before, action, seat)
    for event in events:
        if event["kind"] == "bury" and seat != event["seat"]:
            other = (int(before["seat"]) + 1) % int(before["seats"])
            event["peek"] = int(before["hand"][other].argmax())
    return events


def narrate_early(before: State, action: int, seat: int) -> list[Event]:
    """Others hear of a burial that has only begun."""
    events = hush.narrate(before, action, seat)
    after = copy_state(before)
    apply(after, action)
    return events or ([{"kind": "put", "seat": int(before["seat"])}] if partial(after) else [])


def narrate_writes(before: State, action: int, seat: int) -> list[Event]:
    """Plays the action on the state it was given."""
    events = hush.narrate(before, action, seat)
    apply(before, action)
    return events


def narrate_tuple(before: State, action: int, seat: int) -> Any:
    """Not a list."""
    return tuple(hush.narrate(before, action, seat))


def line_missing(event: Event) -> Line | None:
    """Names a message that no file has, for the score."""
    return ("log.nothing", {}) if event["kind"] == "score" else hush.line(event)


def draw_leaks(s: State, seat: int, lang: str) -> str:
    """Draws all hands."""
    return f"{hush.draw(s, seat, lang)} {s['hand'].tolist()}"


def draw_nothing(s: State, seat: int, lang: str) -> Any:
    """Draws no table."""
    return None


def say_twice(action: int) -> str:
    """Two actions of one name."""
    return hush.say(min(action, ACTIONS - 2))


def parse_off(text: str) -> int:
    """Return an action next to the one that was named."""
    found = hush.parse(text)
    return found if found == DRAW else BURY + (found - BURY + 1) % TYPES


def parse_raises(text: str) -> int:
    """A KeyError instead of BadText."""
    try:
        return hush.parse(text)
    except BadText:
        raise KeyError(text) from None


def lay_out_buried(s: State, layout: Mapping[str, Any]) -> None:
    """Cards that are buried, too: sound."""
    known = dict(layout)
    buried = known.pop("buried", None)
    hush.lay_out(s, known)
    if buried is not None:
        s["buried"][: len(buried)] = buried
        s["stock"] -= s["buried"].sum(0, dtype=np.int8)
        s["done"] = s["buried"].any(1)


def lay_out_anything(s: State, layout: Mapping[str, Any]) -> None:
    """Takes no notice of what it does not know."""
    hush.lay_out(s, {"hand": layout.get("hand", hush.HANDS[: int(s["seats"])])})


def successor_unknown(s: State) -> dict[str, Any]:
    """An option that the game does not have."""
    return {"dealer": 1}


# --- pieces ---------------------------------------------------------------------------


@rule
def apply_duplicates(s: Any, action: int) -> None:
    """In one game of 26 a card of the heaviest type comes out of nowhere, at the first action."""
    apply(s, action)
    if s.ply == 1 and below(s, 26) == 0:
        s.buried[0, TYPES - 1] += 1


@rule
def deal_duplicates(s: Any) -> None:
    """In one deal of 26 a card is in the stock twice."""
    deal(s)
    if below(s, 26) == 0:
        s.stock[TYPES - 1] += 1
