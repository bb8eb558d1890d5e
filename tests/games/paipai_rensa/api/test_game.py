"""The fine level: every transition T1-T16, NEXT (AC-22), what is ignored, what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.core.errors import BadLayout, BadOption, BadSeed, IllegalAction
from qipai.games.paipai_rensa.api import PaipaiGame
from qipai.games.paipai_rensa.api.game import ACTIONS as FINE_ACTIONS
from qipai.games.paipai_rensa.reference import supply
from qipai.games.paipai_rensa.state import HOLD
from qipai.games.paipai_rensa.terminal.live import Session
from qipai.games.paipai_rensa.tiles import codes

from ..positions import bottom

CHAIN_BOARD = bottom("m1 m2 m3 m4 .. ..")


def at(**layout: object) -> PaipaiGame:
    game = PaipaiGame(1)
    game.load({"deck": "s1 s2 p1 p2", **layout})
    return game


def test_t1_a_new_game_shows_the_title() -> None:
    game = PaipaiGame(1)
    assert (game.state, game.score, game.cpu_score, game.chain, game.hand) == ("title", 0, 0, 0, [])
    assert game.remaining() == 132 and game.next == codes(supply(1)[:2])


def test_t2_start_spawns_the_first_pair() -> None:
    game = PaipaiGame(1)
    assert (
        game.act("START")
        and game.state == "play"
        and game.falling
        and game.legal_actions()
        == [
            "LEFT",
            "RIGHT",
            "ROTATE_CW",
            "ROTATE_CCW",
            "SOFT_DROP",
            "TICK",
        ]
    )


def test_t3_t4_moves_happen_only_onto_free_cells() -> None:
    game = PaipaiGame(1)
    game.act("START")
    assert [game.act("LEFT") for _ in range(3)] == [True, True, False] and game.x == 0
    assert not game.act("ROTATE_CCW") and (game.x, game.y, game.r) == (0, 0, 0)
    assert game.act("ROTATE_CW") and (game.x, game.y, game.r) == (0, 0, 1)
    assert [game.act("RIGHT") for _ in range(5)] == [True] * 4 + [False] and game.x == 4 and game.falling


def test_t5_t6_tick_and_soft_drop_fall_and_land() -> None:
    for action in ("TICK", "SOFT_DROP"):
        game = PaipaiGame(1)
        game.act("START")
        assert game.act(action) and game.y == 1
        while game.falling:
            game.act(action)
        assert game.resolving and game.legal_actions() == ["TICK"] and game.chain == 0


def test_t7_t8_a_clear_then_the_allocation() -> None:
    game = at(phase="chain", board=CHAIN_BOARD)
    assert not game.act("SOFT_DROP") and not game.act("LEFT")
    game.act("TICK")
    assert game.resolving and (game.score, game.chain) == (400, 1)
    game.act("TICK")
    assert game.state == "alloc" and game.assigned == ["hand"] * 4 and game.mode == "hand"


def test_t9_nothing_cleared_spawns_and_tops_up_next() -> None:
    game = at(phase="chain", board=bottom("m1 p1 .. .. .. .."), chain=2, deck="s1 s2 zE zS")
    game.act("TICK")
    assert game.chain == 0 and game.falling and game.next == ["zE", "zS"] and game.remaining() == 0


def test_t10_no_pair_left_ends_the_game() -> None:
    game = at(phase="chain", board=bottom("m1 p1 .. .. .. .."), deck="s1")
    game.act("TICK")
    assert game.state == "gameover" and game.result() is not None


def test_t11_mode_assign_and_reset() -> None:
    game = at(phase="alloc", collected="m1 m2 m3 m4")
    assert game.act("ALLOC_MODE", "discard") and game.mode == "discard"
    assert game.act("ALLOC_ASSIGN", 2, "discard") and not game.act("ALLOC_ASSIGN", 2, "discard")
    assert game.assigned == ["hand", "hand", "discard", "hand"]
    assert game.act("ALLOC_RESET") and game.assigned == ["hand"] * 4 and game.mode == "discard"


def test_t12_t13_confirm_takes_at_most_fourteen() -> None:
    game = at(phase="alloc", hand=" ".join(f"p{n} s{n}" for n in range(3, 10)), collected="m1 m2 m3 m4")
    assert not game.act("ALLOC_CONFIRM") and game.state == "alloc"
    for i in (0, 1, 16, 17):
        game.act("ALLOC_ASSIGN", i, "discard")
    assert game.act("ALLOC_CONFIRM") and game.state == "hold"
    assert game.discards == ["p3", "s3", "m3", "m4"] and len(game.hand) == 14


def test_t12_both_sides_are_evaluated_before_hold_shows() -> None:
    melds = bottom("zE .. .. zE .. ..", "p1 p2 p3 m4 m5 m6", "s7 s8 s9 zS zS zS")
    hand = "m1 m2 m3 p4 p5 p6 s1 s2 s3 m9"
    game = at(phase="alloc", board=melds, hand=hand, collected="m9 m9 zP zP", deck="s4 s5 p7 p8")
    assert game.act("ALLOC_CONFIRM") and game.phase == HOLD and game.holds is not None
    assert [game.holds[side]["score"] for side in ("player", "cpu")] == [2000, 2000]
    assert (game.score, game.cpu_score, int(game.record["holds"])) == (0, 0, 1)  # paid when it closes


def test_t14_continue_closes_hold() -> None:
    game = at(phase="hold")
    assert game.act("CONTINUE") and game.state == "play" and game.resolving


def test_t15_restart_only_after_the_end() -> None:
    game = at(phase="over", score=500)
    assert not game.act("START") and game.act("RESTART")
    assert (game.state, game.score) == ("title", 0) and game.seed != 1
    assert not game.act("RESTART")


def shown(session: Session) -> bool:
    """Return whether the self test's panel is open."""
    return session.log is not None


@pytest.mark.parametrize("phase", ["title", "falling", "resolving", "alloc", "hold", "gameover"])
def test_t16_the_self_test_leaves_the_game_alone(phase: str) -> None:
    session = Session(PaipaiGame(1))
    session.game.load({"deck": "s3 s4 p5 p6", **PHASES[phase]})
    before = session.game.hash()
    session.press("t")
    assert session.log and len(session.log) == 11 and session.game.hash() == before
    session.press("x")
    assert not shown(session) and session.game.hash() == before  # that key only closed the panel


def test_t16_needs_test_enabled() -> None:
    quiet = Session(PaipaiGame(1, {"TEST_ENABLED": False}))
    quiet.press("t")
    assert not shown(quiet) and quiet.game.state == "title"


PHASES: dict[str, dict[str, Any]] = {
    "title": {"deck": "m1 p1 s1 s2"},
    "supply": {"phase": "supply"},
    "falling": {"pair": "m1 p1"},
    "resolving": {"phase": "chain", "board": CHAIN_BOARD},
    "alloc": {"phase": "alloc", "collected": "m1 m2 m3 m4"},
    "evaluate": {"phase": "evaluate"},  # laid out there: at HOLD, evaluated
    "hold": {"phase": "hold"},
    "gameover": {"phase": "over"},
}


TAKEN = {
    "title": {"START"},
    "supply": {"TICK"},
    "falling": {"LEFT", "RIGHT", "ROTATE_CW", "ROTATE_CCW", "SOFT_DROP", "TICK"},
    "resolving": {"TICK"},
    "alloc": {"ALLOC_ASSIGN", "ALLOC_MODE", "ALLOC_RESET", "ALLOC_CONFIRM"},
    "evaluate": {"CONTINUE"},
    "hold": {"CONTINUE"},
    "gameover": {"RESTART"},
}


@pytest.mark.parametrize("phase", PHASES)
def test_everything_else_is_ignored(phase: str) -> None:
    game = PaipaiGame(1)
    game.load({"deck": "s3 s4 p5 p6", **PHASES[phase]})
    assert set(game.legal_actions()) == TAKEN[phase]
    before = game.hash()
    for action in FINE_ACTIONS:
        if action not in TAKEN[phase]:
            args = {"ALLOC_ASSIGN": (0, "hand"), "ALLOC_MODE": ("hand",)}.get(action, ())
            assert not game.act(action, *args) and game.hash() == before, action


BAD_ACTIONS: list[tuple[object, ...]] = [
    ("JUMP",),
    (None,),
    (3,),
    ("TICK", 1),
    ("ALLOC_ASSIGN",),
    ("ALLOC_ASSIGN", 9, "hand"),
    ("ALLOC_ASSIGN", -1, "hand"),
    ("ALLOC_ASSIGN", True, "hand"),
    ("ALLOC_ASSIGN", 0, "table"),
    ("ALLOC_ASSIGN", "m1", "hand"),
    ("ALLOC_MODE", "both"),
]


@pytest.mark.parametrize("bad", BAD_ACTIONS, ids=str)
def test_malformed_actions_are_refused_by_name(bad: tuple[object, ...]) -> None:
    game = at(phase="alloc", collected="m1 m2 m3 m4")
    before = game.hash()
    with pytest.raises(IllegalAction):
        game.act(*bad)  # type: ignore[arg-type]
    assert game.hash() == before


def test_bad_seeds_configurations_and_layouts_are_refused_by_name() -> None:
    for seed in (None, "1", 1.5, True, 1 << 70):
        with pytest.raises(BadSeed):
            PaipaiGame(seed)  # type: ignore[arg-type]
    bad = [
        {"BIAS_WINDOW_PAIRS": 0},
        {"BIAS_MAX_STREAK": 0},
        {"BIAS_STREAK_PENALTY": 0},
        {"BIAS_NOISE_EPS": 0.0},
        {"BIAS_ZORO_MIN": 0.5},
        {"BIAS_ZORO_MAX": 0.1},
        {"BIAS_ZORO_TARGET": float("nan")},
        {"BIAS_ENABLED": 1},
        {"HAND_MAX": 13},
        {"NO_SUCH": 1},
        {"CPU_CLEAR_POLICY": 3},
        {"TEST_SEED": -1},
        [],
    ]
    for config in bad:
        with pytest.raises(BadOption):
            PaipaiGame(1, config)  # type: ignore[arg-type]
    game = PaipaiGame(1)
    before = game.hash()
    layouts: list[Any] = [None, [], {}, {"deck": ["x"]}, {"phase": "place"}, {"board": ["m1"]}]
    for layout in layouts:
        with pytest.raises(BadLayout):
            game.load(layout)
    assert game.hash() == before


def test_a_copy_is_independent() -> None:
    game = PaipaiGame(1)
    game.act("START")
    other = game.copy()
    other.act("LEFT")
    other.act("TICK")
    assert (game.x, game.y) == (2, 0) and game.hash() != other.hash()


def test_ac22_next_and_remaining() -> None:
    game = PaipaiGame(1)
    deck = codes(supply(1))
    assert game.remaining() == 132 and game.next == deck[:2]
    game.act("START")
    for spawn in range(1, 69):
        falling = game.falling
        assert falling is not None and [falling["axis"], falling["rotor"]] == deck[2 * spawn - 2 : 2 * spawn]
        assert game.remaining() == (136 - 2 * (spawn + 1) if spawn < 68 else 0)
        assert game.next == deck[2 * spawn : 2 * spawn + 2]
        game.place(*divmod(game.placements()[spawn % len(game.placements())], 4))
        while game.state in ("alloc", "hold", "play") and game.falling is None:
            for i in range(max(0, len(game.assigned) - 14)):
                game.act("ALLOC_ASSIGN", i, "discard")
            game.act({"alloc": "ALLOC_CONFIRM", "hold": "CONTINUE", "play": "TICK"}[game.state])
    assert game.state == "gameover"
