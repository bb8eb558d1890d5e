"""Only `server/table/` writes to a table; everyone else reads it and calls its methods."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from qipai.server.table import table as module

SERVER = Path(module.__file__).parents[1]
OUTSIDE = sorted(path for path in SERVER.rglob("*.py") if path.parent.name != "table")
GROUPS = ("seating", "hand", "turn", "presence", "talk", "showing")  # the parts of a table's state


def attributes() -> set[str]:
    """Return what `Table.__init__` assigns to itself."""
    tree = ast.parse(Path(module.__file__).read_text("utf-8"))
    (table,) = (n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "Table")
    (init,) = (n for n in table.body if isinstance(n, ast.FunctionDef) and n.name == "__init__")
    return {t.attr for t in targets(init) if isinstance(t.value, ast.Name) and t.value.id == "self"}


def targets(tree: ast.AST) -> Iterator[ast.Attribute]:
    """Yield every attribute that is assigned, changed in place or deleted."""
    for node in ast.walk(tree):
        found: list[ast.expr] = []
        if isinstance(node, ast.Assign | ast.Delete):
            found = node.targets
        elif isinstance(node, ast.AugAssign | ast.AnnAssign | ast.For):
            found = [node.target]
        for target in found:
            yield from written(target)


def written(target: ast.expr) -> Iterator[ast.Attribute]:
    """Yield the attributes of one target; `a.b[0]` writes to `a.b`."""
    if isinstance(target, ast.Attribute):
        yield target
    elif isinstance(target, ast.Tuple | ast.List):
        for part in target.elts:
            yield from written(part)
    elif isinstance(target, ast.Subscript | ast.Starred):
        yield from written(target.value)


def parts(node: ast.expr) -> list[str]:
    """Return the names of a chain `a.b[0].c`, from its root."""
    if isinstance(node, ast.Attribute):
        return [*parts(node.value), node.attr]
    if isinstance(node, ast.Subscript | ast.Call):
        return parts(node.value if isinstance(node, ast.Subscript) else node.func)
    return [node.id] if isinstance(node, ast.Name) else []


def writes(tree: ast.AST) -> list[str]:
    """Return the assignments to a table: to something called a table, or through a part of one."""
    known = attributes() - {"hall"}  # the application has one too
    found = []
    for target in targets(tree):
        chain = parts(target)
        own = chain[0] == "self" and len(chain) == 2  # an attribute of the object itself
        through = {"table", "tables"} & set(chain[:-1]) or (set(chain[:-1]) & known & set(GROUPS))
        if through or (chain[-1] in known and not own):
            found.append(f"line {target.lineno}: {'.'.join(chain)}")
    return found


@pytest.mark.parametrize("path", OUTSIDE, ids=lambda p: p.relative_to(SERVER).as_posix())
def test_a_module_outside_writes_to_no_table(path: Path) -> None:
    assert writes(ast.parse(path.read_text("utf-8"))) == []


def test_the_state_of_a_table_is_in_few_places() -> None:
    known = attributes()
    assert set(GROUPS) <= known and len(known) <= 12, known


@pytest.mark.parametrize(
    "planted",
    [
        "table.asleep = True",
        "t.presence.quiet_since = 0.0",
        "self.table.hand = None",
        "hall.tables[name].turn.since += 1.0",
        "found.seating = seating",
        "del table.hand",
        "table.presence.sockets, x = {}, 1",
    ],
)
def test_a_planted_write_is_found(planted: str) -> None:
    assert writes(ast.parse(planted))
