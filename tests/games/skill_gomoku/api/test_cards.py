"""§22 checks 40-56: the five cards, target specs, the registry (54: `extensions/test_ops.py`)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from qipai.games.skill_gomoku import (
    BASE_CARDS,
    CardDefinition,
    Context,
    SkillGomokuError,
    apply_ops,
    base_registry,
    validate_spec,
)
from qipai.games.skill_gomoku.reference import Mulberry32, Sfc32

from ..positions import (
    ENGINES,
    PI,
    SG,
    TF,
    P,
    T,
    at,
    cell,
    choose,
    code,
    drawn,
    load,
    opponent,
    player,
    state,
    tags,
)

CARDS = base_registry()
engines = pytest.mark.parametrize("engine", ENGINES)


Points = list[tuple[int, int]] | None


def board(size: int, black: Points = None, white: Points = None) -> Any:
    return state(size=size, black=black, white=white)["board"]["cells"]


def point(x: Any, y: Any) -> dict[str, Any]:
    return {"kind": "cell", "point": {"x": x, "y": y}}


def effect(card: str, context: Context, target: Any = None) -> list[dict[str, Any]]:
    return CARDS.require(card).effect(context, target, Sfc32((1, 2, 3, 4)))


def test_40_place_puts_a_stone_of_the_mover() -> None:
    for mover in (1, 2):
        ops = effect(P, Context(board(15), mover), point(0, 0))
        assert ops == [{"type": "place", "point": {"x": 0, "y": 0}, "player": mover}]


PLACE_TARGETS: list[tuple[Any, str | None]] = [
    (point(3, 3), "CellOccupied"),
    (point(-1, 0), "OutOfBounds"),
    (point(0, 15), "OutOfBounds"),
    ({"kind": "player", "player": 2}, "InvalidTarget"),
    ({"kind": "none"}, "InvalidTarget"),
    (None, "InvalidTarget"),
    (point(1.5, 0), "InvalidTarget"),
    (point(1.0, 0), "InvalidTarget"),
    (point(True, 0), "InvalidTarget"),
    (point("1", 0), "InvalidTarget"),
    ({"kind": "cell", "point": {"x": 1}}, "InvalidTarget"),
    ({"kind": "cell", "point": [1, 2]}, "InvalidTarget"),
    ({"kind": "cell"}, "InvalidTarget"),
    ("cell", "InvalidTarget"),
    (point(10**30, 0), "OutOfBounds"),
    (point(0, 0), None),
]


@pytest.mark.parametrize(("target", "wanted"), PLACE_TARGETS)
def test_41_targets_of_place(target: Any, wanted: str | None) -> None:
    context = Context(board(15, white=[(3, 3)]), 1)
    assert CARDS.require(P).validate_target(context, target) == wanted


def test_42_place_needs_an_empty_cell() -> None:
    place = CARDS.require(P)
    assert place.can_play(Context([[1, 2], [2, 1]], 1)) == "InsufficientEmpties"
    assert place.can_play(Context([[1, 2], [0, 1]], 1)) is None


def test_43_targets_of_take() -> None:
    take, cells = CARDS.require(T), board(15, black=[(1, 1)], white=[(2, 2)])
    assert effect(T, Context(cells, 1), point(2, 2)) == [{"type": "remove", "point": {"x": 2, "y": 2}}]
    refusals = ((point(1, 1), "InvalidTarget"), (point(0, 0), "CellEmpty"), (point(15, 0), "OutOfBounds"))
    for target, wanted in refusals:
        assert take.validate_target(Context(cells, 1), target) == wanted
    assert take.validate_target(Context(cells, 2), point(1, 1)) is None


def test_44_take_needs_a_stone_of_the_opponent() -> None:
    take = CARDS.require(T)
    assert take.can_play(Context(board(15, black=[(1, 1)]), 1)) == "CardNotPlayable"
    assert take.can_play(Context(board(15, white=[(1, 1)]), 1)) is None


@engines
def test_45_a_stone_placed_a_moment_ago_may_be_taken(engine: str) -> None:
    match = load(engine, state([PI, T, T, P]))
    choose(match, 0)
    cell(match, 7, 7)
    choose(match, drawn(match).index(T))
    assert cell(match, 7, 7)["ok"]
    assert at(match, 7, 7) == 0


@engines
def test_46_inversion_swaps_colours_and_nothing_else(engine: str) -> None:
    match = load(engine, state([PI, PI, PI, PI], black=[(0, 0)], white=[(1, 0)]))
    assert effect(PI, Context(board(15), 1)) == [{"type": "swapAll"}]
    choose(match, 0)
    assert (at(match, 0, 0), at(match, 1, 0)) == (2, 1)
    assert player(match) == 2
    choose(match, 0)
    assert (at(match, 0, 0), at(match, 1, 0)) == (1, 2)
    frozen = load(engine, state([PI, PI, PI, PI], skips=(0, 3)))
    choose(frozen, 0)
    assert frozen.dump()["status"]["skipNextTurns"] == {"1": 0, "2": 2}  # one was spent by turn 2
    assert player(frozen) == 1


@engines
def test_46_inversion_is_playable_on_an_empty_board(engine: str) -> None:
    match = load(engine, state([P, P, T, PI]))
    before = match.dump()["board"]
    assert choose(match, 0)["ok"]
    assert match.dump()["board"] == before


@engines
def test_47_time_freeze_takes_the_opponent_only(engine: str) -> None:
    match = load(engine, state([P, P, T, TF]))
    choose(match, 0)
    assert (match.state, match.legal_actions()) == ("selectTarget", [2])
    assert code(opponent(match, 1)) == "TargetNotOpponent"
    assert code(cell(match, 0, 0)) == "InvalidTarget"
    odd: list[Any] = [3, "2", 2.0, True, None]
    for who in odd:
        assert code(opponent(match, who)) == "TargetNotOpponent"
    assert opponent(match, 2)["ok"]
    ops = next(e for e in match.dump()["log"] if e["tag"] == "resolve")["data"]["ops"]
    assert ops == [{"type": "freeze", "target": 2, "amount": 1}]


@engines
def test_48_the_freezer_moves_again(engine: str) -> None:
    match = load(engine, state([P, P, T, TF]))
    choose(match, 0)
    opponent(match, 2)
    doc = match.dump()
    assert tags(match, 2) == ["skip"]
    assert (doc["turn"]["number"], player(match)) == (3, 1)
    assert doc["status"]["skipNextTurns"] == {"1": 0, "2": 0}
    assert drawn(match) == [P, P]


@engines
def test_49_counts_add_up_and_are_spent_one_by_one(engine: str) -> None:
    two = {"type": "freeze", "target": 2, "amount": 1}
    after = apply_ops(state(), [two, two])
    assert after["status"]["skipNextTurns"] == {"1": 0, "2": 2}
    match = load(engine, state([P, P] * 6, skips=(0, 2)))
    movers = []
    for x in range(4):
        movers.append(player(match))
        choose(match, 0)
        cell(match, x, 0)
    assert movers == [1, 1, 1, 2]


def test_50_generation_needs_five_and_fills_five() -> None:
    full = [[1, 2, 1], [2, 1, 2], [0, 0, 0]]
    generation = CARDS.require(SG)
    assert generation.can_play(Context([[0, 2, 1], [2, 1, 2], [0, 0, 0]], 1)) == "InsufficientEmpties"
    cells = [[0, 0, 1], [2, 1, 2], [0, 0, 0]]
    assert generation.can_play(Context(cells, 1)) is None
    ops = effect(SG, Context(cells, 1))
    points = {(op["point"]["x"], op["point"]["y"]) for op in ops}
    assert len(ops) == len(points) == 5
    assert all(cells[y][x] == 0 for x, y in points)
    assert {op["player"] for op in ops} <= {1, 2}
    assert generation.can_play(Context(full, 1)) == "InsufficientEmpties"


def test_51_the_original_generation_to_the_number() -> None:
    rng = Mulberry32(131604589)
    ops = CARDS.require(SG).effect(Context(board(5), 1), None, rng)
    found = [(op["point"]["x"], op["point"]["y"], op["player"]) for op in ops]
    assert found == [(0, 4, 1), (1, 4, 1), (3, 4, 1), (4, 1, 2), (2, 2, 1)]
    assert (rng.used, rng.state) == (29, 1707405614)


@pytest.mark.parametrize("empties", [5, 30, 225])
def test_52_generation_leaves_five_fewer_empty_cells(empties: int) -> None:
    cells = [[0] * 15 for _ in range(15)]
    for i in range(225 - empties):
        cells[i // 15][i % 15] = 1 + (i // 2 + i // 15) % 2
    rng = Mulberry32(9)
    ops = CARDS.require(SG).effect(Context(cells, 1), None, rng)
    assert rng.used == empties + 4
    doc = state(size=15)
    doc["board"]["cells"] = cells
    after = apply_ops(doc, ops)["board"]["cells"]
    assert sum(row.count(0) for row in after) == empties - 5


@engines
@pytest.mark.parametrize("empties", [5, 30, 225])
def test_52_generation_leaves_five_fewer_in_play(engine: str, empties: int) -> None:
    filled = 225 - empties
    flat = ["1221"[(i + i // 15) % 4] if i < filled else "0" for i in range(225)]
    match = load(engine, state([PI, PI, T, SG], rows=["".join(flat[i : i + 15]) for i in range(0, 225, 15)]))
    choose(match, 0)
    after = [str(c) for row in match.dump()["board"]["cells"] for c in row]
    assert after.count("0") == empties - 5
    assert after[:filled] == flat[:filled]


@engines
def test_52_every_cell_and_colour_is_equally_likely(engine: str, rounds: int = 200) -> None:
    seen: Counter[tuple[int, int, int]] = Counter()
    for rng in range(rounds):
        match = load(engine, state([T, SG], size=5, rng=rng))
        choose(match, 0)
        ops = next(e for e in match.dump()["log"] if e["tag"] == "resolve")["data"]["ops"]
        seen.update((op["point"]["x"], op["point"]["y"], op["player"]) for op in ops)
    mean = rounds * 5 / 50
    chi = sum((seen[x, y, c] - mean) ** 2 / mean for x in range(5) for y in range(5) for c in (1, 2))
    assert chi < 100  # 49 degrees of freedom; 99.999 % lie below 104 for independent draws


def test_53_raw_specs() -> None:
    context = Context(board(15, black=[(1, 1)]), 1)
    own, none = {"kind": "player", "relation": "self"}, {"kind": "none"}
    mine = {"kind": "cell", "mustBeOwnedBy": "self"}
    assert validate_spec(own, context, {"kind": "player", "player": 2}) == "TargetIsSelf"
    assert validate_spec(own, context, {"kind": "player", "player": 1}) is None
    assert validate_spec(mine, context, point(0, 0)) == "InvalidTarget"
    assert validate_spec(mine, context, point(1, 1)) is None
    assert validate_spec(none, context, point(0, 0)) == "InvalidTarget"
    assert validate_spec(none, context, None) is None


@engines
def test_55_the_last_move_is_kept_true(engine: str) -> None:
    match = load(engine, state([SG, SG, T, T, PI, PI, P, P]))
    choose(match, 0)
    cell(match, 7, 7)
    assert match.dump()["lastMove"] == {"x": 7, "y": 7, "player": 1}
    choose(match, 0)
    assert match.dump()["lastMove"] == {"x": 7, "y": 7, "player": 2}
    choose(match, 0)
    cell(match, 7, 7)
    assert match.dump()["lastMove"] is None
    choose(match, 0)
    ops = [e for e in match.dump()["log"] if e["tag"] == "resolve"][-1]["data"]["ops"]
    assert match.dump()["lastMove"] == {**ops[4]["point"], "player": ops[4]["player"]}


def test_56_the_registry_keeps_order_and_refuses_by_name() -> None:
    registry = base_registry()
    assert registry.ids == (P, T, PI, TF, SG)
    assert len(registry) == 5
    assert [card.id for card in registry] == list(registry.ids)
    with pytest.raises(SkillGomokuError) as refusal:
        registry.register(BASE_CARDS[0])
    assert refusal.value.code == "DuplicateCard"
    odd: list[Any] = ["Nothing", None, 3, []]
    for name in odd:
        assert registry.get(name) is None
        with pytest.raises(SkillGomokuError) as refusal:
            registry.require(name)
        assert refusal.value.code == "UnknownCard"
    assert isinstance(registry.require(P), CardDefinition)
    assert {"en", "zh"} <= set(registry.require(TF).name)


def test_an_effect_without_its_target_is_refused_by_name() -> None:
    odd: list[Any] = [None, {"kind": "none"}, point(-1, 0), point(0, 15), {"kind": "player", "player": 1}]
    for card in (P, T, TF):
        for target in odd:
            with pytest.raises(SkillGomokuError) as refusal:
                effect(card, Context(board(15, white=[(1, 1)]), 1), target)
            assert refusal.value.code == "InvalidTarget"


@pytest.mark.parametrize("size", [1, 2, 25, 40])
def test_bare_boards_of_any_size(size: int) -> None:
    context = Context(board(size), 2)
    corner = point(size - 1, size - 1)
    assert effect(P, context, corner) == [{"type": "place", "point": corner["point"], "player": 2}]
    assert (CARDS.require(SG).can_play(context) is None) == (size * size >= 5)
    if size * size >= 5:
        found = {(op["point"]["x"], op["point"]["y"]) for op in effect(SG, context)}
        assert len(found) == 5
        assert all(0 <= x < size and 0 <= y < size for x, y in found)
