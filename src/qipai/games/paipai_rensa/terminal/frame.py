"""The live screen as lines of text with colours (README §16); pure, no terminal in here.

A tile is four columns: numeral and suit on white. 萬 is red, 筒 blue, 索 green; the numeral
is red only on a red five.
"""

from __future__ import annotations

from typing import Any

from ..api.game import PaipaiGame
from ..api.hands import cpu_progress, solve14
from ..api.selftest import Row
from ..state import COLS, ROWS
from ..tiles import HONOUR, HONOURS, code_of, is_red, kind_of, kind_of_key, sort_key, suit_of, values

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

WORDS = {
    "en": {
        "any": "press any key",
        "left": "tiles left",
        "next": "NEXT",
        "score": "score",
        "chain": "chain",
        "hand": "hand",
        "cpu": "CPU",
        "progress": "CPU progress",
        "none": "no hand yet",
        "alloc": "Share out: at most 14 in hand",
        "keys_alloc": "arrows move   space changes   A proposes   R resets   Enter confirms",
        "over14": "discard {} more",
        "mode": "in hand {}/14, discarded {}",
        "hold": "HOLD",
        "player": "player",
        "go_on": "any key goes on",
        "keys": "←→ move   Z X turn   ↓ faster   P pause   T self test   Q leaves",
        "paused": "paused, any key goes on",
        "won": "you win",
        "lost": "the CPU wins",
        "draw": "a draw",
        "again": "R plays again, Q leaves",
        "seed": "seed",
        "unread": "“{}” is no move: type a column and a turn such as 3 up, or k and d to share out.",
    },
    "zh": {
        "any": "按任意键开始",
        "left": "余牌",
        "next": "NEXT",
        "score": "得分",
        "chain": "连锁",
        "hand": "手牌",
        "cpu": "CPU",
        "progress": "CPU成立状况",
        "none": "未成立",
        "alloc": "分配：手牌至多14张",
        "keys_alloc": "方向键移动   空格切换   A 建议   R 重置   回车确定",
        "over14": "还须弃{}张",
        "mode": "手牌{}/14，弃牌{}",
        "hold": "HOLD 结果确认",
        "player": "玩家",
        "go_on": "按任意键继续",
        "keys": "←→ 移动   Z X 旋转   ↓ 加速   P 暂停   T 自检   Q 离开",
        "paused": "暂停，按任意键继续",
        "won": "胜利",
        "lost": "CPU胜",
        "draw": "平局",
        "again": "R 再来一局，Q 离开",
        "seed": "种子",
        "unread": "“{}”不是一手：请输入列和方向（如 3 上），分牌时 k 留、d 弃。",
    },
}


def _rgb(code: int, colour: tuple[int, int, int]) -> str:
    return f"\x1b[{code};2;{colour[0]};{colour[1]};{colour[2]}m"


def tile(t: int, back: tuple[int, int, int] = PAPER) -> str:
    """A tile's face, four columns wide."""
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
    """Faces side by side."""
    return " ".join(tile(t, back) for t in tiles)


def board_lines(game: PaipaiGame) -> list[str]:
    """The board with its frame and the falling pair."""
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


def panel_lines(game: PaipaiGame, w: dict[str, str]) -> list[str]:
    """The right side: supply, NEXT, scores, hand, the CPU's progress."""
    s = game.record
    left, total = game.remaining(), int(s["total"])
    full = 20 * left // max(1, total)
    hand = sorted(values(s["hand"]), key=sort_key)
    at = int(s["at"])
    upcoming = values(s["deck"][at : min(at + 2, total)])
    lines = [
        f"{w['left']} {'█' * full}{'░' * (20 - full)} {left}/{total}",
        "",
        f"{w['next']}  {tiles_line(upcoming)}",
        "",
        f"{w['score']} {game.score}    {w['chain']} {game.chain}",
        f"{w['cpu']} {game.cpu_score}",
        "",
        f"{w['hand']} {len(hand)}/14",
        tiles_line(hand[:7]),
        tiles_line(hand[7:]),
        "",
        w["progress"],
    ]
    return lines + progress_lines(game, w)


def progress_lines(game: PaipaiGame, w: dict[str, str]) -> list[str]:
    """§16 the preview; drawn from keys, the pair included."""
    found = cpu_progress(game.board.tiles, values(game.record["discards"]))
    if not found["melds"]:
        return [w["none"]]
    groups = [m["keys"] for m in found["melds"]] + ([found["pair"]] if found["pair"] else [])
    faces = ["".join(tile(4 * kind_of_key(k) + 1) for k in keys) for keys in groups]
    return [" ".join(faces[:2]), " ".join(faces[2:])]


def title_lines(w: dict[str, str]) -> list[str]:
    """The title screen."""
    return ["", "", "   牌 牌 連 鎖", "   Paipai Rensa", "", f"   {w['any']}"]


def alloc_order(game: PaipaiGame) -> list[int]:
    """Places of the list in the order shown (§16)."""
    tiles = game.alloc_tiles
    return sorted(range(len(tiles)), key=lambda i: (*sort_key(tiles[i]), i))


def alloc_lines(game: PaipaiGame, cursor: int, w: dict[str, str]) -> list[str]:
    """The allocation: blue frame hand, red frame discard, the cursor in brackets."""
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
    counts = w["mode"].format(kept, len(tiles) - kept)
    warning = "" if kept <= 14 else "   " + w["over14"].format(kept - 14)
    hand = [tiles[i] for i in order if game.assigned[i] == "hand"]
    return [
        w["alloc"],
        "",
        *rows,
        row,
        "",
        f"{counts}{_rgb(38, DISCARD_FRAME)}{warning}{RESET}",
        tiles_line(hand[:14]),
        "",
        w["keys_alloc"],
    ]


def hold_lines(game: PaipaiGame, w: dict[str, str]) -> list[str]:
    """Both sides at HOLD, drawn from the actual tiles."""
    holds = game.holds or {}
    lines = [w["hold"], ""]
    won = solve14(values(game.record["hand"]))
    lines.append(f"{w['player']}: " + (f"+{won['score']}" if won["won"] else w["none"]))
    if won["won"]:
        lines.append("  ".join("".join(map(tile, g)) for g in [*won["melds"], won["pair"]]))
    cpu = holds.get("cpu", {"won": False})
    lines += ["", f"{w['cpu']}: " + (f"+{cpu['score']}" if cpu["won"] else w["none"])]
    if cpu["won"]:
        tiles = values(game.record["cpu_tiles"])
        groups = [tiles[i : i + 3] for i in range(2, 14, 3)] + [tiles[:2]]
        lines.append("  ".join("".join(map(tile, g)) for g in groups))
    return [*lines, "", w["go_on"]]


def result_lines(game: PaipaiGame, w: dict[str, str]) -> list[str]:
    """Both totals and who won; the seed is told now."""
    found: dict[str, Any] = game.result() or {}
    word = {"player": w["won"], "cpu": w["lost"], "draw": w["draw"]}[found["winner"]]
    totals = f"{w['player']} {found['playerTotal']}   {w['cpu']} {found['cpuTotal']}"
    return [word, "", totals, f"{w['seed']} {game.seed}", "", w["again"]]


def frame(
    game: PaipaiGame, cursor: int = 0, lang: str = "en", paused: bool = False, log: list[Row] | None = None
) -> list[str]:
    """The whole screen."""
    w = WORDS.get(lang, WORDS["en"])
    if log is not None:
        return [*(f"{'✅' if r.ok else '❌'} {r.name}  {r.ms:.1f} ms  {r.note}" for r in log), "", w["go_on"]]
    if game.state == "title":
        return title_lines(w)
    if game.state == "alloc":
        return alloc_lines(game, cursor, w)
    left, right = board_lines(game), panel_lines(game, w)
    if game.state == "hold":
        right = hold_lines(game, w)
    elif game.state == "gameover":
        right = result_lines(game, w)
    rows = []
    for i in range(max(len(left), len(right))):
        start = left[i] if i < len(left) else ""
        side = right[i] if i < len(right) else ""
        rows.append(f"{start}\x1b[{PANEL}G{side}")
    return [*rows, "", w["paused"] if paused else w["keys"]]
