"""The rules: allocation, whole episodes (AC-47 to AC-61, ST-5), and the naive twin."""

from __future__ import annotations

import itertools
import json
import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from qipai.core import State, seed_words
from qipai.games.paipai_rensa import GAME
from qipai.games.paipai_rensa.api import PaipaiGame
from qipai.games.paipai_rensa.layout import is_settled, pieces
from qipai.games.paipai_rensa.reference import supply
from qipai.games.paipai_rensa.state import ALLOC, DISCARD, KEEP, OVER
from qipai.games.paipai_rensa.tiles import codes, values
from qipai.games.paipai_rensa.vectors import run_vector

from .positions import bottom, first14, play, play_beside_twin, random_player


def fine_random_game(rng: random.Random, check: Any) -> PaipaiGame:
    """Play a random game with fine actions; `check(game, from, to)` sees every change of state."""
    game = PaipaiGame(rng.randrange(1 << 32))
    game.act("START")
    while game.state != "gameover":
        before = game.state, game.resolving
        if game.state == "alloc":
            for i in range(len(game.assigned)):
                game.act("ALLOC_ASSIGN", i, rng.choice(["hand", "discard"]) if i < 14 else "discard")
            game.act("ALLOC_CONFIRM")
        elif game.state == "hold":
            game.act("CONTINUE")
        elif game.falling:
            game.place(*divmod(rng.choice(game.placements()), 4))
        else:
            game.act("TICK")
        check(game, before)
    return game


def no_tile_floats(count: int, seed: int) -> int:
    """AC-47 / BUG-2025-03: settled when the allocation opens, at HOLD, and right after HOLD closes."""
    rng = random.Random(seed)
    looked = 0

    def check(game: PaipaiGame, before: tuple[str, bool]) -> None:
        nonlocal looked
        if game.state in ("alloc", "hold") or before[0] == "hold":
            assert is_settled(game.record["board"].tolist())
            looked += 1

    for _ in range(count):
        fine_random_game(rng, check)
    return looked


def test_ac47_bug_2025_03_no_tile_floats_at_alloc_hold_and_after_it() -> None:
    assert no_tile_floats(8, 1) > 100


def test_ac48_bug_2025_04_a_deck_of_three_tiles_plays_one_pair() -> None:
    game = PaipaiGame(deck=["m1", "p1", "s1"])
    game.act("START")
    assert game.falling and game.next == ["s1"] and game.remaining() == 0
    game.place(2, 0)
    assert game.state == "gameover" and game.board.text().count("..") == 70
    assert game.result() == {"playerTotal": 0, "cpuTotal": 0, "winner": "draw"}
    s = GAME.new(layout={"deck": "m1 p1 s1"})
    assert play(s, first14) == 1


def test_ac50_bug_2025_06_the_title_waits_for_start() -> None:
    game = PaipaiGame(1)
    before = game.hash()
    for action in (
        "TICK",
        "LEFT",
        "RIGHT",
        "ROTATE_CW",
        "ROTATE_CCW",
        "SOFT_DROP",
        "CONTINUE",
        "RESTART",
        "ALLOC_CONFIRM",
    ):
        assert not game.act(action)
    assert game.hash() == before and game.state == "title" and game.falling is None
    assert game.act("START") and game.falling


def open_list(n: int) -> PaipaiGame:
    game = PaipaiGame(1)
    tiles = supply(3)[:n]
    game.load(
        {
            "phase": "alloc",
            "hand": tiles[:2],
            "collected": tiles[2:],
            "deck": [t for t in range(136) if t not in tiles][:2],
        }
    )
    return game


def test_ac55_confirm_refuses_fifteen_and_the_finaliser_trims_from_the_end() -> None:
    game = open_list(15)
    before = game.hash()
    assert not game.act("ALLOC_CONFIRM") and game.hash() == before and game.state == "alloc"
    game = open_list(16)
    tiles = codes(game.alloc_tiles)
    game.finalise()
    assert game.hand == tiles[:14] and game.discards == [tiles[15], tiles[14]] and game.state == "hold"


def test_ac56_every_subset_of_a_short_list_can_be_kept() -> None:
    game = open_list(6)
    for choice in itertools.product((KEEP, DISCARD), repeat=6):
        s = game.copy().record
        for action in choice:
            GAME.rules.apply(s, action)
        assert int(s["holds"]) == 1 and int(s["n_discards"]) == choice.count(DISCARD)
        tiles = game.alloc_tiles
        assert values(s["hand"]) == [t for t, a in zip(tiles, choice, strict=True) if a == KEEP]
        assert values(s["discards"]) == [t for t, a in zip(tiles, choice, strict=True) if a == DISCARD]


def test_ac56_keep_is_masked_after_fourteen() -> None:
    rng = random.Random(2)
    for _ in range(20):
        game = open_list(20)
        s, tiles = game.record, game.alloc_tiles
        want = set(rng.sample(range(20), rng.randint(0, 14)))
        for i in range(20):
            legal = GAME.legal_actions(s)
            assert legal == ([KEEP, DISCARD] if int(s["kept"]) < 14 else [DISCARD])
            GAME.rules.apply(s, KEEP if i in want else DISCARD)
        assert values(s["hand"]) == [tiles[i] for i in sorted(want)]
        assert values(s["discards"]) == [tiles[i] for i in range(20) if i not in want]
    s = open_list(20).record
    for i in range(20):
        assert (KEEP in GAME.legal_actions(s)) == (i < 14)
        GAME.rules.apply(s, KEEP if i < 14 else DISCARD)


def conserved(count: int, seed: int) -> int:
    """AC-59: 136 tiles, none twice, after every action."""
    rng = random.Random(seed)
    looked = 0

    def after(s: State, action: int) -> None:
        nonlocal looked
        assert pieces(s) == [136, 0]
        looked += 1

    for k in range(count):
        play(GAME.new(words=(k, seed, 0, 1)), random_player(rng), after)
    return looked


def test_ac59_conservation_after_every_action() -> None:
    assert conserved(6, 2) > 600


REPLAY = """
import sys
from tests.games.paipai_rensa.test_rules import replay_hash
print(replay_hash(int(sys.argv[1])))
"""


def replay_hash(seed: int) -> str:
    """Return the hash of a fine game whose actions follow from its seed."""
    rng = random.Random(seed)
    return fine_random_game(rng, lambda game, before: None).hash()


@pytest.mark.slow
def test_ac60_same_seed_and_actions_same_hash_in_another_process() -> None:
    done = subprocess.run([sys.executable, "-c", REPLAY, "5"], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == replay_hash(5)


def test_ac60_observations_hold_nothing_hidden() -> None:
    game = PaipaiGame(7)
    deck = codes(supply(7))
    seen = json.dumps(game.observation())
    assert "seed" not in seen and "deck" not in seen and '"rng"' not in seen
    one, other = PaipaiGame(7), PaipaiGame(7, deck=[*supply(7)[:4], *reversed(supply(7)[4:])])
    for g in (one, other):
        g.act("START")
    assert one.observation() == other.observation() and one.next == deck[2:4]


def test_ac60_the_second_queued_pair_is_hidden_in_the_title() -> None:
    tiles = supply(7)
    swapped = [*tiles[:2], *tiles[4:6], *tiles[2:4], *tiles[6:]]
    assert PaipaiGame(deck=tiles).observation() == PaipaiGame(deck=swapped).observation()


EPISODES = [
    (
        {"a": 1, "b": 0, "alloc": "first14"},
        123456,
        {
            "playerTotal": 17400,
            "cpuTotal": 17000,
            "holds": 9,
            "player_wins": 0,
            "cpu_wins": 7,
            "lost_tiles": 0,
            "alloc_list_sizes": [4, 8, 24, 18, 18, 41, 20, 22, 30],
            "final_board": bottom()[:8]
            + [".. .. .. .. s7 m1", "p6 zF zE p3 p9 s6", "m4 s1 m3 zN s9 s5", "m8 m6 p6 p2 zS m9"],
        },
    ),
    (
        {"a": 7, "b": 5, "alloc": "even"},
        1,
        {
            "playerTotal": 6600,
            "cpuTotal": 15000,
            "holds": 11,
            "cpu_wins": 7,
            "lost_tiles": 0,
            "alloc_list_sizes": [4, 6, 16, 13, 11, 11, 10, 10, 9, 9, 10],
            "final_hand": ["p4", "m1", "zP", "s6", "s3"],
        },
    ),
]


@pytest.mark.parametrize(("how", "seed", "wanted"), EPISODES, ids=["123456", "1"])
def test_ac61_whole_episodes(how: dict[str, Any], seed: int, wanted: dict[str, Any]) -> None:
    answer = run_vector("episode", {**how, "deck": codes(supply(seed, {"BIAS_STREAK_HARD_CAP": False}))})
    assert {k: answer[k] for k in wanted} == wanted and len(answer["placements"]) == 68


@pytest.mark.parametrize(("how", "seed", "wanted"), EPISODES, ids=["123456", "1"])
def test_ac61_on_the_native_actions_of_a_custom_deal(
    how: dict[str, Any], seed: int, wanted: dict[str, Any]
) -> None:
    s = GAME.new(layout={"deck": supply(seed)})
    placed = 0

    def choose(state: State, legal: list[int]) -> int:
        nonlocal placed
        if int(state["phase"]) == ALLOC:
            even = how["alloc"] == "first14" or int(state["cursor"]) % 2 == 0
            return KEEP if KEEP in legal and even else DISCARD
        placed += 1
        return legal[int(how["a"] * (placed - 1) + how["b"]) % len(legal)]

    play(s, choose)
    assert (int(s["score"]), int(s["cpu_score"])) == (wanted["playerTotal"], wanted["cpuTotal"])
    assert int(s["payoff"][0]) == wanted["playerTotal"] - wanted["cpuTotal"]


def random_statistics(count: int, seed: int) -> dict[str, float]:
    """ST-5: random placements, the first 14 kept."""
    rng = random.Random(seed)
    rows = []
    for k in range(count):
        s = GAME.new(ORIGINAL, words=(k, seed, 5, 1))
        play(s, random_player(rng, first14))
        rows.append([int(s[n]) for n in ("score", "cpu_score", "holds", "cpu_wins", "n_lost")])
    table = np.array(rows, float)
    names = ("player", "cpu", "holds", "cpu_wins", "lost")
    found = {n: float(x) for n, x in zip(names, table.mean(axis=0), strict=True)}
    found["win_rate"] = float((table[:, 0] > table[:, 1]).mean())
    return found


ORIGINAL = {"bias_streak_hard_cap": "off"}


def check_random_statistics(found: dict[str, float]) -> None:
    assert abs(found["player"] - 6587) <= 350 and abs(found["cpu"] - 14525) <= 450
    assert found["win_rate"] <= 0.03
    assert (
        abs(found["holds"] - 9.55) < 0.4
        and abs(found["cpu_wins"] - 6.28) < 0.3
        and abs(found["lost"] - 4.24) < 1.2
    )


@pytest.mark.slow
def test_st5_random_play_scores_as_measured_on_the_original() -> None:
    check_random_statistics(random_statistics(500, 11))


@pytest.mark.parametrize("block", range(4))
def test_rules_and_twin_agree_after_every_action(block: int) -> None:
    for i in range(4):
        play_beside_twin((block, i, 0, 1), 100 * block + i)


def test_rules_and_twin_agree_when_the_whole_board_goes() -> None:
    for i in range(4):
        play_beside_twin((9, i, 0, 1), i, "all")


def test_plain_and_compiled_games_are_equal_bytes() -> None:
    plain = GAME.functions("plain")
    for number in range(2):
        one, other = (GAME.blank() for _ in range(2))
        for s in (one, other):
            seed_words(s["rng"], 5, number, 0, 1)
        GAME.rules.deal(one)
        plain.deal(other)
        rng = random.Random(number)
        while one["seat"] >= 0:
            assert one.tobytes() == other.tobytes()
            action = rng.choice(GAME.legal_actions(one))
            GAME.rules.apply(one, action)
            plain.apply(other, action)
        assert one.tobytes() == other.tobytes() and one["phase"] == OVER
