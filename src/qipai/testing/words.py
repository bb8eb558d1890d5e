"""Actions as text: every one reads back, and garbage is refused by name."""

from __future__ import annotations

from qipai.core.errors import BadText
from qipai.core.explain import where

from .report import Property
from .run import Run

RUBBISH = ("", "no such action \u2620", "-1", "\x00", "9" * 5000)


def _check_labels(run: Run) -> None:
    """Check that every action has a label for every seat, in every language of the game."""
    game, seats = run.game, run.game.rules.seats[1]
    for action in range(game.rules.actions):
        with run.guard(Property.TEXT, f"label of action {action}"):
            for lang in game.languages:
                labels = [game.label(action, seat, seats, lang) for seat in range(seats)]
                run.require(all(map(str.strip, labels)), Property.TEXT, f"label of action {action} is empty")


def check_words(run: Run) -> None:
    """Check that `parse(say(action))` is the action, for all of them."""
    game = run.game
    said: dict[str, int] = {}
    for action in range(game.rules.actions):
        with run.guard(Property.TEXT, f"say or parse of action {action}"):
            text = game.words.say(action)
            if not isinstance(text, str) or not text.strip():
                run.fail(Property.TEXT, f"say({action}) is {text!r}")
            if text in said:
                run.fail(Property.TEXT, f"actions {said[text]} and {action} are both {text!r}")
            said[text] = action
            back = game.words.parse(text)
            run.require(back == action, Property.TEXT, f"action {action} is {text!r}, which parses to {back}")
    _check_labels(run)
    for text in (t for t in RUBBISH if t not in said):
        try:
            found = game.words.parse(text)
        except BadText:
            run.count(Property.TEXT)
        except Exception as error:
            wrong = f"parse({text[:20]!r}) raised {type(error).__name__}, not BadText"
            run.fail(Property.TEXT, wrong + where(error))
        else:
            if not isinstance(found, int) or not 0 <= found < game.rules.actions:
                run.fail(Property.TEXT, f"parse({text[:20]!r}) gave {found!r}, which is no action")
