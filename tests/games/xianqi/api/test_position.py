"""One position of the named API: what is shown of it, and copies that belong to the caller (§6.1, §7.1)."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from qipai.games.xianqi.api import XianqiGameEngine
from qipai.games.xianqi.api.position import Position
from tests.games.xianqi.api.games import random_rules
from tests.games.xianqi.api.states import GOOD, Json, loaded, random_call

THREE = {"player_count": 3}


def positions(seed: int) -> list[Position]:
    """Return the positions of a random game under random options."""
    rng = Random(seed)
    engine = XianqiGameEngine(random_rules(rng))
    out = engine.init_game(THREE, seed)
    found = [engine._position()]
    while out["legal_actions"] is not None:
        listed = out["legal_actions"]
        hand = out["private_state_by_seat"][str(listed["seat"])]["hand"]
        out = engine.apply_action(*random_call(listed, hand, rng))
        found.append(engine._position())
    return found


def containers(value: Any) -> list[int]:
    """Return the identities of all containers inside, with itself."""
    parts = value.values() if isinstance(value, dict) else value
    inner = [x for part in parts if isinstance(part, dict | list) for x in containers(part)]
    return [id(value), *inner]


@pytest.mark.parametrize("seed", range(8))
def test_an_answer_shares_no_container_with_the_position_or_with_itself(seed: int) -> None:
    for at in positions(seed):
        answers = [at.state(), at.public(), *(at.private(k) for k in range(3)), at.actions()]
        kept = [*containers(at.doc), *(x for counts in at.covered for x in containers(counts))]
        found = kept + [x for answer in answers for x in containers(answer)]
        assert len(set(found)) == len(found)
        assert answers[0] == at.doc


@pytest.mark.parametrize("seed", range(4))
def test_a_position_stays_as_it_is_when_play_goes_on(seed: int) -> None:
    """Positions share what an action leaves alone; none of it may be written to."""
    rng = Random(seed)
    engine = XianqiGameEngine(random_rules(rng))
    out = engine.init_game(THREE, seed)
    history = [(engine._position(), json.dumps(engine._position().doc))]
    while out["legal_actions"] is not None:
        listed = out["legal_actions"]
        hand = out["private_state_by_seat"][str(listed["seat"])]["hand"]
        out = engine.apply_action(*random_call(listed, hand, rng))
        history.append((engine._position(), json.dumps(engine._position().doc)))
    engine.settle()
    assert len(history) > 3 and all(json.dumps(at.doc) == text for at, text in history)


@pytest.mark.parametrize("seed", range(4))
def test_covers_are_summed_as_play_goes_on(seed: int) -> None:
    for at in positions(seed):
        again = loaded(at.state())._position()
        assert again.covered == at.covered
        assert [list(counts) for counts in again.covered] == [list(counts) for counts in at.covered]


def test_a_document_with_keys_of_its_own_keeps_them_and_their_order() -> None:
    changes: tuple[Callable[[Json], Any], ...] = (
        lambda d: d.update(note={"by": ["x"]}),
        lambda d: d["players"][0].update(name=["x"]),
        lambda d: d["turn"].update(mood={"x": [1]}),
        lambda d: d["turn"]["plays"][0].update(at=[1]),
        lambda d: d["turn"]["last_combo"].update(at=[1]),
        lambda d: d["pillar_groups"][0].update(at=[1]),
        lambda d: d["reveal"].update(no_buckle_seats={"x": []}),
        lambda d: d["reveal"]["relations"][0].update(round_index=[1]),
        lambda d: d["decision"].update(started_at_ms=[1]),
        lambda d: d.update(version=d.pop("version")),
    )
    for change in changes:
        document = copy.deepcopy(GOOD)
        change(document)
        at = loaded(document)._position()
        assert not at.usual and json.dumps(at.state()) == json.dumps(document)
        assert not set(containers(at.state())) & set(containers(at.doc))
    assert loaded(GOOD)._position().usual


def test_the_legal_list_names_both_passes() -> None:
    engine = XianqiGameEngine("later")
    engine.init_game(THREE, 3)
    words = [action["type"] for action in engine._position().actions()]
    assert words == ["BUCKLE", "PASS_BUCKLE"]
    engine.apply_action(0)
    assert [action["type"] for action in engine._position().actions()] == ["REVEAL", "PASS_REVEAL"]
