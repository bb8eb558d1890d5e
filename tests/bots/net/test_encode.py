"""Columns say of an observation what the types of its features allow, and nothing is lost in a file."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qipai.bots.net.encode import RANGE, SCALED, Encoding, cells_of
from qipai.core import CATEGORY, FLAG, NUMBER, Feature, Game, get
from qipai.core.errors import BadWeights
from qipai.core.registry import OURS
from tests.toys_check.hush import GAME

from .nets import positions


def game_with(*features: Feature) -> Game:
    return replace(GAME, rules=replace(GAME.rules, observation=features))


def columns(feature: Feature, hot: int = 512) -> list[tuple[int, float, float]]:
    code = Encoding.of(game_with(feature), hot)
    return list(zip(code.kind.tolist(), code.low.tolist(), code.high.tolist(), strict=True))


def test_each_kind_has_its_columns() -> None:
    assert columns(Feature("open", 0, 1, "", FLAG)) == [(RANGE, 1, 1)]
    assert columns(Feature("suit", 0, 1, "", CATEGORY, 0, 3)) == [(RANGE, v, v) for v in (1, 2, 3)]
    assert columns(Feature("turn", 0, 1, "", NUMBER, 0, 100)) == [(SCALED, 1 / 128, 0)]
    assert columns(Feature("old", 0, 1, "")) == [(SCALED, 1 / 128, 0)]
    assert columns(Feature("tiles", 0, 1, "", NUMBER, 0, 4)) == [
        (SCALED, 1 / 4, 0),
        *((RANGE, v, 127) for v in (1, 2, 3, 4)),
    ]


def test_a_large_category_is_told_by_its_groups() -> None:
    tiles = Feature("tiles", 0, 20, "", CATEGORY, 0, 34, groups=((1, 9), (10, 34)))
    assert columns(tiles)[:3] == [(SCALED, 1 / 64, 0), (RANGE, 1, 9), (RANGE, 10, 34)]
    assert len(columns(tiles)) == 60
    assert len(columns(tiles, hot=680)) == 680
    many = replace(tiles, length=1, high=100)
    assert len(columns(many)) == 3  # too many values, however short it is


def test_an_entry_that_never_changes_has_no_column_and_skipped_features_have_none() -> None:
    spare, used = Feature("spare", 0, 4, "", NUMBER, 0, 0), Feature("used", 4, 2, "", FLAG)
    assert Encoding.of(game_with(spare, used)).source.tolist() == [4, 5]
    both = game_with(Feature("one", 0, 1, "", FLAG), replace(used, start=1))
    assert Encoding.of(both, skip=("one",)).source.tolist() == [1, 2]


def test_boards_become_planes_channel_by_channel() -> None:
    board = Feature("board", 1, 6, "", CATEGORY, 0, 2, shape=(2, 3))
    code = Encoding.of(game_with(Feature("turn", 0, 1, "", FLAG), board))
    assert code.planes.shape == (2, 2, 3) and code.flat.tolist() == [0]
    seen = np.array([[1, 0, 1, 2, 0, 0, 1]], np.int8)
    planes = code.encode(seen)[:, code.planes]
    assert planes[0].tolist() == [[[0, 1, 0], [0, 0, 1]], [[0, 0, 1], [0, 0, 0]]]
    two = replace(board, length=12, shape=(2, 2, 3), kind=FLAG, low=0, high=1)
    code = Encoding.of(game_with(Feature("turn", 0, 1, "", FLAG), two))
    assert code.source[code.planes].tolist() == (1 + np.arange(12)).reshape(2, 2, 3).tolist()


@pytest.mark.parametrize("name", OURS)
def test_columns_are_what_they_say_on_real_observations(name: str) -> None:
    game = get(name)
    code = Encoding.of(game)
    code.check(game.observation_size)
    seen, _ = positions(name, 64) if name != "skill_gomoku" else (np.zeros((2, 1157), np.int8), None)
    found = code.encode(seen)
    assert found.shape == (len(seen), code.size) and found.dtype == np.float32
    for d in range(0, code.size, 7):
        entry = seen[:, code.source[d]].astype(float)
        inside = (entry >= code.low[d]) & (entry <= code.high[d])
        wanted = entry * code.low[d] if code.kind[d] == SCALED else inside
        assert found[:, d].tolist() == wanted.tolist()
    assert np.abs(found).max() <= 1  # every entry is in its range


def test_an_action_that_names_a_cell_knows_it() -> None:
    cells = cells_of(get("skill_gomoku"))
    assert cells[:3].tolist() == [-1, -1, -1] and cells[3:].tolist() == list(range(225))
    assert (cells_of(get("xianqi")) == -1).all()


def test_columns_survive_a_file_and_a_wrong_column_is_refused() -> None:
    game = get("xianqi")
    arrays = Encoding.of(game).to_arrays()
    again = Encoding.from_arrays(arrays, game.observation_size)
    assert all(np.array_equal(again.to_arrays()[name], array) for name, array in arrays.items())
    kinds = np.array(arrays["enc_kind"])
    first = int(np.flatnonzero(kinds == SCALED)[0])
    for name, change, text in (
        ("enc_source", lambda a: a + 90, "beyond the 132 entries"),
        ("enc_source", lambda a: a - 1, "beyond the 132 entries"),
        ("enc_source", lambda a: a[1:], "differ in length"),
        ("enc_source", lambda a: a.astype(np.int64), "wrong type or shape"),
        ("enc_kind", lambda a: a + 2, "does not fit int8"),
        ("enc_low", lambda a: np.where(np.arange(len(a)) == first, np.float32(0.3), a), "power of two"),
        ("enc_low", lambda a: np.where(np.arange(len(a)) == first, np.float32(np.nan), a), "power of two"),
        ("enc_high", lambda a: a + np.float32(0.5) * (kinds == RANGE), "does not fit int8"),
        ("enc_flat", lambda a: a[1:], "do not cover"),
        ("enc_flat", lambda a: np.append(a[1:], a[-1]), "do not cover"),
        ("enc_planes", lambda a: a[0], "wrong type or shape"),
    ):
        changed = {
            **arrays,
            name: change(arrays[name]) if name != "enc_planes" else np.zeros((0, 0), np.int32),
        }
        with pytest.raises(BadWeights, match=text):
            Encoding.from_arrays(changed, game.observation_size)
    with pytest.raises(BadWeights, match="no array enc_high"):
        Encoding.from_arrays({n: a for n, a in arrays.items() if n != "enc_high"}, game.observation_size)
