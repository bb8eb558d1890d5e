"""`load`: a dataset from its folder, refused if a file is missing, truncated or altered."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core import QipaiError, get
from qipai.core.errors import BadData, MissingExtra
from qipai.search.searcher import MOST as MOST_SIMULATIONS

from .play import BLOCK, Plan, Rows, replayed
from .write import CARD, FORMAT, MOST_AGENTS, arrow, digest_of, file_name


def load(folder: str | Path, check: bool = True) -> Dataset:
    """Return the dataset in a folder; raise `BadData`, which names the file, unless all are as written.

    `check=False` only looks at names and sizes, not at every byte.
    """
    place = Path(folder)
    card = _card(place)
    for block, one in enumerate(card["files"]):
        path = place / file_name(block)
        if one["name"] != path.name or not path.is_file():
            raise BadData(f"{path.name} is missing in {str(folder)[:200]}")
        size = path.stat().st_size
        if size != one["bytes"]:
            raise BadData(f"{path.name} is truncated or altered: it has {size} bytes, not {one['bytes']}")
        if check and hashlib.sha256(path.read_bytes()).hexdigest() != one["sha256"]:
            raise BadData(f"{path.name} is altered: its SHA-256 is not that of {CARD}")
    return Dataset(place, card)


@dataclass(frozen=True)
class Dataset:
    """A checked dataset; `card` says what it is."""

    folder: Path
    card: dict[str, Any]

    @property
    def plan(self) -> Plan:
        """What was played."""
        card = self.card
        values = card.get("values", 0)  # older cards have none
        setup = card["seed"], card["options"], card["seats"], values
        return Plan(card["game"], card["games"], tuple(card["agents"]), *setup)

    def blocks(self) -> Iterator[Rows]:
        """Yield the columns of one file after the other, as NumPy arrays: up to 1,000 games each.

        This is how to read a dataset that is larger than memory; the other methods return all rows at once.
        """
        for path, one in zip(self.paths(), self.card["files"], strict=True):
            rows = _arrays(_table(path, self.plan))
            if len(rows["game"]) != one["decisions"]:
                count = len(rows["game"])
                raise BadData(f"{path.name} has {count} rows, not the {one['decisions']} of {CARD}")
            yield rows

    def table(self) -> Any:
        """Return all rows as an Arrow table."""
        return arrow().concat_tables([_table(path, self.plan) for path in self.paths()])

    def paths(self) -> list[Path]:
        """Return the Parquet files, in order."""
        return [self.folder / one["name"] for one in self.card["files"]]

    def numpy(self) -> dict[str, NDArray[Any]]:
        """Return the columns as NumPy arrays; lists become rows of a matrix."""
        arrays: Rows = {}
        total, at = sum(one["decisions"] for one in self.card["files"]), 0
        for rows in self.blocks():
            end = at + len(rows["game"])
            for name, array in rows.items():
                if not at:
                    arrays[name] = np.empty((total, *array.shape[1:]), array.dtype)
                if arrays[name].shape[1:] != array.shape[1:]:
                    raise BadData(f"the files have lists of other lengths in the column {name}")
                arrays[name][at:end] = array
            at = end
        return arrays

    def torch(self) -> dict[str, Any]:
        """Return the columns as PyTorch tensors."""
        torch = _library("torch")
        return {name: torch.from_numpy(array) for name, array in self.numpy().items()}

    def pandas(self) -> Any:
        """Return the rows as a pandas data frame."""
        _library("pandas")
        return self.table().to_pandas()

    def polars(self) -> Any:
        """Return the rows as a Polars data frame."""
        return _library("polars").from_arrow(self.table())

    def datasets(self) -> Any:
        """Return the rows as a dataset of Hugging Face's library."""
        return _library("datasets").Dataset(self.table())

    def verify(self) -> int:
        """Play every game again and return the number of decisions; raise `BadData` if one differs.

        Only one file is in memory at a time.
        """
        card, plan = self.card, self.plan
        total = 0
        for block, rows in enumerate(self.blocks()):
            one = card["files"][block]
            if digest_of(rows) != one["rows"] or not replayed(plan, block, rows):
                raise BadData(f"{one['name']} does not replay: its rows are not those of these rules")
            total += one["decisions"]
        if total != card["decisions"]:
            raise BadData(f"{CARD} is altered: the files have {total} rows, not {card['decisions']}")
        return total


def _card(place: Path) -> dict[str, Any]:
    """Return the card of a folder; raise `BadData` if it is damaged or names an unknown game."""
    try:
        card = json.loads((place / CARD).read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise BadData(f"{CARD} is missing in {str(place)[:200]}: it is written last") from error
    except (OSError, ValueError) as error:
        raise BadData(f"{CARD} cannot be read") from error
    try:
        if card["format"] != FORMAT or card["games_per_file"] != BLOCK:
            raise BadData(f"{CARD} has a format that this version does not read")
        _check_types(card)
        if sum(one["games"] for one in card["files"]) != card["games"]:
            raise BadData(f"{CARD} is altered: its files do not hold {card['games']} games")
        rows = hashlib.sha256("".join(one["rows"] for one in card["files"]).encode()).hexdigest()
        if rows != card["digest"]:
            raise BadData(f"{CARD} is altered: its digest is not that of its files")
        game = get(card["game"], card["options"])
        game.blank(card["options"], card["seats"])  # raises for options and seats that there are not
        if game.observation_digest != card["observation"]:
            raise BadData(f"{CARD}: {card['game']} has other rules or another observation here")
    except BadData:
        raise
    except QipaiError as error:
        raise BadData(f"{CARD}: {error}") from error
    except (KeyError, TypeError, AttributeError) as error:
        raise BadData(f"{CARD} is altered: {type(error).__name__}") from error
    found: dict[str, Any] = card
    return found


def _check_types(card: Any) -> None:
    """Raise `BadData` if an entry that is read later has a wrong type, `KeyError` if one is missing."""
    given = {name: card[name] for name in ("games", "decisions", "seed", "agents", "files", "digest")}
    good = (
        all(_is_count(given[name]) for name in ("games", "decisions", "seed"))
        and isinstance(given["agents"], list)
        and 1 <= len(given["agents"]) <= MOST_AGENTS
        and all(isinstance(agent, str) for agent in given["agents"])
        and isinstance(given["files"], list)
        and len(given["files"]) == -(-given["games"] // BLOCK) > 0
        and _is_count(card.get("values", 0))
        and card.get("values", 0) <= MOST_SIMULATIONS
    )
    if not good:
        raise BadData(f"{CARD} is altered: an entry has another type")
    for block, one in enumerate(given["files"]):
        counts = all(_is_count(one[name]) for name in ("games", "decisions", "bytes"))
        if not counts or not all(isinstance(one[name], str) for name in ("name", "sha256", "rows")):
            raise BadData(f"{CARD} is altered: the entry of {file_name(block)} is damaged")


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _table(path: Path, plan: Plan) -> Any:
    """Return the rows of a file as an Arrow table; raise `BadData` unless it has the columns of the plan."""
    pa = arrow()
    try:
        table = pa.parquet.read_table(path)
        found = {field.name: field.type for field in table.schema}
        damaged = any(column.null_count for column in table.columns)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise BadData(f"{path.name} cannot be read as Parquet: {type(error).__name__}") from error
    for name, (kind, several) in plan.columns.items():
        inner = getattr(found.get(name), "value_type", None) if several else found.get(name)
        sized = hasattr(found.get(name), "list_size") == several
        if str(inner) != kind or not sized:
            raise BadData(f"{path.name} has no column {name} of {kind}")
    if damaged or set(found) != set(plan.columns):
        raise BadData(f"{path.name} has other columns, or gaps in them")
    return table


def _arrays(table: Any) -> Rows:
    """Return the columns of a table as arrays."""
    found: Rows = {}
    for name in table.column_names:
        column = table.column(name).combine_chunks()
        size = getattr(column.type, "list_size", None)
        flat = column if size is None else column.flatten()
        array = flat.to_numpy(zero_copy_only=False)
        found[name] = array if size is None else array.reshape(len(column), size)
    return found


def _library(name: str) -> Any:
    from importlib import import_module

    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise MissingExtra(f"{name} is not installed: pip install 'qipai[toolbox]'") from error
