"""The mahjong table: a tile is pulled out of the hand to discard it, and rivers are six wide."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from .conftest import Visit
from .driver import quick_game

pytestmark = pytest.mark.slow
TILE = ".stage .hand button.open"
RIVER = ".stage .river.bottom .slot"
# By seat, the places of the tiles of a river, line after line from the viewer's left as that seat sits.
LINES = """(side) => {
  const across = ['top', 'bottom'].includes(side);
  const places = [...document.querySelectorAll(`.stage .river.${side} .slot`)].map((tile) => {
    const { left, top } = tile.getBoundingClientRect();
    return Math.round(across ? top : left);
  });
  return [...new Set(places)].map((place) => places.filter((one) => one === place).length);
}"""


def start(visit: Visit, **looks: Any) -> Any:
    """Open a game, and wait until a tile can be discarded."""
    page = visit(**looks).go()
    quick_game(page, "wuhan_mahjong")
    for _ in range(60):
        page.wait_for_selector(".stage[data-asked=yes]")
        if page.query_selector(TILE):
            return page
        page.evaluate("() => qipaiDriver.press()")  # a claim comes first
        page.wait_for_timeout(100)
    pytest.fail("there is nothing to discard")


def discards(page: Any) -> int:
    """Count the tiles that the person has discarded, also those that others claimed."""
    return sum("You discard" in line for line in page.locator("aside .log li").all_inner_texts())


def test_a_tile_pulled_out_of_the_hand_is_discarded(visit: Visit) -> None:
    page = start(visit)
    before = discards(page)
    box = page.locator(TILE).first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for to in ((x + 90, y - 10), (x, y - 300)):  # next to its place it stays in the hand
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move((x + to[0]) / 2, (y + to[1]) / 2)
        page.mouse.move(*to)
        assert discards(page) == before
        page.mouse.up()
        if to[1] == y - 10:
            page.wait_for_timeout(300)
            assert discards(page) == before
    page.wait_for_function(
        "before => [...document.querySelectorAll('aside .log li')]"
        ".filter((line) => line.innerText.includes('You discard')).length === before + 1",
        arg=before,
    )


def test_a_finger_pulls_a_tile_out_too(visit: Visit) -> None:
    page = start(visit, width=390, height=844, touch=True)
    tick = page.get_attribute(".stage", "data-tick")
    box = page.locator(TILE).last.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        where = [{"x": x, "y": y} for x, y in points]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where})

    touch("touchStart", (x, y))
    for n in range(1, 6):
        touch("touchMove", (x, y - 40 * n))
    assert page.get_attribute(".stage", "data-tick") == tick
    touch("touchEnd")
    page.wait_for_function("tick => document.querySelector('.stage').dataset.tick !== tick", arg=tick)


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_rivers_are_six_wide_and_face_their_seats(width: int, height: int, visit: Visit) -> None:
    visitor = visit(width=width, height=height)
    tiles = [f"{n}{suit}" for suit in "ms" for n in range(1, 10)][:14]

    def flood(line: Any) -> None:
        server = line.connect_to_server()

        def pass_on(text: str) -> None:
            message = json.loads(text)
            if message["type"] == "state":
                message["view"]["rivers"] = [tiles] * 4
            line.send(json.dumps(message))

        server.on_message(pass_on)

    visitor.page.route_web_socket(re.compile("/ws/table/"), flood)
    page = visitor.go()
    quick_game(page, "wuhan_mahjong")
    page.wait_for_selector(f"{RIVER} >> nth=13")
    page.wait_for_timeout(200)
    for side in ("bottom", "right", "top", "left"):
        assert page.evaluate(LINES, side) == [6, 6, 2], side


CROWDED = """() => {
  const box = (e) => e.getBoundingClientRect();
  const inside = (a, b) => a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1;
  const before = (a, b) => a.right <= b.left + 1 || a.bottom <= b.top + 1;
  const apart = (a, b) => before(a, b) || before(b, a);
  const found = [];
  const centre = box(document.querySelector('.stage .box'));
  for (const one of document.querySelectorAll('.stage .kinds figcaption'))
    if (!inside(box(one), centre)) found.push('outside the centre: ' + one.innerText);
  const backs = [...document.querySelectorAll('.stage .backs i')].map(box);
  for (const plate of document.querySelectorAll('.stage .plate')) {
    if (plate.scrollWidth > plate.clientWidth) found.push('cut: ' + plate.innerText);
    if (!backs.every((tile) => apart(tile, box(plate)))) found.push('covered: ' + plate.innerText);
  }
  const lines = {};
  for (const river of document.querySelectorAll('.stage .tight .river'))
    for (const tile of river.querySelectorAll('.slot'))
      (lines[river.dataset.spot + Math.round(box(tile).top)] ??= []).push(box(tile).left - box(river).left);
  const starts = new Set(Object.values(lines).map((places) => Math.round(Math.min(...places))));
  if (starts.size > 1) found.push('lines of a river begin at ' + [...starts]);
  return found;
}"""


@pytest.mark.parametrize(
    ("width", "height", "lang"),
    [(844, 390, "en"), (844, 390, "zh"), (768, 860, "en"), (1280, 800, "en"), (390, 844, "ja")],
)
def test_plates_and_the_centre_have_room_for_their_words(
    width: int, height: int, lang: str, visit: Visit
) -> None:
    visitor = visit(width=width, height=height, lang=lang)
    tiles = [f"{n}{suit}" for suit in "ms" for n in range(1, 10)][:14]

    def crowd(line: Any) -> None:
        server = line.connect_to_server()

        def pass_on(text: str) -> None:
            message = json.loads(text)
            if message["type"] == "state":
                message["view"] |= {"rivers": [tiles] * 4, "fans": [16] * 4, "dealer": 1}
            line.send(json.dumps(message))

        server.on_message(pass_on)

    visitor.page.route_web_socket(re.compile("/ws/table/"), crowd)
    page = visitor.go()
    quick_game(page, "wuhan_mahjong")
    page.wait_for_selector(f"{RIVER} >> nth=13")
    page.wait_for_timeout(200)
    assert page.evaluate(CROWDED) == []
