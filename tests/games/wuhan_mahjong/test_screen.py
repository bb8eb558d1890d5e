"""The terminal: the screen shows no more than the view, and any mix of people and bots can sit down."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console

from qipai.core.errors import BadOption, BadText
from qipai.games.wuhan_mahjong import GAME
from qipai.games.wuhan_mahjong.__main__ import CURTAIN, HotSeat, main
from qipai.games.wuhan_mahjong.examples import EXAMPLES, TWINS, ids, position
from qipai.games.wuhan_mahjong.screen import SCREEN
from qipai.games.wuhan_mahjong.tiles import WIN

from .test_rules import play


def look(s: Any, seat: int, lang: str = "en") -> Any:
    view = GAME.view(s, seat)
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


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_part_of_the_screen_can_be_drawn(lang: str) -> None:
    for example in EXAMPLES:
        s = GAME.new(layout=example.layout)
        seen = look(s, int(s["seat"]), lang)
        for part in (SCREEN.welcome(lang), SCREEN.table(seen), SCREEN.hand(seen), SCREEN.ask(seen)):
            assert printed(part).strip()
        assert len(SCREEN.moves(seen)) == len(seen.legal)
        for key, _, actions in SCREEN.moves(seen):
            assert SCREEN.read(key, seen) == list(actions)
            assert SCREEN.name(list(actions), seen)


@pytest.mark.parametrize("twins", TWINS, ids=[t.about for t in TWINS])
def test_the_screen_tells_twins_apart_no_better_than_the_seat(twins: Any) -> None:
    one, other = (look(GAME.new(layout=x), twins.seat) for x in (twins.one, twins.other))
    assert printed(SCREEN.table(one)) == printed(SCREEN.table(other))
    assert printed(SCREEN.hand(one)) == printed(SCREEN.hand(other))


def test_moves_are_listed_in_both_languages() -> None:
    s = GAME.new(layout=EXAMPLES[0].layout)
    names = [str(name) for _, name, _ in SCREEN.moves(look(s, 0))]
    assert "discard 8m 打八万" in names
    assert "win 胡" in names


def test_waits_are_told_on_request() -> None:
    layout = position("PLAYER_DECISION", 0, {0: "13m 456789p 88m 9s"}, {0: "pong 111z from 2"}, wall=40)
    s = GAME.new(layout=layout)
    with pytest.raises(BadText, match="discard 9s to wait for 2m 3s"):
        SCREEN.read("w", look(s, 0))
    play(s, ids("9s")[0])
    with pytest.raises(BadText, match="听: 二万 三条"):
        SCREEN.read("听", look(s, 0, "zh"))


def test_the_end_names_winner_types_fans_and_deltas() -> None:
    s = play(GAME.new(layout=EXAMPLES[0].layout), WIN)
    lines = SCREEN.explain(look(s, 1), [])
    assert lines == [
        "seat 0 wins self-drawn: hard",
        "fans 0:4  1:1  2:1  3:1",
        "deltas 0:+64  1:-16  2:-16  3:-32",
    ]
    assert printed(SCREEN.closing(look(s, 1))).strip()


class Keyboard:
    """Types nonsense once, then the first legal move, as often as asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, prompt: str) -> str:
        self.asked += 1
        return "nonsense" if self.asked == 3 else "win" if self.asked == 4 else "1"


@pytest.mark.parametrize(
    "seats", ["human,human,human,human", "random,random,random,random", "human,random,heuristic,human"]
)
def test_any_mix_of_people_and_bots_plays_a_hand(seats: str) -> None:
    lines: list[str] = []
    keyboard = Keyboard()
    chips = HotSeat(seats.split(","), 5, "en", keyboard, lines.append).play(1)
    assert sum(chips) == 0
    assert any("deltas" in line for line in lines)
    assert (keyboard.asked > 0) == ("human" in seats)


def test_a_person_sees_no_other_hand() -> None:
    lines: list[str] = []
    HotSeat(["human", "random", "random", "random"], 7, "en", Keyboard(), lines.append).play(1)
    before_the_end = "\n".join(lines[:-2])
    assert "your hand" in before_the_end
    assert before_the_end.count("draws a tile") > 10


def test_the_next_person_does_not_find_the_last_ones_hand_on_the_screen() -> None:
    lines: list[str] = []
    shown: list[str] = []  # on the screen at each handover: what came after the curtain

    def ask(prompt: str) -> str:
        if "Enter" in prompt:
            shown.append("\n".join(lines[lines.index(CURTAIN) :] if CURTAIN in lines else lines))
            lines.clear()
        return "1"

    HotSeat(["human", "random", "human", "human"], 7, "en", ask, lines.append).play(1)
    assert len(shown) > 20
    assert not [text for text in shown if "your hand" in text]


def test_a_table_of_three_is_refused() -> None:
    with pytest.raises(BadOption):
        HotSeat(["human"] * 3, 1, "en")
    assert main(["--seats", "human,x,y,z"]) == 2
