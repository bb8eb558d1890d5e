"""Values are those of a search from what the seat knows, are stored with the rows, and are computed again."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from qipai.core import get
from qipai.core.errors import BadCount, BadData
from qipai.data import Dataset, load, write
from qipai.data.play import Plan, batch_of, play_block, replayed
from qipai.data.values import Values
from qipai.data.write import CARD

SIMULATIONS = 40
BOTH = pytest.mark.parametrize("game", ["xianqi", "wuhan_mahjong"])  # a tree, and no tree


def plan(game: str, games: int, values: int = SIMULATIONS) -> Plan:
    return Plan(game, games, ("random",), 3, {}, None, values)


@BOTH
def test_every_legal_action_may_have_a_value_and_no_other(game: str) -> None:
    rows = play_block(plan(game, 2), 0)
    tried = ~np.isnan(rows["value"])
    assert rows["value"].dtype == np.float32 and rows["value"].shape == rows["mask"].shape
    assert tried.any(axis=1).all() and not tried[rows["mask"] == 0].any()
    assert len(np.unique(rows["value"][tried])) > 10
    without = play_block(plan(game, 2, 0), 0)
    assert set(rows) - set(without) == {"value"}
    assert all(np.array_equal(rows[name], array) for name, array in without.items())


@BOTH
def test_values_are_computed_again_by_a_replay(game: str) -> None:
    made = plan(game, 2)
    rows = play_block(made, 0)
    assert replayed(made, 0, rows)
    at = np.argwhere(~np.isnan(rows["value"]))[-1]
    changed = {**rows, "value": rows["value"].copy()}
    changed["value"][tuple(at)] += 1
    assert not replayed(made, 0, changed)


@BOTH
def test_values_do_not_depend_on_what_is_hidden(game: str) -> None:
    made = plan(game, 1)
    batch = batch_of(made, get(game), 0)
    seat = int(batch.seat[0])
    for _ in range(
        4
    ):  # other hands and walls that the seat cannot tell apart, in one searcher and in new ones
        searches = Values(batch.game, 3, 0, SIMULATIONS)
        first = searches.of(batch.state[0], 0, 0)
        batch.redraw(seat)
        again = Values(batch.game, 3, 0, SIMULATIONS).of(batch.state[0], 0, 0)
        assert np.array_equal(first, again, equal_nan=True)
        assert np.array_equal(first, searches.of(batch.state[0], 0, 0), equal_nan=True)
    assert not np.array_equal(first, searches.of(batch.state[0], 0, 1), equal_nan=True)


def test_a_dataset_with_values_is_written_read_and_checked(tmp_path: Path) -> None:
    card = write("xianqi", tmp_path / "one", 3, seed=2, values=SIMULATIONS)
    two = write("xianqi", tmp_path / "two", 3, seed=2, values=SIMULATIONS + 1)
    assert card["values"] == SIMULATIONS and card["digest"] != two["digest"]
    text = (tmp_path / "one" / "README.md").read_text()
    assert f"--values {SIMULATIONS} " in text and "| `value` |" in text
    found = load(tmp_path / "one")
    assert found.verify() == card["decisions"]
    assert np.array_equal(found.numpy()["value"], play_block(found.plan, 0)["value"], equal_nan=True)
    for other in ({**card, "values": 0}, {**card, "values": SIMULATIONS + 1}):
        with pytest.raises(BadData, match=r"data-00000\.parquet"):
            Dataset(tmp_path / "one", other).verify()
    (tmp_path / "one" / CARD).write_text(json.dumps({**card, "values": -1}))
    with pytest.raises(BadData, match=CARD):
        load(tmp_path / "one")


def test_a_card_without_the_entry_has_no_values(tmp_path: Path) -> None:
    card = write("xianqi", tmp_path / "set", 3)
    del card["values"]
    (tmp_path / "set" / CARD).write_text(json.dumps(card))
    assert load(tmp_path / "set").verify() == card["decisions"]


@pytest.mark.parametrize("values", [-1, True, 2.5, "40", 1 << 40])
def test_a_bad_number_of_simulations_is_refused(tmp_path: Path, values: object) -> None:
    with pytest.raises(BadCount):
        write("xianqi", tmp_path / "set", 2, values=values)  # type: ignore[arg-type]
    assert not (tmp_path / "set").exists()
