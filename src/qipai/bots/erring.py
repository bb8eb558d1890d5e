"""Agents that err as people do: they forget, overlook and misjudge, and never play at random.

`BASE~t1.5~o0.2~m0.9` plays like the agent BASE with three kinds of errors:

| part | error |
|---|---|
| `tX` | temperature: misjudges every action; X times Gumbel noise is added to its score |
| `oX` | oversight: does not notice an action at all, with probability X for each |
| `mX` | memory: in a game of memory, what was shown is still known at the next decision with probability X |

For `t` and `o`, BASE must have a method `scores(sight)` as nets do: one number per action, higher is better.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qipai.core import Agent, AgentSpec, Game, Sight, copy_state, next_word
from qipai.core.errors import BadAgent, short

FORM = re.compile(r"(?P<base>[^~]+)(?P<errors>(?:~[tom][0-9.]+)+)")
HOTTEST = 10.0
WORD = 2.0**32


@dataclass(frozen=True)
class Errors:
    """How an agent errs."""

    temperature: float = 0.0
    oversight: float = 0.0
    memory: float = 1.0


class Erring:
    """Plays like another agent, with errors. It has its own generator, separate from that of the agent."""

    def __init__(self, game: Game, words: NDArray[np.uint32], base: AgentSpec, errors: Errors) -> None:
        own = np.array([next_word(words) for _ in range(4)], np.uint32)
        self._agent = base.make(game, own)
        self._words = words
        self._errors = errors
        self._scores = getattr(self._agent, "scores", None)
        self._known: set[int] = set()  # facts that were known at the last decision
        self._forgotten: set[int] = set()
        if errors.memory < 1 and game.levels.shown is None:
            raise BadAgent(f"{game.name} is not a game of memory: ~m does not apply")
        if self._scores is None and (errors.temperature > 0 or errors.oversight > 0):
            raise BadAgent(
                f"{short(base.name)} does not score actions: ~t and ~o need an agent with a method scores"
            )

    def act(self, sight: Sight) -> int:
        """Return the action that looks best after forgetting, overlooking and misjudging."""
        seen = self._remembered(sight) if self._errors.memory < 1 else sight
        if self._scores is None:
            return self._agent.act(seen)
        legal = np.flatnonzero(sight.mask)
        if len(legal) == 1:
            return int(legal[0])
        scores = np.asarray(self._scores(seen), np.float64)[legal]
        if self._errors.temperature > 0:
            scores = scores + self._errors.temperature * self._noise(len(legal))
        if self._errors.oversight > 0:
            noticed = np.array([self._chance() >= self._errors.oversight for _ in legal])
            if noticed.any():
                scores[~noticed] = -np.inf
        return int(legal[scores.argmax()])

    def _remembered(self, sight: Sight) -> Sight:
        """Return the sight without what the agent has forgotten by now."""
        game = sight.game
        assert game.levels.shown is not None and game.levels.forget is not None
        shown = game.levels.shown(sight.state, sight.seat)  # by fact: whether it was shown just now
        for fact in sorted(shown):
            if shown[fact]:
                self._forgotten.discard(fact)
            elif fact in self._known and self._chance() >= self._errors.memory:
                self._forgotten.add(fact)
        self._known = set(shown)
        self._forgotten &= self._known
        if not self._forgotten:
            return sight
        world = copy_state(sight.state)
        game.levels.forget(world, self._forgotten)
        words = [int(next_word(self._words)) for _ in range(4)]
        return Sight(game, sight.seat, game.redrawn(world, sight.seat, words), sight.mask)

    def _chance(self) -> float:
        """Return a number between 0 and 1, ends excluded."""
        return (int(next_word(self._words)) + 0.5) / WORD

    def _noise(self, count: int) -> NDArray[np.float64]:
        """Return Gumbel noise: with it, the largest score is a draw from their softmax."""
        return np.array([-math.log(-math.log(self._chance())) for _ in range(count)])


@dataclass(frozen=True)
class Making:
    """Makes agents that err; equal for equal descriptions."""

    base: AgentSpec
    errors: Errors

    def __call__(self, game: Game, words: NDArray[np.uint32]) -> Agent:
        """Return a new agent."""
        return Erring(game, words, self.base, self.errors)

    def weights_digest(self, game: Game) -> str:
        """Return the digest of the weights of the agent that errs, "" if it has none."""
        found = getattr(self.base.make, "weights_digest", None)
        return str(found(game)) if callable(found) else ""


def parts_of(text: str) -> tuple[str, Errors] | None:
    """Return the base and the errors that a description names, or None if `text` is no such description.

    Raise `BadAgent` if a number is out of range or given twice.
    """
    found = FORM.fullmatch(text)
    if found is None:
        return None
    given: dict[str, float] = {}
    for part in found["errors"].split("~")[1:]:
        try:
            value = float(part[1:])
        except ValueError:
            value = -1.0
        if part[0] in given or not 0 <= value <= (HOTTEST if part[0] == "t" else 1):
            raise BadAgent(
                f"{short(text)}: ~t takes a number from 0 to {HOTTEST:g}, ~o and ~m from 0 to 1, each once"
            )
        given[part[0]] = value
    return found["base"], Errors(given.get("t", 0.0), given.get("o", 0.0), given.get("m", 1.0))
