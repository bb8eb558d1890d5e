"""The page of the settings of training, from `qipai.learn.settings`."""

from __future__ import annotations

from typing import Any

from qipai.learn import settings

from .comments import groups_of
from .markdown import notice, table

HEAD = """# Settings of training

Everything that decides a run of [`qipai train`](../training.md) or `qipai exploit`. `--set` changes a setting, and may be
repeated:

```shell
qipai train nana --set rate=3e-4 --set seats=2,4 --set league=0.25
```

Lists are written with commas, `true` and `false` as words. A setting that does not exist, or is out of range, is refused
(`train/bad`). `settings.json` in the folder of a run holds all of them.

The defaults below are changed first [by the game](#by-game), then [by the CPU](#on-a-cpu), then by `--set`.
"""
COMMANDS = {"seed": "`--seed`", "options": "`qipai exploit --option`"}  # set otherwise than by --set


def page() -> str:
    """Return the page as Markdown."""
    parts = [notice("`src/qipai/learn/settings.py`"), "", HEAD]
    for title, fields in groups_of(settings.Settings, "# ", "the game"):
        told = [_row(*field) for field in fields if field[0] != "game"]
        parts += [
            f"## {title[0].upper()}{title[1:]}",
            "",
            table(("setting", "default", "meaning"), told),
            "",
        ]
    names = sorted({name for tuned in settings.TUNED.values() for name in tuned}, key=_place)
    rows = [(f"`{n}`", *(_value(tuned.get(n, "")) for tuned in settings.TUNED.values())) for n in names]
    clones = [f"`{agent}` ({game})" for game, agent in settings.START.items()]
    parts += [
        "## By game",
        "",
        "Where a cell is empty, the default holds. [The ledger](ledger.md) has the runs that were made with these.",
        "",
        table(("setting", *settings.TUNED), rows),
        "",
        f"Without `--from`, these agents are cloned first: {', '.join(clones)}.",
        "",
        "## On a CPU",
        "",
        "The net is small and the segments are short, so that a run learns something within minutes.",
        "",
        table(("setting", "value"), [(f"`{n}`", _value(v)) for n, v in settings.CPU.items()]),
        "",
    ]
    return "\n".join(parts)


def _row(name: str, default: str, about: str) -> tuple[str, str, str]:
    other = COMMANDS.get(name)
    return f"`{name}`", f"`{default}`", f"{about} (set by {other})" if other else about


def _place(name: str) -> int:
    return list(settings.Settings.__dataclass_fields__).index(name)


def _value(value: Any) -> str:
    return "" if value == "" else f"`{value}`"
