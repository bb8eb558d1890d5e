"""§22 checks 85-88: the optional states, several targets, and cards of third parties."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from qipai.core import get
from qipai.core.errors import BadOption
from qipai.games.skill_gomoku import (
    BASE_CARDS,
    CardDefinition,
    CardRegistry,
    Context,
    SkillGomokuError,
    SkillGomokuMatch,
    TurnMachine,
    base_registry,
)

from ..api.test_match import ROWS, pick
from ..positions import (
    PI,
    P,
    T,
    at,
    cell,
    choose,
    code,
    discards,
    drawn,
    player,
    refused_unchanged,
    state,
    tags,
)

FOUR = [(3, 7), (4, 7), (5, 7), (6, 7)]
AFTER = {"type": "AFTER_ANIMATION"}
END = {"type": "END_TURN"}


def loaded(doc: dict[str, Any], registry: CardRegistry | None = None) -> SkillGomokuMatch:
    match = SkillGomokuMatch.load(doc, registry=registry)
    reselects = doc["settings"].get("allowReselect", False)
    assert match.compiled == (registry is None and not reselects)  # waits need no other rules
    return match


def test_85_confirm_waits_for_end_turn() -> None:
    match = loaded(state([P, P, P, PI], confirmEnd=True))
    choose(match, 0)
    assert (match.state, player(match), match.legal_actions()) == ("confirm", 1, [228])
    refused_unchanged(match, {"type": "CHOOSE_CARD", "index": 0}, "WrongState")
    other = SkillGomokuMatch.load(match.dump())
    assert match.act(228)["ok"]
    assert (match.state, player(match)) == ("choose", 2)
    assert other.send(END)["ok"]
    assert other.dump() == match.dump()
    assert tags(match, 1) == ["drawTwo", "choose", "resolve", "checkWin"]


def test_85_a_won_game_needs_no_confirmation() -> None:
    match = loaded(state([T, P], black=FOUR, confirmEnd=True))
    choose(match, 0)
    cell(match, 7, 7)
    assert (match.state, match.dump()["winner"]) == ("endTurn", 1)
    refused_unchanged(SkillGomokuMatch.load(state([T, P])), END, "WrongState")


def test_85_a_skipped_turn_needs_no_confirmation() -> None:
    match = loaded(state([P, P], skips=(1, 0), confirmEnd=True))
    assert (match.state, player(match)) == ("choose", 2)


def test_86_paced_states_wait_for_the_animation() -> None:
    match = loaded(state([P, P, P, PI], black=[(0, 0)], paced=True))
    assert (match.state, drawn(match), match.legal_actions()) == ("drawTwo", [PI, P], [])
    assert match.view(2)["turn"]["drawn"] is None
    assert not match.observation(2)[7:17].any()
    assert match.observation(1)[7:17].any()
    refused_unchanged(match, {"type": "CHOOSE_CARD", "index": 0}, "WrongState")
    assert match.send(AFTER)["ok"]
    assert match.state == "choose"
    refused_unchanged(match, AFTER, "WrongState")
    choose(match, 0)
    assert (match.state, at(match, 0, 0)) == ("resolve", 2)
    match.send(AFTER)
    assert match.state == "checkWin"
    match.send(AFTER)
    assert (match.state, player(match)) == ("drawTwo", 2)


@pytest.mark.parametrize("row", ROWS)
def test_86_a_paced_game_ends_as_the_unpaced_one(row: tuple[Any, ...]) -> None:
    paced = TurnMachine(row[0], {"boardSize": row[1], "paced": True}, pinned=True)
    k = 0
    straight = TurnMachine(row[0], {"boardSize": row[1]}, pinned=True)
    while paced.state != "endTurn":
        legal = paced.legal_actions()
        if legal:
            action = pick(row[2], legal, k)
            assert paced.act(action)["ok"]
            assert straight.act(action)["ok"]
            k += 1
        else:
            assert paced.send(AFTER)["ok"]
    doc, other = paced.dump(), straight.dump()
    assert (k, doc["turn"]["number"], doc["winner"], doc["rng"]["state"]) == (row[3], row[4], row[5], row[7])
    assert len(doc["log"]) == row[10]
    assert {**doc, "settings": None} == {**other, "settings": None}


def test_86_a_win_is_shown_before_the_last_turn_ends() -> None:
    match = loaded(state([T, P], black=FOUR, paced=True))
    match.send(AFTER)
    choose(match, 0)
    cell(match, 7, 7)
    match.send(AFTER)
    assert (match.state, match.dump()["winner"], player(match)) == ("checkWin", 1, 1)
    assert match.legal_actions() == []
    refused_unchanged(match, {"type": "CHOOSE_CARD", "index": 0}, "WrongState")
    again = loaded(match.dump())
    assert again.dump() == match.dump()
    events = match.send(AFTER)["events"]
    assert [e["event"] for e in events] == ["turnEnded", "matchEnded"]
    assert (match.state, player(match)) == ("endTurn", 2)
    refused_unchanged(match, AFTER, "GameOver")
    drawn_game = {**again.dump(), "winner": "draw", "reason": "turnLimit", "winningLines": []}
    with pytest.raises(SkillGomokuError, match="are inconsistent"):
        SkillGomokuMatch.load(drawn_game)


def test_86_animations_are_not_part_of_a_record() -> None:
    settings = {"seed": 1, "boardSize": 5, "maxTurns": 12}
    record: dict[str, Any] = {"game": "skill_gomoku", "version": 1}
    straight = SkillGomokuMatch(1, {"boardSize": 5, "maxTurns": 12})
    actions = []
    while legal := straight.legal_actions():
        actions.append(legal[-1])
        straight.act(legal[-1])
    record["actions"] = actions
    paced = SkillGomokuMatch.replay({**record, "settings": {**settings, "paced": True}})
    assert {**paced.dump(), "settings": None} == {**straight.dump(), "settings": None}


def test_87_a_choice_may_be_changed() -> None:
    match = loaded(state([PI, PI, P, T], white=[(1, 1)], allowReselect=True))
    assert match.send({"type": "CHOOSE_CARD", "cardId": T})["ok"]
    assert (match.state, discards(match)) == ("selectTarget", [])
    assert match.legal_actions()[:2] == [0, 1]
    assert match.send({"type": "CHOOSE_CARD", "cardId": P})["ok"]
    assert match.state == "selectTarget"
    assert cell(match, 0, 0)["ok"]
    assert discards(match) == [T, P]
    assert tags(match, 1) == ["drawTwo", "choose", "choose", "selectTarget", "resolve", "checkWin"]


def place_two(context: Context, target: Any, generator: Any) -> list[dict[str, Any]]:
    return [{"type": "place", "point": t["point"], "player": context.player} for t in target]


def registry_with_two() -> CardRegistry:
    registry = base_registry()
    spec = {"kind": "cell", "mustBeEmpty": True, "count": {"min": 2, "max": 2}}
    words = {"en": "Two", "zh": "双落"}
    registry.register(CardDefinition("Two", words, words, "2", spec, lambda context: None, place_two))
    return registry


def add(match: Any, x: int, y: int) -> str:
    target = {"kind": "cell", "point": {"x": x, "y": y}}
    return code(match.send({"type": "ADD_TARGET", "target": target}))


def test_88_several_targets_are_added_and_confirmed() -> None:
    match = loaded(state([PI, PI, P, "Two"]), registry_with_two())
    confirm = {"type": "CONFIRM_TARGETS"}
    choose(match, 0)
    refused_unchanged(match, {"type": "SELECT_TARGET", "target": None}, "WrongState")
    assert add(match, 0, 0) == "ok"
    assert match.state == "selectTarget"
    assert add(match, 0, 0) == "DuplicateTarget"
    refused_unchanged(match, confirm, "TooFewTargets")
    assert add(match, 15, 0) == "OutOfBounds"
    assert add(match, 1, 0) == "ok"
    assert add(match, 2, 0) == "TooManyTargets"
    again = SkillGomokuMatch.load(match.dump(), registry=registry_with_two())
    assert again.dump() == match.dump()
    assert match.legal_actions() == [229]
    assert match.act(229)["ok"]
    assert (at(match, 0, 0), at(match, 1, 0)) == (1, 1)
    assert tags(match, 1) == ["drawTwo", "choose", "selectTarget", "resolve", "checkWin"]
    entry = next(e for e in match.log if e["tag"] == "selectTarget")
    assert len(entry["data"]["target"]) == 2


def test_88_ordinary_cards_take_no_added_targets() -> None:
    match = loaded(state([PI, PI, PI, P]), registry_with_two())
    choose(match, 0)
    assert add(match, 0, 0) == "WrongState"
    refused_unchanged(match, {"type": "CONFIRM_TARGETS"}, "WrongState")


def test_a_match_with_a_card_of_a_third_party_plays_on() -> None:
    counts = {"Place": 4, "Two": 4, "Take": 1}
    settings = {"deckCounts": counts, "boardSize": 7, "maxTurns": 60}
    match = SkillGomokuMatch(1, settings, registry=registry_with_two())
    assert not match.compiled
    for _ in range(400):
        legal = match.legal_actions()
        if not legal:
            break
        assert match.act(legal[len(legal) // 2])["ok"]
    assert match.dump()["winner"] is not None
    assert match.dump()["settings"]["deckCounts"]["Two"] == 4


def test_20_6_a_card_whose_effect_fails_fizzles_and_is_thrown_away() -> None:
    def twice(context: Context, target: Any, generator: Any) -> list[dict[str, Any]]:
        return 2 * [{"type": "place", "point": {"x": 0, "y": 0}, "player": context.player}]

    registry, words = base_registry(), {"en": "Twice", "zh": "两次"}
    registry.register(CardDefinition("Twice", words, words, "2", {"kind": "none"}, lambda c: None, twice))
    match = loaded(state([P, P, P, "Twice"]), registry)
    assert choose(match, 0)["ok"]
    entry = next(e for e in match.log if e["tag"] == "resolve")
    assert entry["data"] == {"card": "Twice", "ops": [], "fizzled": True}
    assert (at(match, 0, 0), discards(match), player(match)) == (0, [P, "Twice"], 2)


def test_options_combine() -> None:
    settings = {"confirmEnd": True, "paced": True, "allowReselect": True, "boardSize": 5, "maxTurns": 30}
    match = SkillGomokuMatch(2, settings)
    while match.state != "endTurn":
        legal = match.legal_actions()
        done = match.act(legal[-1]) if legal else match.send(AFTER)
        assert done["ok"]
    assert match.dump()["reason"] is not None


@pytest.mark.parametrize("name", ["confirm_end", "paced", "allow_reselect"])
def test_the_compiled_rules_refuse_extensions_by_name(name: str) -> None:
    with pytest.raises(BadOption, match=name):
        get("skill_gomoku", {name: True})


def test_a_card_may_take_the_place_of_a_base_card() -> None:
    own = CardRegistry(tuple(replace(c, effect=_nothing) if c.id == PI else c for c in BASE_CARDS))
    match = loaded(state([P, P, P, PI], black=[(0, 0)]), own)
    assert choose(match, 0)["ok"]
    assert at(match, 0, 0) == 1  # the base card would have swapped it
    entry = next(e for e in match.log if e["tag"] == "resolve")
    assert entry["data"] == {"card": PI, "ops": [], "fizzled": False}


def _nothing(context: Context, target: Any, generator: Any) -> list[dict[str, Any]]:
    return []


def test_a_freeze_of_any_length_is_kept() -> None:
    def long(context: Context, target: Any, generator: Any) -> list[dict[str, Any]]:
        return [{"type": "freeze", "target": context.opponent, "amount": 1 << 40}]

    registry, words = base_registry(), {"en": "Winter", "zh": "冬"}
    registry.register(CardDefinition("Winter", words, words, "w", {"kind": "none"}, lambda c: None, long))
    match = loaded(state([P, P, P, "Winter"]), registry)
    assert choose(match, 0)["ok"]
    assert match.dump()["status"]["skipNextTurns"] == {"1": 0, "2": (1 << 40) - 1}


def test_a_pinned_match_can_be_loaded_and_goes_on_alike() -> None:
    straight = TurnMachine("demo", {"boardSize": 9}, pinned=True)
    for _ in range(40):
        straight.act(straight.legal_actions()[-1])
    other = TurnMachine.load(straight.dump(), pinned=True)
    while legal := straight.legal_actions():
        assert straight.act(legal[0]) == other.act(legal[0])
    assert other.dump() == straight.dump()
    assert other.dump()["rng"]["algorithm"] == "mulberry32"


class Broken(Exception):
    """What a third party's code may raise."""


def fails(*given: Any) -> Any:
    raise Broken("no such thing")


def registry_with(**functions: Any) -> CardRegistry:
    """Return the base cards and `Odd`, which is aimed at an empty cell and does nothing but what is given."""
    card: dict[str, Any] = {
        "can_play": lambda context: None,
        "effect": _nothing,
        "check": lambda *given: None,
    }
    words, spec = {"en": "Odd", "zh": "怪"}, {"kind": "cell", "mustBeEmpty": True}
    registry = base_registry()
    registry.register(CardDefinition("Odd", words, words, "?", spec, **{**card, **functions}))
    return registry


def spend(context: Context, target: Any, generator: Any) -> Any:
    generator.below(100)
    raise Broken("after it has drawn a number")


FAULTS: dict[str, dict[str, Any]] = {
    "its effect raises": {"effect": fails},
    "its effect has used chance": {"effect": spend},
    "its effect is not a list": {"effect": lambda *given: None},
    "its effect is refused": {
        "effect": lambda context, target, generator: BASE_CARDS[0].effect(context, None, generator)
    },
    "its check raises": {"check": fails},
    "its check answers nonsense": {"check": lambda *given: "no"},
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("pinned", [False, True])
@pytest.mark.parametrize("more", [{}, {"allowReselect": True}, {"paced": True}], ids=str)
def test_a_card_that_fails_is_named_and_the_turn_is_as_it_was(
    fault: str, pinned: bool, more: dict[str, Any]
) -> None:
    start = state([P, P, P, "Odd"], black=[(0, 0)], rng=7, **more)
    match = TurnMachine.load(start, registry=registry_with(**FAULTS[fault]), pinned=pinned)
    good = TurnMachine.load(start, registry=registry_with(), pinned=pinned)
    aim = {"type": "SELECT_TARGET", "target": {"kind": "cell", "point": {"x": 3, "y": 3}}}
    for one in (match, good):
        if more.get("paced"):
            one.send(AFTER)
        assert choose(one, 0)["ok"]
    before, told = match.dump(), match.events("server")
    for _ in range(2):
        with pytest.raises(SkillGomokuError) as raised:
            match.send(aim)
        assert raised.value.code == ("InvalidTarget" if fault == "its effect is refused" else "CardFault")
        assert (match.dump(), match.events("server")) == (before, told)
    assert good.dump() == before
    if more.get("allowReselect"):  # another card can still be chosen
        assert choose(match, 1) == choose(good, 1) and match.dump() == good.dump()


def test_a_card_that_fails_when_it_is_drawn_names_itself() -> None:
    with pytest.raises(SkillGomokuError, match="card 'Odd' raised Broken; nothing has changed") as raised:
        loaded(state([P, P, P, "Odd"]), registry_with(can_play=fails)).legal_actions()
    assert raised.value.code == "CardFault" and isinstance(raised.value.__cause__, Broken)


def test_a_card_that_fails_when_asked_whether_it_can_be_played_changes_nothing() -> None:
    registry = registry_with(can_play=lambda context: fails() if context.player == 2 else None)
    match = loaded(state([P, "Odd", P, PI], black=[(0, 0)]), registry)
    assert choose(match, 0)["ok"] and player(match) == 2
    before = match.dump()
    for ask in (match.legal_actions, lambda: choose(match, 0), lambda: match.act(0), lambda: match.view(2)):
        with pytest.raises(SkillGomokuError, match="card 'Odd' raised Broken"):
            ask()
        assert match.dump() == before
