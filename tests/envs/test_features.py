"""Every form of an observation says the same, within exact bounds."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.core import CATEGORY, get, names
from qipai.core.errors import BadOption
from qipai.envs import vector
from qipai.envs.features import AS_IS, FORMS, Form

BOARDS = ("skill_gomoku", "paipai_rensa")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("game", names())
def test_every_observation_lies_in_its_exact_space(game: str, form: str) -> None:
    if form == "planes" and game not in BOARDS:
        with pytest.raises(BadOption, match="no board"):
            vector(game, 4, features=form)
        return
    env = vector(game, 4, features=form, seat="rotate", seed=1)
    seen, info = env.reset()
    for _ in range(40):
        assert env.observation_space.contains(seen)
        seen, *_, info = env.step(info["action_mask"].argmax(1))


@pytest.mark.parametrize("game", names())
def test_forms_say_the_same_as_the_bytes(game: str) -> None:
    """Each entry of a naive loop over features is where the form puts it."""
    found = get(game)
    env = vector(game, 3, seed=2, space="box")
    raw, _ = env.reset()
    expected = []
    for feature in found.rules.observation:
        for entry in range(feature.start, feature.start + feature.length):
            column = raw[:, entry]
            if feature.kind == CATEGORY:
                expected += [column == value for value in range(feature.low, feature.high + 1)]
            else:
                expected.append(column)
    assert np.array_equal(Form.of(found, "onehot").encode(raw), np.stack(expected, axis=1))
    assert np.array_equal(Form.of(found, "raw").encode(raw), raw)
    if game in BOARDS:
        form = Form.of(found, "planes")
        planes = form.encode(raw)
        board = next(f for f in found.rules.observation if f.shape)
        cells = raw[:, board.start : board.start + board.length].reshape(3, *board.shape[-2:])
        first = cells == board.low if board.kind == CATEGORY else cells
        assert np.array_equal(planes[:, 0], first)
        constant = form.value[-1, 0, 0] == AS_IS
        assert constant and (planes[:, -1] == planes[:, -1, :1, :1]).all()
