"""Generators: the original's, pinned number by number, and the core's outside a state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from qipai.games.skill_gomoku import GAME, SkillGomokuError, SkillGomokuMatch, build_deck, ensure_place_top
from qipai.games.skill_gomoku.reference import (
    Mulberry32,
    Sfc32,
    core_generator,
    play_words,
    read_generator,
    seed_state,
    shuffled,
)
from qipai.games.skill_gomoku.view import drawn_of, piles_of

MAKERS: list[Callable[[], Mulberry32 | Sfc32]] = [lambda: Mulberry32(7), lambda: Sfc32.seeded((7, 0, 0, 1))]
makers = pytest.mark.parametrize("make", MAKERS, ids=["mulberry32", "sfc32"])


def test_6_check_values_of_the_original_generator() -> None:
    table: dict[int | str, tuple[int, list[int]]] = {
        1: (1, [2693262067, 11749833, 2265367787]),
        "demo": (1128472497, [1083349537, 2700288174, 3875233836]),
        "seed": (131604589, [2266027670, 1958511476, 2748388994]),
        "技能五子棋": (1515604620, [1333337205, 3413113389, 1230750429]),
    }
    for seed, (start, numbers) in table.items():
        rng = Mulberry32(seed_state(seed))
        assert rng.state == start
        assert [rng.u32() for _ in range(3)] == numbers
    rng = Mulberry32(seed_state("seed"))
    assert "".join(rng.shuffle("ABCDEFGH")) == "CBHFAGDE"
    assert rng.state == 67663392
    assert [1 + rng.below(2) for _ in range(5)] == [1, 1, 1, 1, 2]


def test_6_seeds_of_both_kinds() -> None:
    assert seed_state(-1) == 4294967295
    assert seed_state(1 << 32) == 0
    assert seed_state("1") != seed_state(1)
    assert seed_state("\U0001f600") != seed_state("?")  # two units outside the basic plane
    for odd in (True, None, 1.5, b"x", [1]):
        with pytest.raises(SkillGomokuError, match="seed") as refusal:
            seed_state(odd)  # type: ignore[arg-type]
        assert refusal.value.code == "InvalidConfig"


def test_the_twin_of_the_core_generator_draws_the_same_numbers() -> None:
    s = GAME.new(words=(5, 6, 7, 8))
    twin = Sfc32.seeded((5, 6, 7, 8))
    deck = ensure_place_top(twin.shuffle(build_deck("default")))
    assert piles_of(s)[0] == deck[:-2]
    assert drawn_of(s) == deck[:-3:-1]
    assert s["rng"].tolist() == twin.words


def test_a_shuffle_exchanges_from_the_end_with_one_number_less_than_items() -> None:
    asked: list[int] = []

    def first(n: int) -> int:
        asked.append(n)
        return 0

    items = ["a", "b", "c", "d"]
    assert shuffled(items, first) == ["b", "c", "d", "a"]
    assert asked == [4, 3, 2]
    assert items == ["a", "b", "c", "d"]
    assert shuffled(items, lambda n: n - 1) == items
    assert (shuffled([], first), shuffled(["a"], first), len(asked)) == ([], ["a"], 3)


@makers
def test_every_number_below_a_bound_comes_about_equally_often(make: Callable[[], Mulberry32 | Sfc32]) -> None:
    generator = make()
    seen = Counter(generator.below(6) for _ in range(6000))
    assert sorted(seen) == list(range(6))
    assert all(850 < count < 1150 for count in seen.values())  # five standard deviations


@makers
def test_stones_are_scattered_over_distinct_cells_in_both_colours(
    make: Callable[[], Mulberry32 | Sfc32],
) -> None:
    generator, empties = make(), [(x, y) for x in range(3) for y in range(2)]
    before, colours = list(empties), Counter[int]()
    for _ in range(50):
        found = generator.scatter(empties, 5)
        cells = {cell for cell, _ in found}
        assert len(cells) == 5
        assert cells <= set(before)
        colours.update(colour for _, colour in found)
    assert set(colours) == {1, 2}
    assert min(colours.values()) > 80  # of 250
    assert empties == before


@makers
def test_a_generator_goes_on_from_its_json(make: Callable[[], Mulberry32 | Sfc32]) -> None:
    generator = make()
    generator.u32()
    again = read_generator(generator.to_json(), pinned=True)
    assert type(again) is type(generator)
    assert [again.u32() for _ in range(5)] == [generator.u32() for _ in range(5)]
    assert again.to_json() == generator.to_json()


def test_a_state_of_the_original_seeds_the_core_as_words_seed_a_game() -> None:
    seeded = read_generator({"algorithm": "mulberry32", "state": 131604589})
    assert isinstance(seeded, Sfc32)
    s = GAME.new(words=play_words(131604589), layout={"deck": {"drawPile": ["Place"]}})
    assert seeded.words == core_generator(131604589).words == s["rng"].tolist()
    assert core_generator(131604590).words != seeded.words


def test_play_goes_on_where_the_deal_of_the_original_has_stopped() -> None:
    dealer = Mulberry32(seed_state("demo"))
    dealer.shuffle(build_deck("default"))
    assert (dealer.used, dealer.state) == (28, 872707709)
    rng = SkillGomokuMatch("demo").dump()["rng"]
    assert rng == {"algorithm": "sfc32", "state": [3051659500, 3817216642, 3368454086, 13]}
    assert core_generator(dealer.state).words == rng["state"]


NO_GENERATORS: list[Any] = [
    None, [], "sfc32", {}, {"algorithm": "pcg", "state": 1}, {"algorithm": "mulberry32"},
    {"algorithm": "mulberry32", "state": -1}, {"algorithm": "mulberry32", "state": 1 << 32},
    {"algorithm": "mulberry32", "state": True}, {"algorithm": "mulberry32", "state": 1.0},
    {"algorithm": "mulberry32", "state": [1, 2, 3, 4]}, {"algorithm": "sfc32", "state": 1},
    {"algorithm": "sfc32", "state": [1, 2, 3]}, {"algorithm": "sfc32", "state": [1, 2, 3, 4, 5]},
    {"algorithm": "sfc32", "state": [1, 2, 3, 1 << 32]}, {"algorithm": "sfc32", "state": [1, 2, 3, None]},
]  # fmt: skip


@pytest.mark.parametrize("doc", NO_GENERATORS)
@pytest.mark.parametrize("pinned", [True, False])
def test_another_generator_is_refused_by_name(doc: Any, pinned: bool) -> None:
    with pytest.raises(SkillGomokuError, match="rng is") as refusal:
        read_generator(doc, pinned)
    assert refusal.value.code == "InvalidConfig"
