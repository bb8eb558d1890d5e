"""PettingZoo and Gymnasium are loaded late or not at all; their registries know our games."""

from __future__ import annotations

import subprocess
import sys

import pettingzoo
import pytest

import qipai.envs
from qipai.core import names
from qipai.core.errors import MissingExtra
from qipai.envs.ids import register_ids

from .toy import LAPS


def in_a_fresh_process(*lines: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "\n".join(lines)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_importing_the_package_does_not_load_pettingzoo() -> None:
    out = in_a_fresh_process(
        "import sys, qipai.envs", "print('pettingzoo' in sys.modules, 'gymnasium' in sys.modules)"
    )
    assert out == "False False"


@pytest.mark.slow
@pytest.mark.parametrize("first", ["qipai.envs", "pettingzoo"])
def test_the_ids_are_there_in_whatever_order_the_two_are_imported(first: str) -> None:
    second = {"qipai.envs": "pettingzoo", "pettingzoo": "qipai.envs"}[first]
    out = in_a_fresh_process(
        f"import {first}, {second}, pettingzoo",
        "print(type(pettingzoo.make('aec', 'qipai/xianqi', render_mode='ansi')).__name__)",
    )
    assert out == "GameEnv"


@pytest.mark.parametrize("first", ["qipai.envs", "gymnasium"])
def test_gymnasium_has_the_ids_in_whatever_order_the_two_are_imported(first: str) -> None:
    second = {"qipai.envs": "gymnasium", "gymnasium": "qipai.envs"}[first]
    out = in_a_fresh_process(
        f"import {first}, {second}, gymnasium",
        "gymnasium.register_envs(qipai.envs)",
        "print(*(gymnasium.spec(f'qipai/{n}-v1').entry_point for n in ('xianqi', 'skill_gomoku')))",
    )
    assert out == "qipai.envs:single qipai.envs:single"


@pytest.mark.parametrize("library", ["pettingzoo", "gymnasium"])
def test_asking_whether_a_library_is_there_loses_no_ids(library: str) -> None:
    registry = {"pettingzoo": "aec_registry", "gymnasium": "registry"}[library]
    out = in_a_fresh_process(
        "import sys, qipai.envs",
        "from importlib.util import find_spec",
        f"print(find_spec('{library}').name, '{library}' in sys.modules)",  # as TorchRL asks
        f"import {library}",
        f"print('qipai/xianqi-v1' in {library}.{registry})",
        f"print(any(getattr(finder, '_library', '') == '{library}' for finder in sys.meta_path))",
    )
    assert out.splitlines() == [f"{library} False", "True", "False"]


def test_a_registry_that_cannot_be_filled_does_not_keep_the_library_from_loading() -> None:
    out = in_a_fresh_process(
        "import sys, qipai.envs",
        "sys.modules['qipai.envs.gym_single'] = None",  # as if Gymnasium lacked something that it needs
        "import gymnasium",
        "print(any(id_.startswith('qipai/') for id_ in gymnasium.registry))",
    )
    assert out == "False"


def test_without_pettingzoo_the_refusal_names_the_extra() -> None:
    out = in_a_fresh_process(
        "import sys",
        "sys.modules['pettingzoo'] = None",
        "import qipai.envs",
        "try: qipai.envs.aec('xianqi')",
        "except qipai.QipaiError as error: print(error.code, error)",
    )
    assert out.startswith(MissingExtra.code) and "qipai[envs]" in out


@pytest.mark.filterwarnings("error")
def test_every_game_has_an_id_with_its_rules_version_and_registering_twice_is_silent() -> None:
    ids = register_ids()
    assert len(ids) == len(names()) and "qipai/xianqi-v1" in ids
    assert set(ids) <= set(pettingzoo.aec_registry)
    assert register_ids() == ids


def test_a_game_registered_later_gets_its_id_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qipai.core.registry._added", {"laps": LAPS, "broken": 5})
    monkeypatch.setitem(pettingzoo.aec_registry, "qipai/laps-v3", None)  # so that it is gone afterwards
    del pettingzoo.aec_registry["qipai/laps-v3"]
    assert "qipai/laps-v3" in register_ids()
    assert str(pettingzoo.make("aec", "qipai/laps-v3", seats=2, max_cycles=5)) == "laps_v3"


def test_what_the_package_offers_is_there() -> None:
    assert {"aec", "single", "vector", "register_ids", "WuhanMahjongEnv"} <= set(qipai.envs.__all__)
    for name in qipai.envs.__all__:
        assert getattr(qipai.envs, name) is not None
