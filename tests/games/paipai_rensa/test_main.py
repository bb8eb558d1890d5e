"""`python -m qipai.games.paipai_rensa`: the self test, and options from the command line."""

from __future__ import annotations

import pytest

from qipai.games.paipai_rensa.__main__ import main


def test_selftest_prints_its_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--selftest"]) == 0
    assert "11 of 11 passed" in capsys.readouterr().out


def test_bad_options_are_refused_with_their_code(capsys: pytest.CaptureFixture[str]) -> None:
    for bad in ("no_such=1", "bias_enabled", "bias_window_pairs=0"):
        assert main(["--selftest", f"--option={bad}"]) == 2
        assert "[option/bad]" in capsys.readouterr().err


def test_a_language_that_nobody_speaks_here_is_refused() -> None:
    with pytest.raises(SystemExit):
        main(["--lang", "xx"])
