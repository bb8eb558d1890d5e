"""`qipai export`: a net as an ONNX file, or as the weights that a game ships."""

from __future__ import annotations

import argparse
import shlex
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from qipai.core import Game, get
from qipai.core.errors import BadCount, BadText, BadWeights, short

from .arguments import add_option, read_pairs

if TYPE_CHECKING:
    from qipai.bots.net import Net

ABOUT = "write a net as an ONNX file, or as the weights shipped with a game"
PLACES = range(100)


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
    add("--place", type=int, metavar="N", help="for FILE.qnet: its place among the game's agents")
    add("--symmetries", type=int, metavar="N", help="for FILE.qnet: symmetries of the board to average")
    add("--recipe", action="store_true", help="print the commands that reproduce the shipped weights")
    add_option(parser)


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
        write_qnet(net, args.out, args.place, args.symmetries)
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


def write_qnet(net: Net, path: Path, place: int | None, symmetries: int | None = None) -> None:
    """Write a net to a file, with a place and a number of symmetries in the header if they are given."""
    from qipai.bots.net import Net, write_container
    from qipai.bots.net.infer import SYMMETRIES

    if place is not None and place not in PLACES:
        raise BadCount(f"--place must be a number from 0 to {PLACES[-1]}, not {place}")
    given = {} if place is None else {"place": place}
    given |= {} if symmetries is None else {SYMMETRIES: symmetries}
    Net(net.game, net.header | given, net.arrays)  # raises if the game does not have so many
    write_container(path, net.header | given, net.arrays)


def recipe(game: Game) -> list[str]:
    """Return the commands that reproduce the shipped weights of a game, from their header.

    A command that started from the net of the commands before it may name that net by another path: it gets
    the folder that the one before it makes.
    """
    from qipai.bots.net.agent import place_of, weights_path
    from qipai.bots.net.infer import SYMMETRIES
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
    for before, line in pairwise(words):
        if "--from" in line[:-1]:
            line[line.index("--from") + 1] = _folder(before)
    place = str(place_of(header))
    ship = ["qipai", "export", game.name, "--agent", _folder(words[-1]), "--place", place]
    ship += ["--out", str(_from_here(path))]
    if header.get(SYMMETRIES, 1) != 1:
        ship += ["--symmetries", str(header[SYMMETRIES])]
    return [shlex.join(line) for line in [*words, ship]]


def _folder(words: list[str]) -> str:
    """Return the folder that a command of training makes."""
    return words[words.index("--out") + 1]


def _from_here(path: Path) -> Path:
    """Return a path relative to the working directory, or as it is if it lies elsewhere."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
