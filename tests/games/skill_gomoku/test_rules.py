"""The compiled rules against the user's diagram, the options, layouts and the platform's contract."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qipai.core import QipaiError, diagram, get
from qipai.core.errors import BadLayout, BadOption
from qipai.games.skill_gomoku import GAME, game, rules
from qipai.games.skill_gomoku.state import EDGES, Phase
from qipai.testing import check_game

from .positions import PI, SG, TF, P, T

# The user's diagram, as it stands in the document "Turn State Machine".
DIAGRAM = """
[*] --> maybeSkip
maybeSkip --> endTurn: guard shouldSkip / actions consumeSkip, logSkip
maybeSkip --> drawTwo: (not shouldSkip)

drawTwo --> choose: (entry doDrawTwo, logDrawTwo)
choose --> maybeTarget: CHOOSE_CARD / setChosen, logChosen

maybeTarget --> selectTarget: guard needsTarget
maybeTarget --> resolve: else

selectTarget --> resolve: SELECT_TARGET [targetValid] / setTarget, logTarget

resolve --> checkWin: (entry applyCardEffect, logEffect)
checkWin --> endTurn: (entry applyWinCheck, logWinCheck)
endTurn --> [*]: (entry advanceTurn)
"""
ADDED = {
    "drawTwo --> endTurn: guard noCards",  # spec 9.5: both piles are empty
    "endTurn --> maybeSkip: next turn",  # spec 8: the driver starts the next run
}


def lines(text: str) -> set[str]:
    return {line.strip() for line in text.splitlines() if "-->" in line}


def test_the_diagram_is_the_users_with_the_documented_additions() -> None:
    assert lines(diagram(GAME)) == lines(DIAGRAM) | ADDED


def test_qipai_rules_prints_that_diagram(capsys: pytest.CaptureFixture[str]) -> None:
    from qipai.cli import main

    assert main(["rules", "skill_gomoku", "--diagram"]) == 0
    assert lines(capsys.readouterr().out) == lines(DIAGRAM) | ADDED


def test_the_edges_are_those_of_the_diagram() -> None:
    named = {f"{Phase(a).name} --> {Phase(b).name}" for a, b in EDGES}
    drawn = {line.partition(":")[0] for line in lines(DIAGRAM) | ADDED if "[*] -->" not in line}
    assert named == {line for line in drawn if "[*]" not in line}
    assert [p.name for p in Phase] == [
        "maybeSkip", "drawTwo", "choose", "maybeTarget", "selectTarget", "resolve", "checkWin", "endTurn",
    ]  # fmt: skip


def test_every_edge_of_the_diagram_is_taken_by_an_example_or_a_game() -> None:
    report = check_game(GAME, games=1, parity_games=0, only=["edges"], options=[{}])
    assert report.counts


@pytest.mark.slow
@pytest.mark.parametrize("size", [5, 9, 15, 19])
def test_the_game_keeps_the_contract(size: int) -> None:
    sets: list[dict[str, Any]] = [
        {},
        {"five_policy": "draw", "drawn_public": True},
        {"deck": "source-early", "first_seat": 1, "place_top": False},
        {"max_turns": 9},
    ]
    options = [{**chosen, "board_size": size} for chosen in sets]
    one = game({"board_size": size})
    check_game(one, games=40 if size == 5 else 16, seed=size, options=options, parity_games=2)


def test_5_9_15_and_19_play_to_the_end() -> None:
    rng = np.random.default_rng(0)
    for size in range(5, 20):
        options = {"board_size": size, "max_turns": 40}
        one = get("skill_gomoku", options)
        assert one.rules.actions == size * size + 3
        s = one.new(options, words=(size, 0, 0, 0))
        while s["seat"] >= 0:
            one.rules.apply(s, int(rng.choice(one.legal_actions(s))))
        assert int(s["winner"]) != 0


BAD_OPTIONS: list[dict[str, Any]] = [
    {"board_size": 4}, {"board_size": 20}, {"board_size": "x"}, {"max_turns": 30001}, {"max_turns": 0},
    {"deck": "none"}, {"places": 65}, {"first_seat": 2}, {"unknown": 1}, {"paced": True},
    {"places": 0, "takes": 1, "inversions": 0, "freezes": 0, "generations": 0}, {"places": 64},
]  # fmt: skip


@pytest.mark.parametrize("options", BAD_OPTIONS)
def test_options_are_refused_by_name(options: dict[str, Any]) -> None:
    with pytest.raises(BadOption):
        get("skill_gomoku", options).new(options)


def test_a_game_of_one_size_refuses_another() -> None:
    with pytest.raises(BadOption, match="board_size"):
        GAME.new({"board_size": 9})
    with pytest.raises(BadOption, match="max_turns"):
        GAME.new({"max_turns": -1})
    unlimited = get("skill_gomoku", {"max_turns": -1})
    assert unlimited.rules.length > 10**9
    assert int(unlimited.new({"max_turns": -1})["max_turns"]) == -1
    assert get("skill_gomoku") is GAME
    assert get("skill_gomoku", {"board_size": 9}) is game({"board_size": 9})


def test_a_cap_is_a_cut() -> None:
    options = {"max_turns": 1}
    s = GAME.new(options, layout={"deck": {"drawPile": [P, PI]}})
    GAME.rules.apply(s, 0)
    assert (int(s["seat"]), int(s["cut"]), s["payoff"].tolist()) == (-1, 1, [0, 0])
    s = GAME.new({}, layout={"deck": {"drawPile": []}})
    assert (int(s["seat"]), int(s["cut"])) == (-1, 0)


FIVE = ["1" * 5 + "0" * 10, *["0" * 15] * 14]
OVER = {"board": FIVE, "winner": 1, "reason": "five", "turn": {"state": "endTurn"}}
BAD_LAYOUTS: list[Any] = [
    {"nothing": 1}, {"board": ["0"]}, {"board": ["3" * 15] * 15}, {"board": [[0] * 14] * 15},
    {"board": [[True] * 15] * 15}, {"currentPlayer": 3}, {"currentPlayer": "1"}, {"deck": []},
    {"deck": {"drawPile": ["Nope"]}}, {"deck": {"drawPile": [P] * 65}}, {"deck": {"drawPile": "P"}},
    {"deck": {"drawPile": [P] * 40, "discardPile": [P] * 40}}, {"status": {"skipNextTurns": {"3": 1}}},
    {"status": {"skipNextTurns": {"1": -1}}}, {"turn": {"state": "resolve"}}, {"turn": {"state": "choose"}},
    {"turn": {"state": "maybeSkip", "drawn": [P]}}, {"turn": {"state": "choose", "drawn": [P, P, P]}},
    {"turn": {"state": "selectTarget", "drawn": [P, T]}},
    {"turn": {"state": "selectTarget", "drawn": [PI, T], "chosenIndex": 0}},
    {"turn": {"state": "selectTarget", "drawn": [T, P], "chosenIndex": 0}},
    {"turn": {"state": "selectTarget", "drawn": [P, T], "chosenIndex": 0, "chosen": T}},
    {"turn": {"state": "choose", "drawn": [P, T], "chosenIndex": 0}}, {"turn": {"number": 0}},
    {"turn": {"number": 10**9}}, {"lastMove": {"x": 0, "y": 0}}, {"lastMove": 5}, {"winner": 1},
    {"winner": 1, "reason": "five", "turn": {"state": "endTurn"}}, {**OVER, "winner": 2},
    {**OVER, "reason": "turnLimit"}, {**OVER, "reason": "luck"}, {**OVER, "winner": True},
    {"topped": 1}, {"logged": -1},
    {"turn": {"state": "choose", "drawn": [P, P]}, "deck": {"drawPile": [P] * 64}},
]  # fmt: skip


@pytest.mark.parametrize("layout", BAD_LAYOUTS)
def test_an_impossible_layout_is_refused_by_name(layout: Any) -> None:
    with pytest.raises(BadLayout):
        GAME.new({}, layout=layout)


def test_positions_can_be_laid_out_at_any_wait() -> None:
    turn = {"state": "selectTarget", "drawn": [P, T], "chosen": P, "number": 7}
    s = GAME.new({}, layout={"turn": turn, "currentPlayer": 2, "deck": {"drawPile": [SG]}})
    assert (int(s["seat"]), int(s["turn"]), len(GAME.legal_actions(s))) == (1, 7, 225)
    assert int(GAME.new({}, layout=OVER)["seat"]) == -1
    dealt = GAME.new({}, words=(3, 1, 4, 1), layout={"board": FIVE[1:] + FIVE[:1]})
    assert int(dealt["piled"]) == 27
    assert dealt["drawn"].tolist()[0] == 0  # a deck that is not given is shuffled, a Place on top


def test_say_and_parse_name_cells_as_players_do() -> None:
    assert GAME.words.say(3 + 7 * 15 + 7) == "h8"
    assert GAME.words.say(3) == "a15"
    assert GAME.words.parse(" H8 ") == 115
    assert [GAME.words.parse(w) for w in ("left", "r", "opponent", "左", "对手")] == [0, 1, 2, 0, 2]
    for text in ("p1", "a0", "a16", "h08", "", "8h", "hh", "a１"):
        with pytest.raises(QipaiError) as refusal:
            GAME.words.parse(text)
        assert refusal.value.code == "text/bad"


def test_the_drawing_marks_the_last_stone_and_the_winning_line() -> None:
    layout = {"board": ["11110" + "0" * 10, *["0" * 15] * 14], "deck": {"drawPile": [T, P]}}
    s = GAME.new({}, layout=layout)
    GAME.rules.apply(s, 0)
    GAME.rules.apply(s, 3 + 4)
    text = GAME.drawing(s, 0, "en")
    assert text.splitlines()[0].count("*●*") == 5
    assert "wins (five in a row)" in text
    assert "胜" in GAME.drawing(s, 1, "zh")
    s = GAME.new({}, layout={"deck": {"drawPile": [T, T, T, P]}})
    GAME.rules.apply(s, 0)
    GAME.rules.apply(s, 115)
    assert "[●]" in GAME.drawing(s, 0, "en")


def test_the_drawing_shows_what_both_cards_do() -> None:
    s = GAME.new({}, layout={"deck": {"drawPile": [TF, SG]}})
    text = GAME.drawing(s, 0, "en")
    assert "five stones of random colours" in text
    assert "next turn is skipped" in text
    assert "2 cards drawn" in GAME.drawing(s, 1, "en")


def test_every_event_is_told_in_both_languages() -> None:
    s = GAME.new({}, layout={"deck": {"drawPile": [P, P, T, TF]}})
    GAME.rules.apply(s, 0)
    for event in GAME.rules.narrate(s, 2, 1):
        for lang in ("en", "zh"):
            assert GAME.tell(event, lang)
    told = [GAME.tell(e, "en") for e in GAME.rules.narrate(s, 2, 1)]
    assert "White ○ is frozen: the turn is skipped" in told


def test_the_readme_cites_no_clause_that_is_not_there() -> None:
    package = Path(rules.__file__).parent
    for name in ("README.md", "README.zh.md"):
        clauses = set(re.findall(r"^#+ (\d+(?:\.\d+)?)", (package / name).read_text("utf-8"), re.M))
        clauses |= set(re.findall(r"^- \*\*(\d+\.\d+)\*\*", (package / name).read_text("utf-8"), re.M))
        for path in package.glob("*.py"):
            for cited in re.findall(r"§(\d+(?:\.\d+)?)", path.read_text("utf-8")):
                assert cited in clauses, f"{path.name} cites §{cited}, which {name} does not have"
