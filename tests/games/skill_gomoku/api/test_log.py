"""§22 checks 67-68: the entries of each turn, and the events that mirror them."""

from __future__ import annotations

import random
import re
from pathlib import Path

from qipai.games.skill_gomoku import SkillGomokuMatch, TurnMachine, rules
from qipai.games.skill_gomoku.api.log import EVENT_OF_TAG

from ..positions import TF, P, T, choose, state, tags

RUNS = [
    ["drawTwo", "choose", "selectTarget", "resolve", "checkWin"],
    ["drawTwo", "choose", "resolve", "checkWin"],
    ["skip"],
    ["drawTwo"],
]


def test_67_every_turn_logs_one_of_the_known_runs(matches: int = 6) -> None:
    rng = random.Random(67)
    for seed in range(matches):
        match = SkillGomokuMatch(seed, {"boardSize": rng.choice([5, 9])})
        while legal := match.legal_actions():
            match.act(rng.choice(legal))
        log = match.log
        assert [e["seq"] for e in log] == list(range(1, len(log) + 1))
        for turn in range(1, match.dump()["turn"]["number"] + 1):
            entries = [e for e in log if e["turn"] == turn]
            assert [e["tag"] for e in entries] in RUNS
            assert [e["at"] for e in entries] == list(range(1, len(entries) + 1))
            assert len({e["player"] for e in entries}) == 1


def test_68_messages_begin_with_their_tag() -> None:
    match = SkillGomokuMatch(3, {"boardSize": 5})
    while legal := match.legal_actions():
        match.act(legal[-1])
    for entry in match.log:
        assert entry["message"].startswith(f"{entry['tag']}:")
    messages = {e["message"] for e in match.log}
    assert "checkWin: none" in messages
    assert any(m.startswith('selectTarget: {"kind":') for m in messages)


def test_every_tag_has_its_event() -> None:
    match = TurnMachine.load(state([P, P, T, TF], size=5))
    choose(match, 0)
    match.act(2)
    kinds = [e["event"] for e in match.events("server")]
    assert kinds == [
        "targetSelected", "effectResolved", "winChecked", "turnEnded",
        "turnStarted", "turnSkipped", "turnEnded", "turnStarted", "cardsDrawn",
    ]  # fmt: skip
    assert tags(match, 2) == ["skip"]


def test_every_log_entry_is_told_as_an_event_of_the_same_content(matches: int = 3) -> None:
    rng = random.Random(10)
    seen: set[str] = set()
    for seed in range(matches):
        match = TurnMachine(seed, {"boardSize": 5})
        told = [e for e in match.events("server") if "tag" in e]
        while legal := match.legal_actions():
            match.act(rng.choice(legal))
            told += [e for e in match.events("server") if "tag" in e]
        log = match.dump()["log"]
        assert [{key: value for key, value in e.items() if key != "event"} for e in told] == log
        assert [e["event"] for e in told] == [EVENT_OF_TAG[entry["tag"]] for entry in log]
        seen |= {entry["tag"] for entry in log}
    assert seen == set(EVENT_OF_TAG)


def test_14_2_tags_and_events_are_those_of_the_readme_in_its_order() -> None:
    page = (Path(rules.__file__).parent / "README.md").read_text("utf-8")
    clause = page.partition("**14.2**")[2].partition("**14.3**")[0]
    tags, events = re.findall(r"`([a-z]+(?:[A-Z][a-z]+)*(?:\s+[a-zA-Z]+){5})`", clause)
    assert tags.split() == list(EVENT_OF_TAG)
    assert events.split() == list(EVENT_OF_TAG.values())
