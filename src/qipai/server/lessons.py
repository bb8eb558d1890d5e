"""Lessons: a short scripted game with the coach's comments, in `lessons/<game>.json`.

A file contains `seats` (optional), `seat` (the learner's), `options` (optional), `names`
(optional), a `seed` (64 hexadecimal digits or a small number) or a `layout` or both,
`moves` (of every seat: {"seat", "actions", "say": {"zh", "en", "ja"}}, with "touch" instead of
"say" where there are no keys) and `close`. An action is a number or the game's text for it.
`python -m qipai.server.lessons GAME` plays a file and prints the legal actions at every move.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, Field, ValidationError

from qipai.core import Game, QipaiError, get
from qipai.match import Match

from .refusals import BadLesson, NoLesson
from .wire import Frame, Lesson, LessonStep, Message, Words

FOLDER = Path(__file__).parent / "lessons"
LANGS = {"zh", "en", "ja"}


class Note(Message):
    """One move of a lesson file."""

    seat: int
    actions: list[int | str] = Field(min_length=1)
    say: Words = Field(default={})
    touch: Words = Field(default={})


class Script(Message):
    """A lesson file."""

    model_config = ConfigDict(extra="forbid")

    seat: int = 0
    seats: int | None = None
    options: dict[str, str | int] = Field(default={})
    names: list[str] | None = None
    seed: str | int = 0
    layout: dict[str, Any] | None = None
    moves: list[Note] = Field(min_length=1)
    close: Words


def has_lesson(name: str) -> bool:
    """Return whether there is a lesson for the game."""
    return name.isidentifier() and (FOLDER / f"{name}.json").is_file()


@cache
def lesson(name: str) -> Lesson:
    """Return the lesson of a game with its frames. Raise `NoLesson`, or `BadLesson` for an invalid file."""
    if not has_lesson(name):
        raise NoLesson("there is no lesson for this game")
    try:
        script = Script.model_validate_json((FOLDER / f"{name}.json").read_bytes())
    except (OSError, ValidationError) as error:
        raise BadLesson(f"the lesson of {name} is malformed: {error}") from error
    return play(name, script)


def play(name: str, script: Script) -> Lesson:
    """Play a script to its end; raise `BadLesson`, naming the move, if one is invalid."""
    match = begin(name, script)
    steps = []
    frame = _frame(match, script.seat, -1, [], 0)
    for number, note in enumerate(script.moves):
        where = f"the lesson of {name}, move {number}"
        if any(words and set(words) != LANGS for words in (note.say, note.touch)):
            raise BadLesson(f"{where}: the coach's text must be in {', '.join(sorted(LANGS))}")
        try:
            actions = [read_action(match.game, a) for a in note.actions]
            legal = match.legal(note.seat)
            told = match.version(script.seat)
            match.act(note.seat, actions)
        except QipaiError as error:
            raise BadLesson(f"{where}: {error}") from error
        told_so = {"say": note.say, "touch": note.touch}
        steps.append(LessonStep(frame=frame, seat=note.seat, legal=legal, actions=actions, **told_so))
        frame = _frame(match, script.seat, note.seat, actions, told, number + 1)
    if set(script.close) != LANGS:
        raise BadLesson(f"the lesson of {name}: the closing text must be in {', '.join(sorted(LANGS))}")
    return Lesson(
        game=name,
        seat=script.seat,
        names=script.names or [f"{k + 1}" for k in range(match.seats)],
        options=match.options,
        steps=steps,
        last=frame,
        payoff=match.payoff,
        close=script.close,
    )


def begin(name: str, script: Script) -> Match:
    """Return the match that a script starts from."""
    seed = script.seed
    try:
        raw = bytes.fromhex(seed) if isinstance(seed, str) else seed.to_bytes(32, "big")
        return Match(get(name, script.options), script.options, script.seats, raw, script.layout)
    except (QipaiError, ValueError, OverflowError) as error:
        raise BadLesson(f"the lesson of {name} cannot be dealt: {error}") from error


def read_action(game: Game, action: int | str) -> int:
    """Return the action given by its number or by the game's text for it."""
    return game.words.parse(action) if isinstance(action, str) else action


def _frame(match: Match, seat: int, mover: int, actions: list[int], told: int, ply: int = 0) -> Frame:
    events = match.events(seat, told) if ply else []
    lines = [match.game.words.line(event) for event in events]
    views = {str(seat): match.view(seat)}
    return Frame(ply=ply, seat=mover, actions=actions, events=events, lines=lines, views=views)


def main(name: str) -> None:
    """Print a lesson move by move, and the legal actions at its end."""
    script = Script.model_validate_json((FOLDER / f"{name}.json").read_bytes())
    match = begin(name, script)
    game = match.game
    for note in [*script.moves, None]:
        if not match.over:
            texts = [f"{a}={game.words.say(a)}" for a in match.legal(match.seat)]
            print(f"seat {match.seat} may: {' '.join(texts)}")
        if note is not None:
            print(f"  seat {note.seat} plays {note.actions}  {note.say.get('en', '')}")
            match.act(note.seat, [read_action(game, a) for a in note.actions])
    print(game.drawing(match.state, script.seat, "en"))
    made = lesson(name)
    spoken = sum(bool(step.say) for step in made.steps)
    print(f"{len(made.steps)} moves, {spoken} with words" + (", over" if match.over else ""))


if __name__ == "__main__":
    main(sys.argv[1])
