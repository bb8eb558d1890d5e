"""The written form loads as the same match, and anything else is refused."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from qipai.core import get, same
from qipai.core.errors import BadRecord
from qipai.match import Match
from tests.toys import PRIZES, SEED, WHISPER, play

DEAL = {"hands": [[0, 2, 4, 6, 8, 10], [1, 3, 5, 7, 9, 11]], "first": 1}
HUGE = 10**5000
KEYS = ["format", "game", "rules", "options", "seats", "layout", "seed", "moves", "digest", "chain"]


def sample(**given: Any) -> dict[str, Any]:
    return play(Match(PRIZES, seed=SEED, **given), Random(6), 5).dump()


def refusal(doc: Any) -> str:
    with pytest.raises(BadRecord) as caught:
        Match.load(doc)
    return str(caught.value)


@pytest.mark.parametrize("moves", range(11))
def test_a_dump_comes_back_as_the_same_match(moves: int) -> None:
    for options, layout in ((None, None), ({"first_seat": 1}, None), ({"first_seat": 0}, DEAL)):
        match = play(Match(PRIZES, options, layout=layout), Random(moves), moves)
        doc = match.dump()
        back = Match.load(json.loads(json.dumps(doc)))
        assert back.dump() == doc and same(back.state, match.state)
        assert back.commitment == match.commitment and back.moves == match.moves
        assert all(back.events(seat) == match.events(seat) for seat in (-1, 0, 1))
        assert play(back, Random(1)).dump() == play(match, Random(1)).dump()


def test_a_dump_is_what_the_design_says() -> None:
    doc = sample()
    assert list(doc) == KEYS
    assert doc["format"] == "qipai/1" and doc["game"] == "skeleton" and doc["rules"] == 1
    assert doc["options"] == {"first_seat": -1} and doc["layout"] is None and doc["seed"] == SEED.hex()
    assert len(doc["moves"]) == 5 and len(doc["moves"][0][1]) == 2


def test_xianqi_comes_back_with_its_covers_as_single_moves() -> None:
    rng = Random(20)
    compound = 0
    for _ in range(20):
        match = play(Match("xianqi", {"round_open": rng.choice(["play_or_buckle", "buckle_first"])}), rng)
        doc = json.loads(json.dumps(match.dump()))
        assert Match.load(doc).dump() == doc
        compound += sum(len(actions) > 1 for _, actions in match.moves)
    assert compound > 0


@pytest.mark.parametrize("key", KEYS[:-1])  # dumps of earlier versions have no chain
def test_a_missing_or_unknown_key_is_refused(key: str) -> None:
    doc = sample()
    value = doc.pop(key)
    assert repr(key) in refusal(doc)
    assert "x" in refusal({**doc, key: value, "x": 1})


@pytest.mark.parametrize("key", KEYS)
def test_no_value_of_the_wrong_kind_is_taken(key: str) -> None:
    junk: list[Any] = [None, True, -1, HUGE, 1.5, float("nan"), "", "junk", [], [1], {"a": 1}, {1: 2}]
    good = sample()
    for value in [*junk, object()]:
        if not (key == "layout" and value is None):  # which is what it is
            refusal({**good, key: value})


def test_what_is_no_mapping_is_refused() -> None:
    for junk in (None, 1, "text", [], [sample()], HUGE, float("nan"), {}, {None: None}, object()):
        refusal(junk)


def test_the_cause_is_named() -> None:
    doc = sample()
    assert "[game/unknown]" in refusal({**doc, "game": "chess"})
    assert "[option/bad]" in refusal({**doc, "options": {"first_seat": 5}})
    assert "[seat/bad]" in refusal({**doc, "seats": 3})
    assert "[layout/bad]" in refusal({**doc, "layout": {"hands": 1, "first": 0}})
    assert "[action/turn]" in refusal({**doc, "moves": [[1 - doc["moves"][0][0], [0]]]})
    assert "[match/over]" in refusal({**play(Match.load(doc), Random(0)).dump(), "moves": end_and_more(doc)})
    assert "version 2 of the rules" in refusal({**doc, "rules": 2})
    assert "another digest" in refusal({**doc, "digest": "0" * 64})


def end_and_more(doc: dict[str, Any]) -> list[Any]:
    moves = play(Match.load(doc), Random(0)).dump()["moves"]
    return [*moves, [0, [0]]]


def test_a_move_more_less_or_other_is_refused() -> None:
    doc = sample()
    moves = doc["moves"]
    refusal({**doc, "moves": moves[:-1]})
    refusal({**doc, "moves": [*moves, moves[-1]]})
    refusal({**doc, "moves": [moves[1], moves[0], *moves[2:]]})
    refusal({**doc, "moves": [[moves[0][0], moves[0][1][:1]], *moves[1:]]})  # half a compound move
    assert Match.load(doc).dump() == doc


def test_another_seed_replays_to_another_digest() -> None:
    doc = sample(layout=DEAL)
    other = doc["seed"].replace("0", "1")
    assert other != doc["seed"]
    refusal({**doc, "seed": other})


def test_a_refusal_does_not_repeat_the_seed() -> None:
    assert SEED.hex()[:-1] not in refusal({**sample(), "seed": SEED.hex()[:-1]})


def test_a_document_that_holds_itself_is_refused() -> None:
    ring: list[Any] = []
    ring += [ring] * 9
    for key in ("moves", "options", "layout", "seed"):
        refusal({**sample(), key: ring})
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    refusal({**sample(), "moves": deep})


def test_a_layout_over_which_a_game_stumbles_is_refused_by_name() -> None:
    doc = Match(WHISPER, seed=SEED, layout={"holds": [1, 1, 0]}).dump()
    layouts: list[Any] = [{}, {"holds": None}, {"holds": []}, {"holds": [1, 1, 300]}, {"holds": {"a": 1}}]
    for layout in layouts:
        assert "[layout/bad]" in refusal({**doc, "layout": layout})


def test_the_digest_leaves_scratch_out() -> None:
    game = get("xianqi")
    assert game.rules.scratch
    match = Match("xianqi", seed=SEED)
    wanted = match.digest
    for name in game.rules.scratch:
        match._state[name][:] = 1
    assert match.digest == wanted
    match._state["ply"] = 1
    assert match.digest != wanted
