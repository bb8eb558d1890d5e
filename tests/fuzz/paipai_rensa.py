"""Malformed inputs for Paipai Rensa: boards, tiles, actions, configurations, layouts, vectors.

`run(count, seed)` makes that many. Each must be refused by a QipaiError of the expected
kind, and what was there before must be as it was; anything else fails with seed and number.
"""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from qipai.core import QipaiError
from qipai.games.paipai_rensa import GAME, api
from qipai.games.paipai_rensa.api.game import ACTIONS, PaipaiGame
from qipai.games.paipai_rensa.config import CONFIG
from qipai.games.paipai_rensa.tiles import code_of
from qipai.games.paipai_rensa.vectors import KINDS, run_vector
from qipai.match import Match

JUNK: list[Any] = [
    None,
    True,
    -1,
    136,
    1 << 80,
    1.5,
    float("nan"),
    "",
    "x",
    "m10",
    "zz",
    "m1",
    b"m1",
    [],
    {},
    [[]],
    "東",
    "\0",
]
Call = Callable[[Any], Any]
EMPTY = ".. .. .. .. .. .."


def junk(rng: random.Random) -> Any:
    return copy.deepcopy(rng.choice(JUNK))


def bad_tiles(rng: random.Random) -> Any:
    """Return a list of tiles with something wrong in it."""
    tiles: list[Any] = rng.sample(range(136), rng.randint(1, 20))
    way = rng.randrange(4)
    if way == 0:
        return rng.choice([None, 5, 1.5, {}, {"m1": 1}, b"m1", "m1 x9", "zz"])
    if way == 1:
        tiles.append(tiles[0])
    elif way == 2:
        tiles = ["m0", "m0"] if rng.random() < 0.5 else [code_of(0)] * 5
    else:
        tiles[rng.randrange(len(tiles))] = rng.choice([x for x in JUNK if x != "m1"])
    return tiles


def bad_board(rng: random.Random) -> Any:
    """Return something that is not a board."""
    rows: list[Any] = [EMPTY] * 12
    way = rng.randrange(5)
    if way == 0:
        return rng.choice([5, True, [EMPTY], [EMPTY] * 13, "m1 m2", {}, [[None] * 6] * 11, b"", [None] * 71])
    if way == 1:
        rows[rng.randrange(12)] = rng.choice(["m1", "m1 " * 7, 3, None, [None] * 5, "m1 m2 m3 m4 m5 x6"])
    elif way == 2:
        rows[11] = "m1 m1 m1 m1 m1 .."
    elif way == 3:
        rows[11] = ["m1", "..", rng.choice([x for x in JUNK if x not in (None, "m1")]), "..", "..", ".."]
    else:
        rows = [None] * 72
        rows[3] = rows[9] = rng.randrange(136)
    return rows


def bad_config(rng: random.Random) -> Any:
    """Return a configuration with one wrong setting."""
    way = rng.randrange(4)
    if way == 0:
        return rng.choice([[], 3, "BIAS_ENABLED", True, [("BIAS_ENABLED", True)]])
    if way == 1:
        return {rng.choice(["bias", "", "BIAS", "COLS2", "SEED"]): junk(rng)}
    if way == 2:
        low = rng.uniform(0.25, 2)
        return {"BIAS_ZORO_MIN": low} if rng.random() < 0.5 else {"BIAS_ZORO_MAX": 0.24 - low / 10}
    name = rng.choice(list(CONFIG))
    return {name: rng.choice([None, "", [], {}, -1, -0.5, float("inf"), 1 << 80, "x" * 50, b"on"])}


def bad_layout(rng: random.Random) -> Any:
    """Return a layout with one wrong part."""
    good: dict[str, Any] = {"deck": "s1 s2 p1 p2", "board": [EMPTY] * 11 + ["m1 .. .. .. .. .."]}
    way = rng.randrange(7)
    if way == 0:
        return rng.choice([None, [], 3, "deck", {}])
    if way == 1:
        return {**good, rng.choice(["decks", "", "seed", 3, None]): junk(rng)}
    if way == 2:
        return {**good, "board": bad_board(rng)}
    if way == 3:
        return {**good, rng.choice(["hand", "discards", "lost", "deck"]): bad_tiles(rng)}
    if way == 4:
        return {
            **good,
            rng.choice(["score", "chain", "cpu_wins", "consumed"]): rng.choice(
                [None, -1, 1.5, "1", True, 1 << 40]
            ),
        }
    if way == 5:
        return {**good, "phase": rng.choice(["play", "", None, 3, "place", "alloc", [], "PLACE"])}
    floating = [EMPTY] * 10 + ["m1 .. .. .. .. ..", EMPTY]
    return {"deck": "s1 s2", "board": floating, "pair": "p1 p2"}


def bad_fine_action(rng: random.Random) -> tuple[Any, ...]:
    """Return a fine action that is refused in an open allocation of four."""
    way = rng.randrange(4)
    if way == 0:
        return (rng.choice([None, 3, "", "tick", "JUMP", [], b"TICK", True]),)
    if way == 1:
        return (rng.choice([a for a in ACTIONS if not a.startswith("ALLOC_A")]), junk(rng), junk(rng))
    if way == 2:
        return ("ALLOC_ASSIGN", rng.choice([-1, 4, None, "0", 1.5, True, [], 1 << 70]), "hand")
    return ("ALLOC_ASSIGN", 0, rng.choice(["HAND", "", None, 0, [], "table"]))


def bad_native(rng: random.Random, legal: list[int]) -> Any:
    """Return something that is not a legal action of a match."""
    return rng.choice(
        [
            None,
            -1,
            26,
            1 << 40,
            "8",
            1.5,
            True,
            [],
            [[8]],
            {},
            3,
            21,
            next(a for a in range(26) if a not in legal),
        ]
    )


class Fuzzer:
    """The entry points, each with what it must leave unchanged."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.game = PaipaiGame(1)
        self.game.load({"phase": "alloc", "collected": "m1 m2 m3 m4", "deck": "s1 s2"})
        self.falling = PaipaiGame(1)
        self.falling.act("START")
        self.match = Match(GAME, seed=bytes(32))
        self.doors: list[Callable[[], None]] = [
            self._tiles,
            self._board,
            self._config,
            self._layout,
            self._fine,
            self._place,
            self._native,
            self._options,
            self._vector,
        ]

    def _tiles(self) -> None:
        tiles = bad_tiles(self.rng)
        calls: list[Call] = [
            api.solve14,
            api.solve_from_pool,
            lambda t: api.try_win(t, []),
            lambda t: api.cpu_progress([], t),
        ]
        self.rng.choice(calls)(tiles)

    def _board(self) -> None:
        board = bad_board(self.rng)
        calls: list[Call] = [
            api.Board,
            api.settle,
            api.find_groups,
            api.resolve,
            lambda b: api.remove_tiles(b, []),
        ]
        self.rng.choice(calls)(board)

    def _config(self) -> None:
        config = bad_config(self.rng)
        calls: list[Call] = [lambda c: PaipaiGame(1, c), lambda c: api.SuitPlanner(1, c)]
        self.rng.choice(calls)(config)

    def _layout(self) -> None:
        layout = bad_layout(self.rng)
        if self.rng.random() < 0.5:
            self.game.load(layout)
        else:
            GAME.place(GAME.blank(), layout)

    def _fine(self) -> None:
        self.game.act(*bad_fine_action(self.rng))

    def _place(self) -> None:
        bad = [(0, 3), (5, 1), (6, 0), (-1, 0), (None, 0), (2, None), (True, 0), ("2", 0), (2, 9), (1.0, 0)]
        self.falling.place(*self.rng.choice(bad))  # type: ignore[arg-type]

    def _native(self) -> None:
        self.match.act(0, bad_native(self.rng, self.match.legal(0)))

    def _options(self) -> None:
        names = [o.name for o in GAME.rules.options]
        value: Any = self.rng.choice([None, -1, "x", 1.5, [], 1 << 40, {}])
        GAME.new({self.rng.choice([*names, "no_such", ""]): value})

    def _vector(self) -> None:
        kind: Any = self.rng.choice([*KINDS, "", "nothing", None])
        given: Any = self.rng.choice(
            [None, [], {}, {"board": 5}, {"board": [EMPTY]}, {"hand": 3}, {"deck": bad_tiles(self.rng)}]
        )
        run_vector(kind, given)

    def state(self) -> str:
        """Return everything that a refusal must leave as it was."""
        kept = self.game.hash(), self.falling.hash(), self.match.state.tobytes().hex(), CONFIG
        return json.dumps(kept)


def run(count: int, seed: int) -> dict[str, int]:
    """So many malformed inputs; how often each code was the answer."""
    fuzzer = Fuzzer(seed)
    before = fuzzer.state()
    found: Counter[str] = Counter()
    for number in range(count):
        door = fuzzer.doors[number % len(fuzzer.doors)]
        where = f"seed {seed} input {number} ({door.__name__})"
        try:
            door()
        except QipaiError as error:
            found[error.code] += 1
        except Exception as error:
            raise AssertionError(f"{where} raised {type(error).__name__}: {error}") from error
        else:
            raise AssertionError(f"{where} was accepted")
        if number % 37 < len(fuzzer.doors):
            assert fuzzer.state() == before, f"{where} changed something"
    assert fuzzer.state() == before
    return dict(found)
