"""What a link to the page shows where it is shared: title, sentence and picture, by address.

The address of a table tells which game is played there, and nothing else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from pathlib import Path

from qipai.core import LANGUAGES, get, names
from qipai.core.message import Messages

from ..hall import TABLE_ID, Hall
from ..store import ledger

MESSAGES = Messages.of_package("qipai.server")
SITE_NAME = "qipai"
GAMES = {"play": "", "rules": "preview.rules", "spec": "preview.rules", "learn": "preview.learn"}
TABLES = {"table": "preview.table", "replay": "preview.replay"}


@dataclass(frozen=True)
class Preview:
    """The preview of an address that belongs to a game."""

    title: str
    about: str
    game: str


def language(accepted: str) -> str:
    """Return the first of our languages that an Accept-Language header names."""
    for tag in accepted.lower().split(","):
        lang = tag.strip()[:2]
        if lang in LANGUAGES:
            return lang
    return "en"


async def preview(hall: Hall, path: str, lang: str) -> Preview | None:
    """Return the preview of an address, or None if the page's own will do."""
    kind, _, name = path.strip("/").partition("/")
    name = name.partition("/")[0]
    game = await _game_of(hall, name) if kind in TABLES else name if kind in GAMES else ""
    if not game or game not in names():
        return None
    found = get(game)
    key = TABLES.get(kind) or GAMES.get(kind)
    title = MESSAGES.say(key, lang, game=found.title(lang)) if key else found.title(lang)
    about = found.words.messages.find("pitch", lang) or ""
    if kind == "table" or not about:
        about = MESSAGES.say("preview.seat", lang)
    return Preview(title, about, game)


async def _game_of(hall: Hall, table: str) -> str:
    """Return the game of this table, without waking it; "" if there is no such table."""
    held = hall.tables.get(table)
    if held is not None:
        return held.setup.game
    if TABLE_ID.fullmatch(table) is None:
        return ""
    setup = await hall.store.read(lambda c: ledger.find_setup(c, table))
    return "" if setup is None else setup.game


def fill(page: str, found: Preview | None, base: str, site: Path) -> str:
    """Return the page with this preview; a preview needs whole addresses, which begin with `base`."""
    picture = "preview.jpg"
    if found is not None:
        title = f"{found.title} · {SITE_NAME}"
        texts = {"og:title": title, "og:description": found.about, "description": found.about}
        for name, text in texts.items():
            page = _replace(page, rf'(<meta (?:name|property)="{name}" content=")[^"]*', text)
        page = _replace(page, "(<title>)[^<]*", title)
        if (site / f"preview-{found.game}.webp").is_file():
            picture = f"preview-{found.game}.webp"
    return _replace(page, '(<meta property="og:image" content=")[^"]*', base + picture)


def _replace(page: str, pattern: str, text: str) -> str:
    return re.sub(pattern, lambda found: found[1] + escape(text), page, count=1)
