"""Files of vectors: how they are read, how answers are compared, what the command says."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from qipai import cli
from qipai.core import get
from qipai.core.errors import BadVectors, IllegalAction
from qipai.vectors import Vector, check, compare, compare_answer, read_file, runner

GOOD = {
    "id": "one",
    "kind": "enumerate_combos",
    "input": {"hand": {"R_SHI": 1}},
    "expect": {"combos": [{"cards": {"R_SHI": 1}, "power": 9}]},
}


def written(tmp_path: Path, data: Any, name: str = "vectors.json") -> Path:
    path = tmp_path / name
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


# --- comparing ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "got"),
    [
        (1, 1), (1, 1.0), (1.0, 1 + 5e-10), (0.5, Fraction(1, 2)), ("1/3", 1 / 3), ("2/4", 0.5),
        ("-3/6", -0.5), ("1/2", "2/4"), ("1/3", "1/3"), ("x", "x"), ("4/0", "4/0"), (None, None),
        (True, True), ([], []), ([1, [2]], [1, [2]]), ([1, 2], (1, 2)), ({"a": {"b": 1}}, {"a": {"b": 1.0}}),
        (10**30, 10**30),
    ],
)  # fmt: skip
def test_equal_answers_agree(wanted: Any, got: Any) -> None:
    assert compare(wanted, got, "x") == []


@pytest.mark.parametrize(
    ("wanted", "got"),
    [
        (1, 1 + 2e-9), (1, True), (True, 1), (False, None), (0, None), (None, 0), ("1", 1), (1, "1"),
        ("1/3", "1/4"), ("1/3", 0.333), ("1/0", 1), ([1, 2], [2, 1]), ([1], [1, 2]), ([1], 1), ({}, []),
        ({"a": 1}, {}), ({"a": 1}, {"a": 1, "b": 2}), ({"a": {"b": 1}}, {"a": {"b": 2}}), ("a", "b"),
        (0, float("nan")), (10**30, 10**30 + 1), ("abc/d", "abc/e"),
    ],
)  # fmt: skip
def test_different_answers_differ(wanted: Any, got: Any) -> None:
    assert compare(wanted, got, "x")


def test_a_difference_says_where_it_is() -> None:
    found = compare({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}, "state")
    assert found == ["state.a.1.b: expected 2, got 3"]


def test_only_the_keys_of_expect_are_compared_at_the_top() -> None:
    assert compare_answer({"a": 1}, {"a": 1, "b": 2}) == []
    assert compare_answer({"a": 1}, {"b": 2}) == ["a: expected 1, got nothing"]
    assert compare_answer({"a": None}, {}) == ["a: expected null, got nothing"]
    assert compare_answer({}, {"b": 2}) == []


def test_an_accepted_action_is_one_of_the_list() -> None:
    assert compare_answer({"accept": [3, {"t": 1}]}, {"action": {"t": 1}}) == []
    assert compare_answer({"accept": [3, 4]}, {"action": 5}) and compare_answer({"accept": []}, {"action": 5})
    assert compare_answer({"accept": [3]}, {})
    with pytest.raises(BadVectors):
        compare_answer({"accept": 3}, {"action": 3})


def test_best_is_a_subset_and_not_empty() -> None:
    assert compare_answer({"best": [1, 2, 3]}, {"best": [3, 1]}) == []
    for best in ([], [4], [1, 4], None, 1):
        assert compare_answer({"best": [1, 2, 3]}, {"best": best})
    assert compare_answer({"best": [1]}, {})
    with pytest.raises(BadVectors):
        compare_answer({"best": 1}, {"best": [1]})


def test_dotted_paths_reach_into_a_part_of_the_result() -> None:
    result = {"new_state": {"turn": {"plays": [{"seat": 2}]}, "phase": None}}
    paths = {"turn.plays.0.seat": 2, "turn.plays[0].seat": 2, "phase": None}
    assert compare_answer({"new_state_paths": paths}, result) == []
    for path, value in (("turn.plays.0.seat", 1), ("turn.plays.1.seat", 2), ("turn.x", None), ("phase.x", 1)):
        assert compare_answer({"new_state_paths": {path: value}}, result)
    assert compare_answer({"new_state_paths": {"phase": 1}}, {"error_code": "NO"})[0] == "refused: NO"


def test_lists_that_a_shuffle_filled_agree_in_any_order() -> None:
    result = {"drawn": ["a", "b", "c"], "pile": ["d"], "n": 4, "order_free": {"drawn": 1, "pile": 0}}
    for drawn, pile in ((["a", "c", "b"], ["d"]), (["a", "d", "b"], ["c"]), (["a", "b", "c"], ["d"])):
        assert compare_answer({"drawn": drawn, "pile": pile, "n": 4}, result) == []
    assert compare_answer({"drawn": ["a", "d", "b"]}, result) == []
    assert compare_answer({"pile": ["b"]}, result) == [] and compare_answer({"n": 4}, result) == []


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"drawn": ["b", "a", "c"]}, "drawn.0"),
        ({"drawn": ["a", "b", "c"], "pile": ["b"]}, '["b"] cannot result from a shuffle'),
        ({"drawn": ["a", "b", "b"]}, '["b"] cannot result'),
        ({"drawn": ["a", "b"]}, "expected 2 entries, got 3"),
        ({"pile": []}, "expected 0 entries, got 1"),
        ({"pile": "d"}, 'expected "d"'),
        ({"drawn": ["a", "b", "c"], "n": 5}, "n: expected 5"),
    ],
)
def test_a_shuffle_excuses_nothing_but_the_order(wrong: dict[str, Any], says: str) -> None:
    result = {"drawn": ["a", "b", "c"], "pile": ["d"], "n": 4, "order_free": {"drawn": 1, "pile": 0}}
    (difference,) = compare_answer(wrong, result)
    assert says in difference


# --- running --------------------------------------------------------------------------


def outcome(expect: dict[str, Any], result: Any, **given: Any) -> list[str]:
    def run(kind: str, input: dict[str, Any], rules: Any) -> dict[str, Any]:
        if isinstance(result, Exception):
            raise result
        found: dict[str, Any] = result(input) if callable(result) else result
        return found

    return check(run, Vector("id", "kind", None, dict(given), expect))


def test_a_refusal_is_an_answer_and_must_change_nothing() -> None:
    assert outcome({"error_code": "X"}, {"error_code": "X", "unchanged": True}) == []
    assert outcome({"error_code": "X"}, {"error_code": "X"}) == []
    assert outcome({"error_code": "X"}, {"error_code": "X", "unchanged": False})
    assert outcome({"ok": False, "code": "X"}, {"ok": False, "code": "X", "unchanged": False})
    assert outcome({"results": ["X"]}, {"results": ["X"], "unchanged": False})
    assert outcome({"error_code": "X"}, {"new_state": {}}) and outcome({"a": 1}, {"error_code": "X"})


def test_a_named_error_of_qipai_is_a_refusal_and_a_crash_a_difference() -> None:
    assert outcome({"error_code": "action/illegal"}, IllegalAction("no")) == []
    assert outcome({"a": 1}, KeyError("a")) == ["raised KeyError: 'a'"]
    with pytest.raises(BadVectors):
        outcome({}, BadVectors("unknown kind"))


def test_an_input_that_was_changed_is_a_difference() -> None:
    assert outcome({}, lambda given: given.update(a=2) or {}, a=1) == ["the input was changed"]


def test_a_game_answers_by_the_function_that_it_names() -> None:
    game = get("xianqi")
    assert runner(game)("enumerate_combos", {"hand": {}}, None) == {"combos": []}
    with pytest.raises(BadVectors, match="xianqi offers no vectors"):
        runner(replace(game, checks=replace(game.checks, run_vector=None)))


# --- files ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        "", "{", "[]", "1", "null", '{"game": 3, "vectors": []}', '{"game": "xianqi"}', "[" * 100_000,
        '{"game": "xianqi", "vectors": {}}', '{"game": "xianqi", "vectors": [3]}',
        '{"game": "xianqi", "vectors": [{}]}', '{"game": "xianqi", "vectors": [], "x": NaN}',
        '{"game": "xianqi", "vectors": [], "x": ' + "9" * 5000 + "}",
        json.dumps({"game": "xianqi", "vectors": [{**GOOD, "input": []}]}),
        json.dumps({"game": "xianqi", "vectors": [{**GOOD, "id": 1}]}),
        json.dumps({"game": "xianqi", "vectors": [{**GOOD, "expect": None}]}),
    ],
)  # fmt: skip
def test_a_malformed_file_is_a_named_error(tmp_path: Path, data: str) -> None:
    with pytest.raises(BadVectors, match=r"vectors\.json"):
        read_file(written(tmp_path, data))


def test_a_file_that_is_not_there_or_not_text_is_a_named_error(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(BadVectors, match="cannot be read"):
            read_file(path)
    binary = tmp_path / "binary.json"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadVectors, match="not UTF-8"):
        read_file(binary)


# --- the command ----------------------------------------------------------------------


def test_the_command_says_that_all_agree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, {"game": "xianqi", "vectors": [GOOD]})
    assert cli.main(["vectors", str(path), str(path)]) == 0
    assert capsys.readouterr().out == f"{path}: 1 vectors, all agree\n" * 2


def test_the_command_prints_what_differs_and_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = {**GOOD, "id": "wrong", "expect": {"combos": [{"cards": {"R_SHI": 1}, "power": 8}]}}
    path = written(tmp_path, {"game": "xianqi", "vectors": [GOOD, bad]})
    good = written(tmp_path, {"game": "xianqi", "vectors": [GOOD]}, "good.json")
    assert cli.main(["vectors", str(path), str(good)]) == 1
    out = capsys.readouterr().out
    assert "wrong (enumerate_combos)" in out and "combos.0.power: expected 8, got 9" in out
    assert f"{path}: 2 vectors, 1 differ" in out and f"{good}: 1 vectors, all agree" in out


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"game": "xianqi", "vectors": [{**GOOD, "kind": "guess"}]}, "vectors/bad"),
        ({"game": "chess of tomorrow", "vectors": []}, "game/unknown"),
        ("not json", "vectors/bad"),
    ],
)
def test_the_command_refuses_with_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: Any, code: str
) -> None:
    assert cli.main(["vectors", str(written(tmp_path, data))]) == 2
    assert code in capsys.readouterr().err
