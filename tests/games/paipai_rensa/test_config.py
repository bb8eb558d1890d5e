"""The configuration under the names of the specification (§14)."""

from __future__ import annotations

from qipai.core.option import read_options
from qipai.games.paipai_rensa.__main__ import main
from qipai.games.paipai_rensa.config import RULES, config_of
from qipai.games.paipai_rensa.options import OPTIONS
from qipai.games.paipai_rensa.terminal.live import read_flags


def test_options_of_the_command_line_reach_the_game() -> None:
    given = config_of(read_options(OPTIONS, read_flags(["bias_zoro_target=300000", "cpu_clear_policy=all"])))
    assert given["BIAS_ZORO_TARGET"] == 0.3 and given["CPU_CLEAR_POLICY"] == "all"
    assert {k: given[k] for k in given if k not in ("BIAS_ZORO_TARGET", "CPU_CLEAR_POLICY")} == {
        k: v for k, v in RULES.items() if k not in ("BIAS_ZORO_TARGET", "CPU_CLEAR_POLICY")
    }
    for bad in (["no_such=1"], ["bias_enabled"], ["bias_window_pairs=0"]):
        assert main(["--selftest", *(f"--option={flag}" for flag in bad)]) == 2
