"""`write`: play games and write them as Parquet files, with a data card for people and one for programs."""

from __future__ import annotations

import hashlib
import io
import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from qipai import __version__
from qipai.bots.find import find_agent
from qipai.cluster import open_pool
from qipai.core import get
from qipai.core.errors import BadCount, BadFolder, BadSeed, MissingExtra, UnknownAgent, short
from qipai.search.searcher import MOST as MOST_SIMULATIONS

from .play import BLOCK, Plan, Rows, play_block

CARD = "card.json"
LICENCE = "Apache-2.0"
FORMAT = 2  # 2: a derived seed per block, one agent per seat
MOST = 10_000_000  # games
MOST_AGENTS = 127  # their numbers are int8
GROUP = 1 << 26  # cells of a row group, which Parquet's writer holds in memory at about ten bytes each


def arrow() -> Any:
    """Return pyarrow with its Parquet module; raise `MissingExtra` if it is not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError as error:
        raise MissingExtra("datasets need pyarrow: pip install 'qipai[data]'") from error
    return pyarrow


def write(
    game: str,
    folder: str | Path,
    games: int,
    agents: Sequence[str] = ("random",),
    *,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    seats: int | None = None,
    workers: int | None = 1,
    address: str | None = None,
    values: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Play `games` games and write them to a new folder; return the card.

    The agents move on by one seat with every game. `workers` processes play, or those of the Ray cluster at
    `address`; neither changes a row. `values` is the number of simulations of a search at every decision,
    which writes the mean payoff of each action. `progress` receives the number of games written so far, and
    of all.
    """
    arrow()
    plan = _plan(game, games, agents, seed, options, seats, values)
    place = _empty_folder(folder)
    files = []
    with open_pool(workers, address) as pool:
        tasks = [(plan, block) for block in range(plan.blocks)]
        for block, made in enumerate(pool.stream(encoded_block, tasks)):
            path = place / file_name(block)
            path.write_bytes(made.data)
            files.append(
                {
                    "name": path.name,
                    "games": plan.size(block),
                    "decisions": made.decisions,
                    "bytes": len(made.data),
                    "sha256": hashlib.sha256(made.data).hexdigest(),
                    "rows": made.digest,
                }
            )
            if progress is not None:
                progress(block * BLOCK + plan.size(block), plan.games)
    card = _card(plan, files)
    (place / "README.md").write_text(_readme(card), encoding="utf-8")
    (place / CARD).write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
    return card


@dataclass(frozen=True)
class Encoded:
    """A block as the bytes of its file: what a worker returns, because rows are many times as large."""

    data: bytes
    decisions: int
    digest: str  # of the rows


def encoded_block(plan: Plan, block: int) -> Encoded:
    """Play the games of one block and encode them."""
    rows = play_block(plan, block)
    return Encoded(encode(table_of(rows)), len(rows["game"]), digest_of(rows))


def encode(table: Any) -> bytes:
    """Return a table as the bytes of a Parquet file.

    Statistics of columns would take as long as the compression, and nobody filters by cells of observations.
    """
    target = io.BytesIO()
    width = sum(getattr(field.type, "list_size", 1) for field in table.schema)
    arrow().parquet.write_table(
        table,
        target,
        row_group_size=max(1, GROUP // width),
        compression="zstd",
        compression_level=1,
        write_statistics=False,
    )
    return target.getvalue()


def file_name(block: int) -> str:
    """Return the name of a block's file."""
    return f"data-{block:05d}.parquet"


def table_of(rows: Rows) -> Any:
    """Return rows as an Arrow table; an array per row becomes a list of fixed size."""
    pa = arrow()
    columns = {}
    for name, array in rows.items():
        flat = pa.array(array.reshape(-1))
        columns[name] = flat if array.ndim == 1 else pa.FixedSizeListArray.from_arrays(flat, array.shape[1])
    return pa.table(columns)


def digest_of(rows: Rows) -> str:
    """Return the SHA-256 of the rows themselves, which no version of Parquet changes."""
    digest = hashlib.sha256()
    for name in sorted(rows):
        array = rows[name]
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).reshape(-1).data)
    return digest.hexdigest()


def _plan(
    game: str,
    games: int,
    agents: Sequence[str],
    seed: int,
    options: Mapping[str, Any] | None,
    seats: int | None,
    values: int,
) -> Plan:
    if isinstance(games, bool) or not isinstance(games, int) or not 1 <= games <= MOST:
        raise BadCount(f"games must be a whole number from 1 to {MOST}, not {short(games)}")
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 1 << 63:
        raise BadSeed("a dataset's seed must be a whole number from 0 to 2^63 - 1")
    if isinstance(values, bool) or not isinstance(values, int) or not 0 <= values <= MOST_SIMULATIONS:
        raise BadCount(f"values must be a whole number from 0 to {MOST_SIMULATIONS}, not {short(values)}")
    found = get(game, options)
    found.blank(options, seats)
    if isinstance(agents, str) or not isinstance(agents, Sequence) or not agents:
        raise UnknownAgent("a dataset needs a list of agents")
    if len(agents) > MOST_AGENTS:
        raise BadCount(f"a dataset has at most {MOST_AGENTS} agents, not {len(agents)}")
    for agent in agents:
        if not isinstance(agent, str):
            raise UnknownAgent(f"a dataset's agents are given by name, not as {short(agent)}")
        find_agent(found, agent)
    return Plan(game, games, tuple(agents), seed, dict(options or {}), seats, values)


def _empty_folder(folder: str | Path) -> Path:
    """Return the folder, which is made if there is none; raise `BadFolder` if it is not empty."""
    try:
        place = Path(folder)
        if place.exists() and (not place.is_dir() or any(place.iterdir())):
            raise BadFolder(f"{str(folder)[:200]} exists already")
        place.mkdir(parents=True, exist_ok=True)
    except (OSError, TypeError, ValueError) as error:
        raise BadFolder(f"{str(folder)[:200]!r} cannot be made: {type(error).__name__}") from error
    return place


def _card(plan: Plan, files: list[dict[str, Any]]) -> dict[str, Any]:
    game = get(plan.game, plan.options)
    rows = hashlib.sha256("".join(one["rows"] for one in files).encode()).hexdigest()
    return {
        "format": FORMAT,
        "game": plan.game,
        "rules": game.rules.version,
        "observation": game.observation_digest,
        "options": plan.options,
        "seats": plan.seats,
        "agents": list(plan.agents),
        "seed": plan.seed,
        "values": plan.values,
        "games": plan.games,
        "games_per_file": BLOCK,
        "decisions": sum(one["decisions"] for one in files),
        "licence": LICENCE,
        "versions": {"qipai": __version__, "pyarrow": arrow().__version__},
        "digest": rows,
        "files": files,
    }


def _command(card: Mapping[str, Any]) -> str:
    """Return the command that writes a dataset again."""
    words = ["qipai", "data", card["game"], "--games", str(card["games"])]
    words += ["--agents", ",".join(card["agents"]), "--seed", str(card["seed"])]
    if card["seats"] is not None:
        words += ["--seats", str(card["seats"])]
    if card["values"]:
        words += ["--values", str(card["values"])]
    for name, value in card["options"].items():
        if isinstance(value, bool):  # of a switch
            value = "on" if value else "off"
        words += ["--option", f"{name}={value}"]
    return shlex.join([*words, "--out", "DIR"])


def _readme(card: Mapping[str, Any]) -> str:
    """Return the card for people; its head is what dataset hubs read."""
    value = ""
    if card["values"]:
        about = f"mean payoff of each action in a search of {card['values']} simulations; NaN: not tried"
        value = f"\n| `value` | list of float32 | {about} |"
    return f"""---
license: {card["licence"].lower()}
tags: [reinforcement-learning, games, {card["game"]}]
---

# {card["games"]:,} games of {card["game"]}

{card["decisions"]:,} decisions, one per row, ordered by game and ply. Written by qipai
{card["versions"]["qipai"]}:

    {_command(card)}

| column | type | meaning |
|---|---|---|
| `game` | int64 | number of the game |
| `ply` | int32 | number of the decision in its game |
| `seat` | int8 | who decides |
| `agent` | int8 | which of the agents that is: {", ".join(card["agents"])} |
| `observation` | list of int8 | what the seat sees; the layout is on qipai's page of the game |
| `mask` | list of uint8 | 1 for a legal action |
| `action` | int16 | the decision |
| `payoff` | list of int32 | the result of the game, by seat |{value}

Rules version {card["rules"]}, options {json.dumps(card["options"])}. SHA-256 of all rows: `{card["digest"]}`.
`{CARD}` has those of the files. `qipai.data.load(DIR).verify()` plays every game again.
"""
