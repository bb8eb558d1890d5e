"""The host of a terminal: resumes or starts a series, plays it, and prints a summary at the end."""

from __future__ import annotations

import hashlib
import secrets
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Group
from rich.text import Text

from qipai.core import Game, QipaiError, compile_game, get, list_value, signed
from qipai.core.errors import BadRecord, BadSeats, MatchOver
from qipai.match import RecordWriter, Series, resume

from .bots import bot_names, player_kind
from .manual import rules_page
from .screen import screen_of
from .session import Left, Session
from .stage import Stage
from .store import NOTE, Note, left_tables, new_folder, read_note, record_path, write_note
from .words import say, seat_names


@dataclass(frozen=True)
class Settings:
    """The settings from the command line."""

    game: str
    seat: int = 0
    seats: int | None = None
    bots: str | None = None
    seed: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    hands: int | None = None  # None: endless
    record: Path | None = None
    resume: Path | None = None
    fresh: bool = False  # do not offer to resume a series

    @property
    def asks_for_a_new_series(self) -> bool:
        """Whether a setting was given that a series to resume might not have."""
        particular = (self.record, self.seed, self.bots, self.seats, self.hands)
        return self.fresh or bool(self.options) or self.seat != 0 or any(x is not None for x in particular)


def host(settings: Settings, stage: Stage) -> int:
    """Play until the person leaves, and return the exit status."""
    game = get(settings.game, settings.options)
    note = _new_note(game, settings)  # report bad flags before the screen changes
    compile_game(game)
    session: Session | None = None
    status, ended = 0, False
    try:
        with stage:
            try:
                session = _open(game, note, settings, stage)
                _play(session, stage, settings)
            except Left as left:
                ended = left.ended
    except KeyboardInterrupt:
        status = 130
    _say_goodbye(session, stage, settings, ended)
    return status


# --- opening --------------------------------------------------------------------------


def _new_note(game: Game, settings: Settings) -> Note:
    seats = _seat_count(game, settings)
    game.blank(settings.options, seats)  # raises for options that cannot be combined
    if not -1 <= settings.seat < seats:
        raise BadSeats(f"--seat must be from 0 to {seats - 1}, or -1 to watch, not {settings.seat}")
    seed = None if settings.seed is None else series_seed(settings.seed).hex()
    return Note(
        game=game.name,
        seats=seats,
        seat=settings.seat,
        bots=bot_names(game, settings.bots, seats - (settings.seat >= 0)),
        options=dict(settings.options),
        seed=seed,
        hands=settings.hands,
        chips=[0] * seats,
    )


def _seat_count(game: Game, settings: Settings) -> int:
    """Return the number of seats as given, else one for each bot named, within the game's limits."""
    low, high = game.rules.seats
    if settings.seats is not None:
        if not low <= settings.seats <= high:
            raise BadSeats(f"{game.name} is played by {low} to {high} seats, not {settings.seats}")
        return settings.seats
    if settings.bots is None:
        return low
    named = settings.bots.count(",") + 1 + (settings.seat >= 0)
    return min(max(named, low), high)


def series_seed(text: str) -> bytes:
    """Return the 256-bit seed for the typed text; 7 and 07 are the same number."""
    stripped = text.strip()
    name = str(int(stripped)) if stripped.lstrip("-").isdecimal() and len(stripped) < 80 else text
    return hashlib.sha256(b"qipai/play/" + name.encode("utf-8", "surrogateescape")).digest()


def _open(game: Game, note: Note, settings: Settings, stage: Stage) -> Session:
    if settings.resume is not None:
        return _take_up(settings.resume, note, stage)
    if not settings.asks_for_a_new_series:
        kept = _offer_kept(game, stage)
        if kept is not None:
            return kept
    _welcome(game, note, stage)
    folder = None if settings.record is not None else new_folder(note.game)
    series = note.begin()
    return Session(note, series, _begin_record(note, series, folder, settings), stage, folder)


def _take_up(path: Path, note: Note, stage: Stage) -> Session:
    """Continue the hand in the file, and its series if the note is in the same folder."""
    folder: Path | None = None
    if path.is_dir():
        folder, note = path, read_note(path)
        path = record_path(folder, note.hand)
    elif (path.parent / NOTE).is_file():
        beside = read_note(path.parent)
        if record_path(path.parent, beside.hand).name == path.name:
            folder, note = path.parent, beside
    try:
        match, writer, dropped = resume(path)
    except BadRecord as error:
        raise BadRecord(f"{path}: {error}") from error
    if match.game.name != note.game:
        writer.close()
        raise BadRecord(f"{path} is a record of {match.game.name}, not of {note.game}")
    if match.seats != note.seats:
        writer.close()
        raise BadRecord(f"{path} is a match of {match.seats} seats; name {match.seats - 1} bots for it")
    if match.over and folder is None:
        writer.close()
        raise MatchOver(f"the match in {path} is over; `qipai replay` shows it")
    note.options = dict(match.options)
    if dropped:
        stage.line(say("torn", stage.lang))
    stage.line(say("resumed", stage.lang, n=note.hand + 1))
    return Session(note, note.resume(match), writer, stage, folder)


def _offer_kept(game: Game, stage: Stage) -> Session | None:
    """Return the latest interrupted series, if the person wants to resume it."""
    for folder in left_tables(game.name)[:1]:
        note = read_note(folder)
        names = seat_names(note.seats, note.seat, stage.lang)
        chips = "  ".join(f"{n} {signed(c)}" for n, c in zip(names, note.chips, strict=True))
        if stage.live:
            stage.frame(["", *stage.lines(screen_of(game).welcome(stage.lang)), ""])
        question = say("resume", stage.lang, hand=say("hand", stage.lang, n=note.hand + 1), chips=chips)
        typed = stage.ask(question)
        if typed is None:
            raise Left(ended=True)
        if typed.lower().startswith(tuple(say("no", stage.lang).split())):
            _set_aside(folder, note)
            return None
        if typed.lower().startswith("q"):
            raise Left
        try:
            return _take_up(folder, note, stage)
        except QipaiError as error:
            _set_aside(folder, note)
            stage.notice(say("broken", stage.lang, folder=folder, code=error.code))
    return None


def _set_aside(folder: Path, note: Note) -> None:
    note.done = True
    write_note(folder, note)


def _welcome(game: Game, note: Note, stage: Stage) -> None:
    """Show what the game is about and who plays, and wait for Enter."""
    names = seat_names(note.seats, note.seat, stage.lang)
    seats = [k for k in range(note.seats) if k != note.seat]
    others = [
        f"{names[k]} ({player_kind(game, bot, stage.lang)})" for k, bot in zip(seats, note.bots, strict=True)
    ]
    there = Text(say("opponents", stage.lang, names=list_value(others)) if others else "", justify="center")
    while True:
        keys = Text(say("keys_welcome", stage.lang), style="bright_black", justify="center")
        parts = Group(Text(), screen_of(game).welcome(stage.lang), Text(), there, Text())
        if not stage.live:
            stage.frame(stage.lines(parts))
            return
        body = stage.lines(Group(parts, keys))
        top = max((stage.height - len(body)) // 3, 0)
        stage.frame([*[""] * top, *body, ""])
        typed = stage.ask("")
        if typed is None:
            raise Left(ended=True)
        if typed.lower().startswith("q"):
            raise Left
        if typed not in ("?", "help"):
            return
        if not stage.page(rules_page(game, stage.lang)):
            raise Left(ended=True)


# --- hands ----------------------------------------------------------------------------


def _begin_record(note: Note, series: Series, folder: Path | None, settings: Settings) -> RecordWriter:
    """Start the record file of the current hand, then write the note that names it."""
    if folder is not None:
        path = record_path(folder, note.hand)
    else:
        assert settings.record is not None
        path = _numbered(settings.record, note.hand)
        if path.exists():
            raise BadRecord(f"{path} exists; use --resume {path} to continue it, or another name")
    writer = RecordWriter(path, series.match)
    if folder is not None:
        write_note(folder, note)
    return writer


def _numbered(path: Path, hand: int) -> Path:
    """Return the file of a further hand with --record FILE: FILE-2, FILE-3 before the suffix."""
    return path if hand == 0 else path.with_name(f"{path.stem}-{hand + 1}{path.suffix}")


def _bot_seed(note: Note) -> int:
    """Return the seed of the bots. A series with a seed repeats exactly, including its bots."""
    if note.seed is None:
        return secrets.randbits(64)
    text = f"qipai/play/bots/{note.seed}/{note.hand}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")


def _play(session: Session, stage: Stage, settings: Settings) -> None:
    """Play one hand after another, until all are played or the person leaves."""
    while True:
        note, series = session.note, session.series
        session.play_hand(_bot_seed(note))
        _after_hand(session, stage)
        session.writer.close()
        if note.last:
            note.done = True
            session.keep()
            return
        series.next()
        note.follow(series)
        session.writer = _begin_record(note, series, session.folder, settings)


def _after_hand(session: Session, stage: Stage) -> None:
    """Show the result until the person continues."""
    last = session.note.last
    session.show_closing()
    while not (last and not stage.live):
        typed = stage.ask("\n  " + say("last" if last else "next", stage.lang) + "  ")
        if typed is None or typed.lower().startswith("q"):
            session.note.done = True
            session.keep()
            raise Left(ended=typed is None)
        if typed.lower() not in ("l", "log"):
            return
        session.show_log()
        session.show_closing()


def _say_goodbye(session: Session | None, stage: Stage, settings: Settings, ended: bool) -> None:
    """Print chips, the place of the record, and how to resume, on the shell's normal screen."""
    lines = [say("ended", stage.lang)] if ended else []
    if session is not None:
        played = session.note.hand + session.match.over
        if played:
            lines.append(say("bye_chips", stage.lang, n=played, chips=session.chips_line()))
        if not session.match.over:
            again = f"qipai play {settings.game}"
            if session.folder is None:
                again += f" --resume {shlex.quote(str(session.writer.path))}"
            lines.append(say("kept", stage.lang, command=again))
        else:
            lines.append(say("record", stage.lang, path=session.writer.path))
        session.writer.close()
    for line in lines:
        stage.goodbye(line)
