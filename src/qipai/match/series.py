"""`Series`: hands in a row with the same players. Only this module knows how one hand follows another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from qipai.core import Game

from .keys import check_seed, hand_seed
from .match import Match


class Series:
    """The first hand is dealt at once; `next` deals another when a hand is over.

    Every hand has its own seed: from the system's secure source or, if the series has a seed, derived
    from that. The next hand has the options of the last, updated with what the
    game's `successor` returns (such as who starts).

    A series can be stored and resumed from the current hand, its number, the chips before it
    and the seed of the series (`resume`).
    """

    def __init__(
        self,
        game: Game | str,
        options: Mapping[str, Any] | None = None,
        seats: int | None = None,
        seed: bytes | None = None,
    ) -> None:
        self._game = game
        self._seed = None if seed is None else check_seed(seed)
        self._hand = 0
        self._match = Match(game, options, seats, self._hand_seed(0))
        self._brought = [0] * self._match.seats

    @classmethod
    def resume(
        cls, game: Game | str, match: Match, hand: int, brought: Sequence[int], seed: bytes | None = None
    ) -> Series:
        """Return the series of `game` that is at `match`, hand number `hand`, with these chips before it."""
        series = cls.__new__(cls)
        series._game = game
        series._seed = None if seed is None else check_seed(seed)
        series._hand = hand
        series._match = match
        series._brought = list(brought)
        return series

    @property
    def match(self) -> Match:
        """The current hand, over or not."""
        return self._match

    @property
    def hand(self) -> int:
        """The number of the current hand, from 0."""
        return self._hand

    @property
    def brought(self) -> list[int]:
        """The chips of each seat before the current hand."""
        return list(self._brought)

    @property
    def chips(self) -> list[int]:
        """The chips that each seat has won or lost in all finished hands."""
        return add_chips(self._brought, self._match.payoff)

    def next(self) -> Match:
        """Return the current hand while it runs; when it is over, deal the next one and return that."""
        if self._match.over:
            ended = self._match
            options = {**ended.options, **ended.game.rules.successor(ended.state)}
            match = Match(self._game, options, ended.seats, self._hand_seed(self._hand + 1))
            self._brought = self.chips
            self._match = match
            self._hand += 1
        return self._match

    def _hand_seed(self, hand: int) -> bytes | None:
        return None if self._seed is None else hand_seed(self._seed, hand)


def add_chips(chips: Sequence[int], payoff: Sequence[int] | None) -> list[int]:
    """Return the chips of each seat after adding the result of a hand, if there is one."""
    if payoff is None:
        return list(chips)
    return [have + won for have, won in zip(chips, payoff, strict=True)]
