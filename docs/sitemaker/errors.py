"""The page of errors: every code with its class and meaning, from the classes themselves."""

from __future__ import annotations

from qipai.core.errors import QipaiError, all_errors
from qipai.games.skill_gomoku.api.codes import MESSAGES
from qipai.games.xianqi.api import refusals as xianqi
from qipai.server.refusals import Refusal, all_refusals

from .markdown import notice, table

HEAD = """# Errors

qipai raises a `QipaiError` for everything it refuses, and nothing has changed when it does. Every error has a `code` that
never changes once it is released; programs should test the code, not the message. No message contains anything that a seat
may not know.

```python
import qipai

try:
    qipai.get("chess")
except qipai.QipaiError as error:
    print(error.code)  # game/unknown
    print(error.to_json())  # {"code": "game/unknown", "message": "..."}
```

`to_json()` is the one form in which an error leaves the process: over HTTP, over the WebSocket, in logs. The command line
prints the message with its code and exits with status 2.
"""

# Meanings that need more words than the docstring of the class.
DETAILS = {
    "qipai": "the base class; catch this one to catch them all",
    "game/bad": (
        "a game breaks the contract: a reserved field name, a missing function, a wrong shape, a package that "
        "cannot be loaded, rules that leave a seat without an action"
    ),
    "server": "the base class of the server's refusals",
    "message/size": "a message has more than 8 KiB (64 KiB over HTTP), or is not text",
    "message/rate": (
        "too many messages, requests, tables, lines of chat, new guests from one address or waiting replays "
        "([limits](operate/settings.md))"
    ),
    "hall/full": "the server holds as many tables, watchers or sockets as it can, or one address has too many",
    "table/conflict": "other workers wrote at the same time, several times in a row; try again",
}

XIANQI = {
    xianqi.INVALID_CONFIG: "a configuration or option cannot be used",
    xianqi.INVALID_STATE: "`load_state` refused a document (also an `AssertionError`)",
    xianqi.INVALID_PHASE: "the call does not fit the phase",
    xianqi.VERSION_CONFLICT: "the caller acted on an older version",
    xianqi.INVALID_ACTION_INDEX: "the index names no listed action",
    xianqi.INVALID_COVER_LIST: "the list of covered pieces is malformed or not in the hand",
    xianqi.INVALID_SEAT: "the seat does not exist",
    xianqi.INVALID_ACTION: "a listed action cannot be made; reserved, never raised",
}

GAMES = """## Named APIs of the games

A game's named API raises its own codes where its specification names them. They are `QipaiError`s too. Wuhan mahjong's
`IllegalMove`, `BadPosition`, `BadSetting` and `BadReset` and NANA's `BadMemory` carry the codes of their base classes above and
are also `ValueError`s.
"""

TAIL = """## Verdicts

`qipai.testing.ConformanceError` is none of these. It is an `AssertionError`: a game was checked, and this is the result.
"""


def all_codes() -> list[str]:
    """Return every code that the package can raise."""
    raised = [error.code for error in [*all_errors(), *all_refusals()]]
    return [*raised, *xianqi.CODES, *map(str, MESSAGES)]


def page() -> str:
    """Return the page as Markdown."""
    core = [(f"`{e.code}`", f"`{e.__name__}`", _meaning(e)) for e in all_errors()]
    server = [(f"`{e.code}`", f"`{e.__name__}`", e.status, _meaning(e)) for e in all_refusals()]
    parts = [
        notice("the classes in `core/errors.py`, `server/refusals.py` and the games"),
        "",
        HEAD,
        "## Core",
        "",
        table(("code", "class", "raised when"), core),
        "",
        "## Server",
        "",
        "Sent over HTTP with the status below, and over the WebSocket as `refused`. The class is in `qipai.server.refusals`.",
        "",
        table(("code", "class", "HTTP status", "sent when"), server),
        "",
        GAMES,
        table(
            ("Xianqi: `EngineError` code", "raised when"),
            [(f"`{code}`", XIANQI[code]) for code in xianqi.CODES],
        ),
        "",
        table(
            ("Skill gomoku: `SkillGomokuError` code", "meaning"),
            [(f"`{code}`", text) for code, text in MESSAGES.items()],
        ),
        "",
        TAIL,
    ]
    return "\n".join(parts)


def _meaning(error: type[QipaiError] | type[Refusal]) -> str:
    text = DETAILS.get(error.code) or " ".join((error.__doc__ or "").split())
    return text[0].lower() + text[1:].rstrip(".")
