"""§22 checks 67-68: the entries of each turn, and the events that mirror them."""

from __future__ import annotations

import random

from qipai.games.skill_gomoku import SkillGomokuMatch, TurnMachine

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
