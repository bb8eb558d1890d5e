"""What the terminal table itself says, in English and Chinese."""

from __future__ import annotations

LANGUAGES = ("en", "zh")

NAMES = {
    "en": ("You", "Lan", "Bo", "Mei", "Jun", "Fen", "Kai", "Yun"),
    "zh": ("你", "阿兰", "阿波", "小梅", "阿俊", "小芬", "阿凯", "小云"),
}

WORDS: dict[str, dict[str, str]] = {
    "en": {
        "opponents": "At the table: {}.",
        "keys_welcome": "Enter  deal      ?  rules      q  quit",
        "deal": "deal {}",
        "deal_of": "deal {} of {}",
        "your_turn": "Your move (you are seat {})",
        "thinking": "{} is thinking ...",
        "someone": "The table",
        "handover": "Seat {} is to move. The others look away; Enter when you sit there. ",
        "keys": "number or name · h hint · l log · ? rules · q quit",
        "hint": "Hint: {}",
        "log": "What happened in this deal",
        "back": "Enter  back",
        "more": "Enter  more      q  back",
        "unread": "“{}” is no move: type a number of the list, or a move as the rules write it.",
        "illegal": "That is not a legal move here.",
        "go_on": "Go on: {} chosen so far, u takes it back.",
        "many": "... and {} more: type one by name.",
        "next": "Enter  next deal      l  log      q  leave",
        "last": "Enter  finish      l  log",
        "bye_chips": "Chips after {} deals: {}.",
        "bye_one": "Chips after one deal: {}.",
        "kept": "The table is kept. `{}` goes on with it.",
        "ended": "The input has ended.",
        "record": "Record: {}",
        "resume": "You left a table: {}, {}. Go on with it? [Y/n] ",
        "resumed": "Going on with deal {}.",
        "torn": "The last line of the record was cut short and is left out.",
        "started": "Deal {} begins.",
        "running": "The match is still running.",
        "broken": "The kept table cannot be read and is set aside: {}",
    },
    "zh": {
        "opponents": "同桌：{}。",
        "keys_welcome": "回车 发牌      ? 规则      q 退出",
        "deal": "第 {} 局",
        "deal_of": "第 {} 局，共 {} 局",
        "your_turn": "轮到你（{} 号位）",
        "thinking": "{}在想……",
        "someone": "大家",
        "handover": "轮到 {} 号位。其他人请回避，坐好后按回车。",
        "keys": "编号或牌名 · h 提示 · l 记录 · ? 规则 · q 退出",
        "hint": "提示：{}",
        "log": "本局经过",
        "back": "回车 返回",
        "more": "回车 继续      q 返回",
        "unread": "“{}”不是一手，请输入编号或规则里的写法。",
        "illegal": "此处不能这样走。",
        "go_on": "继续：已选 {}，u 取消。",
        "many": "……还有 {} 种，请直接输入。",
        "next": "回车 下一局      l 记录      q 离桌",
        "last": "回车 结束      l 记录",
        "bye_chips": "{} 局之后的筹码：{}。",
        "bye_one": "一局之后的筹码：{}。",
        "kept": "牌桌已保留，`{}` 可继续。",
        "ended": "输入结束。",
        "record": "记录：{}",
        "resume": "上次的牌桌还在：{}，{}。继续吗？[Y/n] ",
        "resumed": "继续第 {} 局。",
        "torn": "记录的最后一行不完整，已略去。",
        "started": "第 {} 局开始。",
        "running": "对局尚未结束。",
        "broken": "保留的牌桌读不出来，已放到一边：{}",
    },
}


def word(key: str, lang: str, *values: object) -> str:
    """A sentence of the table, with its values filled in."""
    return WORDS["zh" if lang == "zh" else "en"][key].format(*values)


def seat_names(seats: int, me: int, lang: str) -> list[str]:
    """A name a seat: the viewer is "You", the others follow in play order."""
    names = NAMES["zh" if lang == "zh" else "en"]
    if me < 0:
        return list(names[1 : seats + 1])
    return [names[(seat - me) % seats] for seat in range(seats)]


def signed(chips: int) -> str:
    """A gain or a loss: +2, −1, 0."""
    return f"+{chips}" if chips > 0 else f"−{-chips}" if chips < 0 else "0"
