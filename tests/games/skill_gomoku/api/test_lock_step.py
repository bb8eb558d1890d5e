"""The turn machine in lock step with the compiled rules that it stands on, and with its naive twin."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from qipai.core import same
from qipai.games.skill_gomoku import (
    PRESETS,
    CardDefinition,
    CardRegistry,
    Context,
    TurnMachine,
    build_deck,
    ensure_place_top,
    game,
    view,
)
from qipai.games.skill_gomoku.reference import Mulberry32, core_generator, seed_state
from tests.naive.skill_gomoku_machine import NaiveMachine

from ..positions import registry

AFTER = {"type": "AFTER_ANIMATION"}
SAME_KEYS = ("board", "currentPlayer", "status", "turn", "lastMove", "winner", "reason", "winningLines")
LONGEST = 400  # actions of one game


def base_settings(rng: random.Random) -> dict[str, Any]:
    """Return settings that the compiled rules can play."""
    return {
        "boardSize": rng.choice([5, 6, 9, 15, 19]),
        "simultaneousFivePolicy": rng.choice(["attacker", "draw"]),
        "deckCounts": rng.choice([*PRESETS, {"Place": 1, "TimeFreeze": 2}, {"Take": 1, "Place": 2}]),
        "maxTurns": rng.choice([1000, None, 25]),
        "firstPlayer": rng.choice([1, 2]),
        "drawnVisibility": rng.choice(["private", "public"]),
        "ensurePlaceTop": rng.random() < 0.5,
    }


def beside_the_rules(seed: int) -> int:
    """Play one random game by the machine and by the compiled rules; return the number of actions."""
    rng = random.Random(seed)
    machine = TurnMachine(seed, base_settings(rng))
    assert machine.compiled
    own = game(machine.settings.options())
    s = own.blank(machine.settings.options())
    dealer = Mulberry32(seed_state(seed))
    deck = dealer.shuffle(build_deck(machine.settings.counts))
    topped = machine.settings.place_top and "Place" in deck
    s["rng"] = core_generator(dealer.state).words
    own.place(s, {"deck": {"drawPile": ensure_place_top(deck) if topped else deck}, "topped": topped})
    count = 0
    while count < LONGEST:
        assert same(machine.record, s)
        legal = own.legal_actions(s)
        assert machine.legal_actions() == legal
        if not legal:
            break
        action = rng.choice(legal)
        assert machine.act(action)["ok"]
        own.rules.apply(s, action)
        count += 1
    doc, seen = machine.dump(), view.view(s, int(s["mover"]))
    assert {key: doc[key] for key in SAME_KEYS} == {key: seen[key] for key in SAME_KEYS}
    assert doc["log"][-1]["seq"] == int(s["logged"])
    return count


def registry_of(rng: random.Random) -> CardRegistry:
    """Return base cards, copies of them (as a third party's), and sometimes cards of other kinds."""
    made = registry(rng.choice(["compiled", "compiled", "one copied", "all copied"]))
    if rng.random() < 0.3:
        two = {"kind": "cell", "mustBeEmpty": True, "count": {"min": 1, "max": 2}}
        words = {"en": "a card", "zh": "一张牌"}
        made.register(CardDefinition("Two", words, words, "2", two, lambda c: None, _place_all))
        own = {"kind": "player", "relation": "self"}
        made.register(CardDefinition("Rest", words, words, "z", own, lambda c: None, _rest))
        made.register(CardDefinition("Rain", words, words, "r", {"kind": "none"}, lambda c: None, _rain))
    return made


def _place_all(context: Context, target: Any, generator: Any) -> list[dict[str, Any]]:
    return [{"type": "place", "point": t["point"], "player": context.player} for t in target]


def _rest(context: Context, target: Any, generator: Any) -> list[dict[str, Any]]:
    return [{"type": "freeze", "target": target["player"], "amount": 1 + generator.below(2)}]


def _rain(context: Context, target: Any, generator: Any) -> list[dict[str, Any]]:
    """Return the operations of two stones anywhere; it fizzles if one of them falls on another."""
    cells = [(generator.below(len(context.cells)), generator.below(len(context.cells))) for _ in range(2)]
    return [{"type": "place", "point": {"x": x, "y": y}, "player": 3 - context.player} for x, y in cells]


def beside_the_twin(seed: int, every: int = 1) -> int:
    """Play one random game by the machine and by its twin, with extensions and wrong events."""
    rng = random.Random(seed)
    cards = registry_of(rng)
    settings = base_settings(rng)
    if rng.random() < 0.5:
        settings |= {name: rng.random() < 0.4 for name in ("confirmEnd", "paced", "allowReselect")}
        settings["boardSize"] = rng.choice([5, 6, 9, 15, 21])
    if "Two" in cards.ids:
        settings["deckCounts"] = {**PRESETS["source-early"], "Two": 3, "Rest": 1, "Rain": 2}
    pinned = rng.random() < 0.2
    machine = TurnMachine(seed, settings, registry=cards, pinned=pinned)
    twin = NaiveMachine(seed, settings, registry=cards, pinned=pinned)
    for count in range(LONGEST):
        if count % every == 0:
            assert json.dumps(machine.dump()) == json.dumps(twin.dump())
            assert machine.events("server") == twin.events("server")
        if count == 30:
            doc = json.loads(json.dumps(machine.dump()))
            machine = TurnMachine.load(doc, registry=cards, pinned=pinned)
            twin = NaiveMachine.load(doc, registry=cards, pinned=pinned)
        legal = machine.legal_actions()
        assert legal == twin.legal_actions()
        if machine.over:
            break
        event = AFTER if not legal and rng.random() < 0.7 else _event(rng, machine)
        if legal and rng.random() < 0.6:
            action = rng.choice(legal)
            assert machine.act(action) == twin.act(action)
        else:
            assert machine.send(event) == twin.send(event)
    assert json.dumps(machine.dump()) == json.dumps(twin.dump())
    for viewer in (1, 2, None):
        assert machine.view(viewer) == twin.view(viewer)
    return count


def _event(rng: random.Random, machine: TurnMachine) -> dict[str, Any]:
    """Return an event of any kind, right or wrong."""
    size = machine.settings.board_size
    point = {"x": rng.randrange(-1, size + 1), "y": rng.randrange(size)}
    targets = [{"kind": "cell", "point": point}, {"kind": "player", "player": rng.randrange(4)}, None]
    kinds = ["CHOOSE_CARD", "SELECT_TARGET", "ADD_TARGET", "CONFIRM_TARGETS", "END_TURN", "AFTER_ANIMATION"]
    event: dict[str, Any] = {"type": rng.choice(kinds), "target": rng.choice(targets)}
    if rng.random() < 0.8:
        event["index"] = rng.randrange(3)
    if rng.random() < 0.3:
        event["cardId"] = rng.choice(machine.registry.ids)
    return event


@pytest.mark.parametrize("seed", range(6))
def test_the_machine_does_what_the_compiled_rules_do(seed: int) -> None:
    assert beside_the_rules(seed) > 2


@pytest.mark.parametrize("seed", range(16))
def test_the_machine_and_its_twin_agree_byte_for_byte(seed: int) -> None:
    assert beside_the_twin(seed, every=10) > 2
