"""`check_game` as a whole: settings, counts, the report."""

from __future__ import annotations

import pytest

from qipai.core.errors import BadSeed
from qipai.testing import ConformanceError, Property, check_game
from qipai.testing.report import ABOUT
from tests.toys_check import faults, hush
from tests.toys_check.faults import broken

from .breaking import QUICK, stages_of


def test_every_property_is_described_and_belongs_to_a_stage() -> None:
    assert set(ABOUT) == set(Property)
    assert all(stages_of(prop) for prop in Property)


@pytest.mark.slow
def test_the_whole_check_of_a_healthy_game_looks_at_every_property() -> None:
    report = check_game(hush.GAME, games=40, parity_games=4)
    assert [p for p in Property if not report.counts.get(p)] == []
    assert report.games == 40
    assert report.decisions > 40
    assert report.seconds > 0
    assert report.edges == set(hush.EDGES)


def test_several_faults_are_all_reported() -> None:
    game = broken(view=faults.view_leaks, parse=faults.parse_off, edges=hush.EDGES[1:])
    with pytest.raises(ConformanceError) as caught:
        check_game(game, games=20, variant="plain", parity_games=1)
    found = {f.property for f in caught.value.failures}
    assert {Property.SECRET_VIEW, Property.TEXT, Property.EDGES} <= found


def test_the_same_seed_gives_the_same_games_and_another_seed_others() -> None:
    def decisions(seed: int) -> int:
        return check_game(hush.GAME, games=30, seed=seed, variant="plain", only=["length"]).decisions

    assert decisions(3) == decisions(3)
    assert len({decisions(seed) for seed in range(4)}) > 1


def test_the_variants_play_the_same_games() -> None:
    counts = {
        variant: check_game(hush.GAME, games=30, variant=variant, only=["length"]).decisions
        for variant in ("plain", "compiled", "checked")
    }
    assert len(set(counts.values())) == 1


def test_a_batch_is_not_tried_where_it_could_run_out_of_bounds() -> None:
    game = broken(legal=faults.legal_empty)
    with pytest.raises(ConformanceError) as caught:
        check_game(game, **{**QUICK, "only": [Property.SUCCESSOR, Property.BATCH]})
    report = caught.value.report
    assert [f.property for f in report.failures] == [Property.MASK]
    assert report.skipped == {Property.BATCH: "skipped, for mask failed"}
    assert any(line.split()[:2] == ["skip", "batch"] for line in report.lines())


@pytest.mark.parametrize("seed", [-1, 1 << 64])
def test_a_seed_out_of_range_is_refused(seed: int) -> None:
    with pytest.raises(BadSeed):
        check_game(hush.GAME, seed=seed)
