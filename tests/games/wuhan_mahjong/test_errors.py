"""Refusals of the environment: qipai's named errors, and `ValueError`s as §4.4 promises."""

from __future__ import annotations

import pytest

from qipai.core import QipaiError
from qipai.core.errors import BadLayout, BadOption, BadSeed, IllegalAction
from qipai.games.wuhan_mahjong.errors import BadPosition, BadReset, BadSetting, IllegalMove


@pytest.mark.parametrize(
    ("error", "named"),
    [(IllegalMove, IllegalAction), (BadPosition, BadLayout), (BadSetting, BadOption), (BadReset, BadSeed)],
)
def test_a_refusal_is_a_named_error_and_a_value_error(
    error: type[QipaiError], named: type[QipaiError]
) -> None:
    assert issubclass(error, named) and issubclass(error, ValueError)
    assert error.code == named.code
