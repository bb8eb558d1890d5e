"""`find_agent`: an agent by name, by the folder of a training run, or by a file of weights.

Only the person who runs the program names files: on a command line, or in Python. Names that arrive over a
network are looked up with `qipai.core.bots_of`, which does not accept files.
"""

from __future__ import annotations

import os
from pathlib import Path

from qipai.core import AgentSpec, Game, add_agent, agents_of, get, names
from qipai.core.errors import BadWeights, ForeignWeights, UnknownAgent, short
from qipai.search.agent import counted_agent

from .net.agent import FILE, NAME, spec_of_file, weights_path
from .net.weights import read_header

SUFFIX = ".qnet"
OWN_NAME = 32  # maximum length of a name made from a file's name


def find_agent(game: Game, text: str | AgentSpec) -> AgentSpec:
    """Return the agent that `text` names: one of the game, search@N, a run's folder, or a .qnet file.

    Raise `UnknownAgent` if there is none, and `BadWeights` or `ForeignWeights` if it cannot play this game.
    """
    if isinstance(text, AgentSpec):
        return text
    known = agents_of(game)
    if not isinstance(text, str):
        raise UnknownAgent(f"the name of an agent must be a string, not {short(text)}")
    if text in known:
        return known[text]
    counted = counted_agent(game, text)
    if counted is not None:
        return counted
    shipped = weights_path(game) if text == NAME else None
    path = shipped if shipped is not None and shipped.exists() else file_of(text)
    if path is None:
        raise UnknownAgent(
            f"{game.name} has no agent {short(text)}; known: {', '.join(known)},"
            f" a training run's folder, or a {SUFFIX} file"
        )
    return spec_of_file(path, game, text)


def file_of(text: str) -> Path | None:
    """Return the file of weights that `text` names, or None if it does not look like one."""
    if not text or "\0" in text:
        return None
    path = Path(text)
    if os.path.isdir(path):  # False for names that the file system rejects
        if not (path / FILE).exists():
            raise BadWeights(f"the folder {short(path.name)} contains no {FILE} (yet)")
        return path / FILE
    return path if path.suffix == SUFFIX else None


def add_file(text: str) -> tuple[str, AgentSpec]:
    """Add the agent of a file to its game in this process; return the game's name and the agent.

    The agent is named after its folder or file, and is found by that name from then on.
    """
    path = file_of(text)
    if path is None:
        raise UnknownAgent(f"{short(text)} is neither a training run's folder nor a {SUFFIX} file")
    game_name = read_header(path).get("game")
    if game_name not in names():
        raise ForeignWeights(f"the net plays {short(game_name)}, which is not installed here")
    game = get(game_name)
    source = path.parent if path.name == FILE else path
    name = source.resolve().name.removesuffix(SUFFIX)
    if not name.isascii() or not name.replace("-", "").replace("_", "").isalnum() or len(name) > OWN_NAME:
        raise UnknownAgent(
            f"{short(name)} is not a valid agent name: at most {OWN_NAME} letters, digits, - and _"
        )
    spec = spec_of_file(path, game, name)
    if agents_of(game).get(name, spec) != spec:
        raise UnknownAgent(f"{game.name} already has an agent {name}; rename the folder or file")
    add_agent(game, spec)
    return game.name, spec
