"""The flow of Paipai Rensa: what interrupts a player, and what is kept without a question."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from .conftest import Visit

pytestmark = pytest.mark.slow
PLAYER = Path(__file__).parent / "rensa.js"
PAIRS = 50
# Short waits of the page (motion, the notice of HOLD) take an eighth of their time.
QUICK = "const wait = setTimeout; window.setTimeout = (f, ms = 0) => wait(f, ms < 1000 ? ms / 8 : ms)"


def sit_down(page: Any) -> None:
    """Open a table of this game, with a player in the page."""
    page.add_init_script(QUICK)
    page.add_init_script(path=PLAYER)
    page.goto(page.url)
    page.click("article[data-game=paipai_rensa] .start")
    page.wait_for_selector(".stage[data-game=paipai_rensa] [data-column]")


def place(page: Any, pairs: int) -> dict[str, Any]:
    """Place so many pairs; return the dialogs and notices met, and the lengths of the lists asked about."""
    for _ in range(pairs):
        if not page.evaluate("() => qipaiRensa.place()"):
            break
    page.wait_for_selector(".stage[data-asked=yes], .after")
    found: dict[str, Any] = page.evaluate("() => qipaiRensa.seen")
    return found


def test_fifty_pairs_interrupt_at_most_a_third_as_often_as_they_did(visit: Visit) -> None:
    """Every list was asked about, every HOLD was a dialog. `flow.test.ts` counts the same in six plays."""
    page = visit().go()
    sit_down(page)
    seen = place(page, PAIRS)
    assert seen["placed"] == PAIRS
    assert min(seen["asked"], default=15) > 14  # a hand with room keeps everything
    holds = seen["dialogs"] + seen["notices"]
    assert holds >= 9
    assert len(seen["asked"]) + seen["dialogs"] <= 2 * holds / 3


def test_a_refused_keep_is_asked_once_and_then_shown(visit: Visit) -> None:
    page = visit().go()
    sent: list[list[int]] = []

    def refuse(line: Any) -> None:
        server = line.connect_to_server()

        def pass_on(text: str) -> None:
            message = json.loads(text)
            if message.get("type") == "act" and set(message["actions"]) == {24}:
                sent.append(message["actions"])
                line.send(json.dumps({"type": "refused", "ref": message["ref"], "code": "illegal_action"}))
            else:
                server.send(text)

        line.on_message(pass_on)

    page.route_web_socket(re.compile("/ws/table/"), refuse)
    sit_down(page)
    for _ in range(40):
        if not page.evaluate("() => qipaiRensa.place(false)"):
            break
    page.wait_for_selector(".stage [data-allocation]")
    assert len(sent) == 1
    assert page.evaluate("() => qipaiRensa.seen.asked") == [len(sent[0])]
