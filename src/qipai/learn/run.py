"""`Run`: a training run in a folder, from the first weights to figures and curves.

DIR/net.qnet         the newest net, playable at once: qipai arena GAME --agents DIR,heuristic
DIR/clone.qnet       the net after cloning an agent, before it has played
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
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import torch

from qipai.bots.net import Encoding, export_net, read_header, write_container
from qipai.cluster import open_pool
from qipai.core import Game, get
from qipai.core.errors import BadTraining, QipaiError

from . import checkpoint, curve
from .clone import Fit
from .evaluate import Examination, Question, processes, questions_of
from .lessons import Lessons, collect
from .progress import progress_line
from .ranks import ALONE, Ranks, share_of
from .rivals import NetFile, Rival, find_rival, net_path, seated
from .settings import Settings
from .trainer import Trainer, columns_of

if TYPE_CHECKING:
    from .remote import Remote

NET, CHECKPOINT, TAUGHT = "net.qnet", "checkpoint.qnet", "clone.qnet"
LOOK = 2.0  # seconds between rows of the curve
SAVE = 60.0  # seconds between checkpoints

Say = Callable[[str], None]


class Loop(Protocol):
    """What a run asks of the loop: `trainer.Trainer` in this process, `remote.Remote` on a cluster."""

    updates: int

    @property
    def decisions(self) -> int:
        """How many decisions were made so far."""

    def set_progress(self, share: float) -> None:
        """Set what changes during a run for the share of it that is over."""

    def iterate(self) -> None:
        """Play one segment and learn from it."""

    def wait(self) -> None:
        """Wait until everything begun is done."""

    def check(self) -> None:
        """Raise `IllegalAction` if a GPU met an illegal action."""

    def log(self) -> dict[str, float]:
        """Return the means of the losses since the last call."""

    def games(self) -> dict[str, float]:
        """Return figures of the last segment's games."""

    def arrays(self) -> dict[str, Any]:
        """Return the net's weights under the names of the file format."""

    def clone(self, lessons: Lessons) -> tuple[Fit, float]:
        """Start from a net that was taught these lessons; return how well it does, and the payoff scale."""

    def pack(self, about: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return header and arrays of a checkpoint."""

    def restore(self, header: Mapping[str, Any], arrays: dict[str, Any]) -> None:
        """Go on from a checkpoint."""

    def close(self) -> None:
        """End what runs elsewhere."""


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
        resuming: bool = False,
        ray: str | None = None,
        players: int | None = None,
        ranks: Ranks = ALONE,
    ) -> None:
        """Make a run; with `ray`, a cluster's address, it is played by so many `players` there.

        Each of several `ranks` makes the same run: it trains its share, and the first one does all else.
        """
        settings.check()
        self.folder, self.settings, self.device = Path(folder), settings, device
        self.source, self.against, self.command = source, against, command
        self.workers, self.say = workers, say
        self.ray, self.players, self.ranks = ray, players, ranks
        if not ranks.first:
            self.say = lambda text: None
        self.game: Game = get(settings.game, dict(settings.options))
        self.columns: Encoding = columns_of(self.game, settings)
        self.start: dict[str, Any] | None = None
        self.rival: Rival | None = find_rival(self.game, against) if against is not None else None
        self.rivals: tuple[Rival, ...] = tuple(find_rival(self.game, text) for text in settings.rivals)
        self._check_rivals()
        self.first: str = ""  # the net that the run starts from, if it is taught by another agent
        if resuming:  # the columns are those of the net; source and opponent are those of the run's start
            self._take(self.folder / NET)
            self.start = None
            self.command = "\n".join([*self._commands(), command])
        elif source is not None and (path := net_path(self.game, source)) is not None:
            self._take(path)
            self.first = source
            self.command = "\n".join([*_commands_of(path), command])
        self._check_teacher(resuming)
        self.resuming = resuming
        self.trainer: Loop | None = None
        self.clone: Fit | None = None
        self.seconds = 0.0  # of training so far
        self.rows: list[dict[str, Any]] = []
        self.strength: dict[str, Any] = {}
        self.examination: tuple[Examination, dict[str, Any], Path] | None = None
        self.pool: ProcessPoolExecutor | None = None
        self.folder.mkdir(parents=True, exist_ok=True)

    # --- before training --------------------------------------------------------------

    def _check_rivals(self) -> None:
        """Raise `BadTraining` if an opponent cannot play here, or has no lanes."""
        if self.rival is not None and self.rivals:
            raise BadTraining("--against takes every lane: leave out rivals")
        for rival in self._frozen:
            if self.ray is None:
                rival.check(self.device)

    def _check_teacher(self, resuming: bool) -> None:
        """Raise `BadTraining` if there is a teacher but no net that could learn from it."""
        if self.settings.teacher and not self.first and not resuming:
            raise BadTraining("teacher needs a net to start from: name a run folder or a file with --from")

    @property
    def taught(self) -> str:
        """The agent that is cloned, if any."""
        return self.settings.teacher if self.first else self.source or ""

    @property
    def _frozen(self) -> tuple[Rival, ...]:
        """All agents that the run learns against."""
        return self.rivals if self.rival is None else (self.rival,)

    def _take(self, path: Path) -> None:
        """Take net, weights and columns over from a file."""
        file = NetFile(*checkpoint.read_net(path, self.game))
        self.settings, self.start, self.columns = file.settings(self.settings), file.arrays, file.columns

    def _commands(self) -> list[str]:
        """Return the commands that made the run so far, one per line of its file."""
        path = self.folder / "command.txt"
        return path.read_text("utf-8").splitlines() if path.exists() else []

    @property
    def clones(self) -> bool:
        """Whether an agent is cloned first."""
        return bool(self.taught) and not self.resuming and self.ranks.first

    def prepare(self) -> None:
        """Build the loop while lessons are collected; clone the agent if one is named."""
        lessons: list[Lessons | BaseException] = []
        collecting = Thread(target=self._collect, args=(lessons,), daemon=True)
        # In this process rules are compiled by one thread at a time; on a cluster players take the cores.
        at_once = self.workers > 1 and self.ray is None
        if self.clones and at_once:
            collecting.start()
        elif self.clones:
            self._collect(lessons)
        self.trainer = self._build() if self.ray is None else self._build_remote(self.ray)
        if self.clones:
            if at_once:
                collecting.join()
            found = lessons[0]
            if isinstance(found, BaseException):
                raise found
            self._clone(found)
        if isinstance(self.trainer, Trainer):
            self.trainer.agree()
        if self.ranks.first:
            self._describe()

    def _build(self) -> Trainer:
        """Return the loop; if its parts cannot be compiled here, without compiling them."""
        while True:
            try:
                made = Trainer(
                    share_of(self.settings, self.ranks),
                    self.device,
                    game=self.game,
                    columns=self.columns,
                    opponent=None if self.rival is None else seated([self.rival], self.settings)[0],
                    rivals=seated(self.rivals, self.settings),
                    start=self.start,
                    reference=self._refers,
                    ranks=self.ranks,
                )
                made.prepare()
                return made
            except Exception as error:
                if not self.settings.fuse or self.device == "cpu" or isinstance(error, QipaiError):
                    raise
                self.say(f"compiling failed, continuing without: {type(error).__name__}: {str(error)[:2000]}")
                self.settings = replace(self.settings, fuse=False)

    @property
    def _refers(self) -> bool:
        """Whether the net is held near the one that it starts from."""
        return self.settings.kl > 0 and self.source is not None

    def _build_remote(self, address: str) -> Remote:
        """Return the loop on a cluster."""
        from .remote import Plan, Remote

        parts = (self.columns, self.rival, self.start, self._refers, self.rivals)
        plan = Plan(self.settings, self.device, *parts)
        made = Remote(address, plan, self.players, self.say)
        self.say(f"{made.players} players on the cluster, {self.settings.lanes // made.players} lanes each")
        return made

    def _collect(self, found: list[Lessons | BaseException]) -> None:
        s = self.settings
        try:
            with open_pool(None if self.ray is not None else self.workers, self.ray) as pool:
                lessons = collect(
                    s.game,
                    self.taught,
                    s.clone_decisions,
                    options=s.options,
                    seats=s.seats,
                    seed=s.seed,
                    pool=pool,
                    explore=s.clone_explore,
                    other=self.first,
                    seconds=s.clone_seconds,
                    say=self.say,
                )
            found.append(lessons)
        except BaseException as error:
            found.append(error)

    def _clone(self, lessons: Lessons) -> None:
        self.clone, scale = self.ready.clone(lessons)
        self.export(self.folder / TAUGHT)
        self.say(
            f"cloned {self.taught}: {self.clone.decisions:,} decisions, {self.clone.steps} steps, agrees in"
            f" {100 * self.clone.agreement:.1f} % of new decisions ({100 * self.clone.before:.1f} % before);"
            f" payoff scale {scale:.1f}"
        )

    def resume(self) -> None:
        """Continue from the folder's checkpoint, after `prepare`."""
        header, arrays = checkpoint.read(self.folder / CHECKPOINT, self.game)
        kept = header.get("opponents")
        for rival in self._frozen:
            if isinstance(kept, dict) and kept.get(rival.name) != rival.digest:
                raise BadTraining(f"{rival.name} has changed since the run began: frozen opponents must not")
        self.ready.restore(header, arrays)
        self.seconds = float(header.get("seconds", 0.0))
        path = self.folder / "curve.csv"
        if path.exists():
            with path.open(encoding="utf-8", newline="") as file:
                self.rows = [dict(row) for row in csv.DictReader(file)]
        self.say(f"continuing after {self.ready.updates} updates, {self.seconds:.0f} s")

    @property
    def ready(self) -> Loop:
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
        made.log()
        while True:
            now = time.monotonic()
            share = (now - begun) / seconds if seconds is not None else 0.0
            if updates is not None:
                share = max(share, (made.updates - first) / updates)
            share = self._agreed(share)
            if share >= 1:
                break
            if watch is not None:
                watch(share)
            made.set_progress(share)
            made.iterate()
            made.wait()
            now = time.monotonic()
            self.seconds = before + now - begun
            self._collect_strength()
            if not self.ranks.first:
                continue
            if now - shown >= LOOK:
                left = (now - begun) * (1 - share) / share if share > 0 else None
                self._look((made.decisions - counted) / (now - shown), share, left)
                shown, counted = now, made.decisions
            if now - saved >= SAVE:
                self.save()
                saved = time.monotonic()
            if evaluate_every and now - asked >= evaluate_every and self.examination is None:
                self.ask(questions, evaluate_seconds)
                asked = now
        made.wait()
        self.seconds = before + time.monotonic() - begun
        span = max(1e-9, time.monotonic() - shown)
        if made.decisions > counted and self.ranks.first:
            self._look((made.decisions - counted) / span, 1.0, 0.0)
        made.check()
        self.save()

    def _agreed(self, share: float) -> float:
        """Return the first rank's share of the span that is over: clocks differ."""
        if self.ranks.size == 1:
            return share
        return float(self.ranks.from_first(torch.tensor(share, dtype=torch.float64, device=self.device)))

    def _look(self, rate: float, share: float, left: float | None) -> None:
        """Add a row to the curve, and report the progress, with `left` seconds to go."""
        made = self.ready
        log, games = made.log(), made.games()
        if not all(np.isfinite(v) for v in log.values()):
            raise BadTraining(f"training diverged after {made.updates} updates: {log}")
        row = {"seconds": round(self.seconds, 2), "updates": made.updates, "decisions": made.decisions}
        row |= {"rate": round(rate), **{k: round(v, 5) for k, v in {**log, **games}.items()}}
        self.rows.append(row)
        rest = (
            f"{made.decisions / 1e6:.1f} M in {self.seconds:.0f} s"
            f"  entropy {log['entropy']:.3f}  value {log['value']:.4f}  kl {log['kl']:.3f}"
            f"  length {games['length']:.1f}"
        )
        self.say(progress_line(share, rate, left, self.strength, rest))

    def ask(self, questions: Sequence[Question], seconds: float) -> None:
        """Let other processes measure the current strength of the net."""
        if self.pool is None:
            self.pool = processes(self.workers)
        path = self.folder / f"at-{self.ready.updates}.qnet"
        self.export(path)
        asked = questions or questions_of(self.game, self.settings.seats, self.against)
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
        export_net(path, self.game, net, made.arrays(), self.columns, about)

    def save(self) -> None:
        """Write net, checkpoint, curve and figures, replacing the old ones atomically."""
        if not self.ranks.first:
            return
        self.export(self.folder / NET)
        about = {"seconds": self.seconds, "opponents": {rival.name: rival.digest for rival in self._frozen}}
        write_container(self.folder / CHECKPOINT, *self.ready.pack(about))
        curve.write(self.rows, self.folder / "curve.csv")
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

    def finish(self, questions: Sequence[Question] = (), seconds: float = 30.0) -> None:
        """Measure the final net, then write everything."""
        if not self.ranks.first:
            return
        self._collect_strength(wait=True)
        self.strength = {}
        if seconds > 0:
            self.ask(questions, seconds)
            self._collect_strength(wait=True)
        self.save()
        curve.draw(self.rows, self.folder / "curve.png", self.settings.game)

    def close(self) -> None:
        """End the processes of evaluation, and those of a cluster."""
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)
            self.pool = None
        if self.trainer is not None:
            self.trainer.close()
        self.ranks.close()

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


def _commands_of(path: Path) -> list[str]:
    """Return the commands that made a net, so that one trained further names all of them."""
    found = read_header(path).get("command")
    return found.splitlines() if isinstance(found, str) else []


def device_name(kind: str) -> str:
    """Return the name of the GPU, or of the kind of processor."""
    return torch.cuda.get_device_name() if kind == "cuda" else f"CPU, {platform.machine()}"
