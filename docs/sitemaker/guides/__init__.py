"""The worked examples of the players' rules pages, computed by the rules and drawn by the page.

`front/src/tables/<game>/guide.json` holds them by name. An example is a list of rows; a row has a sentence of the
game's own message files, pieces in groups, boards, and terms that multiply. Nothing in it is typed: positions are
laid out, played by a `Match`, and what follows is what the game tells its players.
"""

from __future__ import annotations

import json

from . import nana, paipai_rensa, skill_gomoku, wuhan_mahjong, xianqi
from .row import Example

GAMES = {
    "xianqi": xianqi.examples,
    "nana": nana.examples,
    "wuhan_mahjong": wuhan_mahjong.examples,
    "skill_gomoku": skill_gomoku.examples,
    "paipai_rensa": paipai_rensa.examples,
}


def examples(game: str) -> dict[str, Example]:
    """Return the examples of a game by name."""
    return GAMES[game]()


def pages() -> dict[str, str]:
    """Return the files of examples, by their path in the repository."""
    return {f"front/src/tables/{game}/guide.json": write(examples(game)) for game in GAMES}


def write(found: dict[str, Example]) -> str:
    """Return examples as JSON, one row per line."""
    parts = []
    for name, example in found.items():
        rows = ",\n".join(f"      {_json(row)}" for row in example["rows"])
        parts.append(
            f'  "{name}": {{\n    "values": {_json(example["values"])},\n    "rows": [\n{rows}\n    ]\n  }}'
        )
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
