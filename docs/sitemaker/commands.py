"""The page of the command line: every command, argument and flag, from the parsers themselves."""

from __future__ import annotations

import argparse
import re
from importlib import import_module

from qipai.cli import COMMANDS

from .markdown import notice, sentence, table

# Typical examples; the flags of each command are in its table.
EXAMPLES = {
    "games": ("qipai games", "qipai games xianqi"),
    "play": ("qipai play nana --seats 4 --lang zh", "qipai play xianqi --bots human,random --hint"),
    "rules": ("qipai rules xianqi", "qipai rules xianqi --diagram"),
    "replay": ("qipai replay match.jsonl", "qipai replay match.jsonl --seat 0 --ply 20"),
    "verify": ("qipai verify match.jsonl",),
    "vectors": ("qipai vectors tests/vectors/xianqi.json",),
    "arena": ("qipai arena xianqi --agents heuristic,random --deals 1000",),
    "ladder": ("qipai ladder nana --agents random,hard,exact,net --seats 4",),
    "think": (
        "qipai think xianqi --simulations 5000",
        "qipai think nana --record match.jsonl --ply 12 --json",
    ),
    "data": ("qipai data nana --games 1000 --out nana-1000", "qipai data nana --out nana-1000 --check"),
    "admin": ("qipai admin reports", "qipai admin ban 3f2a9c0d11e4b7aa --hours 48 --reason insults"),
    "train": ("qipai train xianqi --out runs/xianqi",),
    "exploit": ("qipai exploit xianqi --agent heuristic --minutes 10 --device cpu",),
    "export": ("qipai export xianqi --agent runs/xianqi --out xianqi.onnx",),
    "bench": ("qipai bench xianqi", "qipai bench --json > figures.json"),
    "new": ("qipai new my_game", "qipai new my_game --small"),
    "check": ("qipai check xianqi", "qipai check my_game.py --games 1000"),
    "serve": ("qipai serve", "qipai serve --host 0.0.0.0 --database postgresql://qipai@localhost/qipai"),
    "backup": ("qipai backup tables.backup", "qipai backup tables.backup --database sqlite:///tables.db"),
    "restore": ("qipai restore tables.backup --check", "qipai restore tables.backup --database @url.txt"),
}

HEAD = """# Command line

`qipai COMMAND --help` prints the same flags as this page. A command that takes a game takes its name or the path of a
[file that holds one](../design/first-game.md#play-it-simulate-it-train-on-it).

| exit status | meaning |
|---|---|
| 0 | done |
| 1 | something was checked, and it differs or is not finished |
| 2 | the request was refused; standard error says why, with an [error code](../errors.md) |
| 130 | interrupted |
"""


def parsers() -> dict[str, argparse.ArgumentParser]:
    """Return the parser of every command, in the order of the help."""
    found = {}
    for name in COMMANDS:
        module = import_module(f"qipai.commands.{name}")
        found[name] = argparse.ArgumentParser(prog=f"qipai {name}", description=module.ABOUT)
        module.configure(found[name])
    return found


def flags(parser: argparse.ArgumentParser) -> list[str]:
    """Return every flag of a parser and of its tasks, but for the help."""
    found = [
        flag for action in parser._actions for flag in action.option_strings if flag not in ("-h", "--help")
    ]
    return found + [flag for _, _, task in tasks(parser) for flag in flags(task)]


def tasks(parser: argparse.ArgumentParser) -> list[tuple[str, str, argparse.ArgumentParser]]:
    """Return name, help and parser of every task of a command, such as those of `qipai admin`."""
    found = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            said = {choice.dest: choice.help or "" for choice in action._choices_actions}
            found += [(name, said[name], task) for name, task in action.choices.items()]
    return found


def page() -> str:
    """Return the page as Markdown."""
    parts = [notice("the parsers in `src/qipai/commands`"), "", HEAD]
    for name, parser in parsers().items():
        parts += [f"## qipai {name}", "", sentence(parser.description or ""), ""]
        examples = EXAMPLES.get(name, ())
        if examples:
            parts += ["```shell", *examples, "```", ""]
        parts += _arguments(parser)
        for task, about, its in tasks(parser):
            parts += [f"### qipai {name} {task}", "", sentence(about), "", *_arguments(its)]
    return "\n".join(parts)


def _arguments(parser: argparse.ArgumentParser) -> list[str]:
    rows = [_row(parser, action) for action in parser._actions if action.dest != "help"]
    return [table(("argument", "value", "default", "meaning"), rows), ""] if rows else []


def _row(parser: argparse.ArgumentParser, action: argparse.Action) -> tuple[str, str, str, str]:
    names = ", ".join(f"`{flag}`" for flag in action.option_strings) or f"`{action.metavar or action.dest}`"
    if action.option_strings and action.required:
        names += " (required)"
    value = ""
    if action.choices is not None:
        value = ", ".join(f"`{choice}`" for choice in action.choices)
    elif action.option_strings and action.nargs != 0:
        told = action.metavar or action.dest.upper()
        value = f"`{' '.join(told) if isinstance(told, tuple) else told}`"
    elif action.nargs in ("+", "*"):
        value = "one or more"
    elif action.nargs == "?":
        value = "optional"
    default = action.default
    silent = default is None or isinstance(default, bool) or default in ("", [], argparse.SUPPRESS)
    shown = "" if silent else f"`{default}`"
    text = parser._get_formatter()._expand_help(action) if action.help else ""
    if shown:  # the next column already says so
        text = re.sub(r" \((?:default: )?[\w. ]+\)$", "", text)
    return names, value, shown, text
