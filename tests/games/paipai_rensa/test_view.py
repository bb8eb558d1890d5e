"""The view, what it computes by the rules for the page, and the narration."""

from __future__ import annotations

import random
from collections.abc import Iterator

from qipai.core import State, copy_state
from qipai.games.paipai_rensa import GAME, board, rules
from qipai.games.paipai_rensa.api import Board, PaipaiGame, cpu_progress
from qipai.games.paipai_rensa.state import COLS, KEEP
from qipai.games.paipai_rensa.tiles import copies_of, key_of, kind_of, values
from qipai.games.paipai_rensa.view import view

from .positions import AC01, AC10_BOARD, bottom
from .test_board import COUNTS, falling, random_board


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
    GAME.rules.apply(s, KEEP)
    assert len(told[0]["hand"]) == 8 and told[0]["shape"] == view(s, -1)["shape"]


def test_two_next_pairs_are_shown_and_no_longer_counted_as_hidden() -> None:
    layout = {"deck": "m1 p1 s1 zE m2 m3 m2 p5 p6"}
    one, two = (GAME.new({"next_pairs": n}, layout=layout) for n in (1, 2))
    seen = [view(s, seat) for s in (one, two) for seat in (0, -1)]
    assert [v["next"] for v in seen] == 2 * [["s1", "zE"]] + 2 * [["s1", "zE", "m2", "m3"]]
    assert [v["remaining"] for v in seen] == [5, 5, 3, 3]
    assert seen[0]["unseen"] == {"m2": 2, "m3": 1, "p5": 1, "p6": 1}
    assert seen[2]["unseen"] == {"m2": 1, "p5": 1, "p6": 1}
    for expected in (["m2", "m3", "m2", "p5"], ["m2", "p5", "p6"], ["p6"]):
        spawn = GAME.rules.narrate(two, 8, 0)[-1]
        GAME.rules.apply(two, 8)
        assert spawn["next"] == expected == view(two, 0)["next"]
        assert sum(view(two, 0)["unseen"].values()) == view(two, 0)["remaining"]


def after_landing(s: State, action: int) -> list[list[int]]:
    """Return where axis and rotor are once the pair has landed and settled, by the rules."""
    pair = values(s["pair"])
    copy = copy_state(s)
    rules.place(copy, action >> 2, action & 3)
    board.gravity(copy)
    cells = {t: [i % COLS, i // COLS] for i, t in enumerate(Board.of(copy).cells) if t is not None}
    return [cells[t] for t in pair]


def falling_games(count: int) -> Iterator[PaipaiGame]:
    """Yield a pair about to fall on random boards, and on boards that are high or block the spawn."""
    rng = random.Random(11)
    for _ in range(count):
        cells, pair = random_board(rng)
        game = PaipaiGame(1)
        game.load({"board": cells, "pair": pair})
        yield game
    for heights in (*COUNTS, (0, 0, 11, 0, 0, 0), (3, 10, 11, 12, 0, 5), (0, 11, 11, 11, 0, 0)):
        yield falling(heights)


def test_landings_are_where_the_rules_let_a_pair_come_to_rest() -> None:
    blocked = 0
    for game in falling_games(40):
        found = view(game.record, 0)["landings"]
        assert list(found) == [str(a) for a in game.placements()]
        for action, landing in found.items():
            assert landing["cells"] == after_landing(game.record, int(action)), action
        blocked += found["8"]["y"] < 0
    assert blocked == 5


def test_a_pair_may_be_as_deep_as_its_landing_says() -> None:
    for game in falling_games(20):
        for action, landing in view(game.record, 0)["landings"].items():
            other = game.copy()
            for move in other.path(int(action) >> 2, int(action) & 3):
                other.act(move)
            while other.falling:
                y = other.y
                other.act("TICK")
            assert y == max(landing["y"], 0), action


def test_outside_a_placement_there_are_no_landings() -> None:
    assert view(GAME.new(layout={"phase": "alloc", "collected": "m1 m2 m3 m4"}), 0)["landings"] == {}


def test_the_hand_is_sorted_into_melds_a_pair_and_the_rest() -> None:
    s = GAME.new(layout={"pair": "p1 p2", "hand": "zE m3 s9 m1 zE m0 m2 m4 m6"})
    assert view(s, -1)["shape"] == {
        "melds": [["m1", "m2", "m3"], ["m4", "m0", "m6"]],
        "pair": ["zE", "zE"],
        "rest": ["s9"],
        "complete": False,
        "waits": [],
    }


def test_a_hand_of_thirteen_says_what_it_waits_for() -> None:
    s = GAME.new(layout={"pair": "p1 p2", "hand": "m1 m2 m3 p4 p5 p6 s7 s8 s9 m4 m5 zP zP"})
    assert view(s, 0)["shape"]["waits"] == ["m3", "m6"]


def test_the_progress_of_the_cpu_is_that_of_the_named_api() -> None:
    rng = random.Random(3)
    for _ in range(20):
        cells, pair = random_board(rng)
        left = [t for t in range(136) if t not in cells and t not in pair]
        s = GAME.new(layout={"board": cells, "pair": pair, "discards": rng.sample(left, 12)})
        found, named = view(s, 0)["progress"], cpu_progress(Board.of(s).tiles, values(s["discards"]))
        keys = [[key_of(kind_of(copies_of(code)[-1])) for code in meld] for meld in found["melds"]]
        assert keys == [meld["keys"] for meld in named["melds"]] and found["complete"] == named["complete"]
        assert (found["pair"] is None) == (named["pair"] is None)


def test_an_allocation_names_melds_a_suggestion_and_what_it_waits_for() -> None:
    tiles = "zE m1 m2 m3 p4 p5 p6 s7 s8 s9 m7 m8 zP zP zS"
    s = GAME.new(layout={"phase": "alloc", "hand": tiles[:38], "collected": tiles[39:], "deck": "p1 p2"})
    for seat in (0, -1):
        alloc = view(s, seat)["alloc"]
        groups = [[alloc["tiles"][i] for i in group] for group in alloc["groups"]]
        assert groups == [m.split() for m in ("m1 m2 m3", "p4 p5 p6", "s7 s8 s9", "zP zP")]
        assert sum(alloc["suggest"]) == 14 and alloc["waits"] == ["m6", "m9"]


def test_both_sides_at_hold_are_shown_with_what_their_points_consist_of() -> None:
    game = PaipaiGame(1)
    game.load(
        {
            "phase": "hold",
            "hand": AC01.replace("p5", "p0").replace("m4", "m9"),
            "board": AC10_BOARD,
            "discards": "zC zC",
        }
    )
    seen = view(game.record, 0)["hold"]
    assert [seen[side]["score"] for side in ("player", "cpu")] == [3000, 2000]
    for side in seen.values():
        assert [len(group) for group in side["groups"]] == [3, 3, 3, 3, 2]
        assert side["base"] + side["redPoints"] == side["score"]
    assert seen["player"]["reds"] == 1 and seen["cpu"]["groups"][-1] == ["zC", "zC"]
