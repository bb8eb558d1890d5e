"""The line that shows how far a run is."""

from __future__ import annotations

import pytest

from qipai.learn.progress import bar, clock, is_progress, progress_line


@pytest.mark.parametrize(
    ("share", "wanted"),
    [
        (0.0, "[....................]   0 %"),
        (0.3, "[######..............]  30 %"),
        (0.999, "[###################.]  99 %"),  # full only at the end
        (1.0, "[####################] 100 %"),
        (1.7, "[####################] 100 %"),
    ],
)
def test_the_bar_is_as_long_as_the_share_that_is_over(share: float, wanted: str) -> None:
    assert bar(share) == wanted


def test_the_line_has_bar_speed_strength_and_time_left() -> None:
    strength = {"heuristic": {"chips": 0.384, "chips_half": 0.0149}, "hard": {"chips": -1, "chips_half": 0.5}}
    assert progress_line(0.25, 1.634e6, 90.4, strength, "entropy 0.2") == (
        "[#####...............]  25 %  1.634 M decisions/s  heuristic +0.38 ± 0.01  hard -1.00 ± 0.50"
        "  1:30 left  entropy 0.2"
    )
    assert progress_line(0.0, 0.0, None, {}) == "[....................]   0 %  0.000 M decisions/s"


def test_a_later_line_replaces_a_bar_until_it_is_full() -> None:
    assert is_progress(progress_line(0.5, 1e6, 3.0, {}))
    assert not is_progress(progress_line(1.0, 1e6, 0.0, {}))
    assert not is_progress("heuristic: +0.383 per game")


def test_time_left_is_in_minutes() -> None:
    assert [clock(seconds) for seconds in (0, 59.4, 59.6, 754)] == ["0:00", "0:59", "1:00", "12:34"]
