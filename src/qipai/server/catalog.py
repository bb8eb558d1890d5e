"""The games of the lobby, and their compilation progress: the lobby works while games compile."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from qipai.bots.levels import level_of
from qipai.bots.net.agent import NAME as NET  # also describes a net loaded from a file
from qipai.core import LANGUAGES, SWITCH, AgentSpec, Game, Option, QipaiError, bots_of, get, names
from qipai.core.errors import UnknownAgent, UnknownGame, short
from qipai.core.jit import compiling, run_plain
from qipai.core.message import FALLBACK
from qipai.core.progress import Progress, progress_line

from .compiler import Compiler, make_ready
from .lessons import has_lesson
from .logs import log
from .wire import AgentInfo, GameInfo, OptionInfo

RULES_SHARE = 0.6  # share of the rules in a game's progress; views and bots are the rest


@dataclass(frozen=True)
class Job:
    """A game to compile: of the catalog itself, or in the shape that a table's options require."""

    name: str
    options: tuple[tuple[str, str | int], ...] = ()

    @property
    def game(self) -> Game:
        """The game."""
        return get(self.name, dict(self.options))


class Catalog:
    """Compiles every game, those that somebody waits for first. `changed` is called from its thread.

    Until a game is compiled its rules run as plain Python, which is quick enough for people, so that every
    game can be played at once.
    """

    def __init__(self, changed: Callable[[], Any] = lambda: None) -> None:
        self._changed = changed
        self._progress: dict[str, float] = {}
        self._infos: dict[str, GameInfo] = {}
        self._jobs: list[Job] = []  # the first is being compiled
        self._more = threading.Condition()
        self._end = threading.Event()
        self._started = False
        self._compiler = Compiler()
        self.names: list[str] = []
        for name in names():
            try:
                self._infos[name] = describe(get(name))
            except QipaiError:
                continue  # a game of another package that cannot be loaded
            self.names.append(name)
            self._progress[name] = 0.0
            self._jobs.append(Job(name))

    def start(self) -> None:
        """Start compiling; rules that are not compiled run as plain Python meanwhile."""
        self._started = True
        if self._jobs:
            run_plain(True)
        threading.Thread(target=self._compile_all, name="compile", daemon=True).start()

    def stop(self) -> None:
        """Stop compiling."""
        with self._more:
            if self._end.is_set():
                return
            self._end.set()
            if self._started and self._jobs:
                run_plain(False)
            self._more.notify()
        self._compiler.close()

    def infos(self) -> list[GameInfo]:
        """Return every game with its progress."""
        return [
            info.model_copy(update={"ready": self.ready(name), "progress": round(self._progress[name], 2)})
            for name, info in self._infos.items()
        ]

    def bot_names(self) -> set[str]:
        """Return what bots are called, in every language."""
        agents = [agent for info in self._infos.values() for agent in info.agents]
        return {agent.name for agent in agents} | {text for agent in agents for text in agent.title.values()}

    def ready(self, name: str) -> bool:
        """Return whether a game is compiled. It can be played earlier."""
        return self._progress[name] >= 1.0

    @property
    def complete(self) -> bool:
        """Whether all games are compiled."""
        return not self._jobs

    def check_agent(self, name: str, agent: str) -> None:
        """Raise `UnknownAgent` if the game has no such agent."""
        known = [a.name for a in self._infos[name].agents]
        if agent not in known:
            raise UnknownAgent(f"{name} has no agent {short(agent)}; known: {', '.join(known)}")

    def want(self, name: str, options: Mapping[str, str | int] | None = None) -> bool:
        """Compile this game next, because somebody plays it; return whether it is compiled already.

        Raise `UnknownGame` if it is no longer installed.
        """
        if name not in self._infos:
            raise UnknownGame(f"the game {short(name)} is not installed here")
        game = get(name, options)
        base = game is get(name)
        if self.ready(name) if base else game.compiled:
            return True
        job = Job(name) if base else Job(name, tuple(sorted((options or {}).items())))
        with self._more:
            if self._end.is_set() or not self._started:
                return False
            if not self._jobs:
                run_plain(True)
            if job not in self._jobs[:2]:
                if job in self._jobs:
                    self._jobs.remove(job)
                self._jobs.insert(1, job)
            self._more.notify()
        return False

    async def wait(self, name: str) -> None:
        """Wait until the game is compiled. Raise `UnknownGame` if it is no longer installed."""
        while not self.want(name):
            await asyncio.sleep(0.1)

    def _compile_all(self) -> None:
        while True:
            with self._more:
                while not self._jobs and not self._end.is_set():
                    self._more.wait()
                if self._end.is_set():
                    return
                job = self._jobs[0]
            try:
                with compiling():
                    self._compile(job)
            except Exception as error:  # its tables report the error when they deal
                log("compile/fault", logging.ERROR, error, game=job.name)
            with self._more:
                if self._end.is_set():
                    return
                if not job.options:
                    self._progress[job.name] = 1.0
                self._jobs.remove(job)
                if not self._jobs:
                    run_plain(False)
                    self._compiler.close()
            self._tell()

    def _compile(self, job: Job) -> None:
        """Fill the cache in another process if the rules are not in it, then load them from there."""
        tell = self._teller(job)
        if not job.game.kept:
            self._compiler.compile(job.name, dict(job.options), tell)
        if not self._end.is_set():
            make_ready(job.game, tell, self._end.is_set)

    def _teller(self, job: Job) -> Progress:
        line = progress_line(job.game.title())

        def tell(done: int, total: int, what: str) -> None:
            line(done, total, what)
            before, now = self._progress[job.name], RULES_SHARE * done / max(total, 1)
            self._progress[job.name] = max(before, now)
            if int(now * 20) != int(before * 20):
                self._tell()

        return tell

    def _tell(self) -> None:
        if not self._end.is_set():
            self._changed()


def describe(game: Game) -> GameInfo:
    """Return a game as the lobby shows it, in every language."""
    return GameInfo(
        name=game.name,
        title=_each(game.title),
        seats=game.rules.seats,
        options=[_option(game, option) for option in game.rules.options],
        agents=sorted(
            (_agent(game, spec) for spec in bots_of(game).values()), key=lambda one: one.level or 99
        ),
        ready=False,
        progress=0.0,
        lesson=has_lesson(game.name),
    )


def _agent(game: Game, spec: AgentSpec) -> AgentInfo:
    name = spec.name
    return AgentInfo(
        name=name,
        title=_each(lambda lang: game.agent_name(name, lang)),
        level=level_of(name) or 0,
        emoji=game.words.messages.find(f"bot.{name}.emoji", FALLBACK) or "",
        about=_each(lambda lang: game.agent_about(name, lang) or game.agent_about(NET, lang)),
    )


def _option(game: Game, option: Option) -> OptionInfo:
    choices = list(option.choices or ())
    named = choices or [str(number) for number in option.allowed]
    kind: Literal["choice", "switch", "seat", "number"]
    if choices:
        kind = "switch" if option.choices == SWITCH else "choice"
    else:
        kind = "seat" if option.is_seat else "number"
    has_lowest = kind == "number" and not option.allowed and game.names_lowest(option)
    return OptionInfo(
        name=option.name,
        kind=kind,
        choices=choices,
        names=[_choice(game, option.name, choice) for choice in named],
        low=None if choices else option.low,
        high=None if choices else option.high,
        numbers=list(option.allowed),
        lowest=_choice(game, option.name, str(option.low)) if has_lowest else None,
        default=option.show(option.default),
        about=_each(lambda lang: game.option_about(option.name, lang)),
        expert=option.expert,
    )


def _choice(game: Game, option: str, choice: str) -> dict[str, str]:
    return _each(lambda lang: game.choice_name(option, choice, lang))


def _each(text: Callable[[str], str]) -> dict[str, str]:
    return {lang: text(lang) for lang in LANGUAGES}
