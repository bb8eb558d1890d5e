"""The table of a net against every other agent."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from qipai.core import get

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def versus(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(FOLDER)
    return __import__("versus")


def test_every_other_agent_is_met_with_every_number_of_seats(versus: ModuleType) -> None:
    pairs = {(p.opponent, p.seats): p.asked for p in versus.pairs_of(get("nana"))}
    assert {seats for _, seats in pairs} == {2, 3, 4, 5, 6}
    assert pairs["random", 2] == pairs["exact", 4] == 200 and pairs["exact", 3] == 50
    assert pairs["search@quick", 2] == 50 and pairs["stubborn", 4] == 100
    assert not {"net", "search", "level1"} & {opponent for opponent, _ in pairs}
    assert "level6" in {p.opponent for p in versus.pairs_of(get("nana"), levels=True)}
    assert {p.asked for p in versus.pairs_of(get("xianqi"), deals=2)} == {2}


def test_a_page_says_how_its_pairs_were_played(versus: ModuleType) -> None:
    for name, words in (("nana", "the opponent in all other seats"), ("paipai_rensa", "each alone")):
        pair = versus.Pair(name, "random", 2, 5)
        result = versus.Result(pair, "0", 1, 5, 0.5, float("inf"), 0.4, 0.1, 2.0, "2026-01-02")
        text = versus.section(get(name), [result])
        pairs = [versus.Pair(name, opponent, seats, 5) for opponent in ("hard", "exact") for seats in (5, 6)]
        missing = "`hard`, `exact`" if name != "nana" else "`hard` with 5, 6 seats; `exact` with 5, 6 seats"
        assert f"\nNot in this table: {missing}.\n\n|" in versus.section(get(name), [result], pairs)
        assert words in text and "95 % intervals\n(2026-01-02)." in text and "Not in this table" not in text


def test_pairs_are_played_once_and_written_into_the_page(
    versus: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "xianqi.md"
    page.write_text("# The net\n\n## Cost and curve\n\nThe end.\n")
    monkeypatch.setattr(versus, "PAGES", tmp_path)
    few = [("random", 200), ("repeater", 100)]
    monkeypatch.setattr(versus, "opponents_of", lambda game, levels: few)
    words = ["xianqi", "--deals", "2", "--out", str(tmp_path / "v.jsonl"), "--write"]
    assert versus.main(words) == 0
    first = page.read_text()
    assert first.startswith("# The net\n\n## Against every other agent\n\n<!-- versus: begin -->")
    assert first.endswith("<!-- versus: end -->\n\n## Cost and curve\n\nThe end.\n")
    assert first.count("| `random` | 2 | ") == first.count("| `repeater` | 2 | ") == 1
    assert "repeater, 3: 2 deals" in capsys.readouterr().out
    monkeypatch.setattr(versus, "play", None)  # nothing is left to play
    assert versus.main(words) == 0 and page.read_text() == first
    assert len((tmp_path / "v.jsonl").read_text().splitlines()) == 2


def test_with_only_the_others_are_shown_as_far_as_they_are_known(
    versus: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opponents = [("random", 200), ("repeater", 100), ("cautious", 100)]
    monkeypatch.setattr(versus, "opponents_of", lambda game, levels: opponents)
    (tmp_path / "xianqi.md").write_text("## Cost and curve\n")
    monkeypatch.setattr(versus, "PAGES", tmp_path)
    words = ["xianqi", "--deals", "1", "--out", str(tmp_path / "v.jsonl"), "--write", "--only"]
    assert versus.main([*words, "cautious"]) == 0
    assert versus.main([*words, "random"]) == 0
    table = capsys.readouterr().out.rpartition("xianqi\n\n")[2]
    assert [line.split()[1] for line in table.splitlines()[2:-1]] == ["`random`", "`cautious`"]
    assert "\nNot in this table: `repeater`.\n\n| opponent" in (tmp_path / "xianqi.md").read_text()
    with pytest.raises(SystemExit, match="2"):
        versus.main([*words, "nobody"])
    assert "no opponent is called nobody; known: cautious, random, repeater" in capsys.readouterr().err
    assert len((tmp_path / "v.jsonl").read_text().splitlines()) == 2
