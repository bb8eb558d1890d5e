"""Small trainers for the tests of `qipai.learn`."""

from __future__ import annotations

from typing import Any

from qipai.core import Game, get
from qipai.learn.nets import Raw
from qipai.learn.rivals import find_rival, seated
from qipai.learn.settings import Settings, defaults
from qipai.learn.trainer import Trainer

TINY = {"width": 32, "layers": 2, "lanes": 64, "steps": 8, "minibatch": 128}


def tiny(game: str = "xianqi", **changes: Any) -> Settings:
    return defaults(game, "cpu", **{**TINY, **changes})


def trainer(game: str = "xianqi", **changes: Any) -> Trainer:
    """Return a trainer on the observation's bytes, ready to iterate."""
    settings, played = tiny(game, **changes), get(game)
    rivals = seated([find_rival(played, text) for text in settings.rivals], settings)
    made = Trainer(settings, "cpu", columns=Raw.of(played), rivals=rivals)
    made.prepare()
    return made


def xianqi() -> Game:
    return get("xianqi")
