"""What a stranger would trip over: names, offers, what a replay cannot steer, and a server that cheats."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

import pytest

from .conftest import Visit
from .driver import play_out, press_through, quick_game

pytestmark = pytest.mark.slow
GUEST = {"zh": "游客", "en": "Guest", "ja": "ゲスト"}


def commitment(seed: str) -> str:
    """Return what the page must compute from a seed."""
    return hashlib.sha256(b"qipai/1/commit" + bytes.fromhex(seed)).hexdigest()


def test_a_seed_swapped_with_its_commitment_after_the_deal_is_found_out(visit: Visit) -> None:
    """A server that tells a fitting pair at the end, but not the one of before the deal."""
    visitor = visit()
    page = visitor.page
    other = "ab" * 32

    def cheat(line: Any) -> None:
        server = line.connect_to_server()

        def pass_on(text: str) -> None:
            message = json.loads(text)
            if message["type"] == "state" and message["seed"] is not None:
                message |= {"seed": other, "commitment": commitment(other)}
            line.send(json.dumps(message))

        server.on_message(pass_on)

    page.route_web_socket(re.compile("/ws/table/"), cheat)
    visitor.go()
    quick_game(page, "xianqi")
    play_out(page)
    for _ in range(2):  # and the page remembers across a reload
        page.click(".after button:has-text('Check this deal')")
        page.click("[data-check-deal]")
        page.wait_for_selector("[data-deal=false]")
        page.reload()
        page.wait_for_selector(".after [data-ready]")


@pytest.mark.parametrize("lang", GUEST)
def test_a_guest_without_a_name_is_called_so_in_the_readers_language(lang: str, visit: Visit) -> None:
    page = visit(lang=lang).go()
    page.wait_for_selector("header .who .name")
    name = page.inner_text("header .who .name")
    assert re.fullmatch(rf"{GUEST[lang]} \d+", name)
    page.click("article[data-game=xianqi] .start")
    page.wait_for_selector(f"aside .seats .name:has-text('{name}')")


@pytest.mark.parametrize("game", ["wuhan_mahjong", "paipai_rensa"])
def test_nobody_in_a_lesson_is_called_by_a_number(game: str, visit: Visit) -> None:
    page = visit(lang="zh").go(f"/learn/{game}")
    page.wait_for_selector(".coach")
    selector = ".stage .plate .name" if game == "wuhan_mahjong" else ".stage .me h3"
    page.wait_for_selector(selector)
    names = page.locator(selector).all_inner_texts()
    assert "你" in names
    assert not any(name.isdigit() for name in names)


def test_the_offer_of_a_lesson_leaves_the_table_to_who_plays(visit: Visit) -> None:
    page = visit().go()
    quick_game(page, "nana")
    page.wait_for_selector("main .lesson")
    press_through(page, 3)
    page.wait_for_selector("main .lesson", state="detached")


@pytest.mark.parametrize("game", ["nana", "xianqi", "wuhan_mahjong", "skill_gomoku", "paipai_rensa"])
def test_a_phone_on_its_side_has_room_for_the_hand(game: str, visit: Visit) -> None:
    page = visit(width=844, height=390).go()
    quick_game(page, game)
    page.wait_for_timeout(300)
    assert page.evaluate("() => document.documentElement.scrollHeight <= innerHeight + 1")
    assert not page.is_visible("main .lesson")
    if game == "nana":
        cards = ".own [data-slot]"
        width = page.eval_on_selector(cards, "e => e.firstElementChild.firstElementChild.clientWidth")
        assert width >= 40
    if game == "paipai_rensa":
        bottom = page.eval_on_selector(".stage .cpu .melds", "e => e.getBoundingClientRect().bottom")
        assert bottom < page.eval_on_selector(".stage .hand", "e => e.getBoundingClientRect().top")


def test_what_the_cpu_has_not_is_readable_on_the_felt(visit: Visit) -> None:
    page = visit().go()
    quick_game(page, "paipai_rensa")
    colours = "e => [getComputedStyle(e).color, getComputedStyle(e.closest('section')).color]"
    said, around = page.eval_on_selector(".stage .cpu p.soft", colours)
    assert said == around


def test_house_rules_for_players_are_switches_and_lists(visit: Visit) -> None:
    page = visit().go("/rules/paipai_rensa")
    page.wait_for_selector("form.house .field")
    assert page.locator("form.house .field").count() == 3  # the others are for experts
    assert page.locator("form.house input[type=number]").count() == 0
    page.uncheck("form.house [role=switch]")
    with page.expect_request(lambda request: request.method == "POST") as sent:
        page.click("[data-try]")
    assert sent.value.post_data_json["options"] == {"bias_enabled": "off"}


def test_a_number_that_is_no_amount_is_an_empty_field(visit: Visit) -> None:
    page = visit().go("/play/skill_gomoku")
    page.wait_for_selector("form summary")
    page.eval_on_selector_all("form details", "all => all.forEach((one) => (one.open = true))")
    assert "-1" not in page.inner_text("form .options")
    field = page.locator("form .options .field:has-text('number of Place Stone cards') input")
    assert field.input_value() == "" and field.get_attribute("placeholder") == "as in the deck"
    field.fill("9")
    field.blur()
    with page.expect_request(lambda request: request.method == "POST") as sent:
        page.click("form button.main")
    assert sent.value.post_data_json["options"] == {"places": 9}


@pytest.mark.parametrize("lang", GUEST)
def test_who_begins_is_asked_in_words_without_numbers_for_programs(lang: str, visit: Visit) -> None:
    page = visit(lang=lang).go("/play/wuhan_mahjong")
    page.wait_for_selector("form summary")
    page.eval_on_selector_all("form details", "all => all.forEach((one) => (one.open = true))")
    asked = page.locator("form .options .field").all_inner_texts()
    assert len(asked) > 10
    dealer = "who deals the first hand|首局庄家|最初の親"
    assert "-1" not in next(one for one in asked if re.search(dealer, one))
