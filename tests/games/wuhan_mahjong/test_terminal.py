"""The terminal: the screen shows no more than the view, and any mix of people and bots can sit down."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console

from qipai.core.errors import BadText
from qipai.core.message import LANGUAGES
from qipai.games.wuhan_mahjong import GAME
from qipai.games.wuhan_mahjong.examples import EXAMPLES, TWINS, ids, position
from qipai.games.wuhan_mahjong.terminal import SCREEN
from qipai.games.wuhan_mahjong.tiles import WIN
from qipai.terminal.stage import CURTAIN
from tests.terminal.conftest import home  # noqa: F401  (a fixture that every test here uses)
from tests.terminal.scripted import Shown
from tests.terminal.scripted import play as sit

from .tables import MASKS, whole
from .test_rules import CHOWER, play, window


def scene(s: Any, seat: int, lang: str = "en") -> Any:
    view = GAME.rules.view(s, seat)
    names = [f"seat {k}" for k in range(4)]
    return SimpleNamespace(
        game=GAME, seat=seat, view=view, legal=view.get("legal", []), names=names, titles=names, lang=lang
    )


def printed(part: Any) -> str:
    console = Console(width=200, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    with console.capture() as capture:
        console.print(part)
    console.file.close()
    return capture.get()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_part_of_the_screen_can_be_drawn(lang: str) -> None:
    for example in EXAMPLES:
        s = GAME.new(layout=example.layout)
        seen = scene(s, int(s["seat"]), lang)
        for part in (SCREEN.welcome(lang), SCREEN.table(seen), SCREEN.hand(seen), SCREEN.ask(seen)):
            assert printed(part).strip()
        assert len(SCREEN.moves(seen)) == len(seen.legal)
        for key, _, actions in SCREEN.moves(seen):
            assert SCREEN.read(key, seen) == list(actions)
            assert SCREEN.name(list(actions), seen)


@pytest.mark.parametrize("twins", TWINS, ids=[t.about for t in TWINS])
def test_the_screen_tells_twins_apart_no_better_than_the_seat(twins: Any) -> None:
    one, other = (scene(GAME.new(layout=x), twins.seat) for x in (twins.one, twins.other))
    assert printed(SCREEN.table(one)) == printed(SCREEN.table(other))
    assert printed(SCREEN.hand(one)) == printed(SCREEN.hand(other))


def test_moves_are_listed_by_two_names() -> None:
    s = GAME.new(layout=EXAMPLES[0].layout)
    names = [str(name) for _, name, _ in SCREEN.moves(scene(s, 0))]
    assert "discard 8m 打八万" in names
    assert "win 胡" in names
    japanese = [str(name) for _, name, _ in SCREEN.moves(scene(s, 0, "ja"))]
    assert "discard 8m 八萬を切る" in japanese


def test_waits_are_told_on_request() -> None:
    layout = position("PLAYER_DECISION", 0, {0: "13m 456789p 88m 9s"}, {0: "pong 111z from 2"}, wall=40)
    s = GAME.new(layout=layout)
    with pytest.raises(BadText, match="Discard 9s to wait for 2m 3s"):
        SCREEN.read("w", scene(s, 0))
    play(s, ids("9s")[0])
    with pytest.raises(BadText, match="听：二万 三条"):
        SCREEN.read("听", scene(s, 0, "zh"))


def test_the_end_names_winner_types_fans_and_deltas() -> None:
    s = play(GAME.new(layout=EXAMPLES[0].layout), WIN)
    assert SCREEN.explain(scene(s, 1), []) == [
        "seat 0 won by self-draw: hard win",
        "fan: seat 0 ×4, you ×1, seat 2 ×1, seat 3 ×1",
        "score: seat 0 +64, you −16, seat 2 −16, seat 3 −32",
    ]
    assert SCREEN.explain(scene(s, 0, "ja"), [])[0] == "あなたのツモ和了：硬胡"
    assert printed(SCREEN.closing(scene(s, 1))).strip()


def test_a_question_names_who_asks() -> None:
    seen = scene(window(1, {1: CHOWER}), 1)
    assert SCREEN.ask(seen) == "seat 0 discarded 4 dots. Do you claim it?"
    seen = scene(window(1, {1: CHOWER}), 1, "zh")
    assert SCREEN.ask(seen) == "seat 0打出四筒，你要吗？"
    assert "kong" in SCREEN.ask(scene(GAME.new(layout=whole(MASKS[1])), 0))
    assert "kong" not in SCREEN.ask(scene(GAME.new(layout=whole(MASKS[0])), 0))


def test_what_cannot_be_read_is_refused_in_the_readers_language() -> None:
    s = GAME.new(layout=EXAMPLES[0].layout)
    refusals = (("99", "en", "no move 99"), ("xyz", "zh", "没看懂“xyz”"), ("xyz", "ja", "「xyz」"))
    for typed, lang, said in refusals:
        with pytest.raises(BadText, match=said):
            SCREEN.read(typed, scene(s, 0, lang))


# --- §8.5 the table in the terminal: any mix of people and bots -------------------------


def keys(shown: Shown) -> Iterator[str]:
    """Nonsense and an illegal move once, then Enter at a handover and the first legal move when asked."""
    yield from ("nonsense", "pass")
    while True:
        yield "" if "at the keyboard" in shown.getvalue()[-60:] else "1"


@pytest.mark.parametrize(
    ("seat", "bots"),
    [(0, "human,human,human"), (-1, "random,random,random,random"), (1, "random,heuristic,human")],
)
def test_any_mix_of_people_and_bots_plays_a_hand(seat: int, bots: str) -> None:
    people = bots.count("human") + (seat >= 0)
    status, text, _ = sit(keys, game="wuhan_mahjong", seat=seat, bots=bots, seed="5", hands=1)
    assert status == 0 and "score:" in text and "fan:" in text
    assert ("打" in text and "discard" in text) == (people > 0)  # actions by both names
    assert ("is not legal here" in text) == (people > 0)
    assert (len(set(re.findall(r"Seat (\d) to move", text))) if people > 1 else people) == people


def test_a_person_is_told_their_own_draws_only() -> None:
    _, text, _ = sit(keys, game="wuhan_mahjong", bots="random", seed="7", hands=1)
    told = re.findall(r"^(\w+) draws? ", text, re.MULTILINE)
    assert len(told) > 10 and set(told) == {"You"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_hand_can_be_played_in_every_language(lang: str) -> None:
    typed = itertools.chain(["?"], itertools.repeat("1"))
    settings: dict[str, Any] = {"game": "wuhan_mahjong", "bots": "random", "seed": "7", "hands": 1}
    status, text, _ = sit(lambda shown: typed, lang, **settings)
    end = {"en": "score: ", "zh": "得分：", "ja": "得点："}[lang]
    assert status == 0 and end in text


def test_the_next_person_does_not_find_the_last_ones_hand_on_the_screen() -> None:
    _, text, _ = sit(keys, game="wuhan_mahjong", bots="random,human,human", seed="7", hands=1)
    before = text.split("at the keyboard")[1:-1]  # each ends at the next handover
    assert len(before) > 20
    for part in before:
        curtain = part.rindex("\n" * CURTAIN)
        assert "(drawn" in part[:curtain] or " > 1" in part[:curtain]
        assert "Seat" in part[curtain:] and "draw" not in part[curtain:]
