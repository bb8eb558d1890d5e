"""A dataset is read into every library, and refused by the name of the file that is not as written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qipai.core.errors import BadData
from qipai.data import Dataset, load, write
from qipai.data.write import CARD

LIBRARIES = ("pyarrow", "torch", "pandas", "polars", "datasets")  # `make toolbox` has them all
FILE = "data-00000.parquet"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write("xianqi", tmp_path / "set", 40, seed=2)
    return tmp_path / "set"


def test_rows_come_back(folder: Path) -> None:
    found = load(folder)
    arrays = found.numpy()
    rows = found.card["decisions"]
    assert arrays["observation"].shape == (rows, 132) and arrays["observation"].dtype == np.int8
    assert arrays["mask"][np.arange(rows), arrays["action"]].all()
    assert found.verify() == rows


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_library_reads_the_same(folder: Path, library: str) -> None:
    pytest.importorskip(library, reason=f"{library} is not installed: make toolbox")
    found = load(folder)
    rows = found.table() if library == "pyarrow" else getattr(found, library)()
    for name, array in found.numpy().items():
        if library == "torch":
            other = rows[name].numpy()
        else:
            column = rows[name].to_pylist() if library == "pyarrow" else rows[name]
            other = np.array(list(column) if array.ndim > 1 else column)
        assert other.shape == array.shape and np.array_equal(other, array), name


def test_blocks_are_the_files_one_after_the_other(tmp_path: Path) -> None:
    write("xianqi", tmp_path / "set", 1010, seed=2)
    found = load(tmp_path / "set")
    one, two = found.blocks()
    assert one["game"].max() == 999 and two["game"].min() == 1000
    whole = found.numpy()
    assert all(np.array_equal(np.concatenate([one[name], two[name]]), whole[name]) for name in whole)


def spoil(folder: Path, how: str) -> None:
    path = folder / FILE
    data = bytearray(path.read_bytes())
    if how == "missing":
        path.unlink()
    elif how == "truncated":
        path.write_bytes(data[:-100])
    else:
        data[len(data) // 2] ^= 1
        path.write_bytes(data)


@pytest.mark.parametrize("how", ["missing", "truncated", "altered"])
def test_a_file_that_is_not_as_written_is_named(folder: Path, how: str) -> None:
    spoil(folder, how)
    with pytest.raises(BadData, match=FILE):
        load(folder)


@pytest.mark.parametrize(
    "change",
    [
        {"format": 1},
        {"games": 41},
        {"digest": "0"},
        {"observation": "0"},
        {"game": "chess"},
        {"game": "nana"},
        {"files": None},
        {"options": 3},
        {"seed": "2"},
        {"seed": None},
        {"agents": [3]},
        {"agents": []},
        {"decisions": None},
        {"files": [{}]},
        {"files": [3]},
    ],
)
def test_a_changed_card_is_refused(folder: Path, change: dict[str, Any]) -> None:
    card = json.loads((folder / CARD).read_text())
    (folder / CARD).write_text(json.dumps({**card, **change}))
    with pytest.raises(BadData, match=CARD):
        load(folder)


@pytest.mark.parametrize("text", ["", "[]", "{", "null"])
def test_what_is_no_card_is_refused(folder: Path, text: str) -> None:
    (folder / CARD).write_text(text)
    with pytest.raises(BadData, match=CARD):
        load(folder)
    (folder / CARD).unlink()
    with pytest.raises(BadData, match=CARD):
        load(folder)


def test_rows_that_no_game_has_do_not_verify(folder: Path) -> None:
    card = {**load(folder).card, "seed": 3}
    with pytest.raises(BadData, match=FILE):
        Dataset(folder, card).verify()


@pytest.mark.parametrize("name", ["name", "bytes", "sha256", "decisions", "rows", "games"])
def test_a_damaged_entry_of_a_file_is_refused(folder: Path, name: str) -> None:
    card = json.loads((folder / CARD).read_text())
    for wrong in (None, [1]):
        card["files"][0][name] = wrong
        (folder / CARD).write_text(json.dumps(card))
        with pytest.raises(BadData, match=CARD):
            load(folder)
    del card["files"][0][name]
    (folder / CARD).write_text(json.dumps(card))
    with pytest.raises(BadData, match=CARD):
        load(folder)


def test_an_unknown_game_is_named(folder: Path) -> None:
    card = json.loads((folder / CARD).read_text())
    (folder / CARD).write_text(json.dumps({**card, "game": "chess"}))
    with pytest.raises(BadData, match="chess"):
        load(folder)


def test_verify_counts_the_rows_itself(folder: Path) -> None:
    card = load(folder).card
    with pytest.raises(BadData, match="rows"):
        Dataset(folder, {**card, "decisions": card["decisions"] + 1}).verify()
    files = [{**card["files"][0], "decisions": 1}]
    with pytest.raises(BadData, match=FILE):
        Dataset(folder, {**card, "files": files}).verify()


def test_a_file_without_our_columns_is_refused(folder: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    found = load(folder)
    table = found.table()
    for wrong in (table.drop_columns(["ply"]), table.append_column("more", table["ply"])):
        pa.parquet.write_table(wrong, folder / FILE)
        for read in (found.verify, found.numpy):
            with pytest.raises(BadData, match=FILE):
                read()
    (folder / FILE).write_bytes(b"PAR1")
    with pytest.raises(BadData, match=FILE):
        found.verify()
