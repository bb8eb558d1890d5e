"""Generators: the original's, pinned number by number, and the core's outside a state."""

from __future__ import annotations

import pytest

from qipai.games.skill_gomoku import GAME, SkillGomokuError, build_deck, ensure_place_top
from qipai.games.skill_gomoku.reference import Mulberry32, Sfc32, seed_state
from qipai.games.skill_gomoku.view import drawn_of, piles_of


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
