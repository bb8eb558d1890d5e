"""The architecture: imports point one way, the core names no game, a game names no other."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from qipai.core import registry

SOURCE = Path(__file__).parent.parent / "src" / "qipai"

# From the top down; a package imports from the layers below its own.
LAYERS = (
    ("__main__",),
    ("cli",),
    ("commands",),
    ("server", "bench"),
    ("learn",),
    ("arena", "data", "envs", "terminal", "skeleton"),
    ("testing",),
    ("bots",),
    ("search",),
    ("match", "sim", "vectors"),
    ("games", "cluster"),
    ("core",),
)
RANK = {name: len(LAYERS) - i for i, layer in enumerate(LAYERS) for name in layer}

# The design's own exceptions: a game's package hands its environment on, when asked for by name;
# `python -m qipai.testing` is the older form of a command.
LAZY_DOORS = {("games/wuhan_mahjong/__init__.py", "envs"), ("testing/__main__.py", "cli")}


def modules(part: str) -> list[Path]:
    """Return the files of one part of qipai, which is a folder or a single module."""
    return sorted((SOURCE / part).rglob("*.py")) or [SOURCE / f"{part}.py"]


def parts() -> list[str]:
    """Whatever lies in the package."""
    found = [p.stem for p in SOURCE.iterdir() if p.suffix == ".py" or (p / "__init__.py").exists()]
    return sorted(name for name in found if name != "__init__")


def imports(path: Path, text: str | None = None) -> Iterator[str]:
    """Yield every module of qipai that a file (of this `text`) imports, wherever in it, as a dotted name."""
    package = ["qipai", *path.relative_to(SOURCE).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text("utf-8") if text is None else text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "qipai")
        elif isinstance(node, ast.ImportFrom):
            base = node.module.split(".") if node.module else []
            if node.level:
                base = package[: len(package) - node.level + 1] + base
            if base[:1] == ["qipai"]:
                yield from (".".join([*base, alias.name]) for alias in node.names)


def part(dotted: str) -> str:
    """Return the part of qipai that a dotted name belongs to; "" for the package itself."""
    names = dotted.split(".")
    return names[1] if len(names) > 1 and names[1] in RANK else ""


@pytest.mark.parametrize("own", parts())
def test_imports_point_one_way(own: str) -> None:
    assert own in RANK, f"{own} has no place among the layers"
    for path in modules(own):
        name = path.relative_to(SOURCE).as_posix()
        for found in imports(path):
            other = part(found)
            if other == "":
                assert found == "qipai.__version__", f"{name} imports {found}: import from the part itself"
            elif other != own and (name, other) not in LAZY_DOORS:
                assert RANK[other] < RANK[own], f"{name} ({own}) imports {found}"


def test_a_wrong_import_would_be_seen() -> None:
    """The reader of imports finds every form, in a function too."""
    for text in (
        "import qipai.match",
        "from qipai import match",
        "from qipai.match import Match",
        "def f():\n    from ..match.match import Match",
        "from .. import match",
    ):
        path = SOURCE / "core" / "no_such_file.py"
        found = list(imports(path, text))
        assert [part(name) for name in found] == ["match"], text


def test_the_lazy_doors_open_only_inside_a_function() -> None:
    for name, other in LAZY_DOORS:
        path = SOURCE / name
        if not path.exists():
            continue
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                assert f"qipai.{other}" not in ast.unparse(node)


@pytest.mark.parametrize("path", sorted((SOURCE / "core").glob("*.py")), ids=lambda p: p.name)
def test_the_core_names_no_game(path: Path) -> None:
    """The registry's table of built-in games is the only place that must."""
    games = {p.name for p in (SOURCE / "games").iterdir() if (p / "rules.py").exists()} | {"kuhn", "leduc"}
    assert len(games) > 2
    tree = ast.parse(path.read_text("utf-8"))
    if path.name == "registry.py":
        tree.body = [n for n in tree.body if not _is_table_of_games(n)]
    words = ast.unparse(tree).lower()
    assert [game for game in sorted(games) if game in words] == []


def _is_table_of_games(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in ("OURS", "REFERENCE")


def test_a_game_imports_no_other_game() -> None:
    for path in modules("games"):
        own = path.relative_to(SOURCE / "games").parts[0]
        for found in imports(path):
            names = found.split(".")
            if names[1] == "games" and len(names) > 2:
                assert names[2] == own, f"{path.name} of {own} imports {found}"


def test_every_game_of_ours_is_a_package_of_its_name() -> None:
    for name, place in registry.OURS.items():
        assert place.partition(":")[0] == f"qipai.games.{name}"
        assert (SOURCE / "games" / name / "__init__.py").exists()
