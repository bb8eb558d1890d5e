"""`qipai export`: a net as an ONNX file, or as the weights that a game ships."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from qipai.core import Game, get
from qipai.core.errors import BadCount, BadText, BadWeights, short

from .arena import read_pairs

if TYPE_CHECKING:
    from qipai.bots.net import Net

ABOUT = "write a net as an ONNX file, or as the weights shipped with a game"
LEVELS = range(100)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments: which net, and the file to write."""
    add = parser.add_argument
    add("game", help="a game's name")
    add(
        "--agent",
        default="net",
        metavar="A",
        help="`net`, the folder of a training run or a .qnet file (default: net)",
    )
    add("--out", type=Path, metavar="FILE", help="the file to write: FILE.onnx or FILE.qnet")
    add("--level", type=int, metavar="N", help="for FILE.qnet: its strength among the game's agents")
    add("--recipe", action="store_true", help="print the commands that reproduce the shipped weights")
    add(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="option of the game; may be repeated",
    )


def run(args: argparse.Namespace) -> int:
    """Write the file, or print the recipe."""
    game = get(args.game, read_pairs(args.option))
    if args.recipe:
        print("\n".join(recipe(game)))
        return 0
    suffix = args.out.suffix if args.out is not None else ""
    if suffix not in (".onnx", ".qnet"):
        raise BadText("--out is required: FILE.onnx or FILE.qnet")
    net = net_of(game, args.agent)
    if suffix == ".onnx":
        from qipai.bots.net.export_onnx import write_onnx

        write_onnx(net, args.out)
    else:
        write_qnet(net, args.out, args.level)
    print(f"{args.out}: {args.out.stat().st_size} bytes, {net.shape['kind']} of {game.name}")
    return 0


def net_of(game: Game, text: str) -> Net:
    """Return the net behind an agent; raise `BadWeights` if the agent does not use one."""
    from qipai.bots.find import find_agent
    from qipai.bots.net.agent import NetAgent
    from qipai.core.agent import agent_words

    agent = find_agent(game, text).make(game, agent_words(game, 0, 0))
    if not isinstance(agent, NetAgent):
        raise BadWeights(f"{short(text)} does not use a net")
    return agent.net


def write_qnet(net: Net, path: Path, level: int | None) -> None:
    """Write a net to a file, with a level in the header if one is given."""
    from qipai.bots.net import write_container

    if level is not None and level not in LEVELS:
        raise BadCount(f"--level must be a number from 0 to {LEVELS[-1]}, not {level}")
    write_container(path, net.header | ({} if level is None else {"level": level}), net.arrays)


def recipe(game: Game) -> list[str]:
    """Return the commands that reproduce the shipped weights of a game, from their header."""
    from qipai.bots.net.agent import level_of, weights_path
    from qipai.bots.net.weights import read_header

    path = weights_path(game)
    if path is None or not path.exists():
        raise BadWeights(f"{game.name} ships no weights: qipai train {game.name}, then qipai export")
    header = read_header(path)
    words = [shlex.split(line) for line in str(header.get("command", "")).splitlines()]
    if not words or any(
        line[:3] != ["qipai", "train", game.name] or "--out" not in line[:-1] for line in words
    ):
        raise BadWeights(f"the weights of {game.name} do not say which command made them")
    folder = words[-1][words[-1].index("--out") + 1]
    level = str(level_of(header))
    ship = ["qipai", "export", game.name, "--agent", folder, "--level", level, "--out", str(path)]
    return [shlex.join(line) for line in [*words, ship]]
