"""`qipai train`: train a net by self-play."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from qipai.core.errors import BadTraining

ABOUT = "train a net by self-play (needs PyTorch: pip install 'qipai[train]')"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments: the game, for how long, the initial weights and the opponents."""
    add = parser.add_argument
    add("game", help="a game's name")
    add("--minutes", type=float, metavar="M", help="of training (8; with --resume: M more)")
    add("--updates", type=int, metavar="N", help="stop after this many updates instead")
    add("--device", choices=("cuda", "cpu"), help="cpu or cuda (default: cuda if available)")
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
        help="processes for cloning and evaluation (default: one less than cores)",
    )


def run(args: argparse.Namespace) -> int:
    """Train, then print the evaluation of the net."""
    try:
        import torch
    except ImportError as error:
        raise BadTraining("training needs PyTorch: pip install 'qipai[train]'") from error
    device = args.device or ("cuda" if torch.cuda.is_available() else "cpu")
    folder = Path(args.out or f"runs/{args.game}")
    workers = args.workers or max(1, (os.cpu_count() or 2) - 1)
    train(args, device, folder, workers)
    return 0


def train(args: argparse.Namespace, device: str, folder: Path, workers: int) -> None:
    """Set up the run that the arguments describe, and train."""
    from qipai.learn.run import Run
    from qipai.learn.settings import START, defaults

    if args.minutes is not None and not args.minutes > 0:
        raise BadTraining(f"--minutes must be a number above 0, not {args.minutes}")
    if (folder / "checkpoint.qnet").exists() and not args.resume:
        raise BadTraining(f"{folder} already contains a run: use --resume, or choose another --out")
    changes = read_settings(args.set)
    settings = settings_of(folder) if args.resume else None
    if settings is None:
        settings = defaults(args.game, device, **{"seed": args.seed, **changes})
    elif changes or settings.game != args.game:
        raise BadTraining(
            f"{folder} keeps the settings of its {settings.game} run; --set cannot be used with --resume"
        )
    source = None if args.resume or args.source == "zero" else args.source or START.get(args.game)
    made = Run(
        folder,
        settings,
        device,
        source=source,
        against=args.against,
        command=shlex.join(["qipai", *sys.argv[1:]]),
        workers=workers,
        say=teller(),
    )
    seconds = None if args.updates is not None else 60 * (args.minutes or 8.0)
    try:
        made.prepare()
        if args.resume:
            made.resume()
        every = seconds / 6 if seconds is not None and args.evaluate > 0 else 0.0
        length = min(20.0, max(3.0, every / 2))
        made.train(seconds=seconds, updates=args.updates, evaluate_every=every, evaluate_seconds=length)
        made.finish(seconds=args.evaluate)
    finally:
        made.close()
    print(f"{folder}: {made.ready.decisions:,} decisions in {made.seconds:.0f} s of training")


def settings_of(folder: Path) -> Any:
    """Return the settings of the run in a folder."""
    import json

    from qipai.learn.settings import from_json

    try:
        data = json.loads((folder / "settings.json").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BadTraining(f"{folder} contains no run to continue") from error
    return from_json(data.get("settings", {}) if isinstance(data, dict) else {})


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
    live = sys.stderr.isatty()

    def say(text: str) -> None:
        moving = live and "decisions/s" in text
        sys.stderr.write(f"\r\033[K{text}" + ("" if moving else "\n"))
        sys.stderr.flush()

    return say
