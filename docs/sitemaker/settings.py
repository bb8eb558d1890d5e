"""The page of the server's settings: limits and paces, from `qipai.server.settings`."""

from __future__ import annotations

import ast
import inspect
from dataclasses import fields

from qipai.server import settings

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
"""


def page() -> str:
    """Return the page as Markdown."""
    lines = inspect.getsource(settings).splitlines()
    tree = ast.parse("\n".join(lines))
    defaults = {field.name: field.default for field in fields(settings.Settings)}
    found = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "Settings")
    groups: list[tuple[str, list[tuple[str, str, str]]]] = [("Database and processes", [])]
    last = 0
    for node in found.body:
        if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name):
            continue
        for line in lines[last : node.lineno]:
            if line.strip().startswith("# ---"):
                title = line.strip().removeprefix("# ---").strip()
                groups.append((title[0].upper() + title[1:].partition(":")[0], []))
        last = node.end_lineno or node.lineno
        about = lines[last - 1].partition("  # ")[2].strip()
        groups[-1][1].append((f"`{node.target.id}`", f"`{defaults[node.target.id]!r}`", about))
    parts = [notice("`src/qipai/server/settings.py`"), "", HEAD]
    for title, rows in groups:
        parts += [f"## {title}", "", table(("setting", "default", "meaning"), rows), ""]
    return "\n".join(parts)
