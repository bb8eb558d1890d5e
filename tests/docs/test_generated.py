"""The generated pages are up to date, and every flag, error code, message and setting is on one."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from dataclasses import fields
from importlib import import_module
from pathlib import Path

import pytest

from qipai.bots.levels import level_of
from qipai.core import LANGUAGES, agents_of, get
from qipai.core.errors import QipaiError
from qipai.core.registry import OURS
from qipai.learn.settings import TUNED
from qipai.learn.settings import Settings as TrainingSettings
from qipai.server.metrics import Metrics
from qipai.server.settings import Settings
from sitemaker import commands, errors, generated, layouts, play, settings, training, wire

DOCS = Path(__file__).parents[2] / "docs"
# Packages whose names are for others.
PUBLIC = [
    "qipai",
    *(
        f"qipai.{n}"
        for n in ("arena", "cluster", "core", "data", "envs", "match", "search", "sim", "testing")
    ),
]


def test_every_generated_page_is_up_to_date() -> None:
    assert generated.stale() == [], "run `make pages` and commit what it writes"


def test_every_flag_of_every_command_is_on_the_page() -> None:
    page = (DOCS / "reference" / "cli.md").read_text("utf-8")
    for name, parser in commands.parsers().items():
        section = page.partition(f"\n## qipai {name}\n")[2].partition("\n## ")[0]
        assert section, f"qipai {name} has no section"
        for flag in commands.flags(parser):
            assert f"`{flag}`" in section, f"qipai {name} {flag}"


def test_a_new_flag_would_be_on_the_page() -> None:
    parser = argparse.ArgumentParser()
    action = parser.add_argument(
        "--planted", type=int, default=0, metavar="N", help="what it does (default: 0)"
    )
    assert commands._row(parser, action) == ("`--planted`", "`N`", "`0`", "what it does")


def test_the_tasks_of_a_command_are_on_the_page_with_their_flags() -> None:
    parser = argparse.ArgumentParser()
    task = parser.add_subparsers(metavar="TASK").add_parser("plant", help="do it")
    task.add_argument("--planted", help="what it does")
    assert commands.flags(parser) == ["--planted"]
    assert [(name, about) for name, about, _ in commands.tasks(parser)] == [("plant", "do it")]
    admin = commands.flags(commands.parsers()["admin"])
    assert {"--all", "--hours", "--reason"} <= set(admin)


def test_every_command_has_an_example_and_every_argument_a_meaning() -> None:
    parsers = commands.parsers()
    assert set(commands.EXAMPLES) == set(parsers)
    every = [*parsers.values(), *(task for one in parsers.values() for _, _, task in commands.tasks(one))]
    silent = [f"{one.prog} {a.dest}" for one in every for a in one._actions if not a.help]
    assert silent == []


@pytest.mark.parametrize("package", PUBLIC)
def test_every_public_name_is_on_a_page_of_the_reference(package: str) -> None:
    pages = "".join(path.read_text("utf-8") for path in (DOCS / "reference" / "api").glob("*.md"))
    found = re.findall(r"^::: ([\w.]+)\.(\w+)$", pages, re.M)
    shown = [getattr(import_module(place), name) for place, name in found]
    module = import_module(package)
    names = [name for name in module.__all__ if name != "__version__"]
    assert names and [n for n in names if not any(getattr(module, n) is one for one in shown)] == []


def test_every_error_code_is_on_the_page() -> None:
    page = (DOCS / "errors.md").read_text("utf-8")
    assert len(errors.all_codes()) > 60
    for code in errors.all_codes():
        assert f"| `{code}` |" in page, code


def test_no_error_class_is_forgotten() -> None:
    """Every class that gives itself a code, wherever it is, is among the codes of the page."""

    def below(family: type[QipaiError]) -> list[type[QipaiError]]:
        return [family, *(one for child in family.__subclasses__() for one in below(child))]

    ours = [one for one in below(QipaiError) if one.__module__.startswith("qipai.")]
    known = {
        *errors.all_codes(),
        "ENGINE_ERROR",
        "skill_gomoku",
    }  # the two stand for the codes of a named API
    assert {one.code for one in ours} <= known


def test_every_wire_message_and_every_setting_is_on_its_page() -> None:
    page = (DOCS / "reference" / "wire.md").read_text("utf-8")
    for name in wire.models():
        assert name in page, name
    for kind in wire.all_types():
        assert f"### `{kind}` (" in page, kind
    page = settings.page()
    for field in fields(Settings):
        assert f"| `{field.name}` |" in page, field.name


def test_the_limits_of_a_message_are_in_words() -> None:
    page = (DOCS / "reference" / "wire.md").read_text("utf-8")
    assert "| `text` | `str` | required | 1 to 200 characters |" in page
    assert "| `bots` | `list[Word]` | `[]` | agents by name; at most 8 entries |" in page
    assert "| `clock` | `int` | `0` | seconds for a decision; 0: no limit; 0 to 3,600 |" in page
    assert "meaning |\n|---|---|---|---|\n| `id` | `str` | required | |\n\n" not in page  # no empty column


def test_every_setting_of_training_is_on_its_page() -> None:
    page = training.page()
    for field in fields(TrainingSettings):
        assert (f"| `{field.name}` |" in page) == (field.name != "game"), field.name
    for game, tuned in TUNED.items():
        for name, value in tuned.items():
            row = next(line for line in page.split("## By game")[1].splitlines() if f"| `{name}` |" in line)
            assert f"`{value}`" in row, f"{game} {name}"


@pytest.mark.parametrize("page", [settings.page, training.page])
def test_every_setting_says_what_it_means(page: Callable[[], str]) -> None:
    rows = re.findall(r"^\| `\w+` \| `.*?` \|(.*)\|$", page(), re.M)
    assert len(rows) > 40 and [row for row in rows if not row.strip()] == []


def test_the_comment_over_a_group_of_settings_is_a_heading_and_a_sentence() -> None:
    page = settings.page()
    assert "\n## How long data is kept, in days\n\n0: forever.\n" in page
    assert "\n## Paces\n\nRandom, independent of the position.\n" in page
    assert "\n## People\n\n| setting" in page
    assert "over all sockets of an address" in page  # a comment within a wrapped value


def test_every_metric_is_on_its_page() -> None:
    page = (DOCS / "operate" / "metrics.md").read_text("utf-8")
    gauges = ("sockets", "tables", "tables_playing", "store_commits", "store_writes", "uptime_seconds")
    text = Metrics().text(dict.fromkeys(gauges, 0.0))
    for name in {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")}:
        assert name in page, name


@pytest.mark.parametrize("name", OURS)
def test_a_layout_page_has_every_feature_action_and_option(name: str) -> None:
    page, game = layouts.page(name), get(name)
    for feature in game.rules.observation:
        assert f"| `{feature.name}` | {feature.length} |" in page
    numbers: list[int] = []
    for row in layouts._actions(game):
        first, _, last = row[0].partition("-")
        numbers += range(int(first), int(last or first) + 1)
    assert numbers == list(range(game.rules.actions))
    for option in game.rules.options:
        assert f"| `{option.name}` |" in page


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", OURS)
def test_a_players_page_has_keys_bots_and_options_in_its_language(name: str, lang: str) -> None:
    page, game = play.page(get(name), lang), get(name)
    keys = play.keys(game, lang)
    told = [key for key in game.words.messages.texts(lang) if key.startswith("key.")]
    assert len(keys) == len(told) > 0  # each sentence about a key belongs to one
    for key, does in keys:
        assert f"| {key} | {does} |" in page
    listed = re.findall(r"^\| (.+?) \| (.+?) \|", page.partition(f"## {play.FRAMES[lang].bots}\n")[2], re.M)
    for spec in agents_of(game).values():
        title, number = game.agent_name(spec.name, lang), level_of(spec.name)
        shown = f"{game.words.messages.say(f'bot.{spec.name}.emoji', lang)} {title}" if number else title
        row = (str(number) if number else f"`{spec.name}`", shown)
        assert (row in listed) == spec.offered, spec.name  # tables refuse sparring partners
    for option in game.rules.options:
        assert f"| `{option.name}` |" in page
    assert len(play.intro(name, lang)) > 60
