"""Xianqi in words: names of cards and moves, and a sentence for every event, in en and zh."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from qipai.core import Event

from .state import (
    BUCKLE,
    CARDS,
    CERAMIC,
    DOG_PAIR,
    ENOUGH,
    PASS,
    PLAY_SIZE,
    PLAY_TYPE,
    REVEAL,
    SEATS,
    TYPES,
    UNDER,
)

FACES = ("士", "士", "相", "相", "马", "马", "车", "车", "狗", "狗", "牛", "牛")
LATIN = ("shi", "xiang", "ma", "che", "gou", "niu")
NAMES: dict[str, tuple[str, ...]] = {
    "en": tuple(f"{colour} {word}" for word in LATIN for colour in ("red", "black")),
    "zh": tuple(f"{'红黑'[t % 2]}{FACES[t]}" for t in range(TYPES)),
}
TYPE_OF = {name: t for t, name in enumerate(CARDS)}
DOGS = {"R_GOU": 1, "B_GOU": 1}

Names = Sequence[str]  # by seat; "You" takes the verb of the second person


def language(lang: str) -> str:
    """The language spoken for `lang`: zh, or else en."""
    return "zh" if lang == "zh" else "en"


def card_name(card: str, lang: str) -> str:
    """A card's name: `red shi`, 红士."""
    return NAMES[language(lang)][TYPE_OF[card]]


def cards_name(cards: Mapping[str, int], lang: str) -> str:
    """Several cards: `a pair of red shi`, `two red niu and a black ma`, 一对红士."""
    if language(lang) == "zh":
        return _cards_zh(cards)
    if cards == DOGS:
        return "the dog pair"
    count = {1: "a", 2: "two", 3: "three"}
    parts = [f"{count.get(n, n)} {card_name(card, lang)}" for card, n in cards.items()]
    if len(parts) == 1:
        return parts[0].replace("two ", "a pair of ")
    return ", ".join(parts[:-1]) + " and " + parts[-1] if parts else "nothing"


def _cards_zh(cards: Mapping[str, int]) -> str:
    if cards == DOGS:
        return "狗脚对"
    if len(cards) == 1:
        ((card, n),) = cards.items()
        return {1: "", 2: "一对", 3: "三个"}.get(n, f"{n}个") + card_name(card, "zh")
    return "、".join(card_name(card, "zh") + (f"×{n}" if n > 1 else "") for card, n in cards.items()) or "无"


def cover_name(cards: Mapping[str, int], lang: str) -> str:
    """Cards put under, which are no combo even when they are alike."""
    if cards == DOGS:  # play never covers both, a loaded position may
        return "a red gou and a black gou" if language(lang) == "en" else "红狗、黑狗"
    return cards_name(cards, lang).replace("a pair of", "two").replace("一对", "两个")


def action_name(action: int, lang: str, asked: bool = True) -> str:
    """An action in words, for a list of moves. `asked`: PASS answers a buckle."""
    zh = language(lang) == "zh"
    if action == BUCKLE:
        return "扣棋" if zh else "buckle"
    if action == REVEAL:
        return "掀棋" if zh else "reveal"
    if action == PASS:
        if asked:
            return "不掀" if zh else "pass"
        return "不扣" if zh else "do not buckle"
    if action >= UNDER:
        name = NAMES[language(lang)][action - UNDER]
        return f"垫{name}" if zh else f"put {name} under"
    cards = DOGS if action == DOG_PAIR else {CARDS[int(PLAY_TYPE[action])]: int(PLAY_SIZE[action])}
    return cards_name(cards, lang)


# --- events ---------------------------------------------------------------------------

# {seat} and the like are names; [do|does] takes the first form when the seat is "You".
SENTENCES: dict[str, dict[str, str]] = {
    "en": {
        "start": "The cards are dealt.",
        "play": "{seat} [play|plays] {cards}.",
        "lead": "{seat} [lead|leads] {cards}.",
        "cover": "{seat} [cover|covers] {cards}.",
        "buckle": "{seat} [buckle|buckles]: stop here? Asked first: {first}, then {second}.",
        "reveal": "{seat} [reveal|reveals]: no, play on! {buckler} must lead.",
        "reveal/enough": "{seat} [reveal|reveals] although already enough: {buckler} must lead.",
        "pass": "{seat} [pass|passes].",
        "pass/open": "{seat} [do|does] not buckle.",
        "round": "{seat} [win|wins] the round: +{gain}, {pillars} now{mark}.",
        "end/ceramic": "The game ends: {seat} [are|is] ceramic with {total}.",
        "end/two_enough": "The game ends: two seats have enough.",
        "end/exhausted": "The game ends: all eight pillars are taken.",
        "end/buckled": "Nobody reveals: the game ends here.",
        "end/black": "Black chess: a hand without any shi or xiang. Nobody pays.",
        "pay/enough": "{seat} [pay|pays] {to} {chips}: below 3 pillars against enough.",
        "pay/ceramic": "{seat} [pay|pays] {to} {chips}: 6 pillars or more, ceramic.",
        "pay/eight": "{seat} [pay|pays] {to} {chips}: all eight pillars.",
        "pay/liable": "{seat} [pay|pays] {to} {chips} for both losers: the reveal by {by} led to ceramic.",
        "pay/reveal": "{seat} [pay|pays] {to} {chips}: revealed against {to} and stayed below 3 pillars.",
        "barred/revealed": "{seat} [get|gets] no enough chips: revealed although already enough.",
        "barred/unbuckled": "{seat} [get|gets] no enough chips: had enough and led without buckling.",
        "spared": "{seat} ended with 3 pillars or more: the reveal against {buckler} costs nothing.",
        "settlement": "Chips: {payoff}.",
    },
    "zh": {
        "start": "发牌完毕。",
        "play": "{seat}出{cards}。",
        "lead": "{seat}领出{cards}。",
        "cover": "{seat}垫{cards}。",
        "buckle": "{seat}扣棋：到此为止？先问{first}，再问{second}。",
        "reveal": "{seat}掀棋：继续打！{buckler}必须领出。",
        "reveal/enough": "{seat}已够仍掀棋：{buckler}必须领出。",
        "pass": "{seat}不掀。",
        "pass/open": "{seat}不扣。",
        "round": "{seat}赢下本回合：得{gain}，共{total}{mark}。",
        "end/ceramic": "本局结束：{seat}{total}，成瓷。",
        "end/two_enough": "本局结束：已有两家够棋。",
        "end/exhausted": "本局结束：八柱已尽。",
        "end/buckled": "无人掀棋，本局到此结束。",
        "end/black": "黑棋：有一手牌无士无相，本局不计。",
        "pay/enough": "{seat}付{to}{chips}：不足三柱，对方够棋。",
        "pay/ceramic": "{seat}付{to}{chips}：对方六柱以上，成瓷。",
        "pay/eight": "{seat}付{to}{chips}：对方八柱全收。",
        "pay/liable": "{seat}包赔{to}{chips}：成瓷的回合由{by}掀起。",
        "pay/reveal": "{seat}付{to}{chips}：掀了{to}的扣，却没够棋。",
        "barred/revealed": "{seat}够棋后还掀，不收够棋的筹码。",
        "barred/unbuckled": "{seat}够棋不扣，不收够棋的筹码。",
        "spared": "{seat}终局够棋，掀{buckler}不用付。",
        "settlement": "筹码：{payoff}。",
    },
}


def tell(event: Event, lang: str, names: Names | None = None) -> str:
    """One sentence for an event of `view.narrate`; seats by number, or by `names`."""
    lang = language(lang)
    if names is None:
        names = [f"{k}号位" if lang == "zh" else f"Seat {k}" for k in range(SEATS)]
    key = _key(event)
    if key not in SENTENCES[lang]:
        return key
    filled = SENTENCES[lang][key].format_map(_filling(event, lang, names))
    you = names[_subject(event)] == "You"
    sentence = re.sub(r"\[([^|]*)\|([^]]*)]", lambda m: m[1] if you else m[2], filled)
    return sentence[:1].upper() + sentence[1:]


def _key(event: Event) -> str:
    """Which sentence tells the event."""
    kind = str(event.get("event"))
    if kind == "play" and event["lead"]:
        return "lead"
    if kind == "reveal" and event["was_enough"]:
        return "reveal/enough"
    if kind == "pass" and not event["asked"]:
        return "pass/open"
    if kind == "pay" and event.get("liable"):
        return "pay/liable"
    if kind in ("pay", "barred"):
        return f"{kind}/{event['why']}"
    return f"end/{event['reason']}" if kind == "end" else kind


def _subject(event: Event) -> int:
    if event["event"] == "round":
        return int(event["winner"])
    if event["event"] == "end":
        return int(max(range(SEATS), key=lambda k: event["pillars"][k]))
    return int(event.get("seat", 0))


def _filling(event: Event, lang: str, names: Names) -> dict[str, str]:
    """What stands in the braces of the sentence."""
    who = _subject(event)
    words = {"seat": names[who], "by": _inside(names[who])}
    for key in ("to", "buckler"):
        if key in event:
            words[key] = _inside(names[event[key]])
    if event["event"] == "reveal":
        words["buckler"] = names[event["buckler"]]
    if "cards" in event:
        name = cover_name if event["event"] == "cover" else cards_name
        words["cards"] = name(event["cards"], lang)
    elif "count" in event:
        words["cards"] = _some_cards(event["count"], lang)
    if event["event"] == "buckle":
        words["first"], words["second"] = (_inside(names[k]) for k in event["asked"])
    if "chips" in event:
        words["chips"] = _counted(event["chips"], lang, "chip", "个筹码")
    if "pillars" in event:
        total = event["pillars"][who]
        words["pillars"] = str(total)
        words["total"] = _counted(total, lang, "pillar", "柱")
        words["mark"] = _mark(total - event.get("kind", 0), total, lang)
    if "kind" in event:
        words["gain"] = _counted(event["kind"], lang, "pillar", "柱")
    if "payoff" in event:
        gap = "，" if lang == "zh" else ", "
        words["payoff"] = gap.join(f"{n} {signed(x)}" for n, x in zip(names, event["payoff"], strict=True))
    return words


def _inside(name: str) -> str:
    """An English name inside a sentence."""
    return name[0].lower() + name[1:] if name == "You" or name.startswith("Seat ") else name


def _some_cards(n: int, lang: str) -> str:
    if lang == "zh":
        return {1: "一张", 2: "两张", 3: "三张"}.get(n, f"{n}张")
    return {1: "one card", 2: "two cards", 3: "three cards"}.get(n, f"{n} cards")


def _counted(n: int, lang: str, word: str, measure: str) -> str:
    return f"{n}{measure}" if lang == "zh" else f"{n} {word}" + ("" if n == 1 else "s")


def _mark(before: int, now: int, lang: str) -> str:
    """What a seat becomes by winning a round."""
    if before < CERAMIC <= now:
        return "，成瓷" if lang == "zh" else ", ceramic"
    if before < ENOUGH <= now:
        return "，够了" if lang == "zh" else ", enough"
    return ""


def signed(n: int) -> str:
    """A change of chips: +2, −1, 0."""
    return f"+{n}" if n > 0 else f"−{-n}" if n < 0 else "0"
