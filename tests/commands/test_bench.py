"""`qipai bench` on the command line."""

from __future__ import annotations

import json

import pytest

from qipai.bench import Start
from qipai.cli import main
from qipai.core import get, names
from qipai.core.errors import NoDevice
from tests.envs.toy import LAPS

QUICK = ["--seconds", "0.02", "--batch", "128"]


def test_a_table_of_four_ways_and_what_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "xianqi", *QUICK]) == 0
    out = capsys.readouterr().out
    assert f"{get('xianqi').rules.State.itemsize} bytes" in out
    assert "2 threads over one" in out and "A decision:" in out
    assert len([line for line in out.splitlines() if line.split()[1:2] in (["yes"], ["no"])]) == 4


def test_a_small_batch_is_measured_on_one_thread_unless_more_are_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    flags = ["bench", "xianqi", "--seconds", "0.02", "--batch", "32", "--no-obs"]
    assert main([*flags, "--json"]) == 0
    [game] = json.loads(capsys.readouterr().out)["games"]
    assert [speed["threads"] for speed in game["speeds"]] == [1]
    assert main([*flags, "--threads", "2"]) == 2
    assert "too small for 2 threads" in capsys.readouterr().err


def test_json_of_every_registered_game(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qipai.core.registry.OURS", {})
    monkeypatch.setattr("qipai.core.registry._added", {"laps": LAPS, "broken": 5})
    assert main(["bench", "--json", "--threads", "1", "--no-obs", *QUICK]) == 0
    told = capsys.readouterr()
    data = json.loads(told.out)
    assert {g["game"] for g in data["games"]} == set(names()) - {"broken"}
    assert [s["observed"] for s in data["games"][0]["speeds"]] == [False]
    assert set(data["machine"]) == {"processor", "python", "numpy", "numba"}
    assert "broken" in told.err and "[game/bad]" in told.err


def test_compile_adds_the_times_of_a_fresh_process(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qipai.bench.time_start", lambda name: Start(20.0, 1.0, 19.0, 0.4))
    assert main(["bench", "xianqi", "--compile", "--threads", "1", "--obs", *QUICK]) == 0
    assert "20.0 s cold (compiling 19.0 s), 1.00 s warm (loading 0.40 s)" in capsys.readouterr().out
    assert main(["bench", "xianqi", "--compile", "--json", "--threads", "1", "--obs", *QUICK]) == 0
    assert json.loads(capsys.readouterr().out)["games"][0]["start"]["cold"] == 20.0


def test_several_games_are_named_and_each_is_measured_once(capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["--games", "xianqi,nana,xianqi", "--json", "--threads", "1", "--no-obs"]
    assert main(["bench", *flags, *QUICK]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [g["game"] for g in data["games"]] == ["xianqi", "nana"]
    assert {g["device"] for g in data["games"]} == {"cpu"}


def test_a_gpu_that_is_not_there_is_a_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> None:
        raise NoDevice("no CUDA device can be used here; device='cpu' works everywhere")

    monkeypatch.setattr("qipai.sim.cuda.engine.load_cuda", missing)
    assert main(["bench", "xianqi", "--device", "cuda", "--seconds", "0.02"]) == 2
    assert "[device/missing]" in capsys.readouterr().err


def test_a_terminal_is_told_of_kernels_that_are_built_and_a_refusal_has_its_own_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> None:
        raise NoDevice("no CUDA device can be used here")

    monkeypatch.setattr("qipai.sim.cuda.engine.load_cuda", missing)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert main(["bench", "xianqi", "--device", "cuda"]) == 2
    told = capsys.readouterr().err.split("\r\033[K")
    assert told[1] == "building kernels of xianqi ..." and told[-1].startswith("qipai bench: no CUDA")


@pytest.mark.parametrize(
    ("flags", "code"),
    [
        (["chess"], "game/unknown"),
        (["xianqi", "--threads", "0"], "count/bad"),
        (["xianqi", "--batch", "0"], "batch/bad"),
        (["xianqi", "--batch", "64", "--threads", "2"], "count/bad"),
        (["xianqi", "--seconds", "-1"], "count/bad"),
        (["xianqi", "--seconds", "nan"], "count/bad"),
        (["xianqi", "--games", "nana"], "option/bad"),
        (["--games", ","], "option/bad"),
        (["--games", "xianqi,chess"], "game/unknown"),
        ([""], "option/bad"),
        (["--games", ""], "option/bad"),
        (["xianqi", "--games", ""], "option/bad"),
        (["xianqi", "--plot", ""], "option/bad"),
        (["xianqi", "--peers", "--plot", "p.png"], "option/bad"),
        (["xianqi", "--peers", "--device", "cuda"], "option/bad"),
    ],
)
def test_refusals_are_one_sentence_with_a_code(
    flags: list[str], code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", *flags]) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.startswith("qipai bench: ") and f"[{code}]" in told.err
    assert len(told.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("measurement", "given"),
    [
        (["--peers"], ["--batch", "0"]),
        (["--peers"], ["--threads", "2"]),
        (["--peers"], ["--no-obs"]),
        (["--peers"], ["--obs"]),
        (["--peers"], ["--compile"]),
        (["--peers"], ["--seats", "4"]),
        (["--plot", "p.png"], ["--threads", "2"]),
        (["--plot", "p.png"], ["--compile"]),
        (["--plot", "p.png"], ["--seats", "4"]),
    ],
)
def test_an_option_without_a_use_is_refused_by_name(
    measurement: list[str], given: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "nana", *measurement, *given]) == 2
    named = given[0].replace("--no-", "--")
    assert f"{measurement[0]} cannot be combined with {named} [option/bad]" in capsys.readouterr().err


@pytest.mark.parametrize("given", [["--threads", "2"], ["--peers"]])
def test_what_is_of_the_cpu_is_refused_on_a_gpu(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "nana", "--device", "cuda", *given]) == 2
    assert f"{given[0]} only applies to the CPU" in capsys.readouterr().err


@pytest.mark.parametrize("flags", [["--seconds", "long"], ["--batch", "1.5"], ["--device", "tpu"]])
def test_flags_that_cannot_be_read_end_with_status_2(
    flags: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["bench", "xianqi", *flags])
    assert ended.value.code == 2
    assert flags[0] in capsys.readouterr().err
