"""The games of the lobby, and their compilation progress: the lobby works while games compile."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from typing import Any

from qipai.bots.net.agent import NAME as NET  # also describes a net loaded from a file
from qipai.core import LANGUAGES, AgentSpec, Game, Option, Player, QipaiError, bots_of, get, names
from qipai.core.errors import UnknownAgent, UnknownGame, short
from qipai.core.progress import Progress, progress_line

from .lessons import has_lesson
from .logs import log
from .wire import AgentInfo, GameInfo, OptionInfo

RULES_SHARE = 0.6  # share of the rules in a game's progress; views and bots are the rest


class Catalog:
    """Compiles every game in one thread, requested games first. `changed` is called from that thread."""

    def __init__(self, changed: Callable[[], Any] = lambda: None) -> None:
        self._changed = changed
        self._progress: dict[str, float] = {}
        self._done: dict[str, threading.Event] = {}
        self._wanted: set[str] = set()
        self._infos: dict[str, GameInfo] = {}
        self._stopped = False
        self.names: list[str] = []
        for name in names():
            try:
                self._infos[name] = describe(get(name))
            except QipaiError:
                continue  # a game of another package that cannot be loaded
            self.names.append(name)
            self._progress[name] = 0.0
            self._done[name] = threading.Event()

    def start(self) -> None:
        """Start compiling."""
        threading.Thread(target=self._compile_all, name="compile", daemon=True).start()

    def stop(self) -> None:
        """Stop after the game that is being compiled."""
        self._stopped = True

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
        """Return whether a hand can be dealt immediately."""
        return self._done[name].is_set()

    @property
    def complete(self) -> bool:
        """Whether all games are ready."""
        return all(done.is_set() for done in self._done.values())

    def progress(self, name: str) -> float:
        """Return the progress of a game, from 0 to 1."""
        return self._progress[name]

    def check_agent(self, name: str, agent: str) -> None:
        """Raise `UnknownAgent` if the game has no such agent."""
        known = [a.name for a in self._infos[name].agents]
        if agent not in known:
            raise UnknownAgent(f"{name} has no agent {short(agent)}; known: {', '.join(known)}")

    def want(self, name: str) -> None:
        """Compile this game before the others, because somebody waits for it."""
        self._wanted.add(name)

    async def wait(self, name: str) -> None:
        """Wait until the game is ready. Raise `UnknownGame` if it is no longer installed."""
        if name not in self._done:
            raise UnknownGame(f"the game {short(name)} is not installed here")
        self.want(name)
        while not self._done[name].is_set():
            await asyncio.sleep(0.1)

    def _compile_all(self) -> None:
        waiting = list(self.names)
        while waiting and not self._stopped:
            name = next((n for n in waiting if n in self._wanted), waiting[0])
            waiting.remove(name)
            try:
                make_ready(get(name), self._teller(name))
            except Exception as error:  # its tables report the error when they deal
                log("compile/fault", logging.ERROR, error, game=name)
            self._progress[name] = 1.0
            self._done[name].set()
            self._tell()

    def _teller(self, name: str) -> Progress:
        line = progress_line(get(name).title())

        def tell(done: int, total: int, what: str) -> None:
            line(done, total, what)
            before, now = self._progress[name], RULES_SHARE * done / max(total, 1)
            self._progress[name] = max(before, now)
            if int(now * 20) != int(before * 20):
                self._tell()

        return tell

    def _tell(self) -> None:
        if not self._stopped:
            self._changed()


def make_ready(game: Game, progress: Progress | None = None) -> None:
    """Compile everything that a table needs: the rules, the rules used by views and texts, and the bots."""
    game.compile(progress)
    s = game.new()
    game.rules.view(s, 0)
    game.rules.narrate(s, game.legal_actions(s)[0], 0)
    game.drawing(s, 0, "en")
    for agent in bots_of(game):
        Player(game, agent).move(s)


def describe(game: Game) -> GameInfo:
    """Return a game as the lobby shows it, in every language."""
    return GameInfo(
        name=game.name,
        title=_each(game.title),
        seats=game.rules.seats,
        options=[_option(game, option) for option in game.rules.options],
        agents=[_agent(game, spec) for spec in bots_of(game).values()],
        ready=False,
        progress=0.0,
        lesson=has_lesson(game.name),
    )


def _agent(game: Game, spec: AgentSpec) -> AgentInfo:
    name = spec.name
    return AgentInfo(
        name=name,
        title=_each(lambda lang: game.agent_name(name, lang)),
        level=spec.level,
        about=_each(lambda lang: game.agent_about(name, lang) or game.agent_about(NET, lang)),
    )


def _option(game: Game, option: Option) -> OptionInfo:
    choices = list(option.choices or ())
    return OptionInfo(
        name=option.name,
        kind="choice" if choices else "seat" if option.is_seat else "number",
        choices=choices,
        names=[_choice(game, option.name, choice) for choice in choices],
        low=None if choices else option.low,
        high=None if choices else option.high,
        default=option.show(option.default),
        about=_each(lambda lang: game.option_about(option.name, lang)),
    )


def _choice(game: Game, option: str, choice: str) -> dict[str, str]:
    return _each(lambda lang: game.choice_name(option, choice, lang))


def _each(text: Callable[[str], str]) -> dict[str, str]:
    return {lang: text(lang) for lang in LANGUAGES}
