"""The page of the server's settings: limits and paces, from `qipai.server.settings`."""

from __future__ import annotations

import re

from qipai.server import settings

from .comments import groups_of
from .markdown import notice, table

HEAD = """# Limits and paces

Every number that the server works with, with its default. Times are in seconds unless a line says otherwise. To change some,
set `QIPAI_SERVER_SETTINGS` to a JSON object before you start the server:

```shell
QIPAI_SERVER_SETTINGS='{"tables": 500, "sockets_per_address": 50}' qipai serve --no-open
```

Unknown keys are ignored. The flags of [`qipai serve`](../reference/cli.md#qipai-serve) win over `database`, `full_sync` and
`workers`.

What a client is told when it exceeds a limit is on the page [Errors](../errors.md#server): `message/rate`, `message/size`,
`hall/full`. Sockets are closed with 4429 (too slow, or too many frames, bytes or bad messages) or 4503 (full).

Limits of an address hold whatever cookies its requests have, and count an IPv6 address as its /64 network
([behind a proxy](deploy.md#behind-a-proxy)). Every worker counts for itself. `/livez` has no such limit.
"""


def page() -> str:
    """Return the page as Markdown."""
    parts = [notice("`src/qipai/server/settings.py`"), "", HEAD]
    for comment, fields in groups_of(settings.Settings, "# ---", "database and processes"):
        title, text = _heading(comment)
        rows = [(f"`{name}`", f"`{default}`", about) for name, default, about in fields]
        parts += [
            f"## {title}",
            "",
            *([text, ""] if text else []),
            table(("setting", "default", "meaning"), rows),
            "",
        ]
    return "\n".join(parts)


def _heading(comment: str) -> tuple[str, str]:
    """Return the comment over a group as a heading and a sentence: what follows its first colon or semicolon."""
    title, _, text = re.sub("[:;] ", "\n", comment, count=1).partition("\n")
    return title[0].upper() + title[1:], f"{text[0].upper()}{text[1:]}." if text else ""
