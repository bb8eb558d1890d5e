"""Chinese and Japanese texts for players: their own terms, one name per thing, one register."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GAMES = ROOT / "src/qipai/games"
MESSAGES = (
    ROOT / "src/qipai/core",
    ROOT / "src/qipai/terminal",
    ROOT / "front/src",
    *sorted(GAMES.iterdir()),
)

# Words that players of the language do not use, or that name a thing that has another name here.
AVOID = {
    "zh": {
        "牌谱": "记录; 棋谱 in gomoku",
        "鸣牌": "吃碰杠",
        "正在进行的牌桌": "公开的牌桌: they can be joined",
        "结果确认": "和牌判定",
        "成立状况": "凑牌进度",
        "未成立": "还没凑成",
        "红五": "赤五",
        "赤五牌": "赤五",
        "红仕": "红士",
        "赤士": "红士",
        "麻辣": "辛辣",
        "癞子": "赖子",
        "連": "simplified characters",
        "鎖": "simplified characters",
        "萬": "万",
        "提掉": "拿掉",
        "点炮胡": "胡，…点炮: the winner does not discard",
        r"\b(Lan|Bo|Mei)\b": "a name of the language",
    },
    "ja": {
        "大和": "大胡（大役の和了）: it reads as Yamato",
        "[赖够红杠听对马车龙发风碰吃过补东为张捞抢]": "characters of Japanese",
        "紅士": "赤士",
        "赤ドラ": "赤五",
        "時間凍結|時を止め|天女散花|飛沙走石|両極反転": "the card names of the message file",
        "卓上遊戯": "テーブルゲーム",
        "窓を閉じる": "ウィンドウを閉じる",
        "今はいい": "あとで",
        "まだ待って": "準備を取り消す",
        "さらに詳しく": "その他の設定",
        "友だち": "友達",
        r"(?<![A-Za-z])(Lan|Bo|Mei)(?![A-Za-z])": "a name of the language",
    },
}
# Where such a word is right: what may be typed, what a tile shows, the Chinese name next to the Japanese one.
ALLOWED = {
    ("zh", "input.kong_lazy"),
    ("ja", "table.suit.m"),
}
TABLE_OF_TERMS = re.compile(
    r"^\| .*\|$|`[^`]*`|：赤士、.*垫黑牛。|^\*\*9\.\d.*?\*\*|\*\*2\.4[^*]*\*\*|（技能五子棋）"
)
POLITE = re.compile(r"(です|ます|ません|ました|でした|ましょう|ください|でしょう)か?$")
PLAIN = re.compile(r"([うくぐすぬぶむる]|[勝持待立打]つ|[っいしれえけてきめせべちり]た|んだ|ない|よい|だ)$")


def messages(lang: str) -> Iterator[tuple[str, str, str]]:
    """Yield where, key and text of every message and of every lesson."""
    for folder in MESSAGES:
        path = folder / "messages" / f"{lang}.json"
        if path.exists():
            for key, text in json.loads(path.read_text()).items():
                yield str(path.relative_to(ROOT)), key, text
    for path in sorted((ROOT / "src/qipai/server/lessons").glob("*.json")):
        lesson = json.loads(path.read_text())
        for number, words in enumerate([*(move["say"] for move in lesson["moves"]), lesson["close"]]):
            if words:
                yield str(path.relative_to(ROOT)), f"say.{number}", words[lang]


def pages(lang: str) -> Iterator[tuple[str, str, str]]:
    """Yield where, number and text of every line of the rules and of the players' pages, without code."""
    paths = [*sorted(GAMES.glob(f"*/README.{lang}.md")), *sorted((ROOT / f"docs/{lang}").rglob("*.md"))]
    for path in paths:
        fenced = False
        for number, line in enumerate(path.read_text().split("\n"), 1):
            fenced ^= line.startswith("```")
            if not fenced:
                yield str(path.relative_to(ROOT)), str(number), TABLE_OF_TERMS.sub("", line)


def texts(lang: str) -> list[tuple[str, str, str]]:
    found = [*messages(lang), *pages(lang)]
    assert len(found) > 500
    return found


@pytest.mark.parametrize("lang", AVOID)
def test_texts_use_the_players_terms(lang: str) -> None:
    wrong = [
        f"{where} {key}: {text!r} has {word}: {better}"
        for where, key, text in texts(lang)
        for word, better in AVOID[lang].items()
        if re.search(word, text) and (lang, key) not in ALLOWED
    ]
    assert wrong == []


def plain_endings(text: str) -> list[str]:
    """Return the sentences that end in a plain verb or adjective: する, した, ない instead of します."""
    bare = re.sub(r"\*\*[^*]*。\*\*|\{[^{}]*\}", "", text).replace("*", "")
    if "。" not in bare:
        return []  # a label
    sentences = re.findall(r"([^。！？!?\n]+)[。！？!?]", bare)
    return [one for one in sentences if PLAIN.search(one) and not POLITE.search(one)]


def test_japanese_sentences_are_polite() -> None:
    found = texts("ja")
    assert (
        plain_endings("札が配られた。")
        and plain_endings("石を置く。")
        and not plain_endings("石を置きます。")
    )
    wrong = [f"{where} {key}: {one}" for where, key, text in found for one in plain_endings(text)]
    assert wrong == []


def test_bots_have_names_of_the_language() -> None:
    named = {
        lang: [text for _, key, text in messages(lang) if re.fullmatch(r"person\.[1-8]", key)]
        for lang in ("zh", "ja")
    }
    assert {"小波", "阿梅"} < set(named["zh"])
    assert all(not re.search("[A-Za-z]", name) for names in named.values() for name in names)
