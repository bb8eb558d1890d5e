"""Draw the training runs that `docs/training/ledger.md` lists, as `docs/images/train_GAME.png`.

    python benchmarks/draw_runs.py            # needs matplotlib (the learning environment has it)

It reads `docs/training/curves.csv` (one row every few seconds of a run) and `docs/training/strength.csv`
(what the nets on the way won), which are copies of what `benchmarks/train_all.py` writes.
`--add RUN OUT` appends the files of such a call to both tables first, or those of one run of `qipai train`.
The nets of the latter are measured with `benchmarks/duel.py`: `--duel start FILE` or `--duel end FILE` names
what that wrote for the clone or for the net at the end:

    python benchmarks/draw_runs.py --add 7 runs/skill_gomoku-3 --duel start clone.json --duel end net.json
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[1] / "docs"
CURVES, STRENGTH = DOCS / "training" / "curves.csv", DOCS / "training" / "strength.csv"
EVERY = 0.0  # seconds between rows that are kept, at least
KEPT = ("run", "game", "seconds", "updates", "decisions", "entropy", "kl", "value", "length", "payoff")
MEASURED = ("run", "game", "seconds", "opponent", "deals", "chips", "chips_half", "over", "over_half")
MEASURED += ("won", "won_half")

Rows = list[dict[str, Any]]


def read(path: Path) -> Rows:
    """Return the rows of a table; none if there is no such file."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write(path: Path, names: tuple[str, ...], rows: Rows) -> None:
    """Write a table."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, names, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def add(run: str, out: Path) -> None:
    """Append the curves and contests of one call of `train_all.py`, in place of those of the same run."""
    curves, measured = without(run)
    last: dict[str, float] = {}
    for row in read(out / "curves.csv"):
        at = float(row["seconds"])
        if at - last.get(row["game"], -EVERY) >= EVERY:
            last[row["game"]] = at
            curves.append({"run": run, **row})
    for game, found in json.loads((out / "results.json").read_text("utf-8"))["games"].items():
        for row in found["strength"]:
            share = 1.0 if row["at"] == "end" else float(row["at"].split()[0]) / 100
            at = round(share * found["figures"]["seconds"], 1)
            measured.append(contest(run, game, at, row))
    write(CURVES, KEPT, curves)
    write(STRENGTH, MEASURED, measured)


def add_run(run: str, folder: Path, duels: Sequence[tuple[str, Path]]) -> None:
    """Append the curve of one run of `qipai train` and its duels, in place of those of the same run."""
    curves, measured = without(run)
    figures = json.loads((folder / "figures.json").read_text("utf-8"))
    game, seconds = figures["game"], round(figures["seconds"], 1)
    curves += [{**row, "run": run, "game": game} for row in read(folder / "curve.csv")]
    for at, path in duels:
        row = json.loads(path.read_text("utf-8"))
        measured.append(contest(run, game, {"start": 0.0, "end": seconds}[at], row))
    write(CURVES, KEPT, curves)
    write(STRENGTH, MEASURED, measured)


def without(run: str) -> tuple[Rows, Rows]:
    """Return the rows of both tables that are not of this run."""
    curves, measured = ([row for row in read(path) if row["run"] != run] for path in (CURVES, STRENGTH))
    return curves, measured


def contest(run: str, game: str, at: float, row: dict[str, Any]) -> dict[str, Any]:
    """Return a contest as a row of the table of strength."""
    numbers = {k: round(v, 4) if isinstance(v, float) else v for k, v in row.items()}
    return {**numbers, "run": run, "game": game, "seconds": at, "opponent": row["label"]}


def draw(game: str, curves: Rows, measured: Rows, path: Path) -> None:
    """Draw strength and entropy over the seconds of training, a line for each run of a game."""
    from matplotlib.figure import Figure  # type: ignore[import-not-found,unused-ignore]

    figure = Figure(figsize=(8, 5), layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True)
    names = list(dict.fromkeys((row["run"], row["game"]) for row in curves))
    first = next(row["opponent"] for row in measured)
    for run, name in names:
        _, _, seed = name.partition("@")
        label = f"run {run}" + (f", seed {seed}" if seed else "")
        mine = [row for row in curves if (row["run"], row["game"]) == (run, name)]
        lower.plot([float(r["seconds"]) for r in mine], [float(r["entropy"]) for r in mine], label=label)
        points = [r for r in measured if (r["run"], r["game"], r["opponent"]) == (run, name, first)]
        points.sort(key=lambda r: float(r["seconds"]))
        at, won = ([float(r[k]) for r in points] for k in ("seconds", "over"))
        upper.errorbar(at, won, yerr=[float(r["over_half"]) for r in points], marker="o", label=label)
    upper.axhline(0, color="grey", linewidth=0.5)
    upper.set_ylabel(f"payoff over {first.partition('-')[0]}")
    upper.set_title(game)
    upper.legend()
    lower.set_ylabel("entropy")
    lower.set_xlabel("seconds of training")
    figure.savefig(path, dpi=100, metadata={"Software": None})


def main() -> int:
    """Add what is given, then draw every game."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--add", nargs=2, metavar=("RUN", "OUT"), help="a number and the folder of a call")
    parser.add_argument(
        "--duel", nargs=2, action="append", default=[], metavar=("AT", "FILE"), help="of the net of one run"
    )
    args = parser.parse_args()
    if args.add and (Path(args.add[1]) / "curve.csv").exists():
        add_run(args.add[0], Path(args.add[1]), [(at, Path(path)) for at, path in args.duel])
    elif args.add:
        add(args.add[0], Path(args.add[1]))
    curves, measured = read(CURVES), read(STRENGTH)
    for game in sorted({row["game"].partition("@")[0] for row in curves}):
        mine = [[r for r in rows if r["game"].partition("@")[0] == game] for rows in (curves, measured)]
        draw(game, mine[0], mine[1], DOCS / "images" / f"train_{game}.png")
        print(f"docs/images/train_{game}.png")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
