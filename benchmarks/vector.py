"""Measure learner decisions per second in `vector` environments against agents that are called from Python.

    python benchmarks/vector.py xianqi --seconds 3

Rates are per second of the clock and per second of processor time; other programs hardly change the latter.
For `net` a second line compares the time that the net takes per answer in the environment with that of one
batch of as many rows as there are lanes, and says how much of all time the net takes.
OPENBLAS_NUM_THREADS=1 keeps the matrix products on one core.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from qipai.bots.find import find_agent
from qipai.core import AgentSpec, Game, Sight, get
from qipai.envs import vector

ROUNDS = 5  # of the batch; the fastest counts


class First:
    """Takes the first legal action, one table at a time."""

    def __init__(self, game: Game, words: Any) -> None:
        """Ignore `words`: the agent needs no chance."""

    def act(self, sight: Sight) -> int:
        """Return the first legal action."""
        return int(sight.mask.argmax())


class FirstMany(First):
    """Takes the first legal action, at all tables at once."""

    def act_many(self, observations: Any, masks: Any, seats: Any) -> Any:
        """Return the first legal action of every row."""
        return masks.argmax(axis=1)


@dataclass
class Timed:
    """An agent that notes how long its answers take, and keeps some of the questions."""

    agent: Any
    kept: int  # how many questions to keep
    questions: list[tuple[Any, Any, Any]] = field(default_factory=list)
    rows: int = 0
    seconds: float = 0.0  # of processor time

    def act(self, sight: Sight) -> int:
        """Return the action."""
        return int(self.agent.act(sight))

    def act_many(self, observations: Any, masks: Any, seats: Any) -> Any:
        """Return the actions."""
        if sum(len(part[2]) for part in self.questions) < self.kept:
            self.questions.append((observations.copy(), masks.copy(), seats.copy()))
        began = time.process_time()
        actions = self.agent.act_many(observations, masks, seats)
        self.seconds += time.process_time() - began
        self.rows += len(observations)
        return actions

    def batch_seconds(self) -> float:
        """Return the processor time per row of one batch of the questions that were kept."""
        batch = [np.concatenate(parts)[: self.kept] for parts in zip(*self.questions, strict=True)]
        found = []
        for _ in range(ROUNDS):
            began = time.process_time()
            self.agent.act_many(*batch)
            found.append((time.process_time() - began) / len(batch[2]))
        return min(found)


def rate(
    game: str, opponent: str | AgentSpec, lanes: int, seconds: float, timed: Timed | None = None
) -> tuple[float, float, int]:
    """Let a learner play at random; return seconds of the clock, of processor time, and its decisions."""
    env = vector(game, lanes, opponent, seed=1)
    env.reset()
    chance = np.random.default_rng(0)
    env.step(env.action_masks().argmax(axis=1))
    if timed is not None:
        timed.rows, timed.seconds = 0, 0.0  # of what is timed only
    clock, processor, made = time.perf_counter(), time.process_time(), 0
    while time.perf_counter() - clock < seconds:
        masks = env.action_masks()
        env.step((masks * chance.random(masks.shape, dtype=np.float32)).argmax(axis=1))
        made += lanes
    return time.perf_counter() - clock, time.process_time() - processor, made


def forward(game: str, name: str, lanes: int, seconds: float) -> str:
    """Return what a net takes per answer in the environment, next to one batch."""
    timed = Timed(find_agent(get(game), name).make(get(game), np.zeros(4, np.uint32)), lanes)
    _, processor, made = rate(game, AgentSpec("timed", 1, lambda game, words: timed), lanes, seconds, timed)
    each, batch = 1e6 * timed.seconds / timed.rows, 1e6 * timed.batch_seconds()
    return (
        f"{'':9} {timed.rows / made:.2f} answers per decision, {each:.1f} us each;"
        f" one batch of {lanes:,}: {batch:.1f} us each ({each / batch:.2f} times);"
        f" the net takes {timed.seconds / processor:.0%} of all time"
    )


def main() -> None:
    """Print the rate against each kind of opponent."""
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("game", nargs="?", default="xianqi")
    parser.add_argument("--seconds", type=float, default=3.0)
    args = parser.parse_args()
    cases: list[tuple[str, str | AgentSpec, int]] = [
        ("act", AgentSpec("first", 1, First), 512),
        ("act_many", AgentSpec("first", 1, FirstMany), 4096),
        ("net", "net", 1024),
        ("random", "random", 4096),
    ]
    for name, opponent, lanes in cases:
        clock, processor, made = rate(args.game, opponent, lanes, args.seconds)
        print(f"{name:9} {made / clock:>10,.0f} decisions/s {made / processor:>10,.0f} per processor second")
        if name == "net":
            print(forward(args.game, name, lanes, args.seconds))


if __name__ == "__main__":
    main()
