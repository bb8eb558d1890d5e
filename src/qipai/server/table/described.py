"""A position in the game's words, for a page that has no drawing of the game.

It reveals no more than the `state` message: the drawing is made from the state behind the viewer's view, the
log from the events it was told, and picked actions are tried out in a `Draft`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from qipai.core import Event, Game
from qipai.core.errors import NotYourTurn
from qipai.match import Draft

from ..wire import Choice, Describe, Described

if TYPE_CHECKING:
    from .hand import Hand
    from .table import Table


def describe(table: Table, hand: Hand, viewer: int, wish: Describe) -> Described:
    """Return the answer to `wish`, whose hand and version are current."""
    game, state = hand.match.game, hand.state_for(viewer)
    asked = bool(table.showing.legal(viewer))
    if wish.picked and not asked:
        raise NotYourTurn(f"it is not seat {viewer}'s turn")
    lang, since = language(game, wish.lang), min(wish.since, wish.version)
    draft = Draft(game, state, viewer, single=hand.window is not None)
    draft.pick(*wish.picked)
    legal = draft.legal if asked else []
    names, seats = table.seating.names, len(table.seating.seats)

    def label(action: int) -> str:
        return game.label(action, viewer, seats, lang, names)

    return Described(
        ref=wish.ref,
        hand=wish.hand,
        version=wish.version,
        picked=wish.picked,
        complete=draft.complete,
        drawing=game.drawing(draft.state if wish.picked else state, viewer, lang, names),
        legal=[
            Choice(action=a, label=game.label(a, viewer, seats, lang, names), ends=draft.ends(a))
            for a in legal
        ],
        since=wish.since,
        log=[line(game, event, lang, names, viewer) for event in hand.telling.events(viewer, since)],
    )


def language(game: Game, lang: str) -> str:
    """Return the language if the game has it, else English."""
    return lang if lang in game.languages else "en"


def line(game: Game, event: Event, lang: str, names: Sequence[str], viewer: int) -> str:
    """Return an event as a sentence; "" for the start, which is an event of the match, not of the game."""
    return "" if event.get("event") == "start" else game.tell(event, lang, names, viewer)
