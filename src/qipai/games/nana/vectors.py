"""NANA's conformance kinds (`run_vector`), over the named API and the same rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from qipai.core import NOBODY, State
from qipai.core.errors import BadLayout, BadSeats, BadVectors, IllegalAction

from . import rules
from .bots import memory as memories
from .bots.decision import REVEAL_PUBLIC, make_bot_decision
from .bots.facts import Facts, posterior, read_facts, turn_value
from .bots.memory import BotMemory, Card, CardSlot, Player, PlayerHandMemory, read_range
from .options import MODES
from .reference import seeded_deal
from .state import ACTIONS, CENTRE, CENTRE_ACTION, NUMBERS, REASON_NONE, SEATS, Phase
from .view import PHASE_NAMES, WIN_REASONS, Reading, collections, legal_ids, view, winner

QUERIES = (
    "get_known_head_value",
    "get_known_tail_value",
    "get_hand_size",
    "get_global_remaining_count",
    "get_excluded_numbers",
    "get_unknown_public_count",
    "get_known_public_count_for_number",
    "calculate_probability",
)
Answer = dict[str, Any]


def run_vector(kind: str, input: dict[str, Any], rules: Any = None) -> Answer:
    """Return the result of one vector. Raise `BadVectors` for an unknown kind; other errors are results."""
    if kind not in KINDS:
        raise BadVectors(f"nana has no vectors of kind {str(kind)[:40]!r}: {', '.join(KINDS)}")
    if not isinstance(input, dict):
        raise BadVectors("a vector's input is an object")
    return KINDS[kind](input)


# --- deals and play -------------------------------------------------------------------


def _deal(given: Answer) -> Answer:
    return seeded_deal(given.get("players"), given.get("seed"))  # type: ignore[arg-type]


def _play(given: Answer) -> Answer:
    s, illegal_at = _played(given)
    seats = int(s["seats"])
    table = Reading(s)
    shown = table.face_up()
    return {
        "phase": PHASE_NAMES[Phase(int(s["phase"]))],
        "current": int(s["current"]),
        "turn": int(s["turn"]),
        "chain": [card["number"] for card in shown],
        "face_up": [card["slot"] for card in shown],
        "hand_sizes": [int(s["high"][k]) - int(s["low"][k]) for k in range(seats)],
        "centre": [bool(int(s["lying"]) >> i & 1) for i in range(int(s["centre"]))],
        "collections": collections(s),
        "winner": winner(s),
        "win_reason": WIN_REASONS[s["reason"]],
        "known": table.known(),
        "legal": legal_ids(s),
        "illegal_at": illegal_at,
    }


def _view(given: Answer) -> Answer:
    s, _ = _played(given)
    seat = given.get("seat")
    if not isinstance(seat, int) or isinstance(seat, bool) or not -1 <= seat < s["seats"]:
        raise BadSeats("a view is that of a seat of the table")
    return view(s, seat)


def _played(given: Answer) -> tuple[State, int | None]:
    """Return the state after the actions, and the index of the first illegal one."""
    from . import GAME

    config = given.get("config")
    if not isinstance(config, Mapping):
        raise BadLayout("a config is an object with the number of players")
    options = {k: v for k, v in config.items() if k not in ("players", "custom")}
    s = GAME.new(options, _whole(config.get("players"), "players"), layout=given.get("deal"))
    actions = given.get("actions", [])
    if not isinstance(actions, list):
        raise BadLayout("actions are a list")
    for i, action in enumerate(actions):
        try:
            _step(s, action)
        except IllegalAction:
            return s, i
        while given.get("auto_settle") and s["seat"] == NOBODY and s["phase"] != Phase.GAME_OVER:
            rules.advance(s)
    return s, None


def _step(s: State, action: Any) -> None:
    """Apply one input, "settle" or a reveal; raise `IllegalAction`, changing nothing, if it is not legal."""
    if action == "settle":
        if s["phase"] not in (Phase.FAILED, Phase.SUCCESS):
            raise IllegalAction("there is nothing to settle")
        rules.advance(s)
        return
    number = action_number(action, int(s["seats"]), int(s["current"]))
    if number not in legal_ids(s):
        raise IllegalAction("this card cannot be revealed now")
    rules.make(s, number)


def action_number(action: Any, players: int, actor: int) -> int:
    """Return the action id of `{"seat", "end"}` or `{"centre"}`; raise `IllegalAction` if it is neither."""
    if isinstance(action, Mapping):
        seat, end, centre = action.get("seat"), action.get("end"), action.get("centre")
        if set(action) == {"centre"} and _is_whole(centre, CENTRE):
            return CENTRE_ACTION + int(centre)  # type: ignore[arg-type]
        if set(action) == {"seat", "end"} and _is_whole(seat, players) and end in ("head", "tail"):
            return 2 * ((int(seat) - actor) % players) + int(end == "tail")  # type: ignore[arg-type]
    raise IllegalAction('an action is {"seat", "end"} or {"centre"}')


def action_json(number: int, players: int, actor: int) -> Answer:
    """Return an action id as JSON, the inverse of `action_number`."""
    if not _is_whole(number, ACTIONS) or (number < CENTRE_ACTION and number >= 2 * players):
        raise IllegalAction("no action has this number here")
    if number >= CENTRE_ACTION:
        return {"centre": number - CENTRE_ACTION}
    return {"seat": (actor + number // 2) % players, "end": "tail" if number & 1 else "head"}


def _action_id(given: Answer) -> Answer:
    players = _whole(given.get("players"), "players")
    if not 2 <= players <= SEATS or not _is_whole(given.get("actor"), players):
        raise BadSeats("there is no such table or seat")
    return {"id": action_number(given.get("action"), players, given["actor"])}


def _winner(given: Answer) -> Answer:
    numbers = given.get("collection")
    mode = given.get("mode")
    if not isinstance(mode, str) or mode not in MODES or not isinstance(numbers, list):
        raise BadLayout("a mode and a list of numbers are needed")
    won = 0
    for n in numbers:
        if not _is_whole(n, NUMBERS + 1) or n == 0:
            raise BadLayout("a collection holds numbers of cards")
        won |= 1 << n
    reason = rules.win_reason(MODES[mode], won)
    return {"won": reason != REASON_NONE, "reason": WIN_REASONS[reason]}


# --- memories -------------------------------------------------------------------------


def _memory(given: Answer) -> Answer:
    memory = read_memory(given.get("memory"))
    for event in _list(given.get("events", [])):
        memory = update(memory, event)
    return {"results": [_ask(memory, query) for query in _list(given.get("queries", []))]}


def update(memory: BotMemory, event: Any) -> BotMemory:
    """Return the memory after an event of a `memory` vector."""
    if isinstance(event, Mapping) and event.get("type") == "reveal":
        card, number, source = event.get("card_id"), event.get("number"), event.get("source")
        return memories.update_memory_on_reveal(memory, card, number, source)  # type: ignore[arg-type]
    if isinstance(event, Mapping) and event.get("type") == "collect":
        ids = event.get("card_ids")
        if ids is not None:
            ids = _list(ids)
        return memories.update_memory_on_collect(memory, event.get("by"), event.get("number"), ids)  # type: ignore[arg-type]
    raise memories.BadMemory('an event has the type "reveal" or "collect"')


def _ask(memory: BotMemory, query: Any) -> Any:
    if not isinstance(query, Mapping) or query.get("fn") not in QUERIES:
        raise memories.BadMemory(f"a query names one of {', '.join(QUERIES)}")
    function: Callable[..., Any] = getattr(memories, query["fn"])
    arguments = _list(query.get("args", []))
    try:
        found = function(memory, *arguments)
    except TypeError:
        raise memories.BadMemory(f"{query['fn']} has wrong arguments") from None
    return sorted(found) if isinstance(found, set) else found


def read_memory(value: Any) -> BotMemory:
    """Return a memory from its JSON form, checked."""
    if not isinstance(value, Mapping):
        raise memories.BadMemory("a memory is an object")
    numbers = read_range(value.get("number_range"))
    owner = value.get("bot_id")
    if not isinstance(owner, str):
        raise memories.BadMemory("a memory names its bot")
    own = _slots(value.get("my_hand", []), numbers)
    if any(slot.number is None for slot in own):
        raise memories.BadMemory("a bot knows its own hand")
    others = {}
    for name, hand in _mapping(value.get("other_players_hands", {})).items():
        others[str(name)] = PlayerHandMemory(str(name), _slots(_mapping(hand).get("cards"), numbers))
    public = _slots(value.get("public_cards", []), numbers)
    collected = {
        str(who): [memories.read_number(n, numbers) for n in _list(found)]
        for who, found in _mapping(value.get("collected_sets", {})).items()
    }
    removed = {
        str(card): memories.read_number(n, numbers) for card, n in _mapping(value.get("removed", {})).items()
    }
    layout = _layout(value.get("layout"))
    if not layout:
        order = {owner: [x.card_id for x in own]}
        order.update({name: [x.card_id for x in hand.cards] for name, hand in others.items()})
        layout = {"players": order, memories.PUBLIC: [x.card_id for x in public]}
    return BotMemory(owner, own, others, public, collected, numbers, layout, removed)


def _layout(value: Any) -> Answer:
    if not value:
        return {}
    order = {str(k): [str(x) for x in _list(v)] for k, v in _mapping(_mapping(value).get("players")).items()}
    return {"players": order, memories.PUBLIC: [str(x) for x in _list(value.get(memories.PUBLIC, []))]}


def _slots(value: Any, numbers: memories.NumberRange) -> list[CardSlot]:
    found = []
    for slot in _list(value):
        card, number = _mapping(slot).get("card_id"), slot.get("number")
        if not isinstance(card, str):
            raise memories.BadMemory("a slot has a card_id")
        found.append(CardSlot(card, None if number is None else memories.read_number(number, numbers)))
    return found


# --- exact answers and decisions ------------------------------------------------------


def _posterior(given: Answer) -> Answer:
    facts = read_facts(given.get("facts"))
    query = []
    for item in _list(given.get("query")):
        slot, number = _mapping(item).get("slot"), item.get("number")
        if not isinstance(slot, str) or not _is_whole(number, 100):
            raise memories.BadMemory("a query names slots and numbers")
        query.append((slot, int(number)))
    return {"p": _fraction(posterior(facts, query))}


def _turn_value(given: Answer) -> Answer:
    facts = read_facts(given.get("facts"))
    value, best = turn_value(facts, _chain(given, facts))
    return {"value": _fraction(value), "best": [_ask_json(name) for name in best]}


def _decide(given: Answer) -> Answer:
    facts = read_facts(given.get("facts"))
    numbers = _chain(given, facts)
    policy = given.get("policy", "any")
    memory = memory_of(facts, given.get("collections"))
    chain = [Card(slot, facts.entry(slot), True) for slot in facts.face_up]
    chain = chain or [Card(f"\0x{i}", n, True) for i, n in enumerate(numbers)]
    players = [Player(f"p{k}") for k in range(len(facts.hands))]
    decision = make_bot_decision(
        memory, chain, players, (), "seed" if policy == "any" else str(policy), str(given.get("mode", "nana"))
    )
    if decision.action == REVEAL_PUBLIC:
        return {"action": {"centre": int(str(decision.card_id)[1:])}}
    end = "head" if decision.min_max == "min" else "tail"
    return {"action": {"seat": int(str(decision.player_id)[1:]), "end": end}}


def memory_of(facts: Facts, held: Any = None) -> BotMemory:
    """Return the memory of the seat of these facts: players p0.., card ids are the names of the slots."""
    if held is not None and len(_list(held)) > len(facts.hands):
        raise memories.BadMemory("collections must have one list per seat")
    collected = {
        f"p{k}": [memories.read_number(n, facts.number_range) for n in _list(numbers)]
        for k, numbers in enumerate(held or [])
    }
    hands = [{f"h{k}.{i}": e for i, e in enumerate(hand)} for k, hand in enumerate(facts.hands)]
    centre = {f"c{i}": e for i, e in enumerate(facts.centre)}
    removed = {slot: -e for part in (*hands, centre) for slot, e in part.items() if e is not None and e < 0}
    rest = sorted(set(removed.values()) - {n for numbers in collected.values() for n in numbers})
    if rest:
        collected["nobody"] = rest
    live = [[CardSlot(x, e) for x, e in part.items() if e is None or e > 0] for part in (*hands, centre)]
    names = [f"p{k}" for k in range(len(hands))]
    others = {name: PlayerHandMemory(name, live[k]) for k, name in enumerate(names) if k != facts.seat}
    layout = {
        "players": {name: list(hands[k]) for k, name in enumerate(names)},
        memories.PUBLIC: list(centre),
    }
    return BotMemory(
        names[facts.seat], live[facts.seat], others, live[-1], collected, facts.number_range, layout, removed
    )


def _chain(given: Answer, facts: Facts) -> list[int]:
    cards = [c.get("number") if isinstance(c, Mapping) else c for c in _list(given.get("chain", []))]
    chain = [memories.read_number(n, facts.number_range) for n in cards]
    if len(chain) > 2 or len(set(chain)) > 1:
        raise memories.BadMemory("a running chain has at most two cards, and they are equal")
    shown = [facts.entry(slot) for slot in facts.face_up]
    if shown and shown != chain:
        raise memories.BadMemory("the chain differs from the face-up cards")
    return chain


def _ask_json(name: str) -> Answer:
    if name[0] == "c":
        return {"centre": int(name[1:])}
    end, seat = name.split()
    return {"seat": int(seat), "end": end}


def _fraction(p: Fraction) -> str:
    return f"{p.numerator}/{p.denominator}"


# --- small checks ---------------------------------------------------------------------


def _whole(value: Any, what: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadSeats(f"{what} must be a whole number")
    return value


def _is_whole(value: Any, below: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < below


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list | tuple) or len(value) > 10_000:
        raise memories.BadMemory("a list is needed")
    return list(value)


def _mapping(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise memories.BadMemory("an object is needed")
    return value


KINDS: dict[str, Callable[[Answer], Answer]] = {
    "deal": _deal,
    "play": _play,
    "winner": _winner,
    "action_id": _action_id,
    "view": _view,
    "memory": _memory,
    "posterior": _posterior,
    "turn_value": _turn_value,
    "decide": _decide,
}
__all__ = ["KINDS", "action_json", "action_number", "memory_of", "read_memory", "run_vector"]
