"""Arguments that several commands share."""

from __future__ import annotations

import pytest

from qipai.commands.arguments import read_names, read_pairs
from qipai.core.errors import BadOption


def test_pairs_are_numbers_where_they_look_like_it() -> None:
    assert read_pairs(["a=1", "b=-1", "c=on", "d=x=y", "e=" + "9" * 30]) == {
        "a": 1, "b": -1, "c": "on", "d": "x=y", "e": "9" * 30,
    }  # fmt: skip


@pytest.mark.parametrize("pairs", [["a"], ["=1"], [""], ["a=1", "a=2"]])
def test_a_pair_without_name_or_sign_or_given_twice_is_refused(pairs: list[str]) -> None:
    with pytest.raises(BadOption):
        read_pairs(pairs)


def test_names_are_divided_by_commas() -> None:
    assert read_names(" a, net~t1 ,,b") == ["a", "net~t1", "b"] and read_names("") == []
