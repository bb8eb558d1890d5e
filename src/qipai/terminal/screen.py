"""The interface of a game's screen, and the screen that works for every game.

The latter shows position and actions in the game's own notation.

A game names its own screen in `Terminal.screen` ("package.module:NAME", an object with the
methods of `Screen`), so that `rich` is only loaded at a table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Protocol

from rich.align import Align
from rich.console import Group, RenderableType
from rich.text import Text

from qipai.core import Event, Game, QipaiError
from qipai.core.errors import BadGame, BadText

from .words import say

Move = tuple[str, str | Text, tuple[int, ...]]  # what to type, its description, the actions


@dataclass(frozen=True)
class Scene:
    """The table as one seat sees it at one moment; the only input of a screen."""

    game: Game
    seat: int  # -1: a watcher
    view: dict[str, Any]
    legal: list[int]  # legal actions of this seat
    names: list[str]  # by seat, as sentences use them
    titles: list[str]  # by seat, as headings use them
    lang: str
    drawing: Callable[[], str] = field(repr=False)  # the position as text
    hint: bool = False  # the person wants to see probabilities


class Screen(Protocol):
    """How a game looks in the terminal. Everything comes from the `Scene`."""

    def welcome(self, lang: str) -> RenderableType:
        """Return a few lines about the game."""
        ...

    def table(self, scene: Scene) -> RenderableType:
        """Return the seats and the table."""
        ...

    def hand(self, scene: Scene) -> RenderableType | None:
        """Return the viewer's own cards, or None."""
        ...

    def ask(self, scene: Scene) -> str:
        """Return a short question for the viewer's current decision."""
        ...

    def moves(self, scene: Scene) -> Sequence[Move]:
        """Return the legal moves with the keys that make them.

        A key without actions opens a part of the screen, such as a cursor; arrow keys press it too.
        """
        ...

    def read(self, text: str, scene: Scene) -> list[int]:
        """Return the actions that the typed text names; raise `BadText`, in the person's language."""
        ...

    def name(self, actions: list[int], scene: Scene) -> str:
        """Return a move, or the start of one, in words."""
        ...

    def tell(self, event: Event, scene: Scene) -> str:
        """Return an event in words."""
        ...

    def closing(self, scene: Scene) -> RenderableType:
        """Return the table after the end, with everything visible."""
        ...

    def explain(self, scene: Scene, last: list[Event]) -> list[str]:
        """Return the result line by line; `last` holds the events of the last move."""
        ...


class DescribedScreen:
    """The screen of any game, made from its `draw`, `say`, `parse`, `label` and `tell`."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def welcome(self, lang: str) -> RenderableType:
        """Return the game's title."""
        return Align.center(Text(self._game.title(lang), style="bold"))

    def table(self, scene: Scene) -> RenderableType:
        """Return the game's drawing."""
        return Text(scene.drawing())

    def hand(self, scene: Scene) -> RenderableType | None:
        """Return None: the hand is part of the drawing."""
        return None

    def ask(self, scene: Scene) -> str:
        """Return a sentence that says whose turn it is."""
        return say("your_turn", scene.lang, seat=scene.seat)

    def moves(self, scene: Scene) -> list[Move]:
        """Return the legal actions by their labels, numbered unless the notation is numbers."""
        said = [self._game.words.say(a) for a in scene.legal]
        labels = [self._label(a, scene) for a in scene.legal]
        if any(s.strip().isdigit() for s in said):
            found = zip(said, labels, scene.legal, strict=True)
            return [(s, "" if s == label else label, (a,)) for s, label, a in found]
        return [(str(i + 1), s, (a,)) for i, (s, a) in enumerate(zip(labels, scene.legal, strict=True))]

    def _label(self, action: int, scene: Scene) -> str:
        return self._game.label(action, scene.seat, len(scene.names), scene.lang, scene.names)

    def read(self, text: str, scene: Scene) -> list[int]:
        """Return the actions of a move's key, or of one or more actions in notation."""
        keys = {key: actions for key, _, actions in self.moves(scene)}
        typed = text.strip()
        if typed in keys:
            return list(keys[typed])
        try:
            return self._parse(typed)
        except BadText as error:  # the notation's own message is in English
            raise BadText(say("unread", scene.lang, typed=typed[:20])) from error

    def _parse(self, typed: str) -> list[int]:
        try:
            return [self._game.words.parse(typed)]
        except BadText:
            words = typed.split()
            if len(words) < 2:
                raise
            return [self._game.words.parse(w) for w in words]

    def name(self, actions: list[int], scene: Scene) -> str:
        """Return the actions by their labels."""
        return ", ".join(self._label(action, scene) for action in actions)

    def tell(self, event: Event, scene: Scene) -> str:
        """Return the game's sentence for the event."""
        return self._game.tell(event, scene.lang, scene.names, scene.seat)

    def closing(self, scene: Scene) -> RenderableType:
        """Return the game's drawing after the end."""
        return Group(Text(scene.drawing()), Text())

    def explain(self, scene: Scene, last: list[Event]) -> list[str]:
        """Return what the last move brought."""
        return [self.tell(event, scene) for event in last]


def screen_of(game: Game) -> Screen:
    """Return the game's own screen, or `DescribedScreen`."""
    place = game.terminal.screen
    if place is None:
        return DescribedScreen(game)
    module, _, name = place.partition(":")
    try:
        screen: Screen = getattr(import_module(module), name)
    except QipaiError:
        raise
    except (ImportError, AttributeError) as error:
        raise BadGame(f"{game.name}: its screen {place!r} cannot be loaded: {error}") from error
    return screen
