"""What the tests of Paipai Rensa share: boards from bottom rows, random play, twin comparison."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from qipai.core import NOBODY, State
from qipai.games.paipai_rensa import GAME
from qipai.games.paipai_rensa.tiles import values
from tests.naive.paipai_rensa import NaiveGame

EMPTY = ".. .. .. .. .. .."
AC01 = "m1 m2 m3 p4 p5 p6 s7 s8 s9 m4 m4 m4 zP zP"
AC10_BOARD = ["m1 m2 m3 m4 .. ..", "p1 p2 p3 m4 .. ..", "s7 s8 s9 m4 .. .."] + [EMPTY] * 9

Choose = Callable[[State, list[int]], int]


def bottom(*rows: str) -> list[str]:
    """Return a board from its lowest rows."""
    return [EMPTY] * (12 - len(rows)) + list(rows)


def heights_board(heights: Sequence[int]) -> list[str]:
    """Return a settled board with these column heights on which nothing clears."""
    box = iter(_colouring())
    rows = []
    for row in range(12):
        cells = []
        for col in range(6):
            tile = next(box)
            cells.append(tile if 12 - row <= heights[col] else "..")
        rows.append(" ".join(cells))
    return rows


def _colouring() -> list[str]:
    """Return 72 tiles of which neighbours differ in suit."""
    left = {
        "m": [f"m{n}" for n in range(1, 10) for _ in range(2)],
        "p": [f"p{n}" for n in range(1, 10) for _ in range(2)],
        "s": [f"s{n}" for n in range(1, 10) for _ in range(2)],
        "z": [f"z{c}" for c in "ESWNPFC" for _ in range(3)],
    }
    order = []
    for row in range(12):
        for col in range(6):
            order.append(left["mpsz"[(col + 2 * row) % 4]].pop())
    return order


def first14(s: State, legal: list[int]) -> int:
    """Keep while that is allowed."""
    return legal[0]


def random_player(rng: random.Random, alloc: Choose | None = None) -> Choose:
    """Return a player with uniform placements and uniform allocation, or `alloc`."""

    def choose(s: State, legal: list[int]) -> int:
        return alloc(s, legal) if alloc and legal[-1] == 25 else rng.choice(legal)

    return choose


def play(s: State, choose: Choose, after: Callable[[State, int], None] | None = None) -> int:
    """Play `s` to its end; how many decisions that took."""
    n = 0
    mask = np.zeros(GAME.width, np.uint8)
    while int(s["seat"]) != NOBODY:
        GAME.rules.legal(s, mask)
        action = choose(s, np.flatnonzero(mask).tolist())
        GAME.rules.apply(s, action)
        n += 1
        if after is not None:
            after(s, action)
    return n


def deck_of(s: State) -> list[int]:
    """Return the whole supply of a dealt state."""
    return values(s["deck"])


def compare(s: State, twin: NaiveGame) -> None:
    """Compare every fact of the state with the twin."""
    board = [t + 1 if t is not None else 0 for row in twin.grid for t in row]
    facts: dict[str, tuple[Any, Any]] = {
        "board": (s["board"].tolist(), board),
        "pair": (values(s["pair"]), twin.pair),
        "hand": (values(s["hand"]), twin.hand),
        "list": (values(s["tiles"]), twin.list),
        "discards": (values(s["discards"]), twin.discards),
        "lost": (values(s["lost"]), twin.lost),
        "scores": ((int(s["score"]), int(s["cpu_score"])), (twin.score, twin.cpu)),
        "wins": ((int(s["player_wins"]), int(s["cpu_wins"])), (twin.player_wins, twin.cpu_wins)),
        "holds": (int(s["holds"]), twin.holds),
        "chain": (int(s["chain"]), twin.chain),
        "consumed": (int(s["consumed"]), twin.consumed),
        "over": (int(s["seat"]) == NOBODY, twin.over),
        "legal": (GAME.legal_actions(s), twin.legal()),
        "payoff": (int(s["payoff"][0]), twin.score - twin.cpu),
    }
    for name, (got, wanted) in facts.items():
        assert got == wanted, f"{name}: {got} and not {wanted}"


def play_beside_twin(words: tuple[int, int, int, int], seed: int, policy: str = "used-only") -> int:
    """Play a random game in the rules and in the twin, comparing every state; return the decisions."""
    rng = random.Random(seed)
    s = GAME.new({"cpu_clear_policy": policy}, words=words)
    twin = NaiveGame(deck_of(s), policy == "all")
    compare(s, twin)
    keep = rng.random()
    tall = rng.random() < 0.3  # some games pile up in the middle, so that spawns are blocked

    def choose(state: State, legal: list[int]) -> int:
        if legal[-1] == 25:
            return 24 if 24 in legal and rng.random() < keep else 25
        if tall and rng.random() < 0.8:
            return 8
        return rng.choice(legal)

    def after(state: State, action: int) -> None:
        twin.act(action)
        compare(state, twin)
        assert twin.conserved() == 136

    return play(s, choose, after)
