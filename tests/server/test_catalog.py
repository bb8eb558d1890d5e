"""The games of the lobby."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from qipai.core import Game, get, names, sparring_of
from qipai.core.errors import UnknownAgent
from qipai.core.progress import Progress
from qipai.server import catalog
from qipai.server.catalog import Catalog, describe
from qipai.server.compiler import Compiler
from qipai.server.wire import GameInfo
from tests.server.live import Live, live, until


@pytest.fixture  # of one test: its games would be compiled by the `Press` of another one
def server(tmp_path: Path) -> Iterator[Live]:
    with live(tmp_path) as found:
        yield found


@pytest.fixture
def http(server: Live) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.address) as client:
        yield client


def test_sparring_partners_are_not_offered(server: Live) -> None:
    for name in names():
        offered = {agent.name for agent in describe(get(name)).agents}
        assert "random" in offered and not offered & set(sparring_of(get(name)))
    with pytest.raises(UnknownAgent):
        server.hall.catalog.check_agent("nana", "miser")


def test_options_tell_switches_experts_and_numbers_that_are_no_amount() -> None:
    options = {name: {o.name: o for o in describe(get(name)).options} for name in names()}
    contract = options["wuhan_mahjong"]["contract"]
    assert (contract.kind, contract.default, contract.expert) == ("switch", "on", False)
    places = options["skill_gomoku"]["places"]
    assert places.expert and places.lowest is not None and places.lowest["en"] == "as in the deck"
    assert options["skill_gomoku"]["board_size"].lowest is None
    assert [name for name, o in options["paipai_rensa"].items() if not o.expert] == [
        "cpu_clear_policy",
        "bias_enabled",
        "next_pairs",
    ]


def test_the_games_are_described_in_three_languages(http: httpx.Client) -> None:
    games = [GameInfo.model_validate_json(json.dumps(g)) for g in http.get("/api/games").json()]
    assert [g.name for g in games][:5] == ["xianqi", "nana", "wuhan_mahjong", "skill_gomoku", "paipai_rensa"]
    for game in games:
        for words in (game.title, *(o.about for o in game.options), *(a.about for a in game.agents)):
            assert set(words) == {"zh", "en", "ja"}
            assert all(words.values())
        answer = http.get(f"/api/lessons/{game.name}")
        assert game.lesson == (answer.status_code == 200)


class Press:
    """Compiles nothing: each game waits until the test lets it be done, in steps that are told."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun: list[str] = []
        self.told = 0
        self._may = threading.Semaphore(0)
        monkeypatch.setattr(catalog, "make_ready", self._make_ready)
        monkeypatch.setattr(Compiler, "compile", lambda *_: True)
        monkeypatch.setattr(Compiler, "close", lambda _: None)

    def let(self, steps: int = 1) -> None:
        self._may.release(steps)

    def _make_ready(self, game: Game, tell: Progress, ended: Callable[[], bool]) -> None:
        self.begun.append(game.name)
        for done in range(1, 5):
            assert self._may.acquire(timeout=60)
            tell(done, 4, "")
            self.told += 1


@contextmanager
def queue(changed: Callable[[], None] = lambda: None, made: Catalog | None = None) -> Iterator[Catalog]:
    made = made or Catalog()
    made._changed = changed
    made.start()
    try:
        yield made
    finally:
        made.stop()


def shown(made: Catalog, name: str) -> tuple[float, bool]:
    """Return what the lobby shows of a game: its progress, and whether it is ready."""
    return next((game.progress, game.ready) for game in made.infos() if game.name == name)


def test_a_game_that_was_clicked_is_compiled_before_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    press = Press(monkeypatch)
    with queue() as made:
        first, *others = made.names
        until(lambda: press.begun == [first])
        assert not made.want(others[-1])
        assert not made.want(first)  # being compiled: it keeps its place, and the clicked one its own
        press.let(4)
        until(lambda: len(press.begun) == 2)
        assert not made.want(others[1])  # while another one is being compiled
        press.let(4 * len(made.names))
        until(lambda: made.complete)
    rest = [name for name in others if name not in (others[-1], others[1])]
    assert press.begun == [first, others[-1], others[1], *rest]


def test_progress_is_what_has_been_compiled_and_never_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    press = Press(monkeypatch)
    news: list[float] = []

    def compile_three_of_four(_: Compiler, name: str, options: object, tell: Progress) -> bool:
        tell(3, 4, "")
        return True

    monkeypatch.setattr(Compiler, "compile", compile_three_of_four)  # in the other process
    monkeypatch.setattr(Game, "kept", property(lambda _: False))
    made = Catalog()
    name = made.names[0]
    with queue(lambda: news.append(shown(made, name)[0]), made):
        until(lambda: press.begun)
        assert shown(made, name) == (0.45, False)
        press.let(2)  # this process loads what was compiled, from the first part on
        until(lambda: press.told == 2)
        assert shown(made, name) == (0.45, False)
        press.let(2)
        until(lambda: made.ready(name))
        assert shown(made, name) == (1.0, True)
        until(lambda: news[-1:] == [1.0])
        assert news == sorted(news)
        until(lambda: len(press.begun) == 2)
        assert [g.ready for g in made.infos()].count(True) == 1
        press.let(4 * len(made.names))


def test_a_game_is_called_ready_only_when_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """All parts of the rules are there; views and bots are not."""
    press = Press(monkeypatch)
    with queue() as made:
        name = made.names[0]
        until(lambda: press.begun)
        made._teller(catalog.Job(name))(4, 4, "")
        assert shown(made, name) == (catalog.RULES_SHARE, False)
        press.let(4 * len(made.names))
        until(lambda: made.complete)
        assert all(g.ready and g.progress == 1.0 for g in made.infos())
