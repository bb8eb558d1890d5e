"""Volume, speeds, suits and invitations: chosen once, remembered, and with an effect."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .conftest import Visit
from .driver import play_out, quick_game

pytestmark = pytest.mark.slow


def settings(page: Any) -> None:
    page.click("button[aria-label=Settings]")
    page.wait_for_selector("dialog[open] [data-volume]")


def test_comfort_is_chosen_once_and_remembered(visit: Visit) -> None:
    page = visit(lang="en").go()
    settings(page)
    page.fill("[data-volume]", "40")
    page.check("input[name=motion][value=fast]", force=True)
    page.check("input[name=bots][value=slow]", force=True)
    page.check("[data-suits-safe]")
    page.reload()
    settings(page)
    assert page.input_value("[data-volume]") == "40"
    assert page.is_checked("input[name=motion][value=fast]")
    assert page.is_checked("input[name=bots][value=slow]")
    assert page.get_attribute("html", "data-suits") == "safe"
    page.keyboard.press("Escape")
    asked: list[dict[str, Any]] = []
    page.on(
        "request", lambda one: asked.append(one.post_data_json) if one.url.endswith("/api/tables") else None
    )
    quick_game(page, "wuhan_mahjong")
    assert asked[0]["pace"] == "slow"
    red = page.evaluate("() => getComputedStyle(document.querySelector('.stage svg .red')).fill")
    assert red == "rgb(196, 77, 0)"


def test_a_replay_runs_at_the_chosen_speed(visit: Visit) -> None:
    page = visit(lang="en").go()
    quick_game(page, "xianqi")
    play_out(page)
    page.click(".after a[href*=replay]")
    page.wait_for_selector("[data-rate='1']")
    page.click("[data-rate]")
    page.click("[data-rate]")
    page.wait_for_selector("[data-rate='4']")
    page.clock.install(time=0)
    page.clock.pause_at(1000)  # its own time, however busy the machine is
    page.click("button.play")
    page.clock.run_for(3000)  # three plies take at least 3.3 s at the usual speed
    page.wait_for_function("() => document.querySelector('[data-ply]').dataset.ply >= 3")
    page.clock.resume()
    page.reload()
    page.wait_for_selector("[data-rate='4']")


def test_an_invitation_offers_an_address_of_the_network_and_a_code(visit: Visit) -> None:
    page = visit(lang="en").go("/play/nana")
    body = json.dumps({"addresses": ["http://192.168.1.5:8140"]})
    page.route("**/api/reach", lambda route: route.fulfill(body=body, content_type="application/json"))
    page.click("form .button.main")
    page.wait_for_selector("[data-qr]")
    link = page.input_value("[data-invite]")
    assert link.startswith("http://192.168.1.5:8140/table/")
    assert int(page.get_attribute("[data-qr]", "data-qr") or 0) == 29
    assert "same network" in page.inner_text(".invite")


def test_an_invitation_for_this_computer_alone_says_so_and_shows_no_code(visit: Visit) -> None:
    page = visit(lang="en").go("/play/nana")
    page.click("form .button.main")
    page.wait_for_selector(".invite [data-known=true]")
    assert "only works on this computer" in page.inner_text(".invite")
    assert page.query_selector("[data-qr]") is None


def test_an_invitation_is_shared_as_the_device_does_it(visit: Visit) -> None:
    visitor = visit(lang="en")
    visitor.page.add_init_script("navigator.share = (what) => ((window.shared = what), Promise.resolve())")
    page = visitor.go("/play/nana")
    page.click("form .button.main")
    page.wait_for_selector(".invite [data-known=true]")
    page.click("[data-share-link]")
    assert page.evaluate("() => window.shared.url") == page.input_value("[data-invite]")
