"""`Series`: hand after hand at one table, each a match of its own; the table keeps the chips."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qipai.core import Game

from .keys import check_seed, hand_seed
from .match import Match


class Series:
    """Deals the first hand at once; `next` deals the one after it when it is over.

    Every hand has a seed of its own, from the system's secure source or, where the series
    is given one, from that. The next hand has the options of the last, with what the
    game's `successor` says laid over them.
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
        self._match = Match(game, options, seats, self._next_seed())
        self._chips = [0] * self._match.seats  # of the hands before this one

    @property
    def match(self) -> Match:
        """The present hand, over or not."""
        return self._match

    @property
    def hand(self) -> int:
        """The number of the present hand, from 0."""
        return self._hand

    @property
    def chips(self) -> list[int]:
        """What each seat has won or lost in all hands that are over."""
        now = self._match.payoff or [0] * len(self._chips)
        return [before + won for before, won in zip(self._chips, now, strict=True)]

    def next(self) -> Match:
        """The present hand while it runs; when it is over, the next one."""
        if self._match.over:
            ended, chips = self._match, self.chips
            options = {**ended.options, **ended.game.rules.successor(ended.state)}
            self._match = Match(self._game, options, ended.seats, self._next_seed(1))
            self._chips = chips
            self._hand += 1
        return self._match

    def _next_seed(self, ahead: int = 0) -> bytes | None:
        return None if self._seed is None else hand_seed(self._seed, self._hand + ahead)
