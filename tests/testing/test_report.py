"""What a check says: a case that can be replayed, and a table with a line for every property."""

from __future__ import annotations

import secrets

from qipai.match import Match
from qipai.testing.report import ABOUT, Case, ConformanceError, Failure, Property, Report
from tests.toys_check.hush import GAME, HANDS


def test_every_property_is_described() -> None:
    assert set(ABOUT) == set(Property)


def test_a_case_comes_back_to_the_state_in_which_it_happened() -> None:
    s = GAME.new({"cards": 1}, 3, (1, 2, 3, 4))
    actions: list[int] = []
    for _ in range(3):
        actions.append(GAME.legal_actions(s)[0])
        GAME.rules.apply(s, actions[-1])
    case = Case(0, 7, {"cards": 1}, 3, (1, 2, 3, 4), actions)
    assert case.ply == 3
    assert case.replay(GAME).tobytes() == s.tobytes()
    assert "seed 0, game 7, ply 3" in str(case) and str(actions) in str(case)


def test_a_case_of_a_layout_names_the_layout() -> None:
    case = Case(0, -1, {}, 3, (0, 0, 0, 0), layout={"hand": HANDS})
    assert case.replay(GAME)["hand"].tolist() == HANDS
    assert str(case).startswith("a layout") and str(HANDS) in str(case)


def test_a_case_of_a_match_uses_the_keys_of_the_match() -> None:
    seed = secrets.token_bytes(32)
    match = Match(GAME, seats=3, seed=seed)
    actions: list[int] = []
    while len(actions) < 3 and not match.over:
        move = [match.game.legal_actions(match.state)[0]]
        s = match.state
        GAME.rules.apply(s, move[0])
        while GAME.unfinished(s):
            move.append(GAME.legal_actions(s)[0])
            GAME.rules.apply(s, move[-1])
        match.act(match.seat, move)
        actions += move
    case = Case(0, 0, {}, 3, (0, 0, 0, 0), actions, secret=seed.hex())
    assert case.replay(GAME).tobytes() == match.state.tobytes()
    assert f"bytes.fromhex('{seed.hex()}')" in str(case)


def test_the_table_tells_what_held_what_failed_and_what_was_skipped() -> None:
    report = Report("hush", games=1200, counts={Property.MASK: 5, Property.DEAL: 2})
    report.failures.append(Failure(Property.DEAL, "a card is left"))
    report.skipped[Property.BATCH] = "skipped, for deal failed"
    report.seen[Property.MASK] = "a remark"
    head, *rows = report.lines()
    assert head.startswith("hush: 1,200 games")
    verdicts = {row[9:29].strip(): row.split()[0] for row in rows}
    assert len(rows) == len(Property)
    assert [verdicts[name] for name in ("mask", "deal", "batch", "pieces")] == ["OK", "FAILED", "skip", "-"]
    assert any(row.endswith("(a remark)") for row in rows)


def test_a_property_that_could_not_be_checked_well_is_a_warning_and_no_green_line() -> None:
    report = Report("hush", counts={Property.TWINS: 0, Property.MASK: 1})
    report.warnings = {Property.TWINS: "none are there", Property.MASK: "looked at once"}
    rows = {row[9:29].strip(): row for row in report.lines()[1:]}
    assert rows["twins"].split()[0] == "warn" and rows["twins"].endswith("(none are there)")
    assert rows["mask"].split()[0] == "warn"
    report.failures.append(Failure(Property.MASK, "empty"))
    assert any(row.split()[:2] == ["FAILED", "mask"] for row in report.lines())


def test_the_error_lists_every_failure_with_its_case() -> None:
    case = Case(3, 1, {}, 2, (0, 0, 0, 0))
    report = Report("hush", failures=[Failure(Property.MASK, "empty", case), Failure(Property.DEAL, "left")])
    text = str(ConformanceError(report))
    assert "hush breaks the contract" in text
    assert "mask: empty\n    at seed 3, game 1, ply 0" in text and "deal: left" in text
