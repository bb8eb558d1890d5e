"""Observation, determinize, view, narrate, text and layouts."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from qipai.core import State
from qipai.core.errors import BadLayout, BadOption, BadText
from qipai.games.paipai_rensa import GAME, observe
from qipai.games.paipai_rensa.board import CELLS
from qipai.games.paipai_rensa.layout import read_board
from qipai.games.paipai_rensa.options import ORIGINAL, PRESETS
from qipai.games.paipai_rensa.planner import plan
from qipai.games.paipai_rensa.rules import ACTIONS, ALLOC, KEEP, PLACE, Phase
from qipai.games.paipai_rensa.text import board_text, parse, say, tell
from qipai.games.paipai_rensa.tiles import CODE, Box, code37, codes, suit_of, values
from qipai.games.paipai_rensa.view import view

from .tables import bottom, deck_of, play, random_player

SLICES = {f.name: slice(f.start, f.start + f.length) for f in GAME.rules.observation}


def check_observation(s: State) -> None:
    """Every feature against the record."""
    seen = {name: GAME.observation_of(s, 0)[part] for name, part in SLICES.items()}
    at, total = int(s["at"]), int(s["total"])
    assert seen["board"].tolist() == [int(CODE[v]) for v in s["board"]]
    assert seen["hand"].tolist() == [int(CODE[v]) for v in s["hand"]]
    upcoming = [int(CODE[v]) for v in s["deck"][at : min(at + 2, total)]]
    assert seen["next"].tolist() == (upcoming + [0, 0])[:2]
    for name, tiles in (("discards", values(s["discards"])), ("unseen", values(s["deck"][at + 2 : total]))):
        counts = Counter(int(CODE[t + 1]) - 1 for t in tiles)
        assert seen[name].tolist() == [counts[i] for i in range(37)], name
    if int(s["phase"]) == ALLOC:
        n, cursor = int(s["n_tiles"]), int(s["cursor"])
        assert seen["list"].tolist() == [int(CODE[v]) for v in s["tiles"]] and seen["size"][0] == n
        assert seen["tile"][0] == CODE[s["tiles"][cursor]] and seen["kept"][0] == s["kept"]
    else:
        assert not seen["list"].any() and not seen["tile"].any()
    assert 100 * (100 * int(seen["score"][0]) + int(seen["score"][1])) == int(s["score"])
    pairs = [deck_of(s)[i : i + 2] for i in range(0, min(at + 2, total), 2)]
    assert seen["zoros"][0] == sum([suit_of(a) == suit_of(b) for a, b in pairs][-16:])
    assert seen["main"][0] == suit_of(pairs[-1][0]) + 1
    streak = 0
    while streak < len(pairs) and suit_of(pairs[-1 - streak][0]) == suit_of(pairs[-1][0]):
        streak += 1
    assert seen["streak"][0] == streak


def test_the_observation_says_what_its_features_claim() -> None:
    rng = random.Random(3)
    for k in range(4):
        play(GAME.new(words=(k, 3, 0, 1)), random_player(rng), lambda s, action: check_observation(s))


def test_a_watcher_sees_no_unfinished_allocation() -> None:
    s = GAME.new(layout={"phase": "alloc", "collected": "m1 m2 m3 m4", "deck": "p1 p2"})
    before = GAME.observation_of(s, -1), view(s, -1)
    GAME.rules.apply(s, KEEP)
    assert np.array_equal(GAME.observation_of(s, -1), before[0]) and view(s, -1) == before[1]
    assert not np.array_equal(GAME.observation_of(s, 0), before[0]) and view(s, 0)["alloc"]["cursor"] == 1


def test_code_tables_agree() -> None:
    assert [code37(int(CODE[t + 1]) - 1) for t in range(136)] == codes(range(136))
    assert [int(observe.code37(v)) for v in range(137)] == CODE.tolist()


def redraw_counts(count: int) -> Counter[str]:
    """Suits of the six hidden tiles of a small deck, drawn anew."""
    s = GAME.new(layout={"deck": "m1 p1 s1 m2 m3 m4 p2 p3 s2 s3"})
    found: Counter[str] = Counter()
    for k in range(count):
        world = GAME.redrawn(s, 0, (k, 1, 2, 3))
        assert deck_of(world)[:4] == deck_of(s)[:4] and sorted(deck_of(world)) == sorted(deck_of(s))
        found["".join(code[0] for code in codes(deck_of(world)[4:6]))] += 1
    return found


def planned_counts(count: int) -> Counter[str]:
    """The same from whole decks planned anew, kept when they begin with the suits that were seen."""
    s = GAME.new(layout={"deck": "m1 p1 s1 m2 m3 m4 p2 p3 s2 s3"})
    GAME.key(s, (9, 9, 9, 9))
    found: Counter[str] = Counter()
    while sum(found.values()) < count:
        plan(s, 0)
        suits = "".join(code[0] for code in codes(deck_of(s)))
        if suits.startswith("mpsm"):
            found[suits[4:6]] += 1
    return found


@pytest.mark.slow
def test_determinize_draws_from_the_planner_given_what_was_seen() -> None:
    """By rejection: whole decks that happen to begin like the one seen go on in the same way."""
    ours, theirs = redraw_counts(1500), planned_counts(1500)
    assert set(ours) == set(theirs)
    for pair in theirs:
        p = (ours[pair] + theirs[pair]) / 3000
        assert abs(ours[pair] - theirs[pair]) / 1500 < 5 * (2 * p * (1 - p) / 1500) ** 0.5 + 1e-9, pair


def test_determinize_reaches_every_order_of_a_suit() -> None:
    s = GAME.new(layout={"deck": "m1 p1 s1 zE m2 m3 m4"})
    seen = {tuple(codes(deck_of(GAME.redrawn(s, 0, (k, 5, 5, 5)))[4:])) for k in range(200)}
    assert len(seen) == 6


def test_narration_tells_every_chain_step_and_ends_where_the_rules_do() -> None:
    s = GAME.new(
        layout={
            "board": bottom(
                "zE .. .. .. .. ..", "s1 .. .. .. .. ..", "s2 zS .. .. .. ..", "s3 zP zF .. .. .."
            ),
            "pair": "s4 m1",
            "deck": "p1 p2 p3 p4",
        }
    )
    events = GAME.rules.narrate(s, 16, 0)  # far from everything
    assert [e["type"] for e in events] == ["land", "spawn"]
    events = GAME.rules.narrate(s, 5, 0)
    assert events[0]["cells"] == [[1, 9], [2, 9]] and events[0]["board"][9][1] == "s4"
    steps = [e for e in events if e["type"] == "clear"]
    assert [(e["chain"], e["points"], len(e["tiles"])) for e in steps] == [(1, 400, 4), (2, 800, 4)]
    assert events[-1]["type"] == "alloc" and len(events[-1]["tiles"]) == 8
    GAME.rules.apply(s, 5)
    assert events[-1]["board"] == view(s, 0)["board"]
    for _ in range(7):
        assert GAME.rules.narrate(s, KEEP, 0) == GAME.rules.narrate(s, KEEP, -1) == []
        GAME.rules.apply(s, KEEP)
    told = GAME.rules.narrate(s, KEEP, -1)
    assert [e["type"] for e in told] == ["allocate", "hold", "close", "spawn"]
    for lang in ("en", "zh"):
        assert all(tell(e, lang) for e in events + told)


@pytest.mark.parametrize("action", range(ACTIONS))
def test_actions_read_back(action: int) -> None:
    assert parse(say(action)) == action and parse(say(action).upper()) == action


def test_text_that_names_no_action_is_refused() -> None:
    for bad in ("", "7 up", "0", "up", "keep it", "x" * 50, "1 up 2", "3 diagonal"):
        with pytest.raises(BadText):
            parse(bad)
    for number in (-1, 26):
        with pytest.raises(BadText):
            say(number)
    with pytest.raises(BadText):
        tell({"type": "nothing"}, "en")


def test_board_text_reads_back() -> None:
    rows = bottom("m0 p1 s2 zE zC ..", "m1 p0 s0 zS zP zF")
    s = GAME.new(layout={"board": rows, "pair": "m2 m3"})
    text = board_text(view(s, 0)["board"])
    assert text.splitlines() == rows
    assert read_board(text, Box()) == read_board(rows, Box()) == s["board"].tolist()


def test_the_drawing_shows_board_hand_and_list() -> None:
    s = GAME.new(layout={"phase": "alloc", "hand": "zE", "collected": "m1 m2 m3 m4", "deck": "p1 p2"})
    text = GAME.drawing(s, 0, "en")
    assert "[zE]" in text and "next p1 p2" in text and "hand (1/14)" in text
    assert "弃牌" in GAME.drawing(s, 0, "zh")


BAD_LAYOUTS = [
    {"deck": ["m1", "m1", "m1", "m1", "m1"]},
    {"deck": [0, 0]},
    {"deck": "m1 p1", "phase": "nowhere"},
    {"deck": "m1 p1", "board": ["m1"]},
    {"pair": "m1"},
    {"pair": "m1 p1", "board": [".. .. .. .. .. .."] * 10 + ["m2 .. .. .. .. ..", ".. .. .. .. .. .."]},
    {"phase": "alloc", "hand": "m1"},
    {"phase": "hold", "collected": "m1"},
    {"deck": "m1 p1", "score": -1},
    {"deck": list(range(136)), "consumed": 5},
    {"hand": [f"m{n}" for n in range(1, 10)] + [f"p{n}" for n in range(1, 7)]},
    {"secret": 1},
    {},
]


@pytest.mark.parametrize("layout", BAD_LAYOUTS, ids=str)
def test_impossible_layouts_are_refused_and_change_nothing(layout: dict[str, object]) -> None:
    s = GAME.new()
    before = s.tobytes()
    with pytest.raises(BadLayout):
        GAME.place(s, layout)
    assert s.tobytes() == before


def test_positions_are_laid_out_in_every_phase() -> None:
    for phase in Phase:
        layout = {"phase": phase.name.lower(), "deck": "s1 s2", "board": bottom("m1 p1 .. .. .. ..")}
        if phase == Phase.PLACE:
            layout["pair"] = "p5 p6"
        if phase == Phase.ALLOC:
            layout["collected"] = "zE zS zW zN"
        s = GAME.new(layout=layout)
        wanted = {Phase.ALLOC: ALLOC, Phase.OVER: int(Phase.OVER)}.get(phase, PLACE)
        assert int(s["phase"]) == wanted


def test_the_original_is_a_preset_and_options_are_checked() -> None:
    assert PRESETS["original"] is ORIGINAL and GAME.new(ORIGINAL)["bias_streak_hard_cap"] == 0
    for bad in (
        {"bias_zoro_min": 500_000},
        {"bias_zoro_max": 100_000},
        {"bias_window_pairs": 0},
        {"bias_max_streak": 0},
        {"bias_streak_penalty": 0},
        {"bias_noise_eps": 0},
        {"cpu_clear_policy": "none"},
    ):
        with pytest.raises(BadOption):
            GAME.new(bad)
    assert CELLS == 72
