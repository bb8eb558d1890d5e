"""The pinned deals of the spec (37)."""

from __future__ import annotations

import pytest

from qipai.core.errors import BadSeats
from qipai.games.nana import seeded_deal


def test_37_the_pinned_deal_is_the_specs() -> None:
    assert seeded_deal(2, 7) == {
        "hands": [[1, 2, 3, 3, 4, 5, 6, 8, 10, 10], [3, 5, 6, 7, 8, 8, 9, 9, 9, 10]],
        "centre": [7, 4, 2, 6, 1, 1, 7, 5, 2, 4],
    }


@pytest.mark.parametrize("seats", [0, 1, 7, True, "2"])
def test_a_table_of_another_size_is_refused(seats: object) -> None:
    with pytest.raises(BadSeats):
        seeded_deal(seats, 7)  # type: ignore[arg-type]
