"""The decision engine of `hard`: candidates with their expected values, and the decision.

This module has `evaluate_all_actions` and `make_bot_decision` (README §12), with the policies `seed` and
`exact` (spec §15.5). Reasons are lines of the message files.
The memory is in `memory`, true probabilities are in `facts`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from qipai.core import Line

from ..options import MODES
from ..rules import win_reason
from ..state import CENTRE_ACTION, COPIES, REASON_NONE
from ..text import MESSAGES
from .facts import Facts, action_values, facts_of, plans, posterior
from .memory import (
    PUBLIC,
    BadMemory,
    BotMemory,
    CardSlot,
    PlayerHandMemory,
    all_slots,
    calculate_probability,
    is_collected,
    read_field,
    read_list,
    read_text,
    slots_of,
)

REVEAL_PLAYER = "reveal-player-card"
REVEAL_PUBLIC = "reveal-public-card"
OUTSIDE = "\0chain"  # place of chain cards whose ids the memory does not contain

OWN_HEAD = 0.8  # confidence of opening with the bot's own head
EXPLORING = 0.3  # confidence of looking for something unknown


@dataclass(frozen=True)
class BotDecision:
    """What the bot would do, its confidence, and its reason."""

    action: str  # REVEAL_PLAYER or REVEAL_PUBLIC
    player_id: str | None = None
    min_max: str | None = None  # "min" the head, "max" the tail
    card_id: str | None = None
    confidence: float = 0.0
    reasoning: str = ""
    reasoning_zh: str = ""
    why: Line | None = field(default=None, compare=False)  # the reason, for any language


@dataclass(frozen=True)
class ActionCandidate:
    """A possible decision, the probability that it shows its target, and its value."""

    decision: BotDecision
    probability: float
    expected_value: float


@dataclass(frozen=True)
class _Ask:
    """One legal reveal: its decision and the slot behind it."""

    decision: BotDecision
    slot: CardSlot


class _Table:
    """A memory without this turn's face-up cards."""

    def __init__(self, memory: BotMemory, face_up: Iterable[str], players: Sequence[str]) -> None:
        self.memory = memory
        self.face_up = frozenset(face_up)
        self.players = players

    def asks(self) -> list[_Ask]:
        """Return the sources in order (§12.5): each hand's head and tail, then the public cards."""
        found = []
        for player in self.players:
            down = [x for x in slots_of(self.memory, player) if x.card_id not in self.face_up]
            for slot, end in zip(dict.fromkeys((*down[:1], *down[-1:])), ("min", "max"), strict=False):
                found.append(_Ask(BotDecision(REVEAL_PLAYER, player_id=player, min_max=end), slot))
        for slot in self.memory.public_cards:
            if slot.card_id not in self.face_up:
                found.append(_Ask(BotDecision(REVEAL_PUBLIC, card_id=slot.card_id), slot))
        return found

    def located(self, number: int) -> int:
        """Return the number of copies whose place is known, including face-up cards."""
        return sum(slot.number == number for slot in all_slots(self.memory))

    def chance(self, ask: _Ask, number: int) -> float:
        """Return s(a, T): certain if the slot is known, else an estimate."""
        if ask.slot.number is not None:
            return 1.0 if ask.slot.number == number else 0.0
        if is_collected(self.memory, number) or self.located(number) >= COPIES:
            return 0.0
        decision = ask.decision
        if decision.action == REVEAL_PUBLIC:
            return calculate_probability(self.memory, number, {"type": PUBLIC}, self.face_up)
        position = "head" if decision.min_max == "min" else "tail"
        source = {"type": "player", "player_id": decision.player_id, "position": position}
        return calculate_probability(self.memory, number, source, self.face_up)

    def after(self, ask: _Ask, number: int) -> _Table:
        """Return the table after `ask` showed `number`."""
        seen = replace(ask.slot, number=number)

        def put(slots: list[CardSlot]) -> list[CardSlot]:
            return [seen if slot.card_id == seen.card_id else slot for slot in slots]

        memory = replace(
            self.memory,
            my_hand=put(self.memory.my_hand),
            other_players_hands={
                who: replace(hand, cards=put(hand.cards))
                for who, hand in self.memory.other_players_hands.items()
            },
            public_cards=put(self.memory.public_cards),
        )
        return _Table(memory, self.face_up | {seen.card_id}, self.players)

    def find(self, decision: BotDecision) -> _Ask:
        """Return the legal ask that a decision means; raise `BadMemory` if there is none."""
        for ask in self.asks():
            known = ask.decision
            if decision.action == REVEAL_PUBLIC == known.action and decision.card_id == known.card_id:
                return ask
            if decision.action == REVEAL_PLAYER == known.action and decision.player_id == known.player_id:
                down = [
                    x for x in slots_of(self.memory, str(decision.player_id)) if x.card_id not in self.face_up
                ]
                if decision.min_max == known.min_max or len(down) == 1:
                    return ask
        raise BadMemory("a decision to evaluate does not name a card that may be revealed")

    def facts(self) -> tuple[Facts, dict[str, str]]:
        """Return the table as facts for exact answers."""
        return facts_of(self.memory, [x.card_id for x in all_slots(self.memory) if x.card_id in self.face_up])


def evaluate_all_actions(
    memory: BotMemory,
    current_chain: Sequence[Any],
    available_actions: Iterable[BotDecision],
    estimator: str = "seed",
) -> list[ActionCandidate]:
    """Return each action with its probability and expected value, best first, stable for ties (§12.6)."""
    if estimator not in ("seed", "exact"):
        raise BadMemory('an estimator is "seed" or "exact"')
    numbers = _chain_numbers(memory, current_chain)
    table = _table(memory, current_chain, (), ())
    weigh = _weigh_exact if estimator == "exact" else _weigh_seed
    candidates = []
    for decision in read_list(available_actions):
        if not isinstance(decision, BotDecision):
            raise BadMemory("the actions to evaluate must be BotDecisions")
        probability, value = weigh(table, table.find(decision), numbers)
        candidates.append(ActionCandidate(decision, probability, value))
    return sorted(candidates, key=lambda c: -c.expected_value)


def _weigh_seed(table: _Table, ask: _Ask, chain: list[int]) -> tuple[float, float]:
    if chain:
        p = table.chance(ask, chain[0])
        return p, p * _rest_value(table, ask, chain)
    chances = {n: table.chance(ask, n) for n in _numbers(table.memory)}
    value = sum(p * _chain_value(table.after(ask, n), n) for n, p in chances.items() if p > 0)
    return max(chances.values()), value / max(1.0, sum(chances.values()))


def _rest_value(table: _Table, ask: _Ask, chain: list[int]) -> float:
    if len(chain) == 2:
        return 1.0
    after = table.after(ask, chain[0])
    return max((after.chance(b, chain[0]) for b in after.asks()), default=0.0)


def _chain_value(table: _Table, number: int) -> float:
    """Return the value of a chain of one `number`."""
    best = 0.0
    for ask in table.asks():
        p = table.chance(ask, number)
        if p > best:
            best = max(best, p * _rest_value(table, ask, [number]))
    return best


def _weigh_exact(table: _Table, ask: _Ask, chain: list[int]) -> tuple[float, float]:
    facts, names = table.facts()
    slot = names[ask.slot.card_id]
    values = action_values(facts, chain)
    value = values[_ask_name(facts, table, ask, names)]
    shown = chain[:1] or list(_numbers(table.memory))
    return float(max(posterior(facts, [(slot, n)]) for n in shown)), float(value)


def _ask_name(facts: Facts, table: _Table, ask: _Ask, names: dict[str, str]) -> str:
    """Return the ask as `exact` names it; unknown centre cards share one name."""
    slot = names[ask.slot.card_id]
    if ask.decision.action == REVEAL_PLAYER:
        end = "head" if ask.decision.min_max == "min" else "tail"
        return f"{end} {slot[1:].partition('.')[0]}"
    if facts.entry(slot) is None:
        return f"c{facts.centre.index(None)}"
    return slot


# --- the decision ---------------------------------------------------------------------


def make_bot_decision(
    memory: BotMemory,
    current_chain: Sequence[Any],
    players: Iterable[Any],
    public_cards: Iterable[Any],
    policy: str = "seed",
    mode: str = "nana",
    failed: Iterable[str] = (),
) -> BotDecision:
    """Return what the bot reveals now. `policy` "exact" falls back to "seed" if facts are missing.

    `failed` are the cards that the bot opened its turns with since it last learned something,
    oldest first (`Openings`): it does not open with them again.
    """
    if policy not in ("seed", "exact") or not isinstance(mode, str) or mode not in MODES:
        raise BadMemory('a policy is "seed" or "exact", a mode "nana", "simple" or "spicy"')
    numbers = _chain_numbers(memory, current_chain)
    table = _table(memory, current_chain, players, public_cards)
    tried = [read_text(card, "a failed opening") for card in read_list(failed)]
    if not table.asks():
        raise BadMemory("no card is left to reveal")
    if policy == "exact":
        try:
            return _exact_decision(table, numbers, MODES[mode])
        except BadMemory:
            pass  # a memory that started late: estimates still work
    if numbers:
        return _extend(table, numbers[0])
    return _open(table, MODES[mode], tried)


def _table(
    memory: BotMemory, chain: Sequence[Any], players: Iterable[Any], public_cards: Iterable[Any]
) -> _Table:
    if not isinstance(memory, BotMemory):
        raise BadMemory("a decision needs a BotMemory")
    names = []
    up = [read_field(card, "id") for card in chain]
    for player in read_list(players):
        names.append(read_field(player, "id"))
        up += [
            read_field(c, "id")
            for c in read_list(read_field(player, "hand") or ())
            if read_field(c, "is_revealed")
        ]
    up += [read_field(c, "id") for c in read_list(public_cards) if read_field(c, "is_revealed")]
    if not names:
        names = list(memory.layout.get("players", {})) or [memory.bot_id, *memory.other_players_hands]
    known = {slot.card_id for slot in all_slots(memory)}
    outside = [
        CardSlot(read_field(c, "id"), read_field(c, "number"))
        for c in chain
        if read_field(c, "id") not in known
    ]
    if outside:
        hands = {**memory.other_players_hands, OUTSIDE: PlayerHandMemory(OUTSIDE, outside)}
        order = {**memory.layout.get("players", {}), OUTSIDE: [slot.card_id for slot in outside]}
        memory = replace(memory, other_players_hands=hands, layout={**memory.layout, "players": order})
    return _Table(memory, [x for x in up if isinstance(x, str)], [x for x in names if isinstance(x, str)])


def _extend(table: _Table, target: int) -> BotDecision:
    """Extend a chain of one or two with the likeliest source of the target (§12.5)."""
    asks = table.asks()
    chances = [table.chance(ask, target) for ask in asks]
    best = max(chances)
    ask = asks[chances.index(best)]
    if best == 1.0:
        return _because(ask, 1.0, "why.known", n=target)
    if best > 0:
        return _because(ask, best, "why.likeliest", n=target, chance=f"{best:.0%}")
    own = [x for x in table.memory.my_hand if x.card_id not in table.face_up]
    places = [i for i, slot in enumerate(own) if slot.number == target]
    if places:
        end = "min" if min(places) <= len(own) - 1 - max(places) else "max"
        ask = table.find(BotDecision(REVEAL_PLAYER, player_id=table.memory.bot_id, min_max=end))
        return _because(ask, 0.0, "why.behind", n=target)
    return _explore(table)


def _open(table: _Table, mode: int, failed: list[str]) -> BotDecision:
    """Open a chain (§12.5): a certain trio, a known pair, the bot's own head, or something new.

    Neither a pair nor the bot's own head is opened again while that teaches nothing, so that no two bots
    repeat the same turns until the cap.
    """
    asks = table.asks()
    tried = _numbers_of(table, failed)
    sure = [n for n in _numbers(table.memory) if _is_within_reach(table, n)]
    if sure:
        number = min(sure, key=lambda n: (not _wins(table.memory, n, mode), n))
        ask = next(a for a in asks if a.slot.number == number)
        return _because(ask, 1.0, "why.all_known", n=number)
    for ask in asks:
        number = ask.slot.number or 0
        if not number or number in tried or is_collected(table.memory, number):
            continue
        if _is_pair(asks, number) and table.located(number) < COPIES:
            return _because(ask, 1.0, "why.pair_known", n=number)
    own = [a for a in asks if a.decision.player_id == table.memory.bot_id]
    if own and own[0].slot.number not in tried:
        number = own[0].slot.number or 0
        return _because(own[0], OWN_HEAD, "why.own_lowest", n=number)
    return _explore(table, failed)


def _explore(table: _Table, failed: Sequence[str] = ()) -> BotDecision:
    """Choose an unknown head of another player, else an unknown public card, else a useful opening (§12.5).

    Useless openings are a dead pair (two known copies whose third is known to be out of reach) and
    those that failed before; if all others are useless, the openings are used in order.
    """
    asks = table.asks()
    tried = _numbers_of(table, failed)
    for ask in asks:
        stranger = ask.decision.player_id not in (None, table.memory.bot_id)
        if stranger and ask.decision.min_max == "min" and ask.slot.number is None:
            return _because(ask, EXPLORING, "why.unknown_lowest")
    for ask in asks:
        if ask.decision.action == REVEAL_PUBLIC and ask.slot.number is None:
            return _because(ask, EXPLORING, "why.unknown_centre")
    for ask in asks:
        number = ask.slot.number
        if number is None or not (number in tried or _is_dead_pair(table, asks, number)):
            return _because(ask, 0.0, "why.nothing_new")
    last = [i for i, ask in enumerate(asks) if ask.slot.card_id in failed[-1:]]
    return _because(asks[(last[0] + 1) % len(asks) if last else 0], 0.0, "why.nothing_new")


def _numbers_of(table: _Table, cards: Sequence[str]) -> set[int]:
    """Return the known numbers of some cards."""
    return {x.number for x in all_slots(table.memory) if x.card_id in cards and x.number is not None}


def _is_pair(asks: list[_Ask], number: int) -> bool:
    """Return whether two different sources are known to show `number`."""
    return sum(ask.slot.number == number for ask in asks) > 1


def _is_dead_pair(table: _Table, asks: list[_Ask], number: int) -> bool:
    """Return whether two sources show `number` and its third copy is known to be out of reach."""
    located = table.located(number) >= COPIES
    return located and _is_pair(asks, number) and not _is_within_reach(table, number)


def _is_within_reach(table: _Table, number: int) -> bool:
    """Return whether all three copies are known and at the ends of their hands, or public."""
    if is_collected(table.memory, number) or table.located(number) != COPIES:
        return False
    for player in [table.memory.bot_id, *table.memory.other_players_hands]:
        down = [x for x in slots_of(table.memory, player) if x.card_id not in table.face_up]
        marks = [slot.number == number for slot in down]
        if False not in marks:
            continue
        at_head = marks.index(False)
        at_tail = marks[::-1].index(False)
        if at_head + at_tail != sum(marks):
            return False
    return True


def _wins(memory: BotMemory, number: int, mode: int) -> bool:
    """Return whether the trio of `number` would win immediately."""
    won = 1 << number
    for n in memory.collected_sets.get(memory.bot_id, ()):
        won |= 1 << n
    return bool(win_reason(mode, won) != REASON_NONE)


# --- policy "exact" -------------------------------------------------------------------


def _exact_decision(table: _Table, chain: list[int], mode: int) -> BotDecision:
    """Choose a certain win, else the best chance of a trio; ties by action number (spec §15.5)."""
    facts, names = table.facts()
    asks = {}
    for ask in reversed(table.asks()):
        asks[_ask_name(facts, table, ask, names)] = ask
    order = sorted(asks, key=lambda name: _action_number(facts, name, len(table.players)))
    values = action_values(facts, chain)
    certain = {
        ask: p.number
        for p in plans(facts, chain)
        if p.chance == 1 and _wins(table.memory, p.number, mode)
        for ask in p.asks
    }
    winning = [name for name in order if name in certain]
    name = winning[0] if winning else max(order, key=lambda x: values[x])
    ask = asks[name]
    slot = names[ask.slot.card_id]
    value = values[name] if not chain else posterior(facts, [(slot, chain[0])])
    if winning:
        return _because(ask, 1.0, "why.certain_win", n=certain[name])
    chance, trio = _percent(value), _percent(values[name])
    if chain:
        return _because(ask, float(value), "why.shows", n=chain[0], chance=chance, trio=trio)
    return _because(ask, float(value), "why.opening", chance=chance)


def _action_number(facts: Facts, name: str, seats: int) -> int:
    """Return the action id of an ask, relative to the seat of the facts."""
    if name[0] == "c":
        return CENTRE_ACTION + int(name[1:])
    end, seat = name.split()
    return 2 * ((int(seat) - facts.seat) % seats) + (end == "tail")


def _percent(p: Fraction) -> str:
    return f"{float(p):.1%}"


# --- helpers --------------------------------------------------------------------------


def _because(ask: _Ask, confidence: float, key: str, **values: Any) -> BotDecision:
    """Return the decision with its reason: a message and its values."""
    return replace(
        ask.decision,
        confidence=confidence,
        reasoning=MESSAGES.say(key, "en", **values),
        reasoning_zh=MESSAGES.say(key, "zh", **values),
        why=(key, values),
    )


def _numbers(memory: BotMemory) -> range:
    return range(memory.number_range.min, memory.number_range.max + 1)


def _chain_numbers(memory: BotMemory, chain: Sequence[Any]) -> list[int]:
    """Return the numbers of a chain of at most two equal cards."""
    if not isinstance(memory, BotMemory):
        raise BadMemory("a decision needs a BotMemory")
    if not isinstance(chain, list | tuple) or len(chain) > 2:
        raise BadMemory("a chain must be a list of at most two cards")
    found = [read_field(card, "number") for card in chain]
    for number in found:
        if not isinstance(number, int) or isinstance(number, bool) or number not in _numbers(memory):
            raise BadMemory("a card of the chain has no number of this table")
    if len(set(found)) > 1:
        raise BadMemory("the cards of a running chain are equal")
    for card in chain:
        if not isinstance(read_field(card, "id"), str):
            raise BadMemory("a card of the chain has an id")
    return found
