"""The rules for players: every example is computed, used in each language, and its numbers are filled in."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from qipai.core import LANGUAGES, get
from qipai.core.message import COMMON, Messages
from qipai.core.registry import OURS
from qipai.games.paipai_rensa import state as rensa
from qipai.games.wuhan_mahjong import score as wuhan_score
from qipai.server.lessons import lesson
from sitemaker import guides

TABLES = Path(__file__).parents[2] / "front" / "src" / "tables"
FIGURE = re.compile(r"^!\[(.*)\]\(example:(\w+)\)$", re.M)
# What belongs on the developers' page.
TECHNICAL = re.compile(r"`|§|\bJSON\b|Error|Exception|\btests?\b|https?:|\boption\w*_|\bqipai\b")
# What a text of a house rule must not have besides: names and units of programs, marks that nothing explains.
CODED = re.compile(r"_|-\d|[(（][A-Z][)）]|millionths|百万分之一|100万分の1")


def large_figures() -> dict[str, set[int]]:
    """Return the numbers from ten on that a game's guide tells in prose; other games tell none."""
    wuhan = get("wuhan_mahjong").rules.options
    default = {option.name: option.default for option in wuhan}
    payoff = lesson("wuhan_mahjong").payoff  # its hand is over the cap
    assert payoff is not None
    return {
        "paipai_rensa": {rensa.SCORE_PER_TILE, rensa.WIN_BASE, rensa.WIN_PER_RED},
        "wuhan_mahjong": {default["min_win"], default["cap"], wuhan_score.BASE, -payoff[1]},
    }


def text_of(game: str, lang: str) -> str:
    return (TABLES / game / "guide" / f"{lang}.md").read_text("utf-8")


@pytest.mark.parametrize("game", OURS)
def test_the_page_draws_what_the_rules_compute(game: str) -> None:
    kept = json.loads((TABLES / game / "guide.json").read_text("utf-8"))
    assert kept == json.loads(guides.write(guides.examples(game))), "run `make pages`"


def test_a_change_of_the_rules_would_change_an_example(monkeypatch: pytest.MonkeyPatch) -> None:
    from qipai.games.paipai_rensa import view

    before = guides.examples("paipai_rensa")["win"]
    monkeypatch.setattr(view, "WIN_BASE", 2500)
    assert guides.examples("paipai_rensa")["win"] != before


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", OURS)
def test_a_text_shows_every_example_once_and_has_its_numbers(game: str, lang: str) -> None:
    examples = guides.examples(game)
    figures = FIGURE.findall(text_of(game, lang))
    assert sorted(name for _, name in figures) == sorted(examples)
    for caption, name in figures:
        assert set(re.findall(r"\{(\w+)\}", caption)) <= set(examples[name]["values"]), name
    prose = FIGURE.sub("", text_of(game, lang))
    assert "{" not in prose


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", OURS)
def test_a_text_names_nobody_itself(game: str, lang: str) -> None:
    """A caption says `{dealer}`; who that is comes from the example, as in the lines above the caption."""
    common = Messages.of_package(COMMON).texts(lang)
    people = [text for key, text in common.items() if key.startswith("person.")]
    named = re.compile("|".join(rf"(?<![A-Za-zァ-ヶ]){name}(?![A-Za-zァ-ヶー])" for name in people))
    assert len(people) == 8 and named.search(people[1])
    assert named.findall(text_of(game, lang)) == []


def test_who_a_caption_names_is_who_the_example_is_about() -> None:
    small = guides.examples("wuhan_mahjong")["small"]
    paying = [row for row in small["rows"] if "terms" in row]
    (dealer,) = [row for row in paying if any(key == "table.factor.dealer" for key, _ in row["terms"])]
    assert dealer["line"][1]["who"] == small["values"]["dealer"]
    equal = guides.examples("xianqi")["equal"]
    (coverer,) = [row["line"][1]["seat"] for row in equal["rows"] if row["line"][0] == "log.cover"]
    assert coverer == equal["values"]["coverer"]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", OURS)
def test_the_figures_of_the_prose_are_those_of_the_rules(game: str, lang: str) -> None:
    prose = FIGURE.sub("", text_of(game, lang))
    told = set(map(int, re.findall(r"\d{2,}", prose.replace("All 258", ""))))
    assert told == large_figures().get(game, set())


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", OURS)
def test_a_text_speaks_to_players(game: str, lang: str) -> None:
    text = text_of(game, lang)
    assert TECHNICAL.search(FIGURE.sub(r"\1", text)) is None
    english = text_of(game, "en")
    for mark in ("\n# ", "\n- ", "\n**"):  # the same parts, points and questions
        assert text.count(mark) == english.count(mark), mark
    assert [name for _, name in FIGURE.findall(text)] == [name for _, name in FIGURE.findall(english)]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", OURS)
def test_a_house_rule_speaks_to_players(game: str, lang: str) -> None:
    made = get(game)
    for option in made.rules.options:
        named = [str(value) for value in option.choices or option.allowed]
        named += [str(option.low)] if made.names_lowest(option) else []
        texts = [
            made.option_about(option.name, lang),
            *(made.choice_name(option.name, v, lang) for v in named),
        ]
        for text in texts:
            assert TECHNICAL.search(text) is None and CODED.search(text) is None, text
        unnamed = option.low < 0 and not option.is_seat and not option.choices and not named
        assert not unnamed, f"{option.name}: say what {option.low} means"


@pytest.mark.parametrize(
    "text", ["the rate (A)", "比率（A）", "max_streak + 1", "-1: as the deck says", "in millionths"]
)
def test_a_house_rule_for_programmers_is_found(text: str) -> None:
    assert CODED.search(text)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", OURS)
def test_every_sentence_of_an_example_is_in_the_message_files(game: str, lang: str) -> None:
    messages = get(game).words.messages
    lines: list[Any] = []
    for example in guides.examples(game).values():
        for row in example["rows"]:
            lines += [row[key] for key in ("line",) if key in row]
            lines += row.get("terms", [])
            lines += [group["line"] for group in row.get("groups", []) if "line" in group]
    assert lines
    for key, values in lines:
        assert messages.tell((key, values), lang) != ""
