"""Pictures of positions are the drawings, letter by letter."""

from __future__ import annotations

import numpy as np

from qipai.envs import aec, single, vector
from qipai.envs.picture import COLUMNS, ROWS, TALL, WIDE, ZOOM, picture


def test_a_picture_shows_what_the_seat_sees() -> None:
    env = single("xianqi", render_mode="rgb_array", seed=1)
    env.reset()
    first = env.render()
    assert first.shape == (ROWS * TALL * ZOOM, COLUMNS * WIDE * ZOOM, 3) and first.dtype == np.uint8
    env.step(int(env.action_masks().argmax()))
    assert (env.render() != first).any()
    text = single("xianqi", render_mode="ansi", seed=1)
    text.reset()
    assert np.array_equal(picture(text.render()), first)
    frames = vector("xianqi", 2, render_mode="rgb_array", seed=1)
    frames.reset()
    drawn = frames.render()
    assert drawn is not None and len(drawn) == 2 and np.array_equal(drawn[0], first)
    zoo = aec("xianqi", render_mode="rgb_array", seed=1)
    zoo.reset()
    assert zoo.render().shape == first.shape


def test_a_letter_is_drawn_cell_by_cell() -> None:
    cells = picture("T\n象")[::ZOOM, ::ZOOM]
    lit = (cells != cells[-1, -1]).any(axis=2)
    assert lit[:5, :4].astype(int).tolist() == [[1, 1, 1, 0]] + [[0, 1, 0, 0]] * 4
    assert lit[TALL, :3].all()  # a letter without a glyph is a box
