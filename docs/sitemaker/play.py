"""The pages for players, one per game and language: pitch, picture, keys, bots and options, from the games themselves."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from qipai.bots.levels import level_of
from qipai.core import LANGUAGES, Game, Option, bots_of, get
from qipai.core.registry import OURS

from .markdown import notice, sentence, table

ROOT = Path(__file__).parents[2]
KEY = re.compile(r'(?:\{ key: |\[)"([^"]+)", (?:does: everywhere\()?"(key\.\w+)"')


@dataclass(frozen=True)
class Frame:
    """The sentences around what the game itself says, in one language."""

    start: str
    browser: str
    terminal: str
    keys: str
    keys_about: str
    key_head: tuple[str, str]
    help_key: str
    bots: str
    levels_about: str
    level_head: tuple[str, str, str]
    bots_about: str
    bot_head: tuple[str, str, str]
    options: str
    options_about: str
    option_head: tuple[str, str, str]
    rules: str
    rules_about: str
    picture: str
    seats: str


FRAMES = {
    "en": Frame(
        start="Start a game",
        browser="In the browser: run `qipai serve` and choose {title} in the lobby.",
        terminal="In the terminal:",
        keys="Keys in the browser",
        keys_about="Everything can be played with the mouse, by touch, or with the keyboard alone.",
        key_head=("key", "does"),
        help_key="open or close the list of keys",
        bots="Bots",
        levels_about="Six levels, from a beginner to the strongest. Choose them when you open a table, or with `--level` in "
        "the terminal.",
        level_head=("level", "shown as", "how it plays"),
        bots_about="These bots are offered too. The terminal accepts their names and those of the levels (`level1` to "
        "`level6`) after `--bots`.",
        bot_head=("name", "shown as", "how it plays"),
        options="House rules",
        options_about="Set them when you open a table, or with `--option NAME=VALUE` in the terminal.",
        option_head=("option", "values (the first is the default)", "meaning"),
        rules="Rules",
        rules_about="The complete rules are on the page [{title}: rules]({link}). `qipai rules {name}` prints them.",
        picture="{title} in the browser",
        seats="{seats} seats.",
    ),
    "zh": Frame(
        start="开一局",
        browser="在浏览器中：运行 `qipai serve`，在大厅里选择“{title}”。",
        terminal="在终端中：",
        keys="浏览器中的按键",
        keys_about="鼠标、触屏或只用键盘都可以玩完整局。",
        key_head=("按键", "作用"),
        help_key="打开或关闭按键说明",
        bots="机器人",
        levels_about="共六个级别，由弱到强。开桌时选择，或在终端用 `--level` 指定。",
        level_head=("级别", "显示为", "打法"),
        bots_about="另外还有下面这些机器人。在终端用 `--bots` 指定它们，或指定某一级（`level1` 到 `level6`）。",
        bot_head=("名称", "显示为", "打法"),
        options="可选规则",
        options_about="开桌时设置，或在终端用 `--option 名称=值` 设置。",
        option_head=("选项", "取值（第一个为默认）", "含义"),
        rules="规则",
        rules_about="完整规则见[{title}：规则]({link})。`qipai rules {name} --lang zh` 也会打印。",
        picture="浏览器中的“{title}”",
        seats="{seats} 个座位。",
    ),
    "ja": Frame(
        start="始め方",
        browser="ブラウザでは、`qipai serve` を実行し、ロビーで「{title}」を選びます。",
        terminal="ターミナルでは次のようにします。",
        keys="ブラウザでのキー操作",
        keys_about="マウス、タッチ、キーボードのどれだけでも最後まで遊べます。",
        key_head=("キー", "操作"),
        help_key="キー一覧を開く・閉じる",
        bots="ボット",
        levels_about="六段階のレベルがあり、数字が大きいほど強くなります。卓を立てるときに選ぶか、ターミナルでは `--level` で指定します。",
        level_head=("レベル", "表示名", "打ち方"),
        bots_about="ほかに次のボットも選べます。ターミナルでは、これらの名前かレベルの名前（`level1`〜`level6`）を `--bots` で指定します。",
        bot_head=("名前", "表示名", "打ち方"),
        options="ルールの選択",
        options_about="卓を立てるときに選ぶか、ターミナルでは `--option 名前=値` で指定します。",
        option_head=("オプション", "値（先頭が既定）", "意味"),
        rules="ルール",
        rules_about="ルールの全文は[{title}：ルール]({link})にあります。`qipai rules {name} --lang ja` でも表示できます。",
        picture="ブラウザで遊ぶ「{title}」",
        seats="{seats} 席。",
    ),
}


def path_of(name: str, lang: str) -> str:
    """Return where the page of a game is in the repository."""
    return f"docs/play/{name}.md" if lang == "en" else f"docs/{lang}/play/{name}.md"


def pages() -> dict[str, str]:
    """Return the players' pages of all games in all languages, by path."""
    return {path_of(name, lang): page(get(name), lang) for name in OURS for lang in LANGUAGES}


def page(game: Game, lang: str) -> str:
    """Return the page of one game in one language as Markdown."""
    frame, name, title = FRAMES[lang], game.name, game.title(lang)
    up = "../" if lang == "en" else "../../"
    suffix = "" if lang == "en" else f".{lang}"
    low, high = game.rules.seats
    seats = str(low) if low == high else f"{low}-{high}"
    command = f"qipai play {name}" + ("" if lang == "en" else f" --lang {lang}")
    parts = [
        notice(f"the registered game `{name}` and its table in `front/src/tables`"),
        "",
        f"# {title}",
        "",
        sentence(game.words.messages.say("pitch", lang))
        + (" " if lang == "en" else "")
        + frame.seats.format(seats=seats),
        "",
        f"![{frame.picture.format(title=title)}]({up}images/{name}{suffix}.webp)",
        "",
        intro(name, lang),
        "",
        f"## {frame.start}",
        "",
        frame.browser.format(title=title),
        "",
        frame.terminal,
        "",
        "```shell",
        command,
        f"{command} --hint",
        "```",
        "",
        f"## {frame.keys}",
        "",
        frame.keys_about,
        "",
        table(frame.key_head, [*keys(game, lang), ("`?`", frame.help_key)]),
        "",
        f"## {frame.bots}",
        "",
        frame.levels_about,
        "",
        table(frame.level_head, levels(game, lang)),
        "",
        frame.bots_about,
        "",
        table(frame.bot_head, bots(game, lang)),
        "",
        f"## {frame.options}",
        "",
        frame.options_about,
        "",
        table(frame.option_head, _options(game, lang)),
        "",
        f"## {frame.rules}",
        "",
        frame.rules_about.format(
            title=title, name=name, link=f"{up}../src/qipai/games/{name}/README{suffix}.md"
        ),
        "",
    ]
    return "\n".join(parts)


def intro(name: str, lang: str) -> str:
    """Return what a game's README says before its first clause, without title and code."""
    suffix = "" if lang == "en" else f".{lang}"
    text = (ROOT / "src" / "qipai" / "games" / name / f"README{suffix}.md").read_text("utf-8")
    body = text.partition("\n")[2].partition("\n## ")[0].partition("\n```")[0]
    return body.strip()


def keys(game: Game, lang: str) -> list[tuple[str, str]]:
    """Return the keys of a game's table in the browser and what each does."""
    folder = ROOT / "front" / "src" / "tables" / game.name
    text = "".join((folder / file).read_text("utf-8") for file in ("index.ts", "words.ts"))
    return [(f"`{key}`", game.words.messages.say(does, lang)) for key, does in KEY.findall(text)]


def levels(game: Game, lang: str) -> list[tuple[str, str, str]]:
    """Return the levels of a game: number, emoji with name, and how it plays."""
    rows = []
    for name in bots_of(game):
        number = level_of(name)
        if number is not None:
            emoji = game.words.messages.say(f"bot.{name}.emoji", lang)
            rows.append((str(number), f"{emoji} {game.agent_name(name, lang)}", game.agent_about(name, lang)))
    return rows


def bots(game: Game, lang: str) -> list[tuple[str, str, str]]:
    """Return the bots that tables offer besides the levels; sparring partners are for contests only."""
    return [
        (f"`{name}`", game.agent_name(name, lang), game.agent_about(name, lang))
        for name in bots_of(game)
        if level_of(name) is None
    ]


def _options(game: Game, lang: str) -> list[tuple[str, str, str]]:
    rows = []
    for o in game.rules.options:
        shown = o.show(o.default)
        if o.choices:
            ordered = [shown, *(c for c in o.choices if c != shown)]
            values = ", ".join(_choice(game, o.name, c, lang) for c in ordered)
        else:
            values = _numbers(game, o, lang)
        rows.append((f"`{o.name}`", values, game.option_about(o.name, lang)))
    return rows


def _numbers(game: Game, o: Option, lang: str) -> str:
    """Return the default of a range and its ends, or all that is allowed; the lowest apart if it is no amount."""
    if o.allowed:
        others = (number for number in o.allowed if number != o.default)
        return ", ".join(_choice(game, o.name, number, lang) for number in (o.default, *others))
    if not game.names_lowest(o):
        return f"`{o.default}` ({o.low} … {o.high})"
    lowest, amounts = _choice(game, o.name, o.low, lang), f"{o.low + 1} … {o.high}"
    return f"{lowest}, {amounts}" if o.default == o.low else f"`{o.default}` ({amounts}), {lowest}"


def _choice(game: Game, option: str, choice: object, lang: str) -> str:
    name = game.choice_name(option, str(choice), lang)
    return f"`{choice}`" if name == str(choice) else f"`{choice}` ({name})"
