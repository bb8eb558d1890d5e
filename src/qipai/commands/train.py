"""`qipai train`: train a net by self-play."""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qipai.core import get
from qipai.core.errors import BadTraining, MissingExtra

if TYPE_CHECKING:
    from qipai.core import Game
    from qipai.learn.run import Run
    from qipai.learn.settings import Settings

CLEAR = "\r\033[K"  # back to the start of the line, and empty it

ABOUT = "train a net by self-play (needs PyTorch: pip install 'qipai[train]')"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments: the game, for how long, the initial weights and the opponents."""
    add = parser.add_argument
    add("game", help="a game's name")
    add("--minutes", type=float, metavar="M", help="minutes of training (default: 8; with --resume, M more)")
    add("--updates", type=int, metavar="N", help="stop after this many updates instead")
    add(
        "--device",
        choices=("cuda", "cpu"),
        help="cpu or cuda (default: cuda if available; cpu for opponents other than nets)",
    )
    add(
        "--from",
        dest="source",
        metavar="AGENT",
        help="initial weights: an agent to clone, a .qnet file, a run folder, or zero (default: by game)",
    )
    add("--against", metavar="AGENT", help="train only against this fixed agent")
    add("--seed", type=int, default=1, metavar="N", help="random seed (default: 1)")
    add("--out", metavar="DIR", help="the folder of the run (default: runs/GAME)")
    add("--resume", action="store_true", help="continue from the folder's checkpoint")
    add("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting; may be repeated")
    add(
        "--evaluate",
        type=float,
        default=30.0,
        metavar="S",
        help="seconds to evaluate the final net (default: 30)",
    )
    add(
        "--workers",
        type=int,
        metavar="P",
        help="processes for cloning and evaluation (default: one less than cores); with --ray: players",
    )
    add(
        "--ray",
        metavar="ADDRESS",
        help="play on a Ray cluster: HOST:PORT, or auto (pip install 'qipai[ray]')",
    )


def run(args: argparse.Namespace) -> int:
    """Train, then print the evaluation of the net."""
    device, workers = begin(args)
    folder = Path(args.out or f"runs/{args.game}")
    made = train(args, device, folder, workers)
    if made.ranks.first:
        print(f"{folder}: {made.ready.decisions:,} decisions in {made.seconds:.0f} s of training")
    return 0


def begin(args: argparse.Namespace) -> tuple[str, int]:
    """Return the device and the number of processes; raise `MissingExtra` if PyTorch is not installed."""
    try:
        import torch
    except ImportError as error:
        raise MissingExtra("training needs PyTorch: pip install 'qipai[train]'") from error
    if args.minutes is not None and not args.minutes > 0:
        raise BadTraining(f"--minutes must be a number above 0, not {args.minutes}")
    if args.updates is not None and args.updates < 1:
        raise BadTraining(f"--updates must be a whole number from 1, not {args.updates}")
    if args.workers is not None and args.workers < 1:
        raise BadTraining(f"--workers must be a whole number from 1, not {args.workers}")
    from qipai.learn import ranks

    if ranks.started() and getattr(args, "ray", None) is not None:
        raise BadTraining("a run is made either by torchrun or on a Ray cluster, not by both")
    if ranks.started() and args.device != "cpu":
        ranks.pick_gpu()  # before PyTorch looks for one
    device = args.device or ("cuda" if torch.cuda.is_available() else "cpu")
    here = args.workers if getattr(args, "ray", None) is None else None
    return device, here or max(1, (os.cpu_count() or 2) - 1)


def train(args: argparse.Namespace, device: str, folder: Path, workers: int) -> Run:
    """Set up the run that the arguments describe, and train."""
    from qipai.learn.settings import START

    if (folder / "checkpoint.qnet").exists() and not args.resume:
        raise BadTraining(f"{folder} already contains a run: use --resume, or choose another --out")
    changes = read_settings(args.set)
    if not args.resume:
        device = settle(args, device, get(args.game), args.against, *changes.get("rivals", ()))
        source = None if args.source == "zero" else args.source or START.get(args.game)
        parts: dict[str, Any] = {"changes": changes, "source": source, "against": args.against}
        return train_for(args, device, folder, workers, **parts)
    settings, source, against = settings_of(folder)
    if changes or args.source or args.against or settings.game != args.game:
        raise BadTraining(
            f"{folder} keeps the settings of its {settings.game} run;"
            " --set, --from and --against cannot be used with --resume"
        )
    device = settle(args, device, get(args.game, settings.options), against, *settings.rivals)
    return train_for(args, device, folder, workers, resumed=settings, source=source, against=against)


def settle(args: argparse.Namespace, device: str, game: Game, *opponents: str | None) -> str:
    """Return the device of a run: without `--device` it is the CPU if an opponent plays nowhere else."""
    from qipai.learn.rivals import find_rival

    if args.device is None and device != "cpu" and getattr(args, "ray", None) is None:
        for text in opponents:
            if text is not None and not find_rival(game, text).anywhere:
                teller()(f"{text} only plays on the CPU: training there")
                return "cpu"
    return device


def train_for(
    args: argparse.Namespace,
    device: str,
    folder: Path,
    workers: int,
    *,
    changes: Mapping[str, Any] | None = None,
    resumed: Settings | None = None,
    source: str | None,
    against: str | None,
    final: float | None = None,
) -> Run:
    """Make a run with these changes of the settings, or go on with one; return it when it has ended.

    Its last net is measured for `final` seconds, or as long as `--evaluate` says.
    """
    from qipai.learn.ranks import ALONE, Group, started
    from qipai.learn.run import Run
    from qipai.learn.settings import defaults

    made = Run(
        folder,
        resumed or defaults(args.game, device, **{"seed": args.seed, **(changes or {})}),
        device,
        source=source,
        against=against,
        command=shlex.join(["qipai", *sys.argv[1:]]),
        workers=workers,
        say=teller(),
        resuming=resumed is not None,
        ray=getattr(args, "ray", None),
        players=args.workers,
        ranks=Group(device) if started() else ALONE,
    )
    seconds = None if args.updates is not None else 60 * (args.minutes or 8.0)
    try:
        made.prepare()
        if resumed is not None:
            made.resume()
        every = seconds / 6 if seconds is not None and args.evaluate > 0 else 0.0
        length = min(20.0, max(3.0, every / 2))
        made.train(seconds=seconds, updates=args.updates, evaluate_every=every, evaluate_seconds=length)
        made.finish(seconds=args.evaluate if final is None else final)
    finally:
        made.close()
    return made


def settings_of(folder: Path) -> tuple[Settings, str | None, str | None]:
    """Return the settings of the run in a folder, what it started from and whom it plays against."""
    import json

    from qipai.learn.settings import from_json

    try:
        data = json.loads((folder / "settings.json").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BadTraining(f"{folder} contains no run to continue") from error
    if not isinstance(data, dict):
        raise BadTraining(f"{folder} contains no run to continue")
    source, against = (str(data.get(name) or "") or None for name in ("from", "against"))
    return from_json(data.get("settings", {})), source, against


def read_settings(pairs: Sequence[str]) -> dict[str, Any]:
    """Return the settings given as NAME=VALUE, each converted to its type."""
    from qipai.learn.settings import Settings

    kinds = {f.name: type(getattr(Settings("x"), f.name)) for f in fields(Settings)}
    found: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or name not in kinds or name in ("game", "options", "seed"):
            known = ", ".join(sorted(set(kinds) - {"game", "options", "seed"}))
            raise BadTraining(f"--set takes NAME=VALUE, not {pair[:40]!r}; names: {known}")
        found[name] = _value(name, kinds[name], value)
    return found


def _value(name: str, kind: type, text: str) -> Any:
    try:
        if kind is bool:
            return {"true": True, "false": False}[text.lower()]
        if kind is tuple:
            parts = [part for part in text.split(",") if part]
            return tuple(int(part) for part in parts) if name == "seats" else tuple(parts)
        return kind(text)
    except (KeyError, ValueError) as error:
        raise BadTraining(f"setting {name} must be a {kind.__name__}, not {text[:40]!r}") from error


def teller() -> Callable[[str], None]:
    """Return a function that prints the progress: one overwritten line on a terminal, else many lines."""
    from qipai.learn.progress import is_progress

    live = sys.stderr.isatty()

    def say(text: str) -> None:
        moving = live and is_progress(text)
        if moving:  # a line that wraps could not be overwritten
            text = text[: max(1, shutil.get_terminal_size().columns - 1)]
        sys.stderr.write(f"{CLEAR if live else ''}{text}" + ("" if moving else "\n"))
        sys.stderr.flush()

    return say
