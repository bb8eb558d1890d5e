"""Blocks of games are the games of a batch, row by row."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from qipai.core import get, names
from qipai.data.play import BLOCK, Plan, block_seed, play_block, replayed
from qipai.sim import Batch


def plan(game: str, games: int = 6, agents: tuple[str, ...] = ("random",), seats: int | None = None) -> Plan:
    return Plan(game, games, agents, 3, {}, seats)


@pytest.mark.parametrize("game", names())
def test_rows_are_the_decisions_of_a_batch(game: str) -> None:
    made = plan(game)
    rows = play_block(made, 0)
    for k in range(6):
        batch = Batch(game, 6, block_seed(3, 0))
        alone = Batch(game, 1, redeal=False)
        alone.load(batch.state[k])
        mine = {name: array[rows["game"] == k] for name, array in rows.items()}
        earned = batch.state["payoff"][k].astype(int)[: alone.reward.shape[1]]
        for ply, action in enumerate(mine["action"].tolist()):
            assert mine["ply"][ply] == ply and mine["seat"][ply] == alone.seat[0]
            assert np.array_equal(mine["observation"][ply], alone.obs[0])
            assert np.array_equal(mine["mask"][ply], alone.mask[0, : get(game).rules.actions])
            alone.step([action])
            earned = earned + alone.reward[0]
        assert alone.done[0] and (mine["payoff"] == earned).all()
    assert replayed(made, 0, rows)


def test_agents_move_on_by_one_seat_with_every_game() -> None:
    rows = play_block(plan("xianqi", 6, ("heuristic", "random", "random")), 0)
    first = (rows["game"] + rows["seat"]) % 3
    assert np.array_equal(rows["agent"], first)


def test_other_agents_choose_other_actions_in_the_same_deals() -> None:
    one, other = (play_block(plan("xianqi", 6, (agent,)), 0) for agent in ("random", "heuristic"))
    first = [rows["observation"][rows["ply"] == 0] for rows in (one, other)]
    assert np.array_equal(*first) and len(one["game"]) != len(other["game"])
    assert replayed(plan("xianqi", 6, ("heuristic",)), 0, other)


def test_the_last_block_has_the_rest() -> None:
    made = plan("xianqi", 2 * BLOCK + 5)
    assert made.blocks == 3 and [made.size(k) for k in range(3)] == [BLOCK, BLOCK, 5]
    assert play_block(made, 2)["game"].max() == 2 * BLOCK + 4


@pytest.mark.parametrize(
    "column", ["observation", "mask", "action", "seat", "agent", "payoff", "game", "ply"]
)
def test_a_changed_row_does_not_replay(column: str) -> None:
    made = plan("xianqi")
    rows = play_block(made, 0)
    changed = {name: array.copy() for name, array in rows.items()}
    changed[column][5] += 1
    assert not replayed(made, 0, changed)


def test_rows_out_of_order_do_not_replay() -> None:
    made = plan("xianqi")
    rows = play_block(made, 0)
    assert not replayed(made, 0, {name: array[::-1] for name, array in rows.items()})
    late = {
        **rows,
        "ply": np.where(np.arange(len(rows["ply"])) == len(rows["ply"]) - 1, 1 << 30, rows["ply"]),
    }
    assert not replayed(made, 0, late)


def test_neighbouring_seeds_share_no_games() -> None:
    one = play_block(Plan("xianqi", BLOCK + 20, ("random",), 0, {}, None), 1)
    other = play_block(Plan("xianqi", 20, ("random",), 1, {}, None), 0)
    first = [rows["observation"][rows["ply"] == 0] for rows in (one, other)]
    assert first[0].shape == first[1].shape and not np.array_equal(*first)
    assert block_seed(0, 1) != block_seed(1, 0)


AGENT = '''
import numpy as np
from qipai.core import AgentSpec

class OneSeat:
    """Plays the first legal action, and refuses to play two seats."""
    def __init__(self): self.seat = None
    def act(self, sight):
        assert self.seat in (None, sight.seat), "asked at two seats"
        self.seat = sight.seat
        return int(np.flatnonzero(sight.mask)[0])

SPEC = AgentSpec("one-seat", 1, lambda game, words: OneSeat())
'''


def test_every_seat_has_an_agent_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "agent.py"
    path.write_text(AGENT)
    made = plan("xianqi", 3, (f"{path}:SPEC",))
    assert replayed(made, 0, play_block(made, 0))
