"""The description of a game: what it refuses to be, and the plain calls on it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import MISSING, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qipai.core import (
    CATEGORY,
    NOBODY,
    SWITCH,
    Checks,
    Device,
    Feature,
    Game,
    Line,
    Messages,
    Option,
    Rules,
    State,
    Terminal,
    Windows,
    Words,
    copy_state,
    diagram,
    new_state,
    parts,
    seat_value,
    state_dtype,
)
from qipai.core.errors import BadGame, BadLayout, BadOption, BadSeats, BadState
from qipai.core.parts import Example, Guided, Levels, Search, Twins
from tests.toys_check import faults, hush
from tests.toys_check.changing import changed
from tests.toys_check.hush import FEATURES, FIELDS, GAME, HANDS

PARTS = (Game, Rules, Words, Windows, Device, Search, Guided, Levels, Terminal, Checks)

# --- what a game cannot be ------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"State": state_dtype(FIELDS[1:])}, "a state must begin with the fields rng"),
        ({"legal": hush.view}, "legal is not a rule"),
        ({"playout": hush.view}, "playout is not a rule"),
        ({"playout": hush.legal}, "playout takes s, mask, n, rng and work"),
        ({"determinize": None}, "rules need determinize"),
        ({"options": (Option("speed", 0),)}, "option speed is not a field of the state"),
        ({"options": (Option("cap", 5, low=0, high=300),)}, "option cap: 300 does not fit its field, int8"),
        ({"options": (Option("cap", 5, low=-129, high=9),)}, "option cap: -129 does not fit its field, int8"),
        ({"options": (Option("cap", 7, low=0, high=5),)}, "cap: its default 7 is not a number from 0 to 5"),
        ({"options": (Option("cap", 0, low=2, high=1),)}, "cap: its default 0 is not a number from 2 to 1"),
        ({"options": (Option("spoils", 2, SWITCH),)}, "spoils: its default 2 is not a value of off, on"),
        ({"options": (Option("spoils", 0, {"a": 0, "b": 200}),)}, "spoils: 200 does not fit its field, int8"),
        ({"options": (Option("held", 0),)}, "option held: its field is .* not a whole number"),
        ({"scratch": ("paper",)}, "scratch field paper is not in the state"),
        ({"observation": FEATURES[1:]}, "observation feature decider does not start at 0"),
        ({"observation": (*FEATURES, Feature("gap", 99, 1, ""))}, "gap does not start at 18"),
        ({"observation": (Feature("nothing", 0, 0, ""),)}, "nothing does not start at 0"),
        ({"seats": (2, 4)}, "do not fit the payoff field"),
        ({"seats": (0, 3)}, "do not fit the payoff field"),
        ({"seats": (3, 2)}, "do not fit the payoff field"),
        ({"act": hush.GAME.rules.apply}, "act and rest are the two parts of apply"),
        ({"act": hush.GAME.rules.apply, "rest": hush.view}, "rest is not a rule"),
        ({"gather": 0}, "gather must be a number of lanes from 1 to 32"),
        ({"gather": 33}, "gather must be a number of lanes from 1 to 32"),
    ],
)
def test_a_game_that_breaks_the_contract_cannot_be_made(changes: dict[str, Any], text: str) -> None:
    with pytest.raises(BadGame, match=f"hush: .*{text}"):
        changed(GAME, **changes)


def test_a_game_written_for_the_old_record_is_told_what_to_change() -> None:
    old: dict[str, Any] = {"deal": hush.deal, "tell": hush.view, "table": "x:y", "title": {"en": "Hush"}}
    with pytest.raises(BadGame) as caught:
        Game(name="hush", **old)
    assert "made of parts now: deal belongs to Rules; tell belongs to Words" in str(caught.value)
    assert "table belongs to Terminal, where it is called screen; title belongs to the" in str(caught.value)


def test_the_contract_lists_every_field_of_every_part() -> None:
    page = (Path(__file__).parents[2] / "docs" / "design" / "contract.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `([A-Z]\w+)` \| (.*) \|$", page, re.M))
    listed = {name: sorted(re.findall(r"`(\w+)`", row)) for name, row in rows.items()}
    assert listed == {part.__name__: sorted(f.name for f in fields(part)) for part in PARTS}


def test_all_parts_are_counted() -> None:
    """A part is a dataclass of `core/parts.py`; the others describe an observation or a position."""
    made = {c for c in vars(parts).values() if is_dataclass(c) and c.__module__ == parts.__name__}
    assert made - {Feature, Example, Twins} == set(PARTS) - {Game}


def test_at_most_twelve_fields_are_mandatory() -> None:
    """Counted over all parts; `view` and `determinize` are, unless the game declares perfect information."""
    every = [f for part in PARTS for f in fields(part)]
    needed = [f.name for f in every if f.default is MISSING and f.default_factory is MISSING]
    assert needed[:6] == ["name", "rules", "State", "seats", "actions", "observation"]
    assert needed[6:] == ["deal", "legal", "apply", "observe"]
    assert len([*needed, "view", "determinize"]) <= 12


@pytest.mark.parametrize("name", ["view", "determinize"])
def test_a_game_with_secrets_has_no_default_for_what_hides_them(name: str) -> None:
    with pytest.raises(BadGame, match=f"hush: rules need {name}"):
        changed(GAME, **{name: None})


def test_a_game_of_perfect_information_needs_ten_fields() -> None:
    given = {name: getattr(GAME.rules, name) for name in ("State", "actions", "observation", "deal", "legal")}
    rules = Rules(**given, seats=(2, 3), apply=hush.apply, observe=hush.observe, perfect_information=True)
    game = Game("open", rules)
    s = game.new(seats=2)
    seen = game.rules.view(s, 0)
    assert "rng" not in seen and seen["hand"] == s["hand"].tolist()
    assert game.redrawn(s, 0, (1, 2, 3, 4))["hand"].tolist() == s["hand"].tolist()
    action = game.legal_actions(s)[0]
    assert game.rules.narrate(s, action, 1) == [{"event": "change"}]
    assert game.tell({"event": "change"}) == "" and game.title("ja") == "open"
    assert game.words.parse(game.words.say(action)) == action
    assert game.drawing(s, 0).startswith("ply: ")


def test_labels_and_drawings_speak_of_seats_by_name() -> None:
    def label(action: int, seat: int, seats: int) -> Line | None:
        if action == 0:
            return None
        return "ask", {"of": seat_value((seat + action) % seats)}

    def draw(s: State, seat: int, lang: str, names: Sequence[str] | None = None) -> str:
        return messages.tell(("ask", {"of": seat_value(1)}), lang, names, seat)

    messages = Messages({"en": {"ask": "ask {of}"}, "zh": {"ask": "问{of}"}})
    game = changed(GAME, messages=messages, label=label, draw=draw)
    people = ["Lan", "Bo", "Mei"]
    assert game.label(2, 1, 3, "en", people) == "ask Lan" and game.label(2, 1, 3, "zh", people) == "问Lan"
    assert game.label(2, 1, 3) == "ask seat 0" and game.label(3, 1, 3, "en", people) == "ask you"
    assert game.label(0, 1, 3, "en", people) == game.words.say(0)
    s = game.new(seats=3)
    assert game.drawing(s, 0, "en", people) == "ask Bo" and game.drawing(s, 0) == "ask seat 1"
    assert GAME.drawing(s, 0, "en", people) == GAME.drawing(s, 0)  # its drawing takes no names


def test_partial_is_the_one_function_a_game_can_do_without() -> None:
    game = replace(GAME, rules=replace(GAME.rules, partial=None))
    s = game.new(seats=2)
    assert not game.unfinished(s)
    assert game.functions("plain").partial is None


def test_shapes() -> None:
    assert (GAME.width, GAME.observation_size) == (32, hush.SIZE)
    assert replace(GAME, rules=replace(GAME.rules, actions=32)).width == 32
    assert replace(GAME, rules=replace(GAME.rules, actions=33)).width == 64


# --- making states --------------------------------------------------------------------


def test_a_blank_has_seats_and_options_and_nothing_else() -> None:
    s = GAME.blank({"cards": 1, "spoils": "on"}, 3)
    assert (int(s.seats), int(s.cards), int(s.cap), int(s.spoils)) == (3, 1, 12, 1)
    assert not s["hand"].any()
    assert int(GAME.blank().seats) == 2
    assert GAME.options_of(s) == {"cards": 1, "cap": 12, "spoils": "on"}


@pytest.mark.parametrize("seats", [1, 4, -1, "2", 2.0, True, None, 1 << 40])
def test_a_number_of_seats_that_does_not_fit_is_refused(seats: Any) -> None:
    if seats is None:
        assert int(GAME.blank(None, seats).seats) == 2
        return
    with pytest.raises(BadSeats, match="played by 2 to 3 seats"):
        GAME.blank(None, seats)


def test_a_combination_of_options_is_refused_by_the_game_itself() -> None:
    def check(numbers: Any, seats: int) -> None:
        if numbers["cards"] == 1 and seats == 3:
            raise BadOption("option cards: three seats bury two")

    game = replace(GAME, rules=replace(GAME.rules, check=check))
    game.blank({"cards": 1}, 2)
    with pytest.raises(BadOption, match="three seats"):
        game.new({"cards": 1}, 3)


def test_the_same_words_deal_the_same_state() -> None:
    one, again, other = (GAME.new(seats=3, words=w) for w in ((1, 2, 3, 4), (1, 2, 3, 4), (1, 2, 3, 5)))
    assert one.tobytes() == again.tobytes()
    assert one.tobytes() != other.tobytes()


def test_a_layout_is_laid_out_and_begun() -> None:
    s = GAME.new(seats=3, layout={"hand": HANDS})
    assert s["hand"].tolist() == HANDS
    assert int(s.seat) == 0


@pytest.mark.parametrize("layout", [[], "hand", 3, {"hands": HANDS}, {"hand": None}, {"hand": [[9] * 4] * 3}])
def test_a_layout_that_is_none_is_refused(layout: Any) -> None:
    with pytest.raises(BadLayout):
        GAME.new(seats=3, layout=layout)


def test_a_game_without_layouts_says_so() -> None:
    with pytest.raises(BadLayout, match="hush does not support custom deals"):
        replace(GAME, rules=replace(GAME.rules, lay_out=None)).new(seats=3, layout={"hand": HANDS})


# --- asking ---------------------------------------------------------------------------


def finished() -> State:
    return GAME.new(seats=3, layout={"hand": HANDS, "misdeal": True})


def test_the_mask_of_a_finished_match_is_empty() -> None:
    s = finished()
    assert int(s.seat) == NOBODY
    assert not GAME.mask(s).any()
    assert GAME.legal_actions(s) == []
    assert not GAME.unfinished(s)


def test_a_mask_is_padded_with_zeros() -> None:
    s = GAME.new(seats=3, layout={"hand": HANDS})
    assert GAME.mask(s).tolist() == [1, 1, 1, 1, 0] + [0] * 27
    assert GAME.legal_actions(s) == [0, 1, 2, 3]


def test_a_redrawn_world_leaves_the_true_one_alone() -> None:
    s = GAME.new(seats=3, layout={"hand": HANDS})
    before = s.tobytes()
    worlds = {GAME.redrawn(s, 0, (k, 0, 0, 0))["hand"].tobytes() for k in range(30)}
    assert s.tobytes() == before
    assert len(worlds) > 5


def test_a_redrawn_world_is_the_same_for_words_of_any_whole_type() -> None:
    s = GAME.new(seats=3)
    world = GAME.redrawn(s, 1, (1, 2, 3, 1 << 31)).tobytes()
    for kind in (np.uint32, np.int64, np.uint64):
        assert GAME.redrawn(s, int(kind(1)), np.array([1, 2, 3, 1 << 31], kind).tolist()).tobytes() == world
        assert GAME.redrawn(s, np.int8(1), np.array([1, 2, 3, 1 << 31], kind)).tobytes() == world  # type: ignore[arg-type]


def test_a_state_of_another_game_is_not_redrawn() -> None:
    other = new_state(state_dtype([*FIELDS, ("more", np.int8)]))
    with pytest.raises(BadState, match="hush: a state of another game"):
        GAME.redrawn(other, 0, (1, 2, 3, 4))


def test_everyone_and_a_watcher_can_look_at_every_moment() -> None:
    for s in (GAME.new(seats=3, layout={"hand": HANDS}), finished()):
        for seat in (-1, 0, 1, 2):
            assert GAME.observation_of(s, seat).dtype == np.int8
            assert len(GAME.observation_of(s, seat)) == hush.SIZE


# --- functions ------------------------------------------------------------------------


def test_variants_are_made_once() -> None:
    assert GAME.functions("plain") is GAME.functions("plain")
    assert GAME.functions("compiled").apply is GAME.rules.apply
    assert GAME.functions("plain", swap={hush.score: print}) is not GAME.functions("plain")


def test_two_games_that_differ_in_one_rule_do_not_share_functions() -> None:
    other = replace(GAME, rules=replace(GAME.rules, legal=faults.legal_empty))
    s = copy_state(GAME.new(seats=3, layout={"hand": HANDS}))
    GAME.rules.apply(s, hush.BURY)
    for variant in ("plain", "compiled"):
        mask = np.zeros(32, np.uint8)
        assert GAME.functions(variant).legal(s, mask) > 0
        assert other.functions(variant).legal(s, mask) == 0


def test_the_diagram_shows_every_declared_edge() -> None:
    lines = diagram(GAME).splitlines()
    assert lines[0] == "stateDiagram-v2"
    assert "    TURN --> BURYING" in lines
    assert len(lines) == 1 + len(hush.EDGES)
    assert "RESERVED" not in diagram(GAME)


def test_the_digest_of_an_observation_moves_with_all_a_net_depends_on() -> None:
    first = FEATURES[0]
    rules = [
        replace(GAME.rules, version=GAME.rules.version + 1),
        replace(GAME.rules, observation_version=2),
        replace(GAME.rules, actions=GAME.rules.actions + 1),
        replace(GAME.rules, observation=(replace(first, name="stage"), *FEATURES[1:])),
        replace(GAME.rules, observation=(replace(first, kind=CATEGORY), *FEATURES[1:])),
        replace(GAME.rules, observation=(replace(first, high=9), *FEATURES[1:])),
        replace(GAME.rules, observation=(replace(first, shape=(1, 1)), *FEATURES[1:])),
        replace(GAME.rules, observation=(replace(first, groups=((0, 1),)), *FEATURES[1:])),
    ]
    games = [GAME, replace(GAME, name="hash"), *(replace(GAME, rules=r) for r in rules)]
    assert len({game.observation_digest for game in games}) == len(games)
    reworded = replace(GAME.rules, observation=(replace(first, about="another sentence"), *FEATURES[1:]))
    assert replace(GAME, rules=reworded).observation_digest == GAME.observation_digest
