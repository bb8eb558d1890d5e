"""A block of games as arrays, one row per decision, ordered by game and ply.

Block b of seed s is played in lanes 0, 1, ... of `Batch(game, size, seed=block_seed(s, b))`, so the same
arguments give the same rows on every machine and with any number of workers. The derived seed keeps datasets
of neighbouring seeds apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.bots.find import find_agent
from qipai.bots.random import SPEC as RANDOM
from qipai.core import Agent, Game, choose_move, get
from qipai.core.agent import agent_words
from qipai.sim import Batch

from .values import Values

Rows = dict[str, NDArray[Any]]
BLOCK = 1000  # games per block, which is one file
COLUMNS = {  # by name: type of an entry, and whether a row has several
    "game": ("int64", False),
    "ply": ("int32", False),
    "seat": ("int8", False),
    "agent": ("int8", False),
    "observation": ("int8", True),
    "mask": ("uint8", True),
    "action": ("int16", False),
    "payoff": ("int32", True),
}
VALUE = {"value": ("float", True)}  # of a dataset with values; Arrow's name of float32


@dataclass(frozen=True)
class Plan:
    """Everything that the rows of a dataset depend on."""

    game: str
    games: int
    agents: tuple[str, ...]
    seed: int
    options: Mapping[str, Any]
    seats: int | None
    values: int = 0  # simulations of the search at each decision; 0: no values

    @property
    def columns(self) -> dict[str, tuple[str, bool]]:
        """The columns of its rows, as `COLUMNS`."""
        return COLUMNS | VALUE if self.values else COLUMNS

    @property
    def blocks(self) -> int:
        """Number of files."""
        return -(-self.games // BLOCK)

    def size(self, block: int) -> int:
        """Return the number of games of a block."""
        return min(BLOCK, self.games - block * BLOCK)

    def turns(self, block: int, seats: int) -> NDArray[np.int8]:
        """Return who plays in a block, (games, seats): the agents move on by one seat with every game."""
        first = block * BLOCK
        games = np.arange(first, first + self.size(block))
        return ((games[:, None] + np.arange(seats)) % len(self.agents)).astype(np.int8)


def block_seed(seed: int, block: int) -> int:
    """Return the seed of a block's deals and agents; no two blocks of any datasets share one."""
    return int.from_bytes(sha256(f"qipai/data/{seed}/{block}".encode()).digest()[:8], "little")


def batch_of(plan: Plan, game: Game, block: int) -> Batch:
    """Return the games of a block, dealt."""
    seed = block_seed(plan.seed, block)
    return Batch(
        game, plan.size(block), seed, options=plan.options, seats=plan.seats, threads=1, redeal=False
    )


def play_block(plan: Plan, block: int) -> Rows:
    """Play the games of one block.

    game    int64   number of the game in the dataset
    ply     int32   number of the decision in its game
    seat    int8    who decides
    agent   int8    which of the plan's agents that is
    observation  int8 (rows, L)        what the seat sees
    mask    uint8 (rows, actions)      legal actions
    action  int16   the decision
    payoff  int32 (rows, seats)        the result of the game, by seat
    value   float32 (rows, actions)    mean payoff of each action in the search; only if the plan has values
    """
    game = get(plan.game, plan.options)
    n = plan.size(block)
    batch = batch_of(plan, game, block)
    seats = batch.reward.shape[1]
    first = block * BLOCK
    turn = plan.turns(block, seats)
    players = _Players(game, plan, block, seats)
    search = _search_of(plan, game, block)
    parts: list[Rows] = []
    lanes: list[NDArray[np.int64]] = []  # the games of each part, which is one ply
    payoff = batch.state["payoff"][:, :seats].astype(np.int32)
    while len(going := np.flatnonzero(batch.seat >= 0)):
        seat = batch.seat[going]
        agent = turn[going, seat]
        actions = batch.sample()
        if not players.all_random:
            for lane, at, who in zip(going.tolist(), seat.tolist(), agent.tolist(), strict=True):
                if not players.random[who]:
                    actions[lane] = players.action(batch.state[lane], lane, at, who)
        part = {
            "game": first + going,
            "ply": np.full(len(going), len(parts), np.int32),
            "seat": seat,
            "agent": agent,
            "observation": batch.obs[going],
            "mask": batch.mask[going, : game.rules.actions],
            "action": actions[going].astype(np.int16),
        }
        if search is not None:
            part["value"] = np.stack([search.of(batch.state[k], k, len(parts)) for k in going.tolist()])
        parts.append(part)
        lanes.append(going)
        batch.step(actions)
        payoff += batch.reward
    rows = _by_game(parts, lanes, n)
    return {**rows, "payoff": payoff[rows["game"] - first]}


def _by_game(parts: list[Rows], lanes: list[NDArray[np.int64]], n: int) -> Rows:
    """Return the rows of all plies ordered by game and ply; empties `parts`, which may be large."""
    length = np.bincount(np.concatenate(lanes), minlength=n)
    start = np.cumsum(length) - length
    rows: Rows = {}
    for name in list(parts[0]):
        array = parts[0][name]
        rows[name] = np.empty((int(length.sum()), *array.shape[1:]), array.dtype)
        for ply, going in enumerate(lanes):
            rows[name][start[going] + ply] = parts[ply].pop(name)
    return rows


def _search_of(plan: Plan, game: Game, block: int) -> Values | None:
    return Values(game, plan.seed, block, plan.values) if plan.values else None


def replayed(plan: Plan, block: int, rows: Rows) -> bool:
    """Return whether the rows are what the rules say: dealt from the seed, with the actions of the rows.

    `rows` must have the columns of `play_block`.
    """
    game = get(plan.game, plan.options)
    n = plan.size(block)
    batch = batch_of(plan, game, block)
    seats = batch.reward.shape[1]
    lane = rows["game"] - block * BLOCK
    if len(lane) == 0 or lane.min() < 0 or lane.max() >= n or len(np.unique(lane)) != n:
        return False
    if not np.array_equal(np.lexsort((rows["ply"], lane)), np.arange(len(lane))):
        return False  # not ordered by game and ply
    if rows["ply"].min() < 0 or rows["ply"].max() >= len(lane):
        return False
    payoff = batch.state["payoff"][:, :seats].astype(np.int32)
    turn = plan.turns(block, seats)
    search = _search_of(plan, game, block)
    order = np.argsort(rows["ply"], kind="stable")  # by ply, and by game within a ply
    ends = np.cumsum(np.bincount(rows["ply"]))
    for ply, here in enumerate(np.split(order, ends[:-1])):
        going, action = lane[here], rows["action"][here]
        if not np.array_equal(going, np.flatnonzero(batch.seat >= 0)):
            return False
        mask = batch.mask[going, : game.rules.actions]
        same = (
            np.array_equal(batch.obs[going], rows["observation"][here])
            and np.array_equal(mask, rows["mask"][here])
            and np.array_equal(batch.seat[going], rows["seat"][here])
            and np.array_equal(turn[going, batch.seat[going]], rows["agent"][here])
        )
        if not same or not ((action >= 0) & (action < mask.shape[1])).all():
            return False
        if not mask[np.arange(len(going)), action].all():
            return False
        if search is not None:
            found = np.stack([search.of(batch.state[k], k, ply) for k in going.tolist()])
            if not np.array_equal(found, rows["value"][here], equal_nan=True):
                return False
        actions = np.zeros(n, np.int32)
        actions[going] = action
        batch.step(actions)
        payoff += batch.reward
    return bool((batch.seat < 0).all()) and np.array_equal(payoff[lane], rows["payoff"])


class _Players:
    """The agents of a block, one object per lane and seat, and the rest of unfinished moves.

    An agent that remembers must not take what one seat saw to another seat of its table.
    """

    def __init__(self, game: Game, plan: Plan, block: int, seats: int) -> None:
        self._game, self._seats, self._seed = game, seats, block_seed(plan.seed, block)
        self._specs = [find_agent(game, name) for name in plan.agents]
        self.random = [spec is RANDOM for spec in self._specs]
        self.all_random = all(self.random)
        self._made: dict[tuple[int, int], tuple[Agent, NDArray[np.uint32]]] = {}
        self._moves: dict[int, list[int]] = {}

    def action(self, state: Any, lane: int, seat: int, who: int) -> int:
        """Return the next action of agent `who`, which plays `seat` in a lane."""
        if not self._moves.get(lane):
            if (lane, seat) not in self._made:
                number = 2 * (lane * self._seats + seat)
                agent = self._specs[who].make(self._game, agent_words(self._game, self._seed, number))
                self._made[lane, seat] = agent, agent_words(self._game, self._seed, number + 1)
            self._moves[lane] = choose_move(self._game, state, *self._made[lane, seat])
        return self._moves[lane].pop(0)
