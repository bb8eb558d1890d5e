"""Around the hand: leaving and coming back, matches with an end, and what must not be told too early."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from .conftest import Visit
from .driver import asked, log_lines, next_hand, play_out, press_some, press_through, quick_game

pytestmark = pytest.mark.slow
SPILLED = """() => {
  const box = (e) => e.getBoundingClientRect();
  const stage = box(document.querySelector('.stage'));
  const plates = [...document.querySelectorAll('.stage .plate')];
  const tiles = [...document.querySelectorAll('.stage .open [data-code], .stage .laid .slot')].map(box);
  const outside = (r) =>
    r.top < stage.top || r.bottom > stage.bottom || r.left < stage.left || r.right > stage.right;
  const apart = (a, b) => a.right - 1 <= b.left || a.bottom - 1 <= b.top;
  const meets = (a, b) => !apart(a, b) && !apart(b, a);
  const found = [];
  for (const plate of plates) {
    if (outside(box(plate))) found.push('outside: ' + plate.innerText);
    if (tiles.some((tile) => meets(tile, box(plate)))) found.push('covered: ' + plate.innerText);
    const delta = plate.querySelector('.delta');
    if (delta && box(delta).right > box(plate).right + 1) found.push('cut: ' + plate.innerText);
  }
  const centre = box(document.querySelector('.stage .centre'));
  for (const tile of [...document.querySelectorAll('.stage .river .slot')].map(box))
    if (tile.bottom > centre.bottom + 1 || tile.height < 8) found.push('a discard is clipped');
  return found;
}"""


def test_the_end_of_mahjong_is_readable_on_a_phone_held_sideways(visit: Visit, shots: Path) -> None:
    page = visit(lang="zh", width=844, height=390).go()
    quick_game(page, "wuhan_mahjong")
    play_out(page)
    page.wait_for_selector(".stage [role=dialog]")
    page.click(".stage [role=dialog] button >> nth=-1")
    page.wait_for_timeout(300)
    page.screenshot(path=shots / "wuhan_mahjong-sideways-end.png")
    assert page.evaluate(SPILLED) == []


def test_a_person_who_leaves_finds_the_table_in_the_lobby_as_it_was(visit: Visit, shots: Path) -> None:
    page = visit().go()
    quick_game(page, "xianqi")
    press_through(page, 2)
    link, before = page.url, log_lines(page)
    page.click("header button[aria-label=Leave]")
    page.wait_for_selector("dialog:has-text('waits for you')")
    page.click("dialog button.call")
    page.wait_for_selector("[data-mine]:has-text('Your turn')")
    page.screenshot(path=shots / "lobby-continue.png")
    page.go_back()  # as in any other page
    page.wait_for_url(link)
    page.wait_for_selector(".stage[data-asked=yes]")
    page.go_back()
    page.wait_for_selector("article")
    page.click("[data-mine] a")
    page.wait_for_selector(".stage[data-asked=yes]")
    assert log_lines(page) == before
    assert not page.query_selector("[data-return]")  # nobody played meanwhile


def test_a_game_in_progress_survives_closing_the_tab(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go()
    quick_game(page, "skill_gomoku")
    link = page.url
    page.close()
    again = visitor.context.new_page()
    again.goto(visitor.url)
    again.click("[data-mine] a")
    again.wait_for_selector(".stage[data-asked=yes]")
    assert again.url == link


def test_a_match_of_three_hands_ends_with_a_ranking(visit: Visit, shots: Path) -> None:
    page = visit().go("/play/xianqi")
    page.select_option("[data-goal]", "hands")
    page.fill("[data-goal-count]", "3")
    for seat in ("2", "3"):
        page.select_option(f"select[aria-label='Seats {seat}']", "random")
    page.click("form button.main")
    for hand in range(3):
        ends = not asked(page)
        assert f"Hand {hand + 1} of 3 hands" in page.inner_text("header h1")
        if not ends:
            assert not page.query_selector("[data-ranking]")
            play_out(page)
        if hand < 2:
            assert not page.query_selector("[data-ranking]")
            next_hand(page)
    page.wait_for_selector("[data-ranking]")
    page.screenshot(path=shots / "ranking.png")
    assert page.locator("[data-ranking] li").count() == 3
    chips = [
        int(text.replace("−", "-")) for text in page.locator("[data-ranking] li span.num").all_inner_texts()
    ]
    assert chips == sorted(chips, reverse=True)
    page.click(".after [data-ready]:has-text('New match')")
    page.wait_for_selector("header h1:has-text('Hand 1 of 3')")


def test_the_log_and_the_chips_wait_for_the_table(visit: Visit) -> None:
    """A move takes a second to be shown; the side panel does not tell it first."""
    page = visit(motion=True).go()
    quick_game(page, "skill_gomoku")
    page.wait_for_timeout(1500)
    page.evaluate("""() => {
      window.early = 0;
      const count = () => document.querySelectorAll('aside .log li').length;
      let seen = count(), tick = document.querySelector('.stage').dataset.tick;
      new MutationObserver(() => {  // called after every change, so no moment is missed on a slow machine
        const now = document.querySelector('.stage').dataset.tick;
        const moving = document.querySelector('.stage .deal, .stage .chosen, .stage .fizzle');
        if (now !== tick && count() > seen && moving) window.early++;
        if (!moving) [seen, tick] = [count(), now];
      }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    }""")
    press_through(page, 4)
    page.wait_for_timeout(2500)
    assert page.evaluate("() => window.early") == 0
    assert len(log_lines(page)) > 2


RECORD = """() => {
  const seen = {
    shown: () => document.querySelector('.stage').dataset.tick,
    log: () => document.querySelectorAll('aside .log li').length,
    chips: () => document.querySelector('aside .seats .chips').innerText,
    result: () => document.querySelectorAll('.after').length,
  };
  const first = Object.fromEntries(Object.entries(seen).map(([name, look]) => [name, look()]));
  window.changed = {};
  new MutationObserver(() => {  // called after every change, however busy the machine is
    for (const [name, look] of Object.entries(seen))
      if (look() !== first[name]) window.changed[name] ??= performance.now();
  }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
}"""


def test_mahjong_shows_its_ending_before_log_and_chips_tell_it(visit: Visit) -> None:
    visitor = visit(motion=True)
    lines: list[Any] = []
    last: dict[str, Any] = {}

    def listen(line: Any) -> None:
        server = line.connect_to_server()
        lines.append(line)

        def pass_on(text: str) -> None:
            message = json.loads(text)
            last[message["type"]] = message
            line.send(text)

        server.on_message(pass_on)

    visitor.page.route_web_socket(re.compile("/ws/table/"), listen)
    page = visitor.go()
    quick_game(page, "wuhan_mahjong")
    page.wait_for_timeout(1500)  # the deal
    page.evaluate(RECORD)
    table, state, deltas = last["table"], last["state"], [-300, 300, 0, 0]
    events = [{"event": "win", "seat": 1}, {"event": "end", "deltas": deltas}]
    told = {"events": events, "lines": [["end.flow_none", {}]] * 2, "version": state["version"] + 2}
    ended = {"over": True, "payoff": deltas, "legal": [], "turn": None, "clock": None, "turn_clock": None}
    lines[-1].send(json.dumps({**table, "table": {**table["table"], "status": "over", "chips": deltas}}))
    lines[-1].send(json.dumps({**state, **told, **ended}))
    page.wait_for_function("() => Object.keys(window.changed).length === 4")
    changed = page.evaluate("() => window.changed")
    for name in ("log", "chips", "result"):
        assert changed[name] - changed["shown"] > 500, name  # a win is called out for 700 ms


@pytest.mark.parametrize("aid", [True, False])
def test_the_log_of_nana_is_hidden_without_the_memory_aid(aid: bool, visit: Visit) -> None:
    page = visit().go()
    page.wait_for_selector("article")
    body = {"game": "nana", "seats": 2, "bots": ["random"], "aid": aid, "options": {"first": 0}}
    table = page.evaluate(
        "body => fetch('/api/tables', { method: 'POST', headers: { 'content-type': 'application/json' },"
        " body: JSON.stringify(body) }).then((answer) => answer.json())",
        body,
    )["table"]
    page.goto(f"{page.url}table/{table}")
    page.wait_for_selector(".stage[data-asked=yes]")
    assert press_some(page, 2) == 2
    if aid:
        page.wait_for_selector("aside .log li:nth-child(2)")
    page.wait_for_timeout(500)
    hidden = [line for line in log_lines(page) if "game of memory" in line]
    assert (hidden == []) if aid else (hidden == log_lines(page) and len(hidden) == 1)


def test_phrases_and_reactions_are_said_and_a_muted_chat_stays_muted(visit: Visit) -> None:
    page = visit().go()
    quick_game(page, "nana")
    page.click("aside .talk summary")
    page.click("[data-phrase=nice]")
    page.wait_for_selector("aside .talk li:has-text('Nice move!')")
    page.click("aside .talk .phrases button:has-text('👍')")
    page.wait_for_selector("aside .talk li:has-text('👍')")
    page.check("[data-hush]")
    for _ in range(2):  # and on the next visit
        page.wait_for_selector("aside .talk li:has-text('The chat is muted')")
        assert page.locator("aside .talk li").count() == 1
        page.reload()
    page.click("aside .talk summary")
    page.uncheck("[data-hush]")
    page.wait_for_selector("aside .talk li:has-text('Nice move!')")


def test_a_card_pointed_at_while_the_bot_plays_says_something_whole(visit: Visit) -> None:
    page = visit(lang="zh", motion=True).go()
    quick_game(page, "skill_gomoku")
    page.evaluate("""() => {
      window.said = [];
      setInterval(() => {
        const card = document.querySelector('.stage .turn button.card');
        card?.dispatchEvent(new PointerEvent('pointerenter', { pointerType: 'mouse' }));
        window.said.push(document.querySelector('.stage .status p')?.innerText ?? '');
      }, 40);
    }""")
    press_through(page, 4)
    said: list[str] = page.evaluate("() => window.said")
    assert said and not [line for line in said if re.search("[:：][。.]", line)]


def test_fixed_choices_are_offered_as_a_list(visit: Visit) -> None:
    page = visit().go("/play/wuhan_mahjong")
    page.wait_for_selector("form summary")
    page.eval_on_selector_all("form details", "all => all.forEach((one) => (one.open = true))")
    field = page.locator("form .options .field:has-text('most that a loser pays')")
    assert field.locator("option").all_inner_texts() == ["300", "500", "800"]
    flow = page.locator("form .options .field:has-text('most of one payment') option").all_inner_texts()
    assert flow == ["300", "no limit"]


def test_an_invitation_to_this_computer_says_so(visit: Visit) -> None:
    page = visit().go("/play/xianqi")
    page.click("form button.main")
    page.wait_for_selector("[data-invite]")
    page.wait_for_selector(".invite:has-text('only works on this computer')")


def coach(page: Any) -> str:
    """Return what the coach says."""
    return str(page.inner_text(".coach .bubble p"))


@pytest.mark.parametrize(("game", "width"), [("xianqi", 1280), ("wuhan_mahjong", 390), ("skill_gomoku", 768)])
def test_the_coach_repeats_no_finished_instruction_and_the_table_stays(
    game: str, width: int, visit: Visit
) -> None:
    visitor = visit(width=width)
    page = visitor.page
    with page.expect_response(f"**/api/lessons/{game}") as answer:
        visitor.go(f"/learn/{game}")
    lesson = answer.value.json()
    page.wait_for_selector(".stage")
    heights = set()
    for number, step in enumerate(lesson["steps"][:6]):
        page.wait_for_function("n => document.querySelector('[data-step]').dataset.step >= n", arg=number)
        if page.get_attribute("[data-step]", "data-step") != str(number):
            continue
        heights.add(round(page.eval_on_selector(".stage", "e => e.getBoundingClientRect().top")))
        if step["seat"] == lesson["seat"]:
            page.wait_for_selector(".stage[data-asked=yes]")
            for _ in range(100):
                if page.get_attribute("[data-step]", "data-step") != str(number):
                    break
                page.evaluate("actions => qipaiDriver.follow(actions)", step["actions"])
                page.wait_for_timeout(50)
        else:
            said = coach(page)
            if page.get_attribute("[data-step]", "data-step") == str(number):
                assert said == step["say"].get("en", "") or said.startswith("Watch")
            if any(step["say"].values()):
                page.click("[data-onward]")
    assert len(heights) == 1


@pytest.mark.parametrize(
    ("lang", "tap", "key"),
    [("en", "tap", "press|Space|←"), ("zh", "点", "按|空格|←"), ("ja", "タップ", "押|キー|←")],
)
def test_a_lesson_on_a_touch_screen_speaks_of_taps(lang: str, tap: str, key: str, visit: Visit) -> None:
    page = visit(lang=lang, width=390, height=844, touch=True).go("/learn/paipai_rensa")
    page.wait_for_selector(".coach")
    assert tap in coach(page)
    texts = page.locator(".coach .words p").all_text_contents()  # everything that it will say
    assert len(texts) > 3 and not [text for text in texts if re.search(key, text)]
