"""A position in the game's own words, for a page that has no drawing of the game.

It tells no more than `state` does: the drawing is made from the record of the viewer's view, the
log from the events it was told. What is picked is tried out in a world redrawn from what the
viewer knows, so that nobody learns by trying what only a move would show.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from qipai.core import Event, Game, State, copy_state
from qipai.core.errors import IllegalAction, NotYourTurn

from ..wire import Choice, Look, Plain

if TYPE_CHECKING:
    from .table import Table


def tell(table: Table, viewer: int, look: Look) -> Plain:
    """The answer to `look`, whose hand and version are the present ones."""
    match, telling = table.match, table.telling
    assert match is not None and telling is not None
    game, record = match.game, table.showing.record(viewer)
    legal = table.showing.legal(viewer)
    if look.picked and not legal:
        raise NotYourTurn(f"it is not for seat {viewer} to decide now")
    lang = language(game, look.lang)
    trial = Trial(game, record, viewer, single=telling.window is not None)
    for action in look.picked:
        if trial.whole or action not in legal:
            raise IllegalAction(f"seat {viewer}: action {action} is not legal here")
        trial.pick(action)
        legal = trial.legal()
    return Plain(
        ref=look.ref,
        hand=look.hand,
        version=look.version,
        picked=look.picked,
        whole=trial.whole,
        drawing=game.drawing(trial.state if look.picked else record, viewer, lang),
        legal=[Choice(action=a, label=game.words.say(a), ends=trial.ends(a)) for a in legal],
        since=look.since,
        log=[line(game, event, lang) for event in telling.events(viewer, look.since)],
    )


def language(game: Game, lang: str) -> str:
    """The language itself where the game speaks it, else English."""
    return lang if lang in game.languages else "en"


def line(game: Game, event: Event, lang: str) -> str:
    """An event in words. That a hand begins, which is the match's event and not the game's, takes none."""
    return "" if event.get("event") == "start" else game.tell(event, lang)


class Trial:
    """A move of `seat` in the making, in a world redrawn from what the seat knows.

    `state` is the last one in which the move is not whole: what a whole move brings is told by nobody
    before it is made. An answer in a window is a `single` action.
    """

    def __init__(self, game: Game, record: State, seat: int, single: bool) -> None:
        self._game = game
        self._seat = seat
        self._single = single or game.rules.partial is None
        self._record = record
        self._redrawn: State | None = None
        self.whole = False

    @property
    def state(self) -> State:
        """Redrawn when it is first needed."""
        if self._redrawn is None:
            words = [secrets.randbits(32) for _ in range(4)]
            self._redrawn = self._game.redrawn(self._record, self._seat, words)
        return self._redrawn

    def legal(self) -> list[int]:
        """What may be picked next."""
        return [] if self.whole else self._game.legal_actions(self.state)

    def ends(self, action: int) -> bool:
        """Whether the move is whole with this legal action."""
        return self._single or self._after(action) is None

    def pick(self, action: int) -> None:
        """Add a legal action to the move."""
        after = None if self._single else self._after(action)
        if after is None:
            self.whole = True
        else:
            self._redrawn = after

    def _after(self, action: int) -> State | None:
        """The state after the action, None where the move is whole with it."""
        s = copy_state(self.state)
        self._game.rules.apply(s, action)
        return s if int(s["seat"]) == self._seat and self._game.unfinished(s) else None
