"""Writes the skeleton of a third-party game under a new name: a package, or a single file."""

from __future__ import annotations

import keyword
import os
import re
import secrets
import shutil
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from qipai.core import names
from qipai.core.errors import BadFolder, BadName

NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")

# The game itself, copied with its name replaced; and the files around it, from templates.
GAME_FILES = (
    *(
        "__init__.py",
        "state.py",
        "rules.py",
        "observe.py",
        "view.py",
        "options.py",
        "layout.py",
        "examples.py",
    ),
    *("text.py", "messages/en.json", "bots/__init__.py", "bots/steady.py", "README.md"),
)
TEMPLATES = {
    "pyproject.toml": "pyproject.toml.tmpl",
    "README.md": "README.md.tmpl",
    ".gitignore": "gitignore.tmpl",
    "tests/test_contract.py": "test_contract.py.tmpl",
    "tests/test_rules.py": "test_rules.py.tmpl",
    "tests/test_secrets.py": "test_secrets.py.tmpl",
    "tests/test_bot.py": "test_bot.py.tmpl",
}


def write_skeleton(name: str, folder: str | os.PathLike[str]) -> Path:
    """Write the package `name` as a new folder of that name in `folder`; all of it or nothing.

    Raise `BadName` for a name that a new game cannot have, `BadFolder` for a folder that cannot be written.
    """
    check_name(name)
    target = Path(folder) / name
    if os.path.lexists(target):
        raise BadFolder(f"{target} exists already")
    draft = target.with_name(f".{name}-{secrets.token_hex(8)}")
    try:
        draft.mkdir()
        for place, text in contents(name).items():
            path = draft / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        draft.rename(target)
    except (OSError, ValueError) as error:
        shutil.rmtree(draft, ignore_errors=True)
        raise BadFolder(f"cannot write {target}: {getattr(error, 'strerror', None) or error}") from error
    return target


def write_small(name: str, folder: str | os.PathLike[str]) -> Path:
    """Write the game `name` as one new file `name.py` in `folder`.

    Raise `BadName` for a name that a new game cannot have, `BadFolder` for a file that cannot be written.
    """
    check_name(name)
    target = Path(folder) / f"{name}.py"
    text = _renamed(files(__package__).joinpath("small.py").read_text("utf-8"), name)
    try:
        with target.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise BadFolder(f"{target} exists already") from error
    except (OSError, ValueError) as error:
        raise BadFolder(f"cannot write {target}: {getattr(error, 'strerror', None) or error}") from error
    return target


def check_name(name: str) -> None:
    """Raise `BadName` for a name that a new game and its package cannot have."""
    if not isinstance(name, str) or NAME.fullmatch(name) is None or keyword.iskeyword(name):
        raise BadName("the name of a game must be a Python identifier in lower case, such as my_game")
    if name in names():
        raise BadName(f"a game called {name} is already registered")
    if find_spec(name) is not None:
        raise BadName(f"a module called {name} is already installed; the package would hide it")


def contents(name: str) -> dict[str, str]:
    """Return the files of the package by their path in it."""
    here = files(__package__)
    found = {}
    for place, file in TEMPLATES.items():
        found[place] = _filled(here.joinpath(file).read_text("utf-8"), name)
    for file in GAME_FILES:
        text = here.joinpath("game", *file.split("/")).read_text("utf-8")
        found[f"src/{name}/{file}"] = _renamed(text, name)
    return found


def title_of(name: str) -> str:
    """Return an initial title."""
    return name.replace("_", " ").capitalize()


def _filled(text: str, name: str) -> str:
    project = name.replace("_", "-").strip("-")
    for key, value in (("name", name), ("title", title_of(name)), ("project", project)):
        text = text.replace("{{" + key + "}}", value)
    return text


def _renamed(text: str, name: str) -> str:
    """Replace the game's own name and title; nothing else in its files contains them."""
    return (
        text.replace('name="skeleton"', f'name="{name}"')
        .replace('"title": "Skeleton"', f'"title": "{title_of(name)}"')
        .replace("# Skeleton\n", f"# {title_of(name)}\n")
        .replace("\nSkeleton is ", f"\n{title_of(name)} is ")
        .replace('"""Skeleton: ', f'"""{title_of(name)}: ')
    )
