"""Pieces: what a game conserves, compared between the deal and the end of every game.

`check_play` compares at the end of each game. Its findings are kept here and reported by a separate stage,
so that a lost card does not keep the other properties from being checked.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from qipai.core import Game, State
from qipai.core.explain import where

from .report import Case, Failure, Property

if TYPE_CHECKING:
    from .run import Run

RARE = 0.1  # share of the deals of one setting that may have other pieces and still count as a fault
DEALS = 20  # with fewer deals of a setting, nothing is said about what is rare


def plain_value(value: Any) -> Any:
    """Return what `pieces` returned in a form that can be compared: arrays become lists."""
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


def pieces_of(game: Game, s: State) -> Any:
    """Return the pieces of a state, in a form that can be compared."""
    assert game.checks.pieces is not None
    return plain_value(game.checks.pieces(s))


class PieceBook:
    """The pieces of all games of a run: the first game that lost or made one, and what each setting deals."""

    def __init__(self) -> None:
        self._failure: Failure | None = None
        self._dealt: dict[int, Counter[str]] = {}
        self._cases: dict[tuple[int, str], Case] = {}

    def look(self, run: Run, start: State, end: State, case: Case) -> None:
        """Compare the pieces at the end of a game with those of its deal."""
        if run.game.checks.pieces is None or self._failure is not None:
            return
        try:
            first, last = pieces_of(run.game, start), pieces_of(run.game, end)
        except Exception as error:
            message = f"pieces raised {type(error).__name__}: {error}{where(error)}"
            self._failure = Failure(Property.PIECES, message, case)
            return
        if first != last:
            self._failure = _find(run.game, first, last, case)
            return
        setting, text = run.setting(case.number), repr(first)
        self._dealt.setdefault(setting, Counter())[text] += 1
        self._cases.setdefault((setting, text), replace(case, actions=[]))
        run.count(Property.PIECES)

    def failure(self) -> Failure | None:
        """Return what is wrong, if anything is."""
        return self._failure or self._odd_deal()

    def _odd_deal(self) -> Failure | None:
        """Return the failure of a deal whose pieces few other deals of its setting have."""
        for setting, counts in self._dealt.items():
            usual, most = counts.most_common(1)[0]
            total = counts.total()
            if total < DEALS or not 0 < total - most <= RARE * total:
                continue
            odd = next(text for text in counts if text != usual)
            message = f"{odd} are dealt here, and {usual} in {most} of {total} deals with these options"
            return Failure(Property.PIECES, message, self._cases[setting, odd])
        return None


def _find(game: Game, first: Any, last: Any, case: Case) -> Failure:
    """Return the failure at the first action that changed the pieces of a game."""
    s = replace(case, actions=[]).replay(game)
    for n, action in enumerate(case.actions, 1):
        game.rules.apply(s, action)
        now = pieces_of(game, s)
        if now != first:
            here = replace(case, actions=case.actions[:n])
            return Failure(Property.PIECES, f"{first} at first, {now} now", here)
    return Failure(Property.PIECES, f"{first} at first, {last} at the end", case)


def check_pieces(run: Run) -> None:
    """Report what the games that were played have shown."""
    failure = run.pieces.failure()
    if failure is not None:
        raise failure
