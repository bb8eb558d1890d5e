"""A rule that does not come back is given up, with its name and where it was."""

from __future__ import annotations

import time
from threading import Event

import numba
import pytest

from qipai.testing import Property, watch
from qipai.testing.watch import Stuck, Watch
from tests.toys_check import faults
from tests.toys_check.faults import broken

from .breaking import breaks

needs_jit = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="compilation is off")  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "STILL", 1.5)


@needs_jit
def test_an_apply_that_hangs_is_found_with_its_action_and_ply() -> None:
    game = broken(apply=faults.apply_slow)
    failure = breaks(game, Property.LENGTH, "has not come back for 1.5 s", variant="compiled", games=5)
    assert failure.message.startswith("apply of action ")
    assert failure.case is not None
    assert failure.message.split()[3] != "0"  # a burial
    assert game.mask(failure.case.replay(game))[int(failure.message.split()[3])] == 1


@needs_jit
def test_a_determinize_that_hangs_is_found() -> None:
    game = broken(determinize=faults.determinize_slow)
    breaks(game, Property.LENGTH, "determinize has not come back", only=[Property.PARITY])


def test_what_comes_back_is_handed_on() -> None:
    watched = Watch()
    assert watched(lambda: 7, lambda: "seven", lambda: 0) == 7
    with pytest.raises(ZeroDivisionError):
        watched(lambda: 1 // 0, lambda: "none", lambda: 0)
    assert not watched.lost
    watched.close()


def test_slow_is_not_stuck_while_there_is_a_pulse() -> None:
    watched = Watch()
    started = time.monotonic()
    assert watched(lambda: time.sleep(2.5), lambda: "sleep", lambda: int(10 * time.monotonic())) is None
    assert time.monotonic() - started >= 2.5
    watched.close()


def test_without_a_pulse_it_is_given_up_by_name() -> None:
    watched, done = Watch(), Event()
    with pytest.raises(Stuck, match="sleep has not come back"):
        watched(lambda: done.wait(30), lambda: "sleep", lambda: 0)
    assert watched.lost
    done.set()
    watched.close()
