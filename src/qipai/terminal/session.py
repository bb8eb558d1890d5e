"""One series at a terminal: people and bots, with every move stored before it is shown.

Usually one person plays. If several share the keyboard, the screen shows the view of the person to
move, and is cleared before it passes to the next.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import RenderableType
from rich.table import Table as Grid
from rich.text import Text

from qipai.bots.find import find_agent
from qipai.core import WATCHER, Event, Player, signed, strongest
from qipai.core.errors import BadText, IllegalAction
from qipai.match import Draft, Match, RecordWriter, Series

from .bots import HUMAN, player_kind
from .manual import rules_page
from .screen import Move, Scene, Screen, screen_of
from .stage import Stage
from .store import Note, write_note
from .words import say, seat_names

PACE = 0.8  # minimum seconds for a bot's move
LINGER = 1.3  # seconds to see the end of a round
LINE_PACE = 0.45  # seconds per line of the settlement
QUESTION = 3  # minimum lines of a question and its moves
FAINT = "bright_black"
HINT_LANE = 99  # lane of the generator for hints, apart from the bots' lanes
MOST_MOVES = 24  # maximum in a list; further moves are typed by name


class Left(Exception):
    """The person left, or the input ended."""

    def __init__(self, ended: bool = False) -> None:
        super().__init__("left")
        self.ended = ended


class Session:
    """Plays the hands of one series on a stage. `folder` holds the note, if there is one."""

    def __init__(
        self, note: Note, series: Series, writer: RecordWriter, stage: Stage, folder: Path | None
    ) -> None:
        self.note = note
        self.series = series
        self.writer = writer  # of the current hand
        self.game = series.match.game
        self.stage = stage
        self.lang = stage.lang
        self.folder = folder
        self._screen: Screen = screen_of(self.game)
        self._eye = note.seat  # the seat whose view is on the screen
        self._names: list[str] = []
        self._titles: list[str] = []
        self._see_as(note.seat)
        self._bots: dict[int, Player] = {}
        self._people: list[int] = []
        self._log: list[str] = []
        self._fresh = 0  # lines added to the log since the person's last decision
        self._heard = 0  # version that the log has reached
        self._last: list[Event] = []  # the events of the last move
        self._kept: dict[int, tuple[list[str], int, int, list[Event]]] = {}  # for people who are not looking
        self._news = False  # something was told that the person has not had time to read

    @property
    def match(self) -> Match:
        """The current hand."""
        return self.series.match

    # --- a hand -----------------------------------------------------------------------

    def play_hand(self, bot_seed: int) -> None:
        """Play the current hand to its end; raise `Left` if the person leaves."""
        seats = [k for k in range(self.note.seats) if k != self.note.seat]
        named = list(zip(seats, self.note.bots, strict=True))
        self._bots = {
            k: Player(self.game, find_agent(self.game, name), bot_seed, k)
            for k, name in named
            if name != HUMAN
        }
        self._people = [k for k in range(self.note.seats) if k not in self._bots]
        if len(self._people) > 1:  # everyone looks at the screen until someone takes the keyboard
            self._see_as(WATCHER)
        self._kept.clear()
        self._hear_anew()
        self._take_news()
        while not self.match.over:
            seat = self.match.seat
            if seat in self._people and seat != self._eye:
                self._hand_over(seat)
            actions = self._ask_person() if seat in self._people else self._ask_bot(seat)
            self.writer.act(seat, actions)
            self._take_news()
        self._see_as(self.note.seat)  # everything is visible now
        self._show()
        self.stage.pause(LINGER)

    def keep(self) -> None:
        """Store the current position of the series."""
        if self.folder is not None:
            write_note(self.folder, self.note)

    def _hand_over(self, seat: int) -> None:
        """Clear the screen, wait until the next person is there, and show what they missed."""
        self._kept[self._eye] = (self._log, self._fresh, self._heard, self._last)
        self.stage.blank()
        if self.stage.ask(say("handover", self.lang, seat=seat)) is None:
            raise Left(ended=True)
        self._see_as(seat)
        self._hear_anew()
        if seat in self._kept:
            self._log, self._fresh, self._heard, self._last = self._kept[seat]
        self._take_news()

    def _see_as(self, seat: int) -> None:
        self._eye = seat
        self._names = seat_names(self.note.seats, self._eye, self.lang)
        self._titles = self._headings()

    def _hear_anew(self) -> None:
        self._log, self._fresh, self._heard, self._last = [], 0, 0, []

    def _ask_bot(self, seat: int) -> list[int]:
        """Return the bot's move. Which seat is asked may be secret: pause only if the view tells it."""
        if self._news and self.stage.live:
            scene = self._scene()
            known = scene.view.get("decider") == seat
            name = self._names[seat] if known else say("someone", self.lang)
            self._show(scene, message=say("thinking", self.lang, name=name))
        began = time.monotonic()
        actions = self._bots[seat].move(self.match.state)
        if self._news:
            pace = LINGER if len(self._last) > 1 else PACE  # give people time to see the end of a round
            self.stage.pause(max(0.0, pace - (time.monotonic() - began)))
        self._news = False
        return actions

    def _take_news(self) -> None:
        news = self.match.events(self._eye, self._heard)
        self._heard += len(news)
        self._news = self._news or bool(news)
        self._last = [e for e in news if e.get("event") != "start"] or self._last
        scene = self._scene()
        for event in news:
            started = event.get("event") == "start"
            begun = say("started", self.lang, n=self.note.hand + 1)
            told = begun if started else self._screen.tell(event, scene)
            if not told:  # a screen may omit what its other sentences say
                continue
            self._log.append(told)
            self._fresh += 1
            self.stage.line(told)

    # --- the person -------------------------------------------------------------------

    def _ask_person(self) -> list[int]:
        """Return a whole legal move. The match only receives it when it is complete."""
        draft = self._draft()
        message, drawn = "", False
        while True:
            scene = self._scene(draft)
            moves = self._screen.moves(scene)
            if self.stage.hint and not message and not draft.picked:
                message = self._hint(scene)
            if self.stage.live or not drawn:
                self._show(scene, moves, message, self._screen.ask(scene))
                drawn = True
            elif message:
                self.stage.line(message)
            typed = self._typed(moves)
            answer = "" if not typed else self._command(typed, scene, moves)
            if answer is not None:
                message = answer
                continue
            if typed == "u" and draft.picked:
                draft, message, drawn = self._draft(), "", False
                continue
            before = len(draft.picked)
            message = self._pick(draft, typed, scene)
            if draft.complete:
                self._fresh = 0
                return draft.picked
            if len(draft.picked) > before:
                message, drawn = say("go_on", self.lang, move=self._screen.name(draft.picked, scene)), False

    def _typed(self, moves: Sequence[Move]) -> str:
        arrows = next((key for key, _, actions in moves if not actions), "")
        typed = self.stage.ask(" > ", arrows)
        if typed is None:
            raise Left(ended=True)
        return typed

    def _command(self, typed: str, scene: Scene, moves: Sequence[Move]) -> str | None:
        """Carry out a key of the terminal itself; return its message, or None if `typed` is for the game."""
        key = typed.lower()
        if any(key == move[0] for move in moves):
            return None
        if key in ("q", "quit", "exit"):
            raise Left
        if key in ("h", "hint"):
            return self._hint(scene)
        if key in ("l", "log"):
            self.show_log()
        elif key in ("?", "help", "rules"):
            self._page(rules_page(self.game, self.lang))
        else:
            return None
        return ""

    def _draft(self) -> Draft:
        """Return an empty move of the person."""
        return Draft(self.game, self.match.state, self._eye)

    def _pick(self, draft: Draft, typed: str, scene: Scene) -> str:
        """Add what `typed` names to the move; return what is wrong, or ""."""
        try:
            draft.pick(*self._screen.read(typed, scene))
        except BadText as error:
            return str(error)
        except IllegalAction:
            return say("illegal", self.lang)
        return ""

    def _hint(self, scene: Scene) -> str:
        """Return what the strongest bot would do with the person's knowledge."""
        seed = self.match.version(self._eye)  # not the ply, which counts secret actions too
        bot = Player(self.game, strongest(self.game), seed, HINT_LANE)
        return say("hint", self.lang, move=self._screen.name(bot.move(self.match.state), scene))

    # --- what is shown ----------------------------------------------------------------

    def show_log(self) -> None:
        """Show everything that was told in this hand."""
        self._page(Text("\n".join(self._log)), say("log", self.lang))

    def show_closing(self) -> None:
        """Show all cards, then the settlement line by line."""
        scene = self._scene()
        lines = [*self._header(), *self.stage.lines(self._screen.closing(scene))]
        told = self._screen.explain(scene, self._last)
        if not self.stage.live:  # already told, unless the hand ended by itself
            self.stage.frame(lines if self._last else [*lines, *told])
            return
        for i in range(len(told) + 1):
            self.stage.frame([*lines, *(f"  {line}" for line in told[:i])])
            self.stage.pause(LINE_PACE)

    def _page(self, part: RenderableType, title: str = "") -> None:
        if not self.stage.page(part, title):
            raise Left(ended=True)

    def _scene(self, draft: Draft | None = None) -> Scene:
        """Return what the person sees, with an unfinished move applied."""
        seat = self._eye
        state = draft.state if draft is not None and draft.picked else self.match.state
        legal = self.match.legal(seat) if draft is None else draft.legal
        return Scene(
            game=self.game,
            seat=seat,
            view=self.game.rules.view(state, seat),
            legal=legal,
            names=self._names,
            titles=self._titles,
            lang=self.lang,
            drawing=lambda: self.game.drawing(state, seat, self.lang, self._names),
            hint=self.stage.hint,
        )

    def _show(
        self, scene: Scene | None = None, moves: Sequence[Move] = (), message: str = "", ask: str = ""
    ) -> None:
        """Show the whole frame: table, latest events, own hand, moves, and an input line."""
        if not self.stage.live and not moves:
            return
        scene = scene or self._scene()
        hand = self._screen.hand(scene)
        top = [*self._header(), *self.stage.lines(self._screen.table(scene))]
        bottom = [] if hand is None else self.stage.lines(hand)
        if ask:
            rows = [self._styled(" " + ask, "bold"), *self._move_lines(moves)]
            keys = self._styled(" " + (message or say("keys", self.lang)), "yellow" if message else FAINT)
            bottom += [*rows, *[""] * (QUESTION - len(rows)), keys]
        else:  # as high as a question, so that the hand does not move
            bottom += [self._styled(" " + message, FAINT), *[""] * QUESTION]
        self.stage.frame([*top, *self._log_lines(len(top) + len(bottom) + 1), *bottom])

    def _log_lines(self, taken: int) -> list[str]:
        """Return as much of the log as fits, with new lines highlighted."""
        if not self.stage.live:
            return []
        room = max(self.stage.height - taken - 1, 3)
        shown = self._log[-room:]
        old = len(shown) - self._fresh
        lines = [self._styled("  " + t, FAINT if i < old else "") for i, t in enumerate(shown)]
        return lines + [""] * (room - len(lines))

    def _move_lines(self, moves: Sequence[Move]) -> list[str]:
        """Return the moves in as few lines as possible."""
        rows, row = [], Text()
        for key, label, _ in moves[:MOST_MOVES]:
            cell = Text().append(f" {key} ", "bold cyan").append_text(_text(label))
            if row and row.cell_len + cell.cell_len + 2 > self.stage.width:
                rows.append(row)
                row = Text()
            row.append("  " if row else "").append_text(cell)
        rows.append(row)
        if len(moves) > MOST_MOVES:
            rows.append(Text(" " + say("many", self.lang, n=len(moves) - MOST_MOVES), style=FAINT))
        return [line for r in rows for line in self.stage.lines(r)]

    def _header(self) -> list[str]:
        number, hands = self.note.hand + 1, self.note.hands
        key, of = ("hand", {}) if hands is None else ("hand_of", {"all": hands})
        hand = say(key, self.lang, n=number, **of)
        grid = Grid.grid(expand=True)
        grid.add_column()
        grid.add_column(justify="right")
        title = Text().append(f" {self.game.title(self.lang)}", "bold").append(f" · {hand}", FAINT)
        grid.add_row(title, Text(self.chips_line() + " ", style=FAINT))
        return self.stage.lines(grid)

    def chips_line(self) -> str:
        """Return what everyone has won or lost so far in this series."""
        chips = zip(self._names, self.series.chips, strict=True)
        return "   ".join(f"{n} {signed(c)}" for n, c in chips)

    def _headings(self) -> list[str]:
        """Return the names, each with its kind of player."""
        bots = iter(self.note.bots)
        behind = [HUMAN if seat == self.note.seat else next(bots) for seat in range(self.note.seats)]
        return [
            name if seat == self._eye else f"{name} · {player_kind(self.game, who, self.lang)}"
            for seat, (name, who) in enumerate(zip(self._names, behind, strict=True))
        ]

    def _styled(self, text: str, style: str) -> str:
        line = Text(text, style=style, no_wrap=True, overflow="ellipsis")
        return self.stage.lines(line)[0]


def _text(label: str | Text) -> Text:
    return label if isinstance(label, Text) else Text(label)
