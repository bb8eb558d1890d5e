"""The rules of a game as it tells them itself: `Game.rules_text`, or the README of its package."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import TYPE_CHECKING

from qipai.core import Game
from qipai.core.rule import plain_function

from .words import say

if TYPE_CHECKING:
    from rich.markdown import Markdown


def rules_text(game: Game, lang: str) -> str:
    """Markdown in the language asked for, else in English; a sentence when there is none."""
    for wanted in dict.fromkeys((lang, "en")):
        found = game.words.rules_text.get(wanted) or _readme(game, wanted)
        if found:
            return found
    return f"# {game.title(lang)}\n\n{say('no_rules', lang)}"


def without_commands(text: str) -> str:
    """The rules for a reader who has no shell at hand: no blocks and brackets of commands."""
    text = re.sub(r"```\n(?:(?:qipai|python) [^\n]*\n)+```\n\n?", "", text)
    return re.sub(r" ?[（(]`qipai [^`]*`[）)]", "", text)


def rules_page(game: Game, lang: str) -> Markdown:
    """The same, ready to print. `rich.markdown` is slow to load, so only now."""
    from rich.markdown import Markdown

    return Markdown(rules_text(game, lang))


def _readme(game: Game, lang: str) -> str | None:
    package = plain_function(game.rules.deal).__module__.rpartition(".")[0]
    if not package:
        return None
    name = "README.md" if lang == "en" else f"README.{lang}.md"
    try:
        return files(package).joinpath(name).read_text(encoding="utf-8")
    except (OSError, ModuleNotFoundError, TypeError, UnicodeDecodeError):
        return None
