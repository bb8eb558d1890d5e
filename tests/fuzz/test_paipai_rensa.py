"""The fuzzer of Paipai Rensa's doors, at about 2 % of the count that `make proof` runs."""

from __future__ import annotations

import pytest

from qipai.games.paipai_rensa.api.game import PaipaiGame
from tests.fuzz.paipai_rensa import run


def test_malformed_inputs_are_refused_by_name_and_change_nothing() -> None:
    found = run(2000, seed=20261115)
    assert sum(found.values()) == 2000
    assert {"text/bad", "layout/bad", "option/bad", "action/illegal", "vectors/bad"} <= set(found)


def test_the_fuzzer_sees_a_change(monkeypatch: pytest.MonkeyPatch) -> None:
    checked = PaipaiGame._check_args

    def hasty(self: PaipaiGame, action: str, args: tuple[object, ...]) -> None:
        self.record["ply"] += 1
        checked(self, action, args)

    monkeypatch.setattr(PaipaiGame, "_check_args", hasty)
    with pytest.raises(AssertionError, match="changed something"):
        run(500, seed=1)
