"""Throughput by batch size: measurements and plot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from qipai.core.errors import BadOption, MissingExtra

from .speed import measure

SIZES = {
    "cpu": (16, 64, 256, 1024, 4096, 16384),
    "cuda": (1024, 4096, 16384, 65536, 262144, 1048576),
}
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Point:
    """One batch size of one game: decisions per second, best of several runs."""

    game: str
    observed: bool
    batch: int
    rate: float

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)


def curve(
    games: Sequence[str],
    *,
    device: str = "cpu",
    sizes: Sequence[int] = (),
    observed: Sequence[bool] = (False, True),
    seconds: float = 10.0,
    progress: Progress | None = None,
) -> list[Point]:
    """Measure each game at each batch size on one thread (or one GPU), about `seconds` per game in total."""
    chosen = tuple(sizes) or SIZES.get(device, ())
    points = []
    for g, game in enumerate(games):
        for k, batch in enumerate(chosen):
            if progress is not None:
                first = "building kernels, then " if device != "cpu" and k == 0 else ""
                name = f"{first}{game}, {batch:,} games"
                progress(g * len(chosen) + k, len(games) * len(chosen), name)
            share = seconds / len(chosen)
            report = measure(game, batch=batch, threads=(1,), observed=observed, seconds=share, device=device)
            points += [Point(report.game, s.observed, batch, s.best) for s in report.speeds]
    return points


def check_drawing(path: str) -> None:
    """Raise now for a file that could not be written after minutes of measuring."""
    _pyplot()
    target = Path(path)
    if target.suffix.lower() not in (".png", ".svg", ".pdf"):
        raise BadOption(f"a plot must be a .png, .svg or .pdf file, not {target.name[:40]!r}")
    if not target.parent.is_dir():
        raise BadOption(f"there is no folder {str(target.parent)[:80]!r} for the plot")


def draw(points: Sequence[Point], path: str, title: str) -> None:
    """Plot decisions per second by batch size, both logarithmic; dashed with observations."""
    pyplot = _pyplot()
    figure, axes = pyplot.subplots(figsize=(7, 4.2), layout="constrained")
    games = list(dict.fromkeys(p.game for p in points))
    for game, observed in dict.fromkeys((p.game, p.observed) for p in points):
        line = [p for p in points if (p.game, p.observed) == (game, observed)]
        axes.loglog(
            [p.batch for p in line],
            [p.rate for p in line],
            linestyle="--" if observed else "-",
            color=f"C{games.index(game)}",
            marker="o",
            markersize=3,
            label=f"{game}{', with observation' if observed else ''}",
        )
    axes.set_xlabel("games side by side")
    axes.set_ylabel("random decisions per second")
    axes.set_title(title, fontsize=9)
    axes.grid(which="both", alpha=0.25)
    axes.legend(fontsize=7)
    try:
        figure.savefig(path, dpi=100)
    except OSError as error:
        raise BadOption(f"the plot cannot be written: {error.strerror}") from error
    finally:
        pyplot.close(figure)


def _pyplot() -> Any:
    try:
        import matplotlib
    except ModuleNotFoundError as error:
        raise MissingExtra(
            "a plot needs matplotlib, which is not installed: pip install 'qipai[plot]'"
        ) from error
    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot
