"""Xianqi in the terminal: what is drawn, what may be typed."""

from __future__ import annotations

from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

from qipai.core import State
from qipai.core.errors import BadText
from qipai.core.message import LANGUAGES
from qipai.games.xianqi import GAME
from qipai.games.xianqi.terminal import SCREEN
from qipai.games.xianqi.text import MESSAGES, parse, say
from qipai.terminal.screen import Scene

from .positions import position

PAIR = "RS2, under BC, under BC, under RN, under BN"
TRIPLE = [
    {"R_SHI": 2, "R_MA": 2, "R_NIU": 3, "B_GOU": 1},
    {"B_SHI": 2, "R_XIANG": 1, "B_MA": 2, "R_CHE": 2, "B_CHE": 1},
    {"R_XIANG": 1, "B_XIANG": 2, "R_GOU": 1, "B_CHE": 1, "B_NIU": 3},
]


def scene_at(s: State, seat: int, lang: str = "en") -> Scene:
    names = [("You", "Lan", "Bo")[(k - max(seat, 0)) % 3] for k in range(3)]
    seen = GAME.rules.view(s, seat)
    return Scene(
        GAME, seat, seen, seen.get("legal", []), names, names, lang, lambda: GAME.drawing(s, seat, lang)
    )


def shown(part: Any, width: int = 80) -> str:
    console = Console(width=width, file=None, record=False, force_terminal=False, no_color=True)
    with console.capture() as capture:
        console.print(part)
    return capture.get()


def keys(scene: Scene) -> dict[str, str]:
    return {key: say(actions[0]) for key, _, actions in SCREEN.moves(scene)}


def test_moves_are_numbered_and_words_have_their_letters() -> None:
    plays = ["RS", "BS", "RM", "RN", "RS2", "BS2", "RM2", "RN2"]
    numbered = {str(i + 1): play for i, play in enumerate(plays)}
    assert keys(scene_at(position(), 0)) == {**numbered, "b": "buckle"}
    asked = scene_at(position(PAIR + ", buckle"), 1)
    assert keys(asked) == {"r": "reveal", "p": "pass"}
    opener = scene_at(position(options={"round_open": "buckle_first"}), 0)
    assert keys(opener) == {"b": "buckle", "p": "pass"}


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("5", "RS2"),
        ("rs2", "RS2"),
        ("RS RS", "RS2"),
        ("红士", "RS"),
        ("b", "buckle"),
        ("B", "buckle"),
        ("扣", "buckle"),
    ],
)
def test_a_move_is_typed_by_number_card_or_word(typed: str, move: str) -> None:
    assert SCREEN.read(typed, scene_at(position(), 0)) == [parse(move)]


@pytest.mark.parametrize(
    "typed", ["2 3", "3 2", "23", "BM RC", "rc bm", "黑马 红车", "under BM RC", "垫黑马红车", "2,3", "BM+RC"]
)
def test_a_cover_is_typed_as_one_move_in_any_order(typed: str) -> None:
    scene = scene_at(position("RS2"), 1)
    assert keys(scene) == {
        "1": "under RX",
        "2": "under BM",
        "3": "under RC",
        "4": "under BC",
        "5": "under RG",
    }
    assert SCREEN.read(typed, scene) == [parse("under BM"), parse("under RC")]


def test_a_cover_of_three_may_name_a_type_twice() -> None:
    scene = scene_at(position("RN3", TRIPLE), 1)
    assert keys(scene)["1"] == "under BS" and keys(scene)["3"] == "under BM"
    for typed in ("3 3 1", "3 1 3", "133", "BM2 BS", "BS BM BM"):
        assert SCREEN.read(typed, scene) == [parse(w) for w in ("under BS", "under BM", "under BM")]


def test_a_cover_lists_every_type_held_though_its_first_action_may_be_fewer() -> None:
    scene = scene_at(position("RS2"), 1)
    assert parse("under RG") not in scene.legal  # the last type cannot begin a cover of two
    assert "under RG" in keys(scene).values()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    "typed", ["1", "1 2 3", "9 9", "5 5", "RS RS", "BM", "what", "b", "-1 2", "1 99999999999"]
)
def test_what_is_no_cover_gets_a_sentence(typed: str, lang: str) -> None:
    with pytest.raises(BadText) as error:
        SCREEN.read(typed, scene_at(position("RS2"), 1, lang))
    assert str(error.value).endswith((".", "。"))


@pytest.mark.parametrize("typed", ["0", "99", "RS BS", "what", "3 4", "r" * 1000])
def test_what_is_no_move_gets_a_short_sentence(typed: str) -> None:
    with pytest.raises(BadText) as error:
        SCREEN.read(typed, scene_at(position(), 0))
    assert len(str(error.value)) < 200


def test_the_question_fits_the_moment() -> None:
    assert "buckle" in SCREEN.ask(scene_at(position(), 0))
    assert SCREEN.ask(scene_at(position("RS2"), 1)) == (
        "You cannot beat a pair of red shi from Bo (9): cover two pieces, face down. (for example 1 2)"
    )
    asked = SCREEN.ask(scene_at(position(PAIR + ", buckle"), 1))
    assert asked == "Bo buckles and asks you: reveal or pass?"
    assert "must lead" in SCREEN.ask(scene_at(position(PAIR + ", buckle, reveal"), 0))
    assert SCREEN.ask(scene_at(position("RN"), 1)) == (
        "Beat a red niu from Bo: one piece above 1. You can, so you must."
    )
    first = {"round_open": "buckle_first"}
    assert "buckle or not?" in SCREEN.ask(scene_at(position(options=first), 0))
    assert "buckle" not in SCREEN.ask(scene_at(position("pass", options=first), 0))
    limits = {"first_game_limits": "on"}
    assert "buckle" not in SCREEN.ask(scene_at(position(options=limits), 0))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_screen_shows_the_same_for_deals_that_the_seat_cannot_tell_apart(lang: str) -> None:
    other = [
        {"R_SHI": 2, "B_SHI": 2, "R_MA": 2, "R_NIU": 2},
        {"R_XIANG": 1, "B_XIANG": 1, "B_MA": 1, "R_CHE": 1, "B_CHE": 1, "R_GOU": 1, "B_NIU": 2},
        {"R_XIANG": 1, "B_XIANG": 1, "B_MA": 1, "R_CHE": 1, "B_CHE": 1, "B_GOU": 1, "R_NIU": 1, "B_NIU": 1},
    ]
    one = scene_at(position(PAIR), 0, lang)
    two = scene_at(position("RS2, under BM, under BN, under RX, under BN", other), 0, lang)
    assert shown(SCREEN.table(one)) == shown(SCREEN.table(two))
    assert shown(SCREEN.hand(one)) == shown(SCREEN.hand(two))


def test_an_own_cover_shows_its_face_and_anothers_does_not() -> None:
    s = position("RS2, under BC, under BC")
    assert "车││车" in shown(SCREEN.table(scene_at(s, 1)))
    assert "▒▒││▒▒" in shown(SCREEN.table(scene_at(s, 0)))


def test_the_cards_not_yet_seen_are_counted() -> None:
    line = shown(SCREEN.table(scene_at(position(PAIR), 0))).splitlines()[-1]
    counts = [int(c) for c in line if c.isdigit()]
    assert counts == [0, 0, 2, 2, 0, 2, 2, 2, 1, 1, 1, 3]  # red shi were played, the rest is not one's own
    watcher = shown(SCREEN.table(scene_at(position(PAIR), -1))).splitlines()[-1]
    assert [int(c) for c in watcher if c.isdigit()] == [0, 2, 2, 2, 2, 2, 2, 2, 1, 1, 3, 3]


@pytest.mark.parametrize("width", [60, 80, 100, 120])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_columns_line_up_at_any_width(width: int, lang: str) -> None:
    s = position(PAIR + ", buckle, reveal, BS2, under BM, under BM")
    for seat in (-1, 0, 2):
        rows = shown(SCREEN.table(scene_at(s, seat, lang)), width).splitlines()[:8]
        assert len({cell_len(row) for row in rows}) == 1


def test_the_end_shows_all_rounds_hands_and_reasons() -> None:
    s = position(PAIR + ", buckle, reveal, BS2, under BM, under BM, under BX, under BX, buckle, pass, pass")
    scene = scene_at(s, 0)
    text = shown(SCREEN.closing(scene))
    assert "(车 车)" in text and "(牛 牛)" in text and "4 enough" in text
    told = SCREEN.explain(scene, [])
    assert told[0] == "Nobody reveals: the hand ends here."
    assert "Lan pays 1 chip to you: revealed against you and stayed below 3 pillars." in told
    assert told[-1] == "Chips: you +3, Lan −2, Bo −1."


def test_the_goal_is_told_in_three_lines() -> None:
    for lang in LANGUAGES:
        goal = MESSAGES.say("terminal.goal", lang).split("\n")
        assert len(goal) == 3 and max(map(cell_len, goal)) <= 78
        assert "士" in shown(SCREEN.welcome(lang))


def test_moves_are_named_in_words_for_hints() -> None:
    scene = scene_at(position("RS2"), 1)
    assert SCREEN.name([parse("under BC"), parse("under BC")], scene) == "cover two black che"
    assert SCREEN.name([parse("RS2")], scene_at(position(), 0, "zh")) == "一对红士"
    assert SCREEN.name([parse("pass")], scene_at(position(PAIR + ", buckle"), 1, "ja")) == "パス"


def test_the_screen_tells_events_by_name_and_to_the_viewer() -> None:
    scene = scene_at(position("RS2"), 1)
    event = GAME.rules.narrate(position(), parse("RS2"), 1)[0]
    assert SCREEN.tell(event, scene) == "Bo leads a pair of red shi."
    assert SCREEN.tell(event, scene_at(position("RS2"), 0, "ja")) == "あなたが赤士の対で始めました。"


def test_a_reveal_with_enough_has_a_star() -> None:
    s = position(PAIR + ", buckle, reveal")
    assert "revealed you " in shown(SCREEN.table(scene_at(s, 0)), 120)
    four = PAIR + ", BS2, under BM, under BM, under BX, under BX"
    s = position(four + ", RM, RX, under BN, buckle, pass, reveal")
    assert "revealed Lan*" in shown(SCREEN.table(scene_at(s, 0)), 120)
