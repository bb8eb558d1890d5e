"""Opponents that do not learn: frozen snapshots of the net, and agents by name.

The weights of a snapshot are rounded to bfloat16 when it is taken and never change afterwards: its digest
is checked each time it takes a seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from qipai.core import AgentSpec, Game, copy_state
from qipai.core.agent import agent_words, sight
from qipai.core.errors import AgentFault, BadTraining

from .fused import Fused
from .nets import Net
from .rollout import Tables


@dataclass(frozen=True)
class Member:
    """A snapshot: its name and its weights by array, as the upper 16 bits of float32."""

    name: str
    arrays: dict[str, NDArray[np.uint16]]
    digest: str

    def weights(self) -> dict[str, NDArray[np.float32]]:
        """Return the weights as float32; raise `BadTraining` if they have changed."""
        if digest_of(self.arrays) != self.digest:
            raise BadTraining(f"the league's member {self.name} has changed")
        return {name: (a.astype(np.uint32) << 16).view(np.float32) for name, a in self.arrays.items()}


def digest_of(arrays: Mapping[str, NDArray[Any]]) -> str:
    """Return the SHA-256 of named arrays."""
    hashed = sha256()
    for name in sorted(arrays):
        hashed.update(name.encode() + repr(arrays[name].shape).encode() + arrays[name].tobytes())
    return hashed.hexdigest()


def freeze(name: str, weights: dict[str, NDArray[np.float32]]) -> Member:
    """Return a member with these weights, rounded to the nearest bfloat16."""
    arrays = {}
    for key, value in weights.items():
        rounded = torch.from_numpy(np.ascontiguousarray(value)).to(torch.bfloat16)
        arrays[key] = rounded.view(torch.int16).numpy().view(np.uint16).copy()
        arrays[key].setflags(write=False)
    return Member(name, arrays, digest_of(arrays))


class League:
    """The first snapshot and the latest ones, so that the net also meets earlier opponents again."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.members: list[Member] = []

    def add(self, name: str, net: Net) -> None:
        """Take a snapshot; beyond `size` the second oldest is dropped, so that ages stay spread out."""
        self.members.append(freeze(name, net.arrays()))
        if len(self.members) > self.size:
            del self.members[1 if self.size > 1 else 0]

    def seat(self, slot: Frozen, seed: int, round_: int) -> Member | None:
        """Put a member drawn from seed and round into a slot; every second time the newest."""
        if not self.members:
            return None
        rng = np.random.default_rng((seed, round_, 0x1EA6))
        newest = rng.random() < 0.5
        member = self.members[-1 if newest else int(rng.integers(len(self.members)))]
        slot.net.load(member.weights())
        return member


class Frozen:
    """A net that plays the seats that do not learn in lanes `lo` to `hi`, by sampling from its policy."""

    def __init__(self, net: Net, lo: int, hi: int, fused: Fused) -> None:
        self.net, self.lo, self.hi, self.fused = net, lo, hi, fused
        self.noise: Tensor | None = None

    def act(self, obs: Tensor, mask: Tensor, seat: Tensor, mine: Tensor) -> Tensor:
        """Return actions (hi - lo,) int64."""
        logits, _ = self.net(obs)
        if self.noise is None:
            self.noise = torch.zeros(len(obs), self.net.actions, device=obs.device)
        self.noise.exponential_()
        return self.fused.choose(logits, mask, self.noise)[0]


class Greedy(Frozen):
    """A frozen net that always takes its likeliest action, like the agent `net`."""

    def act(self, obs: Tensor, mask: Tensor, seat: Tensor, mine: Tensor) -> Tensor:
        """Return actions (hi - lo,) int64."""
        logits, _ = self.net(obs)
        return logits.float().masked_fill(mask[:, : self.net.actions] == 0, -torch.inf).argmax(1)


class Uniform:
    """Plays random legal actions in lanes `lo` to `hi`, as the agent `random` does, on any device."""

    def __init__(self, actions: int, lo: int, hi: int, fused: Fused) -> None:
        self.actions, self.lo, self.hi, self.fused = actions, lo, hi, fused
        self.noise: Tensor | None = None

    def act(self, obs: Tensor, mask: Tensor, seat: Tensor, mine: Tensor) -> Tensor:
        """Return actions (hi - lo,) int64."""
        if self.noise is None:
            self.noise = torch.zeros(len(obs), self.actions, device=obs.device)
        self.noise.exponential_()
        return self.fused.choose(torch.zeros_like(self.noise), mask, self.noise)[0]


class Bots:
    """An agent of the game in every lane from `lo` to `hi`, called one decision at a time (CPU only).

    Like every agent, it receives a world redrawn from what its seat may know. `words` (2, lanes, 4) uint32
    are the generators of the agents, which advance them, and those of their worlds: a checkpoint contains
    them. What an agent remembers apart from its generator is not part of a checkpoint.
    """

    def __init__(self, game: Game, spec: AgentSpec, tables: Tables, lo: int, hi: int, seed: int) -> None:
        self.game, self.spec, self.tables, self.lo, self.hi = game, spec, tables, lo, hi
        numbers = [[2 * lane + part for lane in range(lo, hi)] for part in (0, 1)]
        self.words = np.array([[agent_words(game, seed, number) for number in part] for part in numbers])
        self.agents = self._make()

    def _make(self) -> Sequence[Any]:
        return [self.spec.make(self.game, words) for words in self.words[0]]

    def restore(self, words: NDArray[np.uint32]) -> None:
        """Continue with the generators of a checkpoint, and with new agents."""
        self.words[:] = words
        self.agents = self._make()

    def act(self, obs: Tensor, mask: Tensor, seat: Tensor, mine: Tensor) -> Tensor:
        """Return actions (hi - lo,) int64."""
        chosen = torch.zeros(self.hi - self.lo, dtype=torch.int64)
        for batch, first in zip(self.tables.batches, self.tables.edges, strict=False):
            for lane in range(max(first, self.lo), min(first + batch.n, self.hi)):
                k = lane - self.lo
                if bool(mine[k]):
                    chosen[k] = self._ask(copy_state(batch.state[lane - first]), int(seat[k]), k)
        return chosen

    def _ask(self, s: Any, seat: int, k: int) -> int:
        seen = sight(self.game, s, seat, self.words[1, k])
        legal = seen.mask.copy()
        action = int(self.agents[k].act(seen))
        seen.close()
        if not 0 <= action < self.game.rules.actions or not legal[action]:
            raise AgentFault(f"an opponent answered {action}, which is not legal")
        return action
