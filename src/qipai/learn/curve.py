"""The learning curve of a run: a table (CSV), and a picture where matplotlib is installed."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

LOSSES = ("policy", "value", "entropy", "shift", "clipped", "kl", "gradient")
COLUMNS = ("seconds", "updates", "decisions", "rate", *LOSSES, "games", "length", "payoff")


def write(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Write the rows as CSV; what was there before is replaced at once."""
    names = list(COLUMNS) + sorted({name for row in rows for name in row} - set(COLUMNS))
    part = path.with_suffix(".part")
    with part.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, names)
        writer.writeheader()
        writer.writerows(rows)
    part.replace(path)


def draw(rows: Sequence[Mapping[str, Any]], path: Path, title: str) -> bool:
    """Draw strength and entropy over decisions; return False if matplotlib is not installed."""
    try:
        from matplotlib.figure import Figure  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return False
    figure = Figure(figsize=(8, 5), layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True)
    labels = sorted({n.removesuffix(" half") for row in rows for n in row if n.endswith(" half")})
    for label in labels:
        found = [(row, row.get(label)) for row in rows]
        kept = [(row, float(value)) for row, value in found if value not in (None, "")]
        at = [float(row["decisions"]) / 1e6 for row, _ in kept]
        halves = [float(row[f"{label} half"]) for row, _ in kept]
        upper.errorbar(at, [value for _, value in kept], yerr=halves, marker="o", label=label)
    if labels:
        upper.axhline(0, color="grey", linewidth=0.5)
        upper.legend()
    upper.set_ylabel("payoff per game")
    upper.set_title(title)
    at = [float(row["decisions"]) / 1e6 for row in rows]
    lower.plot(at, [float(row["entropy"]) for row in rows])
    lower.set_ylabel("entropy")
    lower.set_xlabel("million decisions")
    figure.savefig(path, dpi=100)
    return True
