"""NANA: the true probabilities, as fractions (README §9, spec §15.4).

This module has `Facts` (what a seat knows, slot by slot), the number of physical deals consistent with
them, the probability of any joint event, and the value of a turn, all in integers.
`posterior` counts the same in compiled floats for the agent.
Memories are in `memory`, decisions in `decide`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import comb, factorial, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .memory import PUBLIC, BadMemory, BotMemory, NumberRange, read_range, read_source, slots_of

Entry = int | None  # v known and in play, None unknown and in play, -v collected
Weights = NDArray[Any]  # of Python integers, one axis per dark run
MOST_CELLS = 200_000  # maximum fill states; a table of at most 36 cards has fewer


@dataclass(frozen=True)
class Facts:
    """What a seat knows of every dealt slot; `hands[seat]` contains no None.

    `face_up` names this turn's slots in order. `copies` is 3 except in worked example W1.
    Cards without a place (a memory of part of a table) are in a bag that nobody can reach.
    """

    number_range: NumberRange
    seat: int  # -1: an onlooker, who holds no hand
    hands: tuple[tuple[Entry, ...], ...]
    centre: tuple[Entry, ...]
    face_up: tuple[str, ...] = ()
    copies: int = 3

    def entry(self, slot: str) -> Entry:
        """Return what is known of a slot; raise `BadMemory` if there is no such slot."""
        try:
            if slot[0] == "c":
                return self.centre[_count(slot[1:])]
            seat, _, i = slot[1:].partition(".")
            if slot[0] == "h":
                return self.hands[_count(seat)][_count(i)]
        except (IndexError, TypeError, ValueError):
            pass
        raise BadMemory("there is no such slot in these facts")

    def with_number(self, slot: str, number: int) -> Facts | None:
        """Return the facts with one more card known, or None if they contradict it."""
        old = self.entry(slot)
        if old is not None:
            return self if old == number else None
        if slot[0] == "c":
            i = int(slot[1:])
            return replace(self, centre=(*self.centre[:i], number, *self.centre[i + 1 :]))
        k, _, at = slot[1:].partition(".")
        hand, i = self.hands[int(k)], int(at)
        hands = list(self.hands)
        hands[int(k)] = (*hand[:i], number, *hand[i + 1 :])
        return replace(self, hands=tuple(hands))

    @cached_property
    def count(self) -> Count:
        """The consistent deals."""
        return Count(self)

    def hidden(self, seat: int) -> list[int]:
        """Return the slots of a hand that are in play and not face up, low to high."""
        up = set(self.face_up)
        return [
            i for i, e in enumerate(self.hands[seat]) if (e is None or e > 0) and f"h{seat}.{i}" not in up
        ]


@dataclass(frozen=True)
class Run:
    """A dark run: neighbouring unknown slots of one hand, between known cards."""

    hand: int  # row of `known`
    size: int
    floor: int
    ceiling: int
    slots: tuple[str, ...]


class Count:
    """The number of physical deals behind facts, and its parts by number and fill."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.numbers = range(facts.number_range.min, facts.number_range.max + 1)
        self.runs: list[Run] = []
        self.known: list[dict[int, int]] = []  # by other hand: cards of a number known in it
        self.free = dict.fromkeys(self.numbers, facts.copies)  # not own, not known in the centre
        for e in facts.centre:
            if e is not None:
                self._locate(abs(e))
        for seat, hand in enumerate(facts.hands):
            self._read_hand(seat, hand)
        self.rest = {n: self.free[n] - sum(k.get(n, 0) for k in self.known) for n in self.numbers}
        if min(self.rest.values()) < 0:
            raise BadMemory("a number is known in more places than it has copies")
        self.centre_dark = sum(e is None for e in facts.centre)
        self.shape = tuple(run.size + 1 for run in self.runs)
        self.bag = sum(self.rest.values()) - sum(run.size for run in self.runs)
        if self.bag < self.centre_dark or prod(self.shape) > MOST_CELLS:
            raise BadMemory("the facts name more cards than the deck has")

    def _locate(self, n: int) -> None:
        if n not in self.free:
            raise BadMemory("a known number is outside the range")
        self.free[n] -= 1

    def _read_hand(self, seat: int, hand: Sequence[Entry]) -> None:
        shown = [abs(e) for e in hand if e is not None]
        if shown != sorted(shown):
            raise BadMemory(f"the known cards of hand {seat} are not in order")
        if seat == self.facts.seat:
            if len(shown) != len(hand):
                raise BadMemory("a seat knows its whole hand")
            for n in shown:
                self._locate(n)
            return
        row = len(self.known)
        self.known.append({n: shown.count(n) for n in set(shown)})
        if not set(shown) <= set(self.numbers):
            raise BadMemory("a known number is outside the range")
        i = 0
        while i < len(hand):
            j = i
            while j < len(hand) and hand[j] is None:
                j += 1
            if j > i:
                floor = abs(hand[i - 1] or 0) if i else 0
                ceiling = abs(hand[j] or 0) if j < len(hand) else self.numbers[-1] + 1
                slots = tuple(f"h{seat}.{x}" for x in range(i, j))
                self.runs.append(Run(row, j - i, floor, ceiling, slots))
            i = max(j, i + 1)

    def vectors(self, n: int) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yield the ways to put unseen copies of `n` into the dark runs, each with its weight."""
        limits = [min(self.rest[n], r.size) if r.floor <= n <= r.ceiling else 0 for r in self.runs]
        for k in product(*(range(limit + 1) for limit in limits)):
            dark = self.rest[n] - sum(k)
            if dark >= 0:
                whole = [known.get(n, 0) for known in self.known]
                for run, x in zip(self.runs, k, strict=True):
                    whole[run.hand] += x
                ways = factorial(self.free[n]) // prod(map(factorial, whole)) // factorial(dark)
                yield k, ways

    def _zeros(self) -> Weights:
        return np.zeros(self.shape, object)

    @cached_property
    def before(self) -> dict[int, Weights]:
        """By number: the ways to each fill by the numbers below it."""
        rows = {self.numbers[0]: self._zeros()}
        rows[self.numbers[0]][(0,) * len(self.shape)] = 1
        for n in self.numbers:
            row = self._zeros()
            for k, ways in self.vectors(n):
                row[self._after(k)] += ways * rows[n][self._room(k)]
            rows[n + 1] = row
        return rows

    @cached_property
    def behind(self) -> dict[int, Weights]:
        """By number: the ways to finish from each fill with this number and those above."""
        last = self.numbers[-1] + 1
        rows = {last: self._zeros()}
        rows[last][tuple(size - 1 for size in self.shape)] = 1
        for n in reversed(self.numbers):
            row = self._zeros()
            for k, ways in self.vectors(n):
                row[self._room(k)] += ways * rows[n + 1][self._after(k)]
            rows[n] = row
        return rows

    def _room(self, k: Sequence[int]) -> tuple[slice, ...]:
        return tuple(slice(0, size - x) for size, x in zip(self.shape, k, strict=True))

    def _after(self, k: Sequence[int]) -> tuple[slice, ...]:
        return tuple(slice(x, size) for size, x in zip(self.shape, k, strict=True))

    @cached_property
    def total(self) -> int:
        """Number of consistent physical deals, up to a factor that all facts about one deal share."""
        return int(self.behind[self.numbers[0]][(0,) * len(self.shape)])

    def weight(self, n: int, k: Sequence[int], ways: int, fixed: Mapping[int, int]) -> int:
        """Return the deals in which the copies of `n` fall as `k`, with some runs filled in a fixed way."""
        at: list[Any] = []
        to: list[Any] = []
        for r, size in enumerate(self.shape):
            if r in fixed:
                at.append(slice(fixed[r], fixed[r] + 1))
                to.append(slice(fixed[r] + k[r], fixed[r] + k[r] + 1))
            else:
                at.append(slice(0, size - k[r]))
                to.append(slice(k[r], size))
        found = self.before[n][tuple(at)] * self.behind[n + 1][tuple(to)]
        return ways * int(np.sum(found)) if np.size(found) else 0


# --- probabilities --------------------------------------------------------------------


def posterior(facts: Facts, query: Iterable[tuple[str, int]]) -> Fraction:
    """Return the probability that all the named slots hold the named numbers."""
    base = facts.count.total
    if base == 0:
        raise BadMemory("no deal fits these facts")
    chance = Fraction(1)
    now = facts
    for slot, number in query:
        entry = now.entry(slot)
        if entry is not None:
            chance *= int(abs(entry) == number)
        elif number not in now.count.numbers or now.count.rest[number] == 0:
            chance *= 0
        elif slot[0] == "c":
            chance *= _centre_chance(now.count, number)
        else:
            after = now.with_number(slot, number)
            assert after is not None
            chance *= _ratio(after, now)
        if chance == 0:
            return chance
        now = now.with_number(slot, number) or now
    return chance


def _ratio(after: Facts, now: Facts) -> Fraction:
    try:
        return Fraction(after.count.total, now.count.total)
    except BadMemory:  # the new card contradicts the order of its hand
        return Fraction(0)


def _centre_chance(count: Count, number: int) -> Fraction:
    """Return E[u] / U, including the bag that nobody can reach."""
    sum_u = sum(
        (count.rest[number] - sum(k)) * count.weight(number, k, ways, {}) for k, ways in count.vectors(number)
    )
    return Fraction(sum_u, count.total * count.bag)


def facts_of(
    memory: BotMemory, face_up: Collection[str] = (), copies: int = 3
) -> tuple[Facts, dict[str, str]]:
    """Return a memory as facts, and the slot's name for each card id.

    Raise `BadMemory` if a collection is not fully located (a memory that started late).
    """
    order: Mapping[str, Sequence[str]] = memory.layout.get("players", {})
    public: Sequence[str] = memory.layout.get(PUBLIC, ())
    numbers: dict[str, Entry] = {slot.card_id: slot.number for slot in memory.my_hand}
    for hand in memory.other_players_hands.values():
        numbers.update({slot.card_id: slot.number for slot in hand.cards})
    numbers.update({slot.card_id: slot.number for slot in memory.public_cards})
    numbers.update({card: -number for card, number in memory.removed.items()})
    for collected in memory.collected_sets.values():
        for n in collected:
            if sum(x == n for x in memory.removed.values()) != copies:
                raise BadMemory(f"the collected {n}s are not located: pass card_ids when they are collected")
    players = list(order)
    names: dict[str, str] = {}
    for k, player in enumerate(players):
        names.update({card: f"h{k}.{i}" for i, card in enumerate(order[player])})
    names.update({card: f"c{i}" for i, card in enumerate(public)})
    try:
        hands = tuple(tuple(numbers[card] for card in order[player]) for player in players)
        centre = tuple(numbers[card] for card in public)
    except KeyError:
        raise BadMemory("the layout names a card that is nowhere") from None
    up = tuple(names[card] for card in face_up if card in names)
    seat = players.index(memory.bot_id) if memory.bot_id in players else -1
    return Facts(memory.number_range, seat, hands, centre, up, copies), names


def exact_joint(
    memory: BotMemory, events: Iterable[tuple[str, int]], copies: int = 3, as_float: bool = False
) -> Fraction | float:
    """Return the probability that all these cards (by id) have these numbers."""
    facts, names = facts_of(memory, copies=copies)
    query = []
    for card, number in events:
        if card not in names:
            raise BadMemory("no card has this id")
        query.append((names[card], number))
    p = posterior(facts, query)
    return float(p) if as_float else p


def exact_probability(
    memory: BotMemory,
    target_number: int,
    source: Mapping[str, Any],
    face_up: Collection[str] = (),
    copies: int = 3,
    as_float: bool = False,
) -> Fraction | float:
    """Return the probability that this source shows the number; 0 for a source that shows nothing."""
    kind, player_id = read_source(source, position=True)
    card: str | None = None
    if kind == "public":
        unknown = [x.card_id for x in memory.public_cards if x.number is None and x.card_id not in face_up]
        card = source.get("card_id") or (unknown[0] if unknown else None)
    else:
        down = [x.card_id for x in slots_of(memory, player_id) if x.card_id not in face_up]
        if down:
            card = down[0] if source["position"] == "head" else down[-1]
    if card is None:
        return 0.0 if as_float else Fraction(0)
    return exact_joint(memory, [(card, target_number)], copies, as_float)


# --- the value of a turn --------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """Where all missing copies of a number are taken from, and the probability that they are there."""

    number: int
    asks: tuple[str, ...]  # "head 1", "tail 0", "c4": where to begin; a hand gives all its copies
    chance: Fraction


def plans(facts: Facts, chain: Sequence[int]) -> list[Plan]:
    """Return every way to complete the chain (any number, if it is empty) with a positive probability.

    A trio takes all copies there are, so a way is determined by how many lie in each hand, from
    which end each hand is asked, and which centre cards are turned.
    """
    count = facts.count
    if count.total == 0:
        raise BadMemory("no deal fits these facts")
    numbers = [chain[0]] if chain else list(count.numbers)
    return [plan for n in numbers for plan in _plans_for(facts, n, len(chain))]


def _plans_for(facts: Facts, n: int, shown: int) -> list[Plan]:
    count = facts.count
    if n not in count.numbers or _is_gone(facts, n):
        return []
    centre = [f"c{i}" for i, e in enumerate(facts.centre) if e == n and f"c{i}" not in facts.face_up]
    dark_centre = [f"c{i}" for i, e in enumerate(facts.centre) if e is None]
    found = []
    for k, ways in count.vectors(n):
        unseen = count.rest[n] - sum(k)
        if unseen > len(dark_centre):
            continue
        from_centre = tuple(centre + dark_centre[:unseen])
        share = Fraction(1, comb(count.bag, unseen)) if unseen else Fraction(1)
        for asks, fixed in _ways_to_ask(facts, n, k):
            weight = count.weight(n, k, ways, fixed)
            if weight:
                found.append(Plan(n, (*asks, *from_centre), Fraction(weight, count.total) * share))
    return found


def _is_gone(facts: Facts, n: int) -> bool:
    return any(e == -n for hand in facts.hands for e in hand) or -n in facts.centre


def _ways_to_ask(facts: Facts, n: int, k: Sequence[int]) -> list[tuple[tuple[str, ...], dict[int, int]]]:
    """Return the ends to ask so that every hand gives up its copies of `n`, and the fills that this needs."""
    by_hand: list[list[tuple[str, dict[int, int]]]] = []
    at = {slot: (r, i) for r, run in enumerate(facts.count.runs) for i, slot in enumerate(run.slots)}
    for seat in range(len(facts.hands)):
        hidden = facts.hidden(seat)
        copies = sum(facts.hands[seat][i] == n for i in hidden)
        copies += sum(
            x for x, run in zip(k, facts.count.runs, strict=True) if run.slots[0].startswith(f"h{seat}.")
        )
        if copies == 0:
            continue
        ends: list[tuple[str, dict[int, int]]] = []
        for word, i in (("head", hidden[0]), ("tail", hidden[-1])):
            entry = facts.hands[seat][i]
            if entry == n:
                ends.append((f"{word} {seat}", {}))
            elif entry is None:
                r, place = at[f"h{seat}.{i}"]
                size = facts.count.runs[r].size
                if k[r] > 0 and place == (0 if word == "head" else size - 1):
                    ends.append((f"{word} {seat}", {r: 0 if word == "head" else size - k[r]}))
        by_hand.append(ends)
    found = []
    for chosen in product(*by_hand):
        fixed: dict[int, int] = {}
        for _, need in chosen:
            fixed.update(need)
        found.append((tuple(ask for ask, _ in chosen), fixed))
    return found


def action_values(facts: Facts, chain: Sequence[int]) -> dict[str, Fraction]:
    """Return for each legal ask the best probability that the attempt ends in a trio if it starts with it.

    One unknown centre card represents all of them.
    """
    values = dict.fromkeys(legal_asks(facts), Fraction(0))
    best: dict[tuple[str, int], Fraction] = {}
    single = {}
    for seat in range(len(facts.hands)):
        if len(facts.hidden(seat)) == 1:
            single[f"head {seat}"], single[f"tail {seat}"] = f"tail {seat}", f"head {seat}"
    for plan in plans(facts, chain):
        for ask in plan.asks:
            for same in {ask, single.get(ask, ask)}:
                if same in values:
                    best[same, plan.number] = max(best.get((same, plan.number), Fraction(0)), plan.chance)
    for (ask, _), chance in best.items():
        values[ask] += chance
    return values


def legal_asks(facts: Facts) -> list[str]:
    """Return the ends with hidden cards by seat, known centre cards, and the first unknown one."""
    asks = []
    for seat in range(len(facts.hands)):
        if facts.hidden(seat):
            asks += [f"head {seat}", f"tail {seat}"]
    unknown = [i for i, e in enumerate(facts.centre) if e is None]
    known = [
        i for i, e in enumerate(facts.centre) if e is not None and e > 0 and f"c{i}" not in facts.face_up
    ]
    return asks + [f"c{i}" for i in sorted(known + unknown[:1])]


def turn_value(facts: Facts, chain: Sequence[int]) -> tuple[Fraction, list[str]]:
    """Return the best probability that the attempt ends in a trio, and every ask that reaches it."""
    values = action_values(facts, chain)
    if not values:
        raise BadMemory("no card is left to ask for")
    top = max(values.values())
    return top, [ask for ask, value in values.items() if value == top]


def read_facts(value: Any) -> Facts:
    """Return facts from their JSON form (README §10), checked."""
    if not isinstance(value, Mapping):
        raise BadMemory("facts are a mapping")
    numbers = read_range(value.get("range"))
    hands = value.get("hands")
    if not isinstance(hands, list | tuple) or not 1 <= len(hands) <= 12:
        raise BadMemory("facts hold a list of hands")
    seat = value.get("seat")
    if not isinstance(seat, int) or isinstance(seat, bool) or not 0 <= seat < len(hands):
        raise BadMemory("facts must name their seat")
    copies = value.get("copies", 3)
    if not isinstance(copies, int) or isinstance(copies, bool) or not 1 <= copies <= 3:
        raise BadMemory("copies is 1, 2 or 3")
    face_up = value.get("face_up", [])
    if not isinstance(face_up, list | tuple):
        raise BadMemory("face_up must be a list of slots")
    up = tuple(str(x.get("slot") if isinstance(x, Mapping) else x) for x in face_up)
    entries = tuple(_entries(hand, numbers) for hand in hands)
    facts = Facts(numbers, seat, entries, _entries(value.get("centre", []), numbers), up, copies)
    total = sum(map(len, entries)) + len(facts.centre)
    if total != copies * (numbers.max - numbers.min + 1):
        raise BadMemory(f"{total} slots do not hold {copies} copies of each number")
    for slot in up:
        if (facts.entry(slot) or 0) <= 0:
            raise BadMemory("a card face up is known and in play")
    if facts.count.total == 0:
        raise BadMemory("no deal fits these facts")
    return facts


def _entries(value: Any, numbers: NumberRange) -> tuple[Entry, ...]:
    if not isinstance(value, list | tuple) or len(value) > 36:
        raise BadMemory("a hand of facts must be a list")
    for e in value:
        if e is not None and (
            not isinstance(e, int) or isinstance(e, bool) or not numbers.min <= abs(e) <= numbers.max
        ):
            raise BadMemory("an entry of facts is a number, minus a number, or null")
    return tuple(value)


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 3:
        raise ValueError
    return int(text)
