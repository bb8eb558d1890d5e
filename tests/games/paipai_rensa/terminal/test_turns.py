"""The table's screen: drawn from the view, short keys, whole allocations at once."""

from __future__ import annotations

import io
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console

from qipai.core import LANGUAGES, State
from qipai.core.errors import BadText
from qipai.games.paipai_rensa import GAME
from qipai.games.paipai_rensa.state import DISCARD, KEEP
from qipai.games.paipai_rensa.terminal import SCREEN

from ..positions import bottom


def scene(s: State, lang: str = "en", seat: int = 0) -> Any:
    return SimpleNamespace(
        game=GAME,
        seat=seat,
        view=GAME.rules.view(s, seat),
        legal=GAME.legal_actions(s) if seat == 0 else [],
        names=["You"],
        lang=lang,
    )


def printed(part: Any, width: int = 80) -> str:
    out = io.StringIO()
    Console(file=out, width=width, highlight=False).print(part)
    return out.getvalue()


def placing() -> State:
    return GAME.new(
        layout={"board": bottom("m0 p1 s9 zC .. .."), "pair": "zE zF", "deck": "p5 p6", "hand": "m1 s0"}
    )


def sharing(n: int = 4) -> State:
    collected = [f"m{k}" for k in range(1, n + 1)]
    return GAME.new(layout={"phase": "alloc", "hand": "zE zE", "collected": collected, "deck": "p1 p2"})


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_table_shows_board_pair_next_and_hand_side_by_side(lang: str) -> None:
    text = printed(SCREEN.table(scene(placing(), lang)))
    for sign in ("五萬", "① 筒", "Ⅸ 索", "中", "東", "發", "⑤ 筒", "一萬", "Ⅴ 索"):
        assert sign in text
    assert len(text.rstrip().splitlines()) == 13
    assert printed(SCREEN.welcome(lang))


def test_placements_have_short_keys() -> None:
    seen = scene(placing())
    keys = [key for key, _, _ in SCREEN.moves(seen)]
    assert len(keys) == 22 and keys[:3] == ["1u", "1r", "1d"]
    assert (
        SCREEN.read("3U", seen) == [8] and SCREEN.read("3 up", seen) == [8] and SCREEN.read("2l", seen) == [7]
    )
    for bad in ("9u", "keepp", "x" * 60):
        with pytest.raises(BadText):
            SCREEN.read(bad, seen)
    with pytest.raises(BadText, match="「9u」"):
        SCREEN.read("9u", scene(placing(), "ja"))


def test_a_list_is_answered_one_by_one_in_a_row_or_all_at_once() -> None:
    s = sharing()
    seen = scene(s)
    assert "▶" in printed(SCREEN.hand(seen)) and "0/14" in SCREEN.ask(seen)
    assert SCREEN.read("k", seen) == [KEEP] and SCREEN.read("kd kd", seen) == [KEEP, DISCARD, KEEP, DISCARD]
    rest = SCREEN.read("a", seen)
    assert rest == [KEEP] * 6
    GAME.rules.apply(s, DISCARD)
    assert len(SCREEN.read("a", scene(s))) == 5
    for action in SCREEN.read("a", scene(s)):
        GAME.rules.apply(s, action)
    assert int(s["holds"]) == 1


def test_all_at_once_never_keeps_more_than_fourteen() -> None:
    s = GAME.new(
        layout={
            "phase": "alloc",
            "hand": [f"p{k}" for k in range(1, 10)] + [f"s{k}" for k in range(1, 6)],
            "collected": ["zE", "zS", "zW", "zN", "zP"],
            "deck": "m1 m2",
        }
    )
    for _ in range(3):
        GAME.rules.apply(s, KEEP)
    rest = SCREEN.read("a", scene(s))
    assert len(rest) == 16 and rest.count(KEEP) <= 11


def test_a_watcher_sees_the_list_without_answers() -> None:
    s = sharing()
    before = printed(SCREEN.hand(scene(s, seat=-1)))
    GAME.rules.apply(s, KEEP)
    assert printed(SCREEN.hand(scene(s, seat=-1))) == before
    assert printed(SCREEN.hand(scene(s))) != before


@pytest.mark.parametrize("lang", LANGUAGES)
def test_events_and_the_end_are_told(lang: str) -> None:
    s = GAME.new(layout={"pair": "m1 p1"})
    events = GAME.rules.narrate(s, 8, 0)
    GAME.rules.apply(s, 8)
    seen = scene(s, lang)
    draw, names = {
        "en": ("draw", "3 up, keep"),
        "zh": ("平局", "3 上, 留"),
        "ja": ("引き分け", "3 上, 残す"),
    }[lang]
    assert draw in SCREEN.explain(seen, events)[-1] and SCREEN.explain(seen, [])
    assert SCREEN.tell(events[0], seen) and SCREEN.name([8, KEEP], seen) == names
    assert printed(SCREEN.closing(seen)) and SCREEN.hand(seen) is None
