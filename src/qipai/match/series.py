"""`Series`: hands in a row with the same players. The one place that knows how the next hand follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from qipai.core import Game

from .keys import check_seed, hand_seed
from .match import Match


class Series:
    """Deals the first hand at once; `next` deals the one after it when it is over.

    Every hand has a seed of its own, from the system's secure source or, where the series
    is given one, from that. The next hand has the options of the last, with what the
    game's `successor` says (such as who starts) laid over them.

    A series can be stored: it goes on from the present hand, its number, the chips brought into it
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
        """Return the series of `game` that stands at `match`, hand number `hand`, begun with these chips."""
        series = cls.__new__(cls)
        series._game = game
        series._seed = None if seed is None else check_seed(seed)
        series._hand = hand
        series._match = match
        series._brought = list(brought)
        return series

    @property
    def match(self) -> Match:
        """The present hand, over or not."""
        return self._match

    @property
    def hand(self) -> int:
        """The number of the present hand, from 0."""
        return self._hand

    @property
    def brought(self) -> list[int]:
        """The chips of each seat before the present hand."""
        return list(self._brought)

    @property
    def chips(self) -> list[int]:
        """What each seat has won or lost in all hands that are over."""
        return add_chips(self._brought, self._match.payoff)

    def next(self) -> Match:
        """Return the present hand while it runs; when it is over, deal the next one and return that."""
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
    """Return the chips of each seat with the result of a hand, if it has one."""
    if payoff is None:
        return list(chips)
    return [have + won for have, won in zip(chips, payoff, strict=True)]
