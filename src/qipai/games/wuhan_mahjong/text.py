"""Wuhan mahjong in words: tiles and actions as text and back, events as sentences, the table drawn.

Tiles are `1m`-`9m` (万), `1s`-`9s` (条), `1p`-`9p` (筒), `1z`-`7z` (东南西北中发白); Chinese names
are read too. A tile alone is its discard. Nothing here knows what is legal.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from qipai.core import Event, State
from qipai.core.errors import BadText

from .tiles import (
    ACTIONS,
    CHOW,
    CODES,
    CONCEALED,
    EXPOSED,
    HONOURS,
    KINDS,
    KONG_LAZY,
    KONG_RED,
    KONG_SKIN,
    PASS,
    PONG,
    SEATS,
    SUPPLEMENT,
    WIN,
)
from .view import view

HANZI = tuple(f"{'一二三四五六七八九'[t % 9]}{'万条筒'[t // 9]}" for t in range(HONOURS)) + tuple(
    "东南西北中发白"
)
FIXED = {
    CHOW: "chow left",
    CHOW + 1: "chow middle",
    CHOW + 2: "chow right",
    PONG: "pong",
    EXPOSED: "kong",
    KONG_RED: "red",
    KONG_LAZY: "laizi",
    KONG_SKIN: "skin0",
    KONG_SKIN + 1: "skin1",
    WIN: "win",
    PASS: "pass",
}
FIXED_ZH = {
    CHOW: "吃（左）",
    CHOW + 1: "吃（中）",
    CHOW + 2: "吃（右）",
    PONG: "碰",
    EXPOSED: "明杠",
    KONG_RED: "红中杠",
    KONG_LAZY: "赖子杠",
    KONG_SKIN: "皮子杠",
    KONG_SKIN + 1: "皮子杠",
    WIN: "胡",
    PASS: "过",
}
# More ways to say the same; brackets and blanks are dropped before looking here.
SPOKEN = {
    **{name.replace(" ", ""): action for action, name in FIXED.items()},
    "吃左": CHOW,
    "左吃": CHOW,
    "吃中": CHOW + 1,
    "中吃": CHOW + 1,
    "吃右": CHOW + 2,
    "右吃": CHOW + 2,
    "碰": PONG,
    "明杠": EXPOSED,
    "冲杠": EXPOSED,
    "红中杠": KONG_RED,
    "redkong": KONG_RED,
    "kongred": KONG_RED,
    "赖子杠": KONG_LAZY,
    "癞子杠": KONG_LAZY,
    "konglaizi": KONG_LAZY,
    "laizikong": KONG_LAZY,
    "皮子杠0": KONG_SKIN,
    "皮子杠1": KONG_SKIN + 1,
    "胡": WIN,
    "hu": WIN,
    "过": PASS,
}
TILE_OF = {
    **{code: t for t, code in enumerate(CODES)},
    **{name: t for t, name in enumerate(HANZI)},
    **{f"{t % 9 + 1}{'万条筒'[t // 9]}": t for t in range(HONOURS)},
    "东风": 27,
    "南风": 28,
    "西风": 29,
    "北风": 30,
    "红中": 31,
    "发财": 32,
    "白板": 33,
    "east": 27,
    "south": 28,
    "west": 29,
    "north": 30,
    "reddragon": 31,
    "green": 32,
    "white": 33,
}
_PREFIX = re.compile(r"(discard|打|出|supplement|add|补杠|蓄杠|补|conceal|暗杠|暗)(.+)")
_PREFIXES = {
    "supplement": SUPPLEMENT,
    "add": SUPPLEMENT,
    "补杠": SUPPLEMENT,
    "蓄杠": SUPPLEMENT,
    "补": SUPPLEMENT,
}
_PREFIXES |= {"conceal": CONCEALED, "暗杠": CONCEALED, "暗": CONCEALED}

TYPE_NAMES = {
    "en": {
        "SOFT_WIN": "soft",
        "HARD_WIN": "hard",
        "PURE_FLUSH": "pure flush",
        "PENG_PENG_HU": "all triplets",
        "ALL_WIND": "all winds",
        "ALL_JIANG": "all 258",
        "FULLY_MELDED": "fully melded",
        "FLOWER_ON_KONG": "flower on a kong",
        "LAST_TILE_WIN": "last tile",
        "ROB_KONG": "robbed kong",
    },
    "zh": {
        "SOFT_WIN": "软胡",
        "HARD_WIN": "硬胡",
        "PURE_FLUSH": "清一色",
        "PENG_PENG_HU": "碰碰胡",
        "ALL_WIND": "风一色",
        "ALL_JIANG": "将一色",
        "FULLY_MELDED": "全求人",
        "FLOWER_ON_KONG": "杠上开花",
        "LAST_TILE_WIN": "海底捞月",
        "ROB_KONG": "抢杠胡",
    },
}
WAY_NAMES = {
    "en": {
        "SELF_DRAW": "self-drawn",
        "ROB_KONG": "by robbing a kong",
        "KONG_SELF_DRAW": "drawn after a kong",
        "DISCARD": "on a discard",
    },
    "zh": {"SELF_DRAW": "自摸", "ROB_KONG": "抢杠", "KONG_SELF_DRAW": "杠上开花", "DISCARD": "点炮"},
}
MELD_NAMES = {
    "en": {
        "CHOW": "chow",
        "PONG": "pong",
        "KONG_EXPOSED": "kong",
        "KONG_SUPPLEMENT": "supplement kong",
        "KONG_CONCEALED": "concealed kong",
    },
    "zh": {
        "CHOW": "吃",
        "PONG": "碰",
        "KONG_EXPOSED": "明杠",
        "KONG_SUPPLEMENT": "补杠",
        "KONG_CONCEALED": "暗杠",
    },
}


def language(lang: str) -> str:
    """The language a text is written in: `zh` or `en`."""
    return "zh" if lang.startswith("zh") else "en"


# --- tiles and actions ----------------------------------------------------------------


def tile_name(code: str | None, lang: str) -> str:
    """A tile of a view in words; `?` for a hidden one."""
    if code is None:
        return "?"
    return HANZI[CODES.index(code)] if language(lang) == "zh" else code


def say(action: int) -> str:
    """An action in notation; the exact inverse of `parse`."""
    if not 0 <= action < ACTIONS:
        raise BadText(f"wuhan_mahjong has actions 0 to {ACTIONS - 1}, not {action}")
    if action < KINDS:
        return CODES[action]
    if action in FIXED:
        return FIXED[action]
    if action < CONCEALED:
        return f"supplement {CODES[action - SUPPLEMENT]}"
    return f"conceal {CODES[action - CONCEALED]}"


def action_name(action: int, lang: str) -> str:
    """An action for people, in their language."""
    if language(lang) == "en":
        return f"discard {CODES[action]}" if action < KINDS else say(action)
    if action < KINDS:
        return f"打{HANZI[action]}"
    if action in FIXED_ZH:
        return FIXED_ZH[action]
    return f"补杠{HANZI[action - SUPPLEMENT]}" if action < CONCEALED else f"暗杠{HANZI[action - CONCEALED]}"


def parse(text: str) -> int:
    """The action that `text` names (notation, words or Chinese); BadText if none."""
    words = _clean(text)
    if words in SPOKEN:
        return SPOKEN[words]
    if words in TILE_OF:
        return TILE_OF[words]
    match = _PREFIX.fullmatch(words)
    if match and match[2] in TILE_OF:
        return _PREFIXES.get(match[1], 0) + TILE_OF[match[2]]
    raise BadText(f"{text[:40]!r} names no action: a tile such as 5m, chow left, pong, kong, win, pass ...")


def _clean(text: str) -> str:
    if not isinstance(text, str):
        raise BadText(f"an action is text, not {type(text).__name__}")
    folded = unicodedata.normalize("NFKC", text).lower()
    return re.sub(r"[\s()（）_\-]+", "", folded)


# --- events ---------------------------------------------------------------------------

_EVENTS = {
    "en": {
        "discard": "{who} discards {tile}",
        "chow": "{who} chows {tile} from {whose}: {tiles}",
        "pong": "{who} pongs {tile} from {whose}",
        "kong_exposed": "{who} kongs {tile} from {whose}",
        "kong_supplement": "{who} announces a supplement kong of {tile}",
        "kong_concealed": "{who} lays a concealed kong ({tile})",
        "kong_red": "{who} kongs Red",
        "kong_skin": "{who} kongs the skin {tile}",
        "kong_lazy": "{who} kongs the laizi {tile}",
        "win": "{who} wins",
        "draw": "{who} draws {tile} ({wall_left} left)",
        "ask": "{who}: do you claim {tile}?",
        "rob": "{who}: do you rob the kong of {tile}?",
    },
    "zh": {
        "discard": "{who}打出{tile}",
        "chow": "{who}吃{whose}的{tile}：{tiles}",
        "pong": "{who}碰{whose}的{tile}",
        "kong_exposed": "{who}明杠{whose}的{tile}",
        "kong_supplement": "{who}补杠{tile}",
        "kong_concealed": "{who}暗杠（{tile}）",
        "kong_red": "{who}红中杠",
        "kong_skin": "{who}皮子杠{tile}",
        "kong_lazy": "{who}赖子杠{tile}",
        "win": "{who}胡牌",
        "draw": "{who}摸牌 {tile}（余{wall_left}张）",
        "ask": "{who}：要{tile}吗？",
        "rob": "{who}：抢杠{tile}吗？",
    },
}


def tell(event: Event, lang: str, names: Sequence[str] | None = None) -> str:
    """An event as a sentence; `names` are the seats' names, where they have any."""
    tongue = language(lang)
    kind = event["event"]
    called = names or [_LABELS[tongue]["seat"].format(k) for k in range(SEATS)]
    if kind == "end":
        return "; ".join(result_lines(event, lang, called))
    if kind == "ask" and event["rob"]:
        kind = "rob"
    words = dict(event)
    words["who"] = called[event["seat"]]
    words["whose"] = called[event.get("from", 0)]
    words["tile"] = tile_name(event.get("tile"), lang)
    words["tiles"] = " ".join(tile_name(t, lang) for t in event.get("tiles", ()))
    if kind == "draw" and event["tile"] is None:
        words["tile"] = "a tile" if tongue == "en" else ""
    if kind == "kong_concealed" and event["tile"] is None:
        words["tile"] = "hidden" if tongue == "en" else "盖牌"
    return _to_you(_EVENTS[tongue][kind].format(**words))


def _to_you(sentence: str) -> str:
    """English verbs: Lan draws, You draw; tiles come from you."""
    sentence = re.sub(r"^You (\w+)s\b", r"You \1", sentence)
    return sentence.replace(" from You", " from you")


def result_lines(result: dict[str, Any], lang: str, names: Sequence[str] | None = None) -> list[str]:
    """§8.5 winner, win types, fan products and the four deltas."""
    tongue = language(lang)
    called = names or [_LABELS[tongue]["seat"].format(k) for k in range(SEATS)]
    zh = tongue == "zh"
    deltas = "  ".join(f"{k}:{d:+d}" for k, d in enumerate(result["deltas"]))
    fans = "  ".join(f"{k}:{f}" for k, f in enumerate(result["fans"]))
    lines = []
    if result["winner"] is None:
        ready = [str(k) for k, r in enumerate(result["ready"]) if r]
        names = "、".join(ready) or "无人" if zh else ", ".join(ready) or "nobody"
        lines.append(f"荒庄，听牌：{names}" if zh else f"drawn hand; ready: {names}")
    else:
        types = [TYPE_NAMES[tongue][t] for t in result["types"]]
        way = WAY_NAMES[tongue][result["win_way"]]
        who = called[result["winner"]]
        told = f"{who}{way}：{'、'.join(types)}" if zh else f"{who} wins {way}: {', '.join(types)}"
        lines.append(_to_you(told))
        if result["contractor"] is not None:
            payer = called[result["contractor"]]
            lines.append(f"{payer}承包" if zh else _to_you(f"{payer} pays for all"))
    lines.append(f"番 {fans}" if zh else f"fans {fans}")
    lines.append(f"得分 {deltas}" if zh else f"deltas {deltas}")
    return lines


# --- the table ------------------------------------------------------------------------

_LABELS = {
    "en": {
        "seat": "seat {}",
        "dealer": "dealer",
        "acts": "to act",
        "specials": "indicator {} · laizi {} · skins {} {} · wall {}",
        "hand": "your hand",
        "drawn": "drawn {}",
        "none": "you are not ready",
        "waits": "you wait for",
        "ready": "discard {} to wait for {}",
        "claimed": "{tile} from seat {seat} can be claimed",
        "tiles": "{} tiles",
        "fan": "fan {}",
        "river": "river",
        "kongs": "special",
        "hidden": "hidden",
    },
    "zh": {
        "seat": "{}号",
        "dealer": "庄",
        "acts": "行动",
        "specials": "翻牌 {} · 赖子 {} · 皮子 {} {} · 余 {}",
        "hand": "手牌",
        "drawn": "摸 {}",
        "none": "还没有听牌",
        "waits": "听",
        "ready": "打{}听{}",
        "claimed": "{seat}号的{tile}可以应",
        "tiles": "{}张",
        "fan": "番 {}",
        "river": "河",
        "kongs": "特杠",
        "hidden": "盖牌",
    },
}


def draw(s: State, seat: int, lang: str) -> str:
    """The table as `seat` (or a watcher) sees it."""
    return draw_view(view(s, seat), lang)


def draw_view(seen: dict[str, Any], lang: str) -> str:
    """A view as lines of text."""
    words = _LABELS[language(lang)]
    shown = [tile_name(t, lang) for t in (seen["indicator"], seen["laizi"], *seen["skins"])]
    lines = [words["specials"].format(*shown, seen["wall_left"])]
    lines += [_seat_line(seen, k, lang) for k in range(seen["seats"])]
    if seen["claimed"]:
        tile = tile_name(seen["claimed"]["tile"], lang)
        lines.append(words["claimed"].format(tile=tile, seat=seen["claimed"]["seat"]))
    if "result" in seen:
        lines += [f"{words['seat'].format(k)} " + row(hand, lang) for k, hand in enumerate(seen["hands"])]
        lines += result_lines(seen["result"], lang)
    elif seen["viewer"] >= 0:
        lines += _own_lines(seen, lang)
    return "\n".join(lines)


def row(tiles: list[str], lang: str) -> str:
    """Tiles side by side; in English suits are gathered, as `123m 55s 6z`."""
    if language(lang) == "zh":
        return " ".join(tile_name(t, lang) for t in tiles)
    parts = []
    for suit in "mspz":
        ranks = "".join(t[0] for t in tiles if t[1] == suit)
        if ranks:
            parts.append(ranks + suit)
    return " ".join(parts)


def _seat_line(seen: dict[str, Any], k: int, lang: str) -> str:
    words = _LABELS[language(lang)]
    marks = [words["tiles"].format(seen["hand_counts"][k]), words["fan"].format(seen["fans"][k])]
    if seen["dealer"] == k:
        marks.insert(0, words["dealer"])
    if seen["decider"] == k:
        marks.append(words["acts"])
    parts = [f"{'>' if seen['decider'] == k else ' '} {words['seat'].format(k)} ({', '.join(marks)})"]
    for meld in seen["melds"][k]:
        name = MELD_NAMES[language(lang)][meld["type"]]
        parts.append(f"[{name} {words['hidden'] if meld['tiles'] is None else row(meld['tiles'], lang)}]")
    if seen["special_kongs"][k]:
        parts.append(f"{words['kongs']} " + row(seen["special_kongs"][k], lang))
    river = " ".join(tile_name(t, lang) for t in seen["rivers"][k])
    parts.append(f"{words['river']}: {river}")
    return "  ".join(parts)


def _own_lines(seen: dict[str, Any], lang: str) -> list[str]:
    words = _LABELS[language(lang)]
    line = f"{words['hand']}: {row(seen['hand'], lang)}"
    if seen["drawn"]:
        line += "  (" + words["drawn"].format(tile_name(seen["drawn"], lang)) + ")"
    return [line]


def waits_text(seen: dict[str, Any], lang: str) -> str:
    """What the viewer waits for, or would after each discard."""
    words = _LABELS[language(lang)]
    if seen["waits"]:
        return f"{words['waits']}: {row(seen['waits'], lang)}"
    lines = [
        words["ready"].format(tile_name(tile, lang), row(waiting, lang))
        for tile, waiting in seen["ready_discards"].items()
    ]
    return "\n".join(lines) or words["none"]
