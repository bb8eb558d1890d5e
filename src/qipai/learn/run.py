"""`Run`: a training run in a folder, from the first weights to figures and curves.

DIR/net.qnet         the newest net, playable at once: qipai arena GAME --agents DIR,heuristic
DIR/checkpoint.qnet  everything that `--resume` needs
DIR/settings.json    settings, device, versions
DIR/curve.csv        one row per look at the run; DIR/curve.png if matplotlib is installed
DIR/figures.json     decisions, time and strength at the end
DIR/command.txt      the command that made it
"""

from __future__ import annotations

import csv
import json
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import torch

from qipai.bots.net import Encoding, export_net
from qipai.core import Game, agents_of, get
from qipai.core.errors import BadTraining, QipaiError

from . import checkpoint
from .clone import Fit, fit
from .evaluate import Examination, Question, processes, questions_of
from .fused import Fused
from .league import Bots, Greedy
from .lessons import Lessons, collect
from .rollout import Opponent, Tables
from .settings import Settings
from .trainer import Trainer, columns_of, make_net

NET, CHECKPOINT = "net.qnet", "checkpoint.qnet"
LOOK = 2.0  # seconds between rows of the curve
SAVE = 60.0  # seconds between checkpoints
LOSSES = ("policy", "value", "entropy", "shift", "clipped", "kl", "gradient")
COLUMNS = ("seconds", "updates", "decisions", "rate", *LOSSES, "games", "length", "payoff")

Say = Callable[[str], None]


class Run:
    """A run: `prepare`, then `train`; `close` at the end."""

    def __init__(
        self,
        folder: Path,
        settings: Settings,
        device: str = "cpu",
        *,
        source: str | None = None,
        against: str | None = None,
        command: str = "",
        workers: int = 1,
        say: Say = print,
    ) -> None:
        settings.check()
        self.folder, self.settings, self.device = Path(folder), settings, device
        self.source, self.against, self.command = source, against, command
        self.workers, self.say = workers, say
        self.game: Game = get(settings.game, dict(settings.options))
        self.columns: Encoding = columns_of(self.game, settings)
        self.start: dict[str, Any] | None = None
        if source is not None and source not in agents_of(self.game):
            self._start_from(Path(source))
        self.trainer: Trainer | None = None
        self.clone: Fit | None = None
        self.seconds = 0.0  # of training so far
        self.rows: list[dict[str, Any]] = []
        self.strength: dict[str, Any] = {}
        self.examination: tuple[Examination, dict[str, Any], Path] | None = None
        self.pool: ProcessPoolExecutor | None = None
        self.folder.mkdir(parents=True, exist_ok=True)

    # --- before training --------------------------------------------------------------

    def _start_from(self, path: Path) -> None:
        """Take net, weights and columns from a file or a run folder."""
        net, self.start, self.columns = checkpoint.read_net(path / NET if path.is_dir() else path, self.game)
        sizes = {k: v for k, v in net.items() if k in ("width", "layers", "channels", "blocks")}
        self.settings = replace(self.settings, net=net["kind"], **sizes)

    @property
    def clones(self) -> bool:
        """Whether an agent is cloned first."""
        return self.source is not None and self.start is None

    def prepare(self) -> None:
        """Build the loop while lessons are collected; clone the agent if one is named."""
        lessons: list[Lessons | BaseException] = []
        collecting = Thread(target=self._collect, args=(lessons,), daemon=True)
        if self.clones:
            collecting.start()
            if self.workers <= 1:  # in this process, where one thread at a time compiles rules
                collecting.join()
        self.trainer = self._build()
        if self.clones:
            collecting.join()
            found = lessons[0]
            if isinstance(found, BaseException):
                raise found
            self._clone(found)
        self._describe()

    def _build(self) -> Trainer:
        """Return the loop; if its parts cannot be compiled here, without compiling them."""
        while True:
            try:
                made = Trainer(
                    self.settings,
                    self.device,
                    game=self.game,
                    columns=self.columns,
                    opponent=self._opponent if self.against is not None else None,
                    start=self.start,
                    reference=self.settings.kl > 0 and self.source is not None,
                )
                made.prepare()
                return made
            except Exception as error:
                if not self.settings.fuse or self.device == "cpu" or isinstance(error, QipaiError):
                    raise
                self.say(f"compiling failed, continuing without: {type(error).__name__}: {str(error)[:2000]}")
                self.settings = replace(self.settings, fuse=False)

    def _collect(self, found: list[Lessons | BaseException]) -> None:
        s = self.settings
        try:
            assert self.source is not None
            lessons = collect(
                s.game,
                self.source,
                s.clone_decisions,
                options=s.options,
                seats=s.seats,
                seed=s.seed,
                processes=self.workers,
                explore=s.clone_explore,
                seconds=s.clone_seconds,
                say=self.say,
            )
            found.append(lessons)
        except BaseException as error:
            found.append(error)

    def _clone(self, lessons: Lessons) -> None:
        made, s = self.ready, self.settings
        torch.manual_seed(s.seed)
        scale = s.scale or max(1.0, float(np.sqrt(np.mean(lessons.result.astype(np.float64) ** 2))))
        with made.device.active():
            net = make_net(self.game, s, Fused(), self.columns).to(made.device.torch)
        self.clone = fit(
            net,
            lessons,
            made.device,
            scale=scale,
            steps=s.clone_steps,
            rows=s.clone_rows,
            rate=s.clone_rate,
            seed=s.seed,
            seconds=s.clone_fit,
        )
        made.adopt(net.arrays(), scale)
        self.say(
            f"cloned {self.source}: {self.clone.decisions:,} decisions, {self.clone.steps} steps, agrees in"
            f" {100 * self.clone.agreement:.1f} % of new decisions; payoff scale {scale:.1f}"
        )

    def _opponent(self, tables: Tables, lo: int, hi: int) -> Opponent:
        """Return the frozen agent of `--against`, for all seats but one of every lane."""
        assert self.against is not None
        known = agents_of(self.game)
        if self.against in known:
            return Bots(self.game, known[self.against], tables, lo, hi, self.settings.seed)
        path = Path(self.against)
        net, arrays, columns = checkpoint.read_net(path / NET if path.is_dir() else path, self.game)
        sizes = {k: v for k, v in net.items() if k in ("width", "layers", "channels", "blocks")}
        settings = replace(self.settings, net=net["kind"], **sizes)
        made = make_net(self.game, settings, Fused(), columns)
        made.load(arrays)
        return Greedy(made.to(tables.device.torch).requires_grad_(False), lo, hi, Fused())

    def resume(self) -> None:
        """Continue from the folder's checkpoint, after `prepare`."""
        header, arrays = checkpoint.read(self.folder / CHECKPOINT, self.game)
        checkpoint.restore(self.ready, header, arrays)
        self.seconds = float(header.get("seconds", 0.0))
        path = self.folder / "curve.csv"
        if path.exists():
            with path.open(encoding="utf-8", newline="") as file:
                self.rows = [dict(row) for row in csv.DictReader(file)]
        self.say(f"continuing after {self.ready.updates} updates, {self.seconds:.0f} s")

    @property
    def ready(self) -> Trainer:
        """The loop; raises `BadTraining` before `prepare`."""
        if self.trainer is None:
            raise BadTraining("the run has not been prepared")
        return self.trainer

    # --- training ---------------------------------------------------------------------

    def train(
        self,
        *,
        seconds: float | None = None,
        updates: int | None = None,
        questions: Sequence[Question] = (),
        evaluate_every: float = 0.0,
        evaluate_seconds: float = 20.0,
        watch: Callable[[float], None] | None = None,
    ) -> None:
        """Train for this many more seconds or updates; rates and weights decay over just that span.

        With `updates` on a CPU the weights only depend on settings and seed. Every `evaluate_every`
        seconds other processes measure the net's strength while training continues. `watch` receives the
        fraction of the span that is over, before each update.
        """
        made = self.ready
        begun, first = time.monotonic(), made.updates
        before, shown, saved, asked = self.seconds, begun, begun, begun
        counted = made.decisions
        made.learner.log()
        while True:
            now = time.monotonic()
            share = (now - begun) / seconds if seconds is not None else 0.0
            if updates is not None:
                share = max(share, (made.updates - first) / updates)
            if share >= 1:
                break
            if watch is not None:
                watch(share)
            made.set_progress(share)
            made.iterate()
            made.device.wait()
            now = time.monotonic()
            self.seconds = before + now - begun
            self._collect_strength()
            if now - shown >= LOOK:
                self._look((made.decisions - counted) / (now - shown), share, seconds)
                shown, counted = now, made.decisions
            if now - saved >= SAVE:
                self.save()
                saved = time.monotonic()
            if evaluate_every and now - asked >= evaluate_every and self.examination is None:
                self.ask(questions, evaluate_seconds)
                asked = now
        made.device.wait()
        self.seconds = before + time.monotonic() - begun
        span = max(1e-9, time.monotonic() - shown)
        if made.decisions > counted:
            self._look((made.decisions - counted) / span, 1.0, seconds)
        made.tables.check()
        self.save()

    def _look(self, rate: float, share: float, seconds: float | None) -> None:
        """Add a row to the curve, and report the progress."""
        made = self.ready
        with made.device.active():
            log, games = made.learner.log(), made.games()
        if not all(np.isfinite(v) for v in log.values()):
            raise BadTraining(f"training diverged after {made.updates} updates: {log}")
        row = {"seconds": round(self.seconds, 2), "updates": made.updates, "decisions": made.decisions}
        row |= {"rate": round(rate), **{k: round(v, 5) for k, v in {**log, **games}.items()}}
        self.rows.append(row)
        left = f", {seconds * (1 - share):.0f} s left" if seconds is not None else ""
        known = "; ".join(f"{k} {v['chips']:+.2f} ± {v['chips_half']:.2f}" for k, v in self.strength.items())
        self.say(
            f"{self.seconds:6.1f} s  {rate / 1e6:6.3f} M decisions/s  {made.decisions / 1e6:8.1f} M"
            f"  entropy {log['entropy']:.3f}  value {log['value']:.4f}  kl {log['kl']:.3f}"
            f"  length {games['length']:.1f}{left}{'  ' + known if known else ''}"
        )

    def ask(self, questions: Sequence[Question], seconds: float) -> None:
        """Let other processes measure the current strength of the net."""
        if self.pool is None:
            self.pool = processes(self.workers)
        path = self.folder / f"at-{self.ready.updates}.qnet"
        self.export(path)
        asked = questions or questions_of(self.game, self.settings.seats)
        arguments = (asked, seconds, self.pool, self.workers, self.settings.options)
        thread = Examination(self.settings.game, str(path), *arguments)
        thread.start()
        row = self.rows[-1] if self.rows else {}
        self.examination = thread, row, path

    def _collect_strength(self, wait: bool = False) -> None:
        if self.examination is None:
            return
        thread, row, path = self.examination
        if wait:
            thread.join(thread.seconds + 60)
        if thread.is_alive() and not wait:
            return
        self.examination = None
        path.unlink(missing_ok=True)
        if thread.error:
            self.say(f"evaluation failed: {thread.error}")
        for found in thread.found:
            self.strength[found.label] = {**asdict(found), "updates": row.get("updates", self.ready.updates)}
            row[found.label] = round(found.chips, 4)
            row[f"{found.label} half"] = round(found.chips_half, 4)
            row[f"{found.label} won"] = round(found.won, 4)
            self.say(found.text())

    # --- what is left behind ------------------------------------------------------------

    def export(self, path: Path) -> None:
        """Write the current net, ready to play."""
        made, s = self.ready, self.settings
        made.device.wait()
        net = {"kind": "mlp", "width": s.width, "layers": s.layers}
        if s.net == "conv":
            net = {"kind": "conv", "channels": s.channels, "blocks": s.blocks}
        about = {
            "command": self.command,
            "seed": s.seed,
            "decisions": made.decisions,
            "seconds": round(self.seconds, 1),
            "date": time.strftime("%Y-%m-%d"),
            "options": dict(s.options),
        }
        export_net(path, self.game, net, made.net.arrays(), self.columns, about)

    def save(self) -> None:
        """Write net, checkpoint, curve and figures, replacing the old ones atomically."""
        self.export(self.folder / NET)
        checkpoint.save(self.folder / CHECKPOINT, self.ready, {"seconds": self.seconds})
        self.write_curve()
        self._write("figures.json", json.dumps(self.figures(), indent=1) + "\n")

    def figures(self) -> dict[str, Any]:
        """Return the cost of the run, and the strength of its net as far as it was measured."""
        made = self.ready
        return {
            "game": self.settings.game,
            "decisions": made.decisions,
            "updates": made.updates,
            "seconds": round(self.seconds, 2),
            "rate": round(made.decisions / max(self.seconds, 1e-9)),
            "clone": None if self.clone is None else vars(self.clone),
            "strength": self.strength,
            "settings": self.settings.to_json(),
            "device": device_name(self.device),
            "command": self.command,
        }

    def write_curve(self) -> None:
        """Write the curve as CSV and, if matplotlib is installed, as a plot."""
        names = list(COLUMNS) + sorted({name for row in self.rows for name in row} - set(COLUMNS))
        path = self.folder / "curve.csv"
        with path.with_suffix(".part").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, names)
            writer.writeheader()
            writer.writerows(self.rows)
        path.with_suffix(".part").replace(path)

    def finish(self, questions: Sequence[Question] = (), seconds: float = 30.0) -> None:
        """Measure the final net, then write everything."""
        self._collect_strength(wait=True)
        self.strength = {}
        if seconds > 0:
            self.ask(questions, seconds)
            self._collect_strength(wait=True)
        self.save()
        draw(self.rows, self.folder / "curve.png", self.settings.game)

    def close(self) -> None:
        """End the processes of evaluation."""
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)
            self.pool = None

    def _describe(self) -> None:
        about = {
            "device": device_name(self.device),
            "torch": torch.__version__,
            "python": platform.python_version(),
        }
        about |= {"from": self.source or "", "against": self.against or ""}
        self._write(
            "settings.json", json.dumps({"settings": self.settings.to_json(), **about}, indent=1) + "\n"
        )
        self._write("command.txt", self.command + "\n")

    def _write(self, name: str, text: str) -> None:
        part = self.folder / f".{name}.part"
        part.write_text(text, "utf-8")
        part.replace(self.folder / name)


def device_name(kind: str) -> str:
    """Return the name of the GPU, or of the kind of processor."""
    return torch.cuda.get_device_name() if kind == "cuda" else f"CPU, {platform.machine()}"


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
