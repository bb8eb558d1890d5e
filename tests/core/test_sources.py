"""The digest of a module changes with everything that can change what it compiles to."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from qipai.core import sources
from qipai.core.sources import source_digest

FILES = {
    "cellar/__init__.py": "",
    "cellar/rules.py": "import json\nimport numpy\nfrom . import helper\nfrom attic.table import COINS\n",
    "cellar/helper.py": "def bonus(x):\n    from .deep import one\n    return x + one\n",
    "cellar/deep.py": "one = 1\n",
    "cellar/other.py": "two = 2\n",
    "attic/__init__.py": "",
    "attic/table.py": "COINS = 3\n",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Create two small packages that can be imported, and forget what was digested of them."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    yield tmp_path
    for name in [name for name in sys.modules if name.partition(".")[0] in ("cellar", "attic")]:
        del sys.modules[name]


def digest(module: str = "cellar.rules") -> str:
    """Digest as a process that has just started would."""
    sources._DIGESTS.clear()
    sources._imported.cache_clear()
    return source_digest(module)


@pytest.mark.parametrize(
    "edited", ["cellar/rules.py", "cellar/helper.py", "cellar/deep.py", "attic/table.py"]
)
def test_an_edit_of_anything_it_imports_changes_the_digest(folder: Path, edited: str) -> None:
    before = digest()
    (folder / edited).write_text(FILES[edited] + "# edited\n")
    assert digest() != before
    (folder / edited).write_text(FILES[edited])
    assert digest() == before


def test_an_edit_of_what_it_does_not_import_changes_nothing(folder: Path) -> None:
    before = digest()
    (folder / "cellar/other.py").write_text("two = 3\n")
    assert digest() == before


def test_the_standard_library_and_the_tools_count_by_their_versions(folder: Path) -> None:
    names = {path.parts[-2] for path in sources._import_closure("cellar.rules")}
    assert names == {"cellar", "attic"}


def test_flags_of_the_compiler_change_the_digest(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = digest()
    monkeypatch.setattr(sources._config, "BOUNDSCHECK", 1)
    assert digest() != before
    monkeypatch.undo()


def test_a_module_that_is_not_there_is_no_fault(folder: Path) -> None:
    (folder / "cellar/rules.py").write_text("from nowhere.at_all import thing\n")
    assert len(digest()) == 24
