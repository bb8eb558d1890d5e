"""Compiling: once, callees first, warm from the cache the second time, and never stale."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from qipai.core import compile_rules, new_state, rule
from qipai.core.compiling import are_kept, entry_of, rules_digest
from tests.toys_check import faults, hush
from tests.toys_check.hush import STATE

PROGRAM = """
import sys
from pocket.rules import value, STATE
from qipai.core import compile_rules, new_state
compile_rules([value], STATE, "pocket")
print(value(new_state(STATE), 10), value.stats.cache_hits if hasattr(value, "stats") else "plain")
"""

FILES = {
    "pocket/__init__.py": "",
    "pocket/rules.py": (
        "import numpy as np\n"
        "from qipai.core import header, rule, state_dtype\n"
        "from .helper import bonus\n"
        "from coins.table import COINS\n"
        "STATE = state_dtype([*header(seats=1), ('purse', np.int8, (2,))])\n"
        "@rule\n"
        "def value(s, x):\n"
        "    return bonus(x) + COINS[0] + s.purse[x - 10]\n"
    ),
    "pocket/helper.py": "from qipai.core import rule\n@rule\ndef bonus(x):\n    return x + 1\n",
    "coins/__init__.py": "",
    "coins/table.py": "import numpy as np\nCOINS = np.array([100], np.int64)\n",
}


class Pocket:
    """A tiny package of rules in a folder, a cache folder next to it, and a way to run it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name, text in FILES.items():
            self.write(name, text)

    def write(self, name: str, text: str) -> None:
        path = self.folder / "src" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

    def run(self, program: str = PROGRAM, **flags: str) -> tuple[int, list[str], str]:
        """Exit status, words printed, and the errors."""
        env = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "QIPAI_"))}
        own = {"QIPAI_CACHE_DIR": str(self.folder / "cache"), "PYTHONPATH": str(self.folder / "src")}
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={**env, **own, **flags},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout.split(), done.stderr

    def start(self, program: str, *arguments: str) -> subprocess.Popen[str]:
        """Start a process that runs in parallel with others."""
        own = {"QIPAI_CACHE_DIR": str(self.folder / "cache"), "PYTHONPATH": str(self.folder / "src")}
        command = [sys.executable, "-c", program, *arguments]
        return subprocess.Popen(command, env={**os.environ, **own}, stdout=subprocess.PIPE, text=True)

    def value(self, **flags: str) -> tuple[int, bool]:
        """Return what the rule answers, and whether it came out of the cache."""
        status, words, errors = self.run(**flags)
        assert status == 0, errors
        return int(words[0]), "1:" in words[1] or words[1:] not in (["Counter()"], ["plain"])


@pytest.fixture
def pocket(tmp_path: Path) -> Pocket:
    return Pocket(tmp_path)


@pytest.mark.slow
def test_a_second_start_compiles_nothing_and_an_edit_anywhere_is_seen(pocket: Pocket) -> None:
    assert pocket.value() == (111, False)
    assert pocket.value() == (111, True)
    # a helper in another file: Numba alone would not notice
    pocket.write("pocket/helper.py", FILES["pocket/helper.py"].replace("x + 1", "x + 2"))
    assert pocket.value() == (112, False)
    # a constant in another package, frozen into the compiled code
    pocket.write("coins/table.py", FILES["coins/table.py"].replace("100", "200"))
    assert pocket.value() == (212, False)
    # and back: what was compiled for that source is still there
    pocket.write("coins/table.py", FILES["coins/table.py"])
    assert pocket.value() == (112, True)


# A tuple of int64 can be searched, one of an int8 and an int64 cannot: called while still
# open, with what the state holds, this helper has no type.
FUSSY_HELPER = (
    "from qipai.core import rule\n@rule\ndef bonus(x, y):\n    return 1 if y + 0 in (x, y + 0) else 0\n"
)
FUSSY_RULES = FILES["pocket/rules.py"].replace("bonus(x)", "bonus(s.purse[0], x) + 100")


@pytest.mark.slow
def test_a_copy_elsewhere_with_the_same_cache_compiles_anew_and_closes_every_rule(
    pocket: Pocket, tmp_path: Path
) -> None:
    pocket.write("pocket/helper.py", FUSSY_HELPER)
    pocket.write("pocket/rules.py", FUSSY_RULES)
    assert pocket.value() == (201, False)
    copy = Pocket(tmp_path / "copy")
    copy.write("pocket/helper.py", FUSSY_HELPER)
    copy.write("pocket/rules.py", FUSSY_RULES)
    assert copy.value(QIPAI_CACHE_DIR=str(pocket.folder / "cache")) == (201, False)
    assert copy.value(QIPAI_CACHE_DIR=str(pocket.folder / "cache")) == (201, True)


@pytest.mark.slow
def test_a_cache_of_which_part_was_lost_is_made_whole(pocket: Pocket) -> None:
    pocket.write("pocket/helper.py", FUSSY_HELPER)
    pocket.write("pocket/rules.py", FUSSY_RULES)
    assert pocket.value() == (201, False)
    for path in (pocket.folder / "cache").rglob("*.nb?"):
        path.unlink()
    assert pocket.value() == (201, False)


@pytest.mark.slow
def test_a_warm_cache_does_not_hide_the_flag_for_bounds_checks(pocket: Pocket) -> None:
    beyond = PROGRAM.replace("new_state(STATE), 10", "new_state(STATE), 13")
    assert pocket.run(beyond)[0] == 0
    status, _, errors = pocket.run(beyond, NUMBA_BOUNDSCHECK="1")
    assert status == 1
    assert "IndexError" in errors


@pytest.mark.slow
def test_with_compilation_off_rules_are_plain_functions_and_nothing_is_cached(pocket: Pocket) -> None:
    status, words, errors = pocket.run(NUMBA_DISABLE_JIT="1")
    assert (status, words) == (0, ["111", "plain"]), errors
    assert not (pocket.folder / "cache").exists()


@pytest.mark.slow
def test_a_whole_game_is_played_with_compilation_off() -> None:
    program = (
        "from tests.toys_check.hush import GAME, apply\n"
        "from qipai.testing import check_game\n"
        "print(type(apply).__name__, check_game(GAME, games=6, parity_games=1, options=[{}], seats=[2],\n"
        "    only=['mask', 'parity', 'pieces', 'batch']).games)"
    )
    root = str(Path(__file__).parents[2])
    env: dict[str, Any] = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": root}
    done = subprocess.run(
        [sys.executable, "-c", program], env=env, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["function", "6"], done.stderr


@pytest.mark.slow
def test_processes_that_compile_at_once_do_not_mix_up_what_they_keep(pocket: Pocket) -> None:
    """Three records, one rule: each process must get the code for its own record, now and later."""
    program = """
import sys
import numpy as np
from pocket.rules import value
from qipai.core import compile_rules, header, new_state, state_dtype
n = int(sys.argv[1])
record = state_dtype([*header(seats=1), ("before", np.int32, (n,)), ("purse", np.int8, (2,))])
compile_rules([value], record, "pocket")
s = new_state(record)
s["purse"][0] = n
print(value(s, 10))
"""
    for _ in range(2):
        started = [pocket.start(program, str(n)) for n in (1, 2, 3, 1, 2, 3)]
        said = [one.communicate()[0].strip() for one in started]
        assert said == [str(111 + n) for n in (1, 2, 3, 1, 2, 3)]


@pytest.mark.slow
def test_an_import_that_fails_here_does_not_keep_rules_from_compiling(pocket: Pocket) -> None:
    pocket.write("broken/__init__.py", "raise RuntimeError('something it needs is missing')\n")
    pocket.write(
        "pocket/helper.py",
        "try:\n    from broken.part import thing\nexcept RuntimeError:\n    pass\n"
        + FILES["pocket/helper.py"],
    )
    assert pocket.value() == (111, False)


# --- which rules these are ------------------------------------------------------------


def adder(n: int) -> Any:
    """Return a rule made in a function, with the number as a part of it."""

    @rule
    def add(s: Any, x: int) -> int:
        return x + n

    return add


def test_rules_of_one_factory_do_not_share_compiled_loops() -> None:
    assert rules_digest([adder(2)]) == rules_digest([adder(2)])
    assert rules_digest([adder(2)]) != rules_digest([adder(5)])


def test_two_rules_of_one_module_do_not_share_compiled_loops() -> None:
    """The loops of a game are cached under this digest; their source is the same for all games."""
    assert rules_digest([faults.legal_empty]) != rules_digest([faults.legal_miscounts])


# --- within one process ---------------------------------------------------------------


def test_progress_counts_every_rule_once_and_says_when_all_are_done() -> None:
    told: list[tuple[int, int, str]] = []
    fn = adder(31)
    compile_rules([fn], STATE, "tests/progress", lambda *what: told.append(what))
    assert told in ([(0, 1, "add"), (1, 1, "")], [])  # nothing where compilation is off
    compile_rules([fn], STATE, "tests/progress", lambda *what: told.append(what))
    assert len(told) in (2, 0)
    assert fn(new_state(STATE), 1) == 32


def test_plain_functions_and_missing_ones_need_no_compiling() -> None:
    compile_rules([None, hush.view], STATE, "tests/plain")
    assert are_kept([None, hush.view], STATE)


def test_the_machine_code_of_a_rule_answers_as_the_rule_does() -> None:
    fn = adder(6)
    assert entry_of(fn) is fn  # nothing is compiled yet
    compile_rules([fn], STATE, "tests/entry")
    s = new_state(STATE)
    assert entry_of(fn)(s, 5) == fn(s, 5) == 11
    assert entry_of(hush.view) is hush.view
