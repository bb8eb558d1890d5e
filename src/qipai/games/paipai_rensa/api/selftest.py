"""The self test of the T key: eleven tests on fresh objects, with times and supply figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from .. import board as grid
from ..config import read_config
from ..reference import supply, supply_figures
from ..tiles import code_of
from .board import Board, find_groups, settle
from .game import PaipaiGame
from .hands import solve14, solve_from_pool, try_win

BASIC = "m1 m2 m3 p4 p5 p6 s7 s8 s9 m4 m4 m4 zP zP"
RED = "m1 m2 m3 p4 p0 p6 s7 s8 s9 m4 m4 m4 zC zC"
POOL_BOARD = "m1 m2 m3 p1 p2 p3 s7 s8 s9 m4 m4 m4"
EMPTY = ".. .. .. .. .. .."
MELDS_UP = ["m1 m2 m3 m4 .. ..", "p1 p2 p3 m4 .. ..", "s7 s8 s9 m4 .. .."] + [EMPTY] * 9  # AC-10's board
TOLERANCE = 0.04  # of the zoro rate, beyond its limits


@dataclass(frozen=True)
class Row:
    """The outcome of one test."""

    name: str
    ok: bool
    ms: float
    note: str


def run_selftest(config: Mapping[str, Any] | None = None) -> list[Row]:
    """Run all eleven tests on fresh objects. TEST_VERBOSE adds what every passing test found."""
    settings = read_config(config)
    rows = []
    for name, test in TESTS:
        started = perf_counter()
        try:
            found = test(settings)
            ok, note = True, found if settings["TEST_VERBOSE"] or test is _supply_bias else ""
        except AssertionError as error:
            ok, note = False, str(error) or "failed"
        rows.append(Row(name, ok, (perf_counter() - started) * 1000, note))
    return rows


def table(rows: list[Row]) -> str:
    """Return the rows as text."""
    width = max(len(r.name) for r in rows)
    lines = [f"{'✅' if r.ok else '❌'} {r.name:<{width}}  {r.ms:8.2f} ms  {r.note}".rstrip() for r in rows]
    passed = sum(r.ok for r in rows)
    return "\n".join([*lines, f"{passed} of {len(rows)} passed"])


def _expect(holds: bool, what: str) -> None:
    if not holds:
        raise AssertionError(what)


def _shown(groups: list[list[str]]) -> str:
    return " | ".join(" ".join(g) for g in groups)


def _solve_basic(config: dict[str, Any]) -> str:
    found = solve14(BASIC)
    _expect(found["won"] and len(found["melds"]) == 4 and len(found["pair"]) == 2, "not won")
    _expect(found["score"] == 2000, f"{found['score']} points")
    return f"{_shown([*found['melds'], found['pair']])}, {found['score']} points"


def _solve_red(config: dict[str, Any]) -> str:
    found = solve14(RED)
    _expect(found["won"] and "p0" in found["hand"], "the red five is not in the hand")
    _expect(found["score"] == 3000, f"{found['score']} points")
    return f"{_shown([*found['melds'], found['pair']])}, {found['score']} points"


def _solve_pool(config: dict[str, Any]) -> str:
    more = ["p1", "s1", "zE", "zS"]
    for n in range(5):
        found = solve_from_pool(BASIC.split() + more[:n])
        _expect(found["won"] and len(found["hand"]) == 14, f"not found among {14 + n}")
    return "14-18 tiles"


def _supply_bias(config: dict[str, Any]) -> str:
    deck = supply(config["TEST_SEED"], config)[: 2 * config["TEST_BIAS_SAMPLE_PAIRS"]]
    figures = supply_figures(deck)
    low, high = config["BIAS_ZORO_MIN"] - TOLERANCE, config["BIAS_ZORO_MAX"] + TOLERANCE
    _expect(low <= figures["zoro_rate"] <= high, f"zoro rate {figures['zoro_rate']:.3f}")
    _expect(figures["longest"] <= config["BIAS_MAX_STREAK"] + 1, f"longest streak {figures['longest']}")
    return f"zoro rate {figures['zoro_rate']:.3f}, longest streak {figures['longest']}"


def _full_settle(config: dict[str, Any]) -> str:
    rows = [EMPTY] * 12
    for row, tile in ((0, "m1"), (2, "p2"), (5, "s3")):
        rows[row] = f"{tile} .. .. .. .. .."
    after = settle(rows)
    column = [after.at(0, row) for row in range(12)]
    _expect([t is not None for t in column] == [False] * 9 + [True] * 3, "a tile floats")
    _expect([code_of(t) for t in column if t is not None] == ["m1", "p2", "s3"], "the order changed")
    return "m1 p2 s3 in rows 9-11"


def _clear_four(config: dict[str, Any]) -> str:
    rows = [EMPTY, ".. m1 m1 .. .. ..", ".. m1 m1 .. .. .."] + [EMPTY] * 9
    groups = find_groups(rows)
    _expect([len(g) for g in groups] == [4], "not one group of four")
    s = Board(rows).state()
    _expect(int(grid.clear(s, 0)) == 4 and Board.of(s) == Board(), "a cell is not empty")
    return f"cells {groups[0]}"


def _cpu_success(config: dict[str, Any]) -> str:
    found = try_win(POOL_BOARD, "zP zP")
    _expect(found["won"] and found["pair"] == ["h_P", "h_P"], "not won with the pair of 白")
    used = len(found["usedBoardTiles"]), len(found["usedDiscardTiles"])
    _expect(used == (12, 2), f"used {used}")
    _expect(all(len(m["keys"]) == 3 for m in found["melds"]), "a meld without three keys")
    return _shown([m["keys"] for m in found["melds"]])


def _cpu_too_small(config: dict[str, Any]) -> str:
    found = try_win("m1 m2 m3", "zP zP")
    _expect(found == {"won": False, "reason": "pool<14"}, str(found))
    return str(found["reason"])


def _flow(config: dict[str, Any]) -> str:
    game = PaipaiGame(config["TEST_SEED"], config)
    game.load({"phase": "chain", "board": ["m1 m1 .. .. .. .."] * 2 + [EMPTY] * 10})
    game.act("TICK")
    _expect((game.score, game.chain, game.state) == (400, 1, "play"), "the first tick")
    game.act("TICK")
    _expect(game.state == "alloc" and len(game.alloc_tiles) == 4, "the allocation")
    game.act("ALLOC_CONFIRM")
    _expect(game.state == "hold" and len(game.hand) == 4, "the HOLD")
    holds = game.holds or {}
    _expect(holds["player"]["reason"] == "not14" and holds["cpu"]["reason"] == "pool<14", "the evaluation")
    return "400 points, a list of 4, both sides without a hand"


def _used_only(config: dict[str, Any]) -> str:
    game = PaipaiGame(config["TEST_SEED"], {**config, "CPU_CLEAR_POLICY": "used-only"})
    game.load({"phase": "hold", "board": MELDS_UP, "discards": "zP zP"})
    _expect(bool(game.holds and game.holds["cpu"]["won"]) and game.cpu_score == 0, "the evaluation")
    game.act("CONTINUE")
    _expect((game.cpu_score, game.cpu_wins, game.discards) == (2000, 1, []), "the score")
    _expect(game.board == Board() and game.state == "play" and game.resolving, "the board")
    return f"CPU +{game.cpu_score}, board and discards empty"


def _final(config: dict[str, Any]) -> str:
    game = PaipaiGame(config["TEST_SEED"], config)
    hand = "m1 m2 m3 p4 p5 p6 s7 s8 s9 m9 m9 m9 zP zP"  # AC-11 has m4, of which the board holds three
    game.load({"phase": "supply", "board": MELDS_UP, "hand": hand, "discards": "zC zC"})
    game.act("TICK")
    wanted = {"playerTotal": 2000, "cpuTotal": 2000, "winner": "draw"}
    _expect(game.state == "gameover" and game.result() == wanted, str(game.result()))
    before = game.hash()
    game.act("TICK")
    _expect(game.hash() == before, "judged twice")
    return f"{wanted['playerTotal']} : {wanted['cpuTotal']}, {wanted['winner']}"


TESTS: tuple[tuple[str, Callable[[dict[str, Any]], str]], ...] = (
    ("MJ.solve14 basic shape", _solve_basic),
    ("MJ.solve14 with a red five", _solve_red),
    ("MJ.solveFromPool picks 14", _solve_pool),
    ("supply: zoro rate and streaks", _supply_bias),
    ("board: full settle", _full_settle),
    ("board: four connected clear", _clear_four),
    ("CPU.tryWin success, tiles agree", _cpu_success),
    ("CPU.tryWin pool below 14", _cpu_too_small),
    ("flow: chain, allocation, HOLD", _flow),
    ("flow: CPU used-only removal, settle", _used_only),
    ("flow: final judgement", _final),
)
