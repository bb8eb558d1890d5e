"""The rules of a game as text: `Words.rules_text`, or the README of its package."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import TYPE_CHECKING

from qipai.core import Game

from .words import say

if TYPE_CHECKING:
    from rich.markdown import Markdown


def rules_text(game: Game, lang: str) -> str:
    """Return the rules as Markdown in the requested language, else in English, else a sentence."""
    for wanted in dict.fromkeys((lang, "en")):
        found = game.words.rules_text.get(wanted) or _readme(game, wanted)
        if found:
            return found
    return f"# {game.title(lang)}\n\n{say('no_rules', lang)}"


def without_commands(text: str) -> str:
    """Return the rules without shell commands, for readers who have no shell."""
    text = re.sub(r"```\n(?:(?:qipai|python) [^\n]*\n)+```\n\n?", "", text)
    return re.sub(r" ?[（(]`qipai [^`]*`[）)]", "", text)


def rules_page(game: Game, lang: str) -> Markdown:
    """Return the rules ready to print. `rich.markdown` loads slowly, so it is imported here."""
    from rich.markdown import Markdown

    return Markdown(rules_text(game, lang))


def _readme(game: Game, lang: str) -> str | None:
    if game.package is None:
        return None
    name = "README.md" if lang == "en" else f"README.{lang}.md"
    try:
        return files(game.package).joinpath(name).read_text(encoding="utf-8")
    except (OSError, ModuleNotFoundError, TypeError, UnicodeDecodeError):
        return None
