"""`Series`: hands in a row with the same players. Only this module knows how one hand follows another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from qipai.core import Game
from qipai.core.errors import BadCount

from .keys import check_seed, hand_seed
from .match import Match
from .shares import Shares

GoalKind = Literal["endless", "hands", "chips", "round"]
MOST = 1000  # hands or rounds; chips may be a thousand times as many


@dataclass(frozen=True)
class Goal:
    """When a series ends: after `count` hands, rounds of the deal, or when a seat has `count` chips.

    A round is over when the deal has moved to another seat as many times as there are seats.
    """

    kind: GoalKind = "endless"
    count: int = 0

    def __post_init__(self) -> None:
        most = {"endless": 0, "hands": MOST, "chips": 1000 * MOST, "round": MOST}
        if self.kind not in most or not min(1, most[self.kind]) <= self.count <= most[self.kind]:
            raise BadCount(f"a series cannot end after {self.count} {self.kind}")

    def reached(self, progress: Progress) -> bool:
        """Return whether the series is over."""
        if self.kind == "hands":
            return progress.hands >= self.count
        if self.kind == "chips":
            return progress.hands > 0 and max(progress.chips) >= self.count
        return self.kind == "round" and progress.passes >= self.count * len(progress.chips)


@dataclass(frozen=True)
class Progress:
    """How far a series is: finished hands, how often the deal moved to another seat, and the chips."""

    hands: int
    passes: int
    chips: tuple[int, ...]

    @classmethod
    def start(cls, seats: int) -> Progress:
        """Return the progress before the first hand."""
        return cls(0, 0, (0,) * seats)

    def after(self, payoff: Sequence[int], passed: bool) -> Progress:
        """Return the progress after one more hand."""
        return Progress(self.hands + 1, self.passes + passed, tuple(add_chips(self.chips, payoff)))

    def places(self) -> list[int]:
        """Return the place of each seat, from 1; seats with the same chips share the better one."""
        return [1 + sum(other > own for other in self.chips) for own in self.chips]


ENDLESS = Goal()


def deal_passes(match: Match) -> bool:
    """Return whether another seat starts the hand after this one, which is over."""
    seats = [option.name for option in match.game.rules.options if option.is_seat]
    state = match.state
    for name, value in match.game.rules.successor(state).items():
        if name in seats:
            now = int(state[name])
            if now < 0 and "dealer" in (state.dtype.names or ()):  # drawn by lot
                now = int(state["dealer"])
            return now >= 0 and int(value) != now
    return False


class Series:
    """The first hand is dealt at once; `next` deals another when a hand is over.

    Every hand has its own seed: from the system's secure source or, if the series has a seed, derived
    from that. The next hand has the options of the last, updated with what the
    game's `successor` returns (such as who starts).

    A series can be stored and resumed from the current hand, its number, the chips before it
    and the seed of the series (`resume`). `goal` says when it ends; `next` then deals no more.
    """

    def __init__(
        self,
        game: Game | str,
        options: Mapping[str, Any] | None = None,
        seats: int | None = None,
        seed: bytes | None = None,
        shares: Shares | None = None,
        goal: Goal = ENDLESS,
    ) -> None:
        self._game = game
        self.goal = goal
        self._seed = None if seed is None else check_seed(seed)
        self._hand = 0
        self._match = Match(game, options, seats, self._hand_seed(0), shares=shares)
        self._before = Progress.start(self._match.seats)

    @classmethod
    def resume(
        cls,
        game: Game | str,
        match: Match,
        hand: int,
        brought: Sequence[int],
        seed: bytes | None = None,
        goal: Goal = ENDLESS,
        passes: int = 0,
    ) -> Series:
        """Return the series of `game` that is at `match`, hand number `hand`, with these chips before it.

        `passes` says how often the deal moved before it.
        """
        series = cls.__new__(cls)
        series._game = game
        series.goal = goal
        series._seed = None if seed is None else check_seed(seed)
        series._hand = hand
        series._match = match
        series._before = Progress(hand, passes, tuple(brought))
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
        return list(self._before.chips)

    @property
    def chips(self) -> list[int]:
        """The chips that each seat has won or lost in all finished hands."""
        return list(self.progress.chips)

    @property
    def progress(self) -> Progress:
        """How far the series is, with the current hand if that is over."""
        payoff = self._match.payoff
        return self._before if payoff is None else self._before.after(payoff, deal_passes(self._match))

    @property
    def over(self) -> bool:
        """Whether the goal is reached."""
        return self.goal.reached(self.progress)

    def next(self, shares: Shares | None = None) -> Match:
        """Return the current hand while it runs; when it is over, deal the next one and return that.

        After the last hand of the series, that hand is returned. In a series without a seed, the seed of the
        next hand follows from `shares` if they are given.
        """
        if self._match.over and not self.over:
            ended = self._match
            options = {**ended.options, **ended.game.rules.successor(ended.state)}
            match = Match(self._game, options, ended.seats, self._hand_seed(self._hand + 1), shares=shares)
            self._before = self.progress
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
