"""Settings of a training run."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from qipai.core import names
from qipai.core.errors import BadTraining, UnknownGame
from qipai.learn.settings import TUNED, Settings, defaults, from_json


@pytest.mark.parametrize("device", ["cpu", "cuda"])
@pytest.mark.parametrize("game", sorted(TUNED))
def test_the_tuned_settings_of_every_game_fit_together(game: str, device: str) -> None:
    assert defaults(game, device).game == game


def test_every_registered_game_has_settings() -> None:
    for game in names():
        defaults(game, "cpu").check()


def test_settings_survive_json() -> None:
    made = defaults("nana", "cuda", options={"mode": "simple"}, rivals=("exact", "runs/a"), league=0.5)
    assert from_json(json.loads(json.dumps(made.to_json()))) == made


@pytest.mark.parametrize(
    "change",
    [
        {"lanes": 0},
        {"minibatch": 1000},
        {"net": "tree"},
        {"precision": "f8"},
        {"league": 1.0},
        {"widht": 3},
        {"rivals": ("net",)},
    ],
)
def test_a_setting_out_of_range_is_refused_by_name(change: dict[str, object]) -> None:
    with pytest.raises(BadTraining, match=next(iter(change))):
        defaults("xianqi", "cuda", **change)


def test_snapshots_and_rivals_share_the_last_lanes_of_every_table() -> None:
    made = Settings("nana", lanes=48, steps=1, minibatch=48, seats=(2, 4), league=0.25, rivals=("a", "b"))
    assert made.league_shares() == [(18, 20), (20, 22), (22, 24), (42, 44), (44, 46), (46, 48)]
    assert replace(made, rivals=()).league_shares() == [(18, 24), (42, 48)]
    assert replace(made, rivals=(), league=0.0).league_shares() == []


def test_rivals_without_lanes_are_refused() -> None:
    for league in (0.0, 0.08):  # none, and one lane for three
        with pytest.raises(BadTraining, match="rivals need lanes"):
            defaults("xianqi", "cpu", lanes=16, minibatch=16, league=league, rivals=("a", "b"))


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(UnknownGame):
        defaults("no_such_game")


@pytest.mark.parametrize(
    "data", [[], {"game": 3}, {"game": "xianqi", "x": 1}, {"game": "xianqi", "lanes": "8"}]
)
def test_foreign_json_is_refused(data: object) -> None:
    with pytest.raises(BadTraining):
        from_json(data)  # type: ignore[arg-type]


def test_the_defaults_are_the_net_of_the_published_figures() -> None:
    made = Settings("xianqi")
    assert (made.width, made.layers, made.epochs) == (512, 3, 2)
