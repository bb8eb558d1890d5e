"""The frames of live play as lines of text with colours (README §16); no terminal is needed here.

A tile is four columns wide: numeral and suit on white. 萬 is red, 筒 blue, 索 green; the numeral is red
only on a red five.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..api.game import PaipaiGame
from ..api.selftest import Row
from ..planner import behind_next
from ..state import COLS, HAND_MAX, ROWS
from ..text import MESSAGES, verdict
from ..tiles import HONOUR, HONOURS, code_of, copies_of, is_red, kind_of, sort_key, suit_of, values
from ..view import progress

RED, BLUE, GREEN, DARK = (198, 40, 40), (21, 101, 192), (46, 125, 50), (33, 33, 33)
PAPER, EMPTY_CELL, HAND_FRAME, DISCARD_FRAME = (250, 250, 245), (38, 50, 56), (30, 136, 229), (229, 57, 53)
NUMERALS = ("一二三四五六七八九", "①②③④⑤⑥⑦⑧⑨", "ⅠⅡⅢⅣⅤⅥⅦⅧⅨ")
SUIT_SIGNS = "萬筒索"
SUIT_COLOURS = (RED, BLUE, GREEN)
HONOUR_SIGNS = dict(zip(HONOURS, "東南西北白發中", strict=True))
HONOUR_COLOURS = {"F": GREEN, "C": RED}
RESET = "\x1b[0m"
CELL = 4  # columns of a tile
PANEL = COLS * CELL + 6  # where the right side begins
LIST_ROW = 12  # tiles in a line of the allocation

Say = Callable[..., str]  # a key of messages/, and its values


def speaker(lang: str) -> Say:
    """Return a function that fills in the messages of the game in a language; the player is "you"."""

    def say(key: str, **values: Any) -> str:
        return MESSAGES.tell((key, values), lang, None, 0)

    return say


def _rgb(code: int, colour: tuple[int, int, int]) -> str:
    return f"\x1b[{code};2;{colour[0]};{colour[1]};{colour[2]}m"


def tile(t: int, back: tuple[int, int, int] = PAPER) -> str:
    """Return a tile's face, four columns wide."""
    suit = suit_of(t)
    paper = _rgb(48, back)
    if suit == HONOUR:
        letter = code_of(t)[1]
        return f"{paper}{_rgb(38, HONOUR_COLOURS.get(letter, DARK))}\x1b[1m {HONOUR_SIGNS[letter]} {RESET}"
    numeral = NUMERALS[suit][kind_of(t) % 9]
    ink = RED if is_red(t) else (DARK if suit == 0 else SUIT_COLOURS[suit])
    gap = "" if suit == 0 else " "  # ① and Ⅰ are one column wide
    return (
        f"{paper}{_rgb(38, ink)}\x1b[1m{numeral}{gap}{_rgb(38, SUIT_COLOURS[suit])}{SUIT_SIGNS[suit]}{RESET}"
    )


def tiles_line(tiles: list[int], back: tuple[int, int, int] = PAPER) -> str:
    """Return faces side by side."""
    return " ".join(tile(t, back) for t in tiles)


def board_lines(game: PaipaiGame) -> list[str]:
    """Return the board with its frame and the falling pair."""
    cells = game.board.cells
    falling: dict[tuple[int, int], int] = {}
    if game.falling:
        pair = values(game.record["pair"])
        falling = dict(zip(game.cells(), pair, strict=True))
    dot = f"{_rgb(48, EMPTY_CELL)}{_rgb(38, (84, 110, 122))} ·  {RESET}"
    lines = ["╔" + "═" * (COLS * CELL) + "╗"]
    for row in range(ROWS):
        faces = []
        for col in range(COLS):
            here = falling.get((col, row), cells[COLS * row + col])
            faces.append(dot if here is None else tile(here))
        lines.append("║" + "".join(faces) + "║")
    return [*lines, "╚" + "═" * (COLS * CELL) + "╝"]


def panel_lines(game: PaipaiGame, say: Say) -> list[str]:
    """Return the right side: supply, NEXT, scores, hand, the CPU's progress."""
    s = game.record
    left, total = game.remaining(), int(s["total"])
    full = 20 * left // max(1, total)
    hand = sorted(values(s["hand"]), key=sort_key)
    upcoming = values(s["deck"][int(s["at"]) : min(behind_next(s), total)])
    lines = [
        f"{say('table.left')} {'█' * full}{'░' * (20 - full)} {left}/{total}",
        "",
        f"{say('table.next')}  {tiles_line(upcoming)}",
        "",
        f"{say('table.score')} {game.score}    {say('table.chain')} {game.chain}",
        f"{say('table.cpu')} {game.cpu_score}",
        "",
        f"{say('table.hand')} {len(hand)}/{HAND_MAX}",
        tiles_line(hand[:7]),
        tiles_line(hand[7:]),
        "",
        say("table.progress"),
    ]
    return lines + progress_lines(game, say)


def progress_lines(game: PaipaiGame, say: Say) -> list[str]:
    """Return the preview of the CPU's hand (§16), the pair included."""
    found = progress(game.record)
    if not found["melds"]:
        return [say("table.not_yet")]
    groups = found["melds"] + ([found["pair"]] if found["pair"] else [])
    faces = ["".join(tile(copies_of(code)[-1]) for code in group) for group in groups]
    return [" ".join(faces[:2]), " ".join(faces[2:])]


def title_lines(say: Say) -> list[str]:
    """Return the title screen: the name as it is written in Japan, and in the player's language."""
    name = " ".join(MESSAGES.say("title", "ja"))
    return ["", "", f"   {name}", f"   {say('title')}", "", f"   {say('terminal.any')}"]


def alloc_order(game: PaipaiGame) -> list[int]:
    """Return the places of the list in the order shown (§16)."""
    tiles = game.alloc_tiles
    return sorted(range(len(tiles)), key=lambda i: (*sort_key(tiles[i]), i))


def alloc_lines(game: PaipaiGame, cursor: int, say: Say) -> list[str]:
    """Return the allocation: blue frame hand, red frame discard, the cursor between arrows."""
    tiles, order = game.alloc_tiles, alloc_order(game)
    rows, row = [], ""
    for place, i in enumerate(order):
        frame = _rgb(38, HAND_FRAME if game.assigned[i] == "hand" else DISCARD_FRAME)
        edge = ("▐", "▌") if place != cursor else ("▶", "◀")
        row += f"{frame}{edge[0]}{RESET}{tile(tiles[i])}{frame}{edge[1]}{RESET}"
        if place % LIST_ROW == LIST_ROW - 1:
            rows += [row, ""]
            row = ""
    kept = game.assigned.count("hand")
    counts = say("table.counts", hand=kept, discards=len(tiles) - kept)
    warning = "" if kept <= HAND_MAX else "   " + say("refuse.over", n=kept - HAND_MAX)
    hand = [tiles[i] for i in order if game.assigned[i] == "hand"]
    return [
        f"{say('table.alloc')}. {say('ask.alloc')}",
        "",
        *rows,
        row,
        "",
        f"{counts}{_rgb(38, DISCARD_FRAME)}{warning}{RESET}",
        tiles_line(hand[:HAND_MAX]),
        "",
        say("terminal.keys_alloc"),
    ]


def hold_lines(game: PaipaiGame, say: Say) -> list[str]:
    """Return both sides at HOLD, drawn from the actual tiles."""
    lines = [say("table.hold")]
    for side, who in (("player", "table.player"), ("cpu", "table.cpu")):
        found = (game.holds or {}).get(side, {"won": False})
        lines += ["", f"{say(who)}: " + (f"+{found['score']}" if found["won"] else say("table.not_yet"))]
        if found["won"]:
            groups = [[copies_of(code)[-1] for code in group] for group in found["groups"]]
            lines.append("  ".join("".join(map(tile, group)) for group in groups))
    return [*lines, "", say("terminal.go_on")]


def result_lines(game: PaipaiGame, say: Say) -> list[str]:
    """Return who won, both totals, and the seed, which is now public."""
    found: dict[str, Any] = game.result() or {}
    key, values = verdict(found["winner"])
    totals = f"{say('table.player')} {found['playerTotal']}   {say('table.cpu')} {found['cpuTotal']}"
    return [say(key, **values), "", totals, say("terminal.seed", seed=game.seed), "", say("terminal.again")]


def frame(
    game: PaipaiGame, cursor: int = 0, lang: str = "en", paused: bool = False, log: list[Row] | None = None
) -> list[str]:
    """Return the whole screen."""
    say = speaker(lang)
    if log is not None:
        rows = [f"{'✅' if r.ok else '❌'} {r.name}  {r.ms:.1f} ms  {r.note}" for r in log]
        return [*rows, "", say("terminal.go_on")]
    if game.state == "title":
        return title_lines(say)
    if game.state == "alloc":
        return alloc_lines(game, cursor, say)
    left, right = board_lines(game), panel_lines(game, say)
    if game.state == "hold":
        right = hold_lines(game, say)
    elif game.state == "gameover":
        right = result_lines(game, say)
    rows = []
    for i in range(max(len(left), len(right))):
        start = left[i] if i < len(left) else ""
        side = right[i] if i < len(right) else ""
        rows.append(f"{start}\x1b[{PANEL}G{side}")
    return [*rows, "", say("terminal.paused" if paused else "terminal.keys")]
