"""Settings (§2) under the specified names: defaults, checks, and the options that they become."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.games.skill_gomoku import PRESETS, SkillGomokuError, SkillGomokuMatch, TurnMachine, game
from qipai.games.skill_gomoku.api.settings import KEYS, read_settings
from qipai.games.skill_gomoku.view import settings_of

# every setting with a value that is not its default
OTHER: dict[str, Any] = {
    "boardSize": 9,
    "firstPlayer": 2,
    "seed": "other",
    "simultaneousFivePolicy": "draw",
    "deckCounts": PRESETS["source-early"],
    "ensurePlaceTop": False,
    "maxTurns": None,
    "drawnVisibility": "public",
    "confirmEnd": True,
    "paced": True,
    "allowReselect": True,
}

BAD_SETTINGS: list[dict[str, Any]] = [
    {"boardSize": 4}, {"boardSize": 26}, {"boardSize": 15.0}, {"boardSize": True}, {"boardSize": "15"},
    {"firstPlayer": 0}, {"firstPlayer": 3}, {"simultaneousFivePolicy": "both"}, {"maxTurns": 0},
    {"maxTurns": -1}, {"maxTurns": 1.5}, {"drawnVisibility": None}, {"ensurePlaceTop": 1}, {"paced": "yes"},
    {"unknown": 1}, {"deckCounts": {"Place": 1}},
]  # fmt: skip


@pytest.mark.parametrize("settings", BAD_SETTINGS)
def test_5_bad_settings_make_no_match(settings: dict[str, Any]) -> None:
    for make in (SkillGomokuMatch, TurnMachine):
        with pytest.raises(SkillGomokuError) as refusal:
            make(1, settings)
        assert refusal.value.code == "InvalidConfig"


def test_5_bad_seeds_make_no_match() -> None:
    odd: list[Any] = [None, True, 1.5, [1], b"x"]
    for seed in odd:
        with pytest.raises(SkillGomokuError) as refusal:
            SkillGomokuMatch(seed)
        assert refusal.value.code == "InvalidConfig"


def test_5_settings_are_an_object() -> None:
    odd: list[Any] = [[1], "x", 5]
    for settings in odd:
        for make in (SkillGomokuMatch, TurnMachine):
            with pytest.raises(SkillGomokuError) as refusal:
                make(1, settings)
            assert refusal.value.code == "InvalidConfig"


def test_2_settings_that_are_not_given_have_their_defaults() -> None:
    assert read_settings({"seed": 1}).to_json() == {
        "boardSize": 15,
        "firstPlayer": 1,
        "seed": 1,
        "simultaneousFivePolicy": "attacker",
        "deckCounts": PRESETS["default"],
        "ensurePlaceTop": True,
        "maxTurns": 1000,
        "drawnVisibility": "private",
        "confirmEnd": False,
        "paced": False,
        "allowReselect": False,
    }


@pytest.mark.parametrize("key", KEYS)
def test_a_setting_reads_back_and_touches_no_other(key: str) -> None:
    plain = read_settings({"seed": 1}).to_json()
    changed = read_settings({"seed": 1, key: OTHER[key]})
    assert changed.to_json() == {**plain, key: OTHER[key]}
    assert changed.to_json() != plain
    assert read_settings(changed.to_json()) == changed


def test_settings_as_a_whole_read_back() -> None:
    assert set(OTHER) == set(KEYS)
    assert read_settings(OTHER).to_json() == OTHER


SHARED = ("boardSize", "firstPlayer", "simultaneousFivePolicy", "deckCounts", "ensurePlaceTop", "maxTurns",
          "drawnVisibility")  # fmt: skip


@pytest.mark.parametrize("key", SHARED)
def test_the_options_of_the_rules_say_what_the_setting_says(key: str) -> None:
    settings = read_settings({"seed": 1, key: OTHER[key]})
    options = settings.options()
    s = game(options).new(options)
    assert settings_of(s)[key] == OTHER[key]
    assert {name: int(s[name]) for name in settings.numbers()} == settings.numbers()


COMPILABLE: list[tuple[dict[str, Any], bool]] = [
    ({}, True), ({"boardSize": 5}, True), ({"boardSize": 19}, True), ({"boardSize": 20}, False),
    ({"confirmEnd": True, "paced": True}, True), ({"allowReselect": True}, False),
    ({"deckCounts": {"Place": 64}}, True), ({"deckCounts": {"Place": 65}}, False),
    ({"maxTurns": 30_000}, True), ({"maxTurns": 30_001}, False), ({"maxTurns": None}, True),
]  # fmt: skip


@pytest.mark.parametrize(("given", "compilable"), COMPILABLE)
def test_what_fits_the_compiled_rules_is_played_by_them(given: dict[str, Any], compilable: bool) -> None:
    assert read_settings({"seed": 1, **given}).compilable == compilable
    assert SkillGomokuMatch(1, given).compiled == compilable


def test_a_deck_with_a_card_of_a_third_party_does_not_fit_the_compiled_rules() -> None:
    ids = (*PRESETS["default"], "Two")
    assert not read_settings({"seed": 1}, ids).compilable
    assert read_settings({"seed": 1, "deckCounts": {"Place": 1, "Two": 2}}, ids).deck_size == 3


@pytest.mark.parametrize(
    ("given", "more"),
    [
        ({}, []),
        ({"confirmEnd": True}, ["confirm"]),
        ({"paced": True}, ["drawTwo", "resolve", "checkWin"]),
        ({"confirmEnd": True, "paced": True}, ["confirm", "drawTwo", "resolve", "checkWin"]),
    ],
)
def test_13_a_match_waits_in_the_states_that_its_settings_add(given: Any, more: list[str]) -> None:
    states = read_settings({"seed": 1, **given}).states
    assert states == ("maybeSkip", "choose", "selectTarget", "endTurn", *more)


def test_a_loaded_state_may_be_small_and_need_not_tell_its_seed() -> None:
    given = {"boardSize": 1, "deckCounts": {"Place": 0}}
    assert read_settings(given, loaded=True).seed is None
    for refused, why in (({**given, "seed": 1}, "at least 2 cards"), ({"boardSize": 15}, "a seed is")):
        with pytest.raises(SkillGomokuError, match=why):
            read_settings(refused)
    with pytest.raises(SkillGomokuError, match="boardSize must be a whole number from 1 to 25, not 0"):
        read_settings({"boardSize": 0}, loaded=True)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"boardSize": 26}, "boardSize must be a whole number from 5 to 25, not 26"),
        ({"paced": 1}, "paced is true or false, not 1"),
        ({"drawnVisibility": "open"}, "drawnVisibility must be one of private, public, not 'open'"),
        ({"size": 15}, "unknown setting 'size'; known: boardSize, "),
    ],
)
def test_a_refusal_names_the_setting_and_what_it_takes(given: dict[str, Any], why: str) -> None:
    with pytest.raises(SkillGomokuError, match=why):
        read_settings({"seed": 1, **given})
