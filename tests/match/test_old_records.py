"""Records written before games were split into parts still replay and verify.

The files come from commit 531181d, whose `qipai verify` called them good: older records have no hash chain
and no signature. The digests are those that it gave for the final states.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from qipai.cli import main
from qipai.core import NOBODY, digest
from qipai.core.option import unwritten
from qipai.games.xianqi.state import BUCKLE, UNDER
from qipai.match import as_match, read_record, replay

RECORDS = Path(__file__).parent / "records"
DIGESTS = {
    "nana": "9437dc184613a9137bc8aa2c58d6e281eabf62d81a7b0a05c6b482c666838a45",
    "paipai_rensa": "fc35b64511ecf9ab3d13ad3aa19729dbdfce8f60d05c3b574d5e1f896a149bad",
    "skill_gomoku": "34c65841603453538fc8b41da3891170ae8e4798c9e159c1b867f28d19730f7f",
    "skill_gomoku_9": "6628e5badec9e63572caed0ef4cf88e61ff9690bec0a284cbafe76a7af164681",
    "wuhan_mahjong": "645d7d73c50aaca1fe7dab0b0bcbee5b9a71d7140f5f74bf36dcc532ab96337d",
    "xianqi": "e143de8399f47fcd8baf1cc23c80612178b6d15098f194d9e72865fa302ba197",
}


def test_every_file_is_tested() -> None:
    assert {path.stem for path in RECORDS.iterdir()} == set(DIGESTS)


@pytest.mark.parametrize("name", DIGESTS)
def test_an_old_record_verifies_and_replays_to_the_same_state(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = RECORDS / f"{name}.jsonl"
    assert main(["verify", str(path)]) == 0
    assert "no hash chain" in capsys.readouterr().out
    match = as_match(read_record(path))
    *_, last = replay(match)
    assert int(last.after["seat"]) == NOBODY
    assert last.ply == match.ply - 1
    rules = match.game.rules
    later = unwritten(rules.options, last.after)  # options of later versions, at their defaults
    assert digest(last.after, rules.scratch + later) == DIGESTS[name]


def test_the_records_hold_what_is_rare() -> None:
    """A smaller board, cards put under, moves of several actions, answers in windows."""
    assert read_record(RECORDS / "skill_gomoku_9.jsonl").head.options["board_size"] == 9
    moves = read_record(RECORDS / "xianqi.jsonl").moves
    assert {UNDER, BUCKLE} <= {min(action, UNDER) for _, actions in moves for action in actions}
    assert any(len(actions) > 1 for _, actions in read_record(RECORDS / "paipai_rensa.jsonl").moves)
    match = as_match(read_record(RECORDS / "wuhan_mahjong.jsonl"))
    sealed = [(match.game.windows.sealed(step.before), step.action) for step in match.steps()]
    answers = [action == decline for decline, action in sealed if decline is not None]
    assert any(answers) and not all(answers)
