"""The plays in which `flow.test.ts` counts what interrupts a player are those of the rules."""

from __future__ import annotations

import json

from .flow import FILE, PLAYS, play, write


def test_the_file_holds_what_the_rules_play() -> None:
    """`python -m tests.front.flow` writes it. One play is enough here: the others are played the same way."""
    kept = json.loads(FILE.read_text("utf-8"))
    assert len(kept) == PLAYS
    assert play(1) == kept[1]
    assert write(kept) == FILE.read_text("utf-8")


def test_the_old_flow_would_have_asked_at_least_27_times() -> None:
    """A question about every list, and HOLD in a dialog."""
    assert min(2 * len(one) for one in json.loads(FILE.read_text("utf-8"))) >= 27
