"""`find_agent`: the one parser of agents, for every command, contest and environment.

| text | agent |
|---|---|
| `heuristic` | a registered one (`qipai games GAME`): of the game, of every game, or of another package |
| `search@500`, `search@deep`, `search+net@64` | a search with that many simulations |
| `net~t1~o0.2` | a net that errs: misjudges, overlooks, forgets (`erring.py`) |
| `runs/mine`, `mine.qnet` | a training run's folder, or a file of weights |
| `file.py:SPEC` | the `AgentSpec` that a Python file holds in a variable |

Only the person who runs the program names files: on a command line, or in Python. Names that arrive over a
network are looked up with `qipai.core.bots_of`, which does not accept files.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

from qipai.core import AgentSpec, Game, QipaiError, add_agent, agents_of, get, names
from qipai.core.errors import BadAgent, BadWeights, ForeignWeights, UnknownAgent, short
from qipai.core.outside import agent_of_code, broken_entries, names_code
from qipai.search.agent import counted_agent

from .erring import Making, parts_of
from .net.agent import FILE, NAME, spec_of_file, weights_path
from .net.guided import guided_agent
from .net.weights import read_header

SUFFIX = ".qnet"
DESCRIBED = re.compile(r"[A-Za-z0-9_+-]{1,32}(?:@[A-Za-z0-9]{1,12}|(?:~[tom][0-9.]{1,8}){1,3})")
OWN_NAME = 32  # maximum length of a name made from a file's name


def find_agent(game: Game, text: str | AgentSpec) -> AgentSpec:
    """Return the agent that `text` names, called `text`; an `AgentSpec` is returned as it is.

    Raise `UnknownAgent` if there is none, `BadAgent` if its code is at fault, and `BadWeights` or
    `ForeignWeights` if a net cannot play this game.
    """
    if isinstance(text, AgentSpec):
        return _playing(game, text)
    known = agents_of(game)
    if not isinstance(text, str):
        raise UnknownAgent(f"the name of an agent must be a string, not {short(text)}")
    if text in known:
        return known[text]
    if (found := described(game, text)) is not None:
        return found
    shipped = weights_path(game) if text == NAME else None
    path = shipped if shipped is not None and shipped.exists() else file_of(text)
    if path is not None:
        return spec_of_file(path, game, text)
    if names_code(text):
        return _playing(game, replace(agent_of_code(text), name=text))
    if text in (broken := broken_entries(game)):
        raise BadAgent(broken[text])
    raise UnknownAgent(
        f"{game.name} has no agent {short(text)}; known: {', '.join(known)},"
        f" a training run's folder, a {SUFFIX} file, or FILE.py:SPEC"
    )


def described(game: Game, text: str) -> AgentSpec | None:
    """Return the agent that a description such as `search@500` or `net~t1` names, or None for other texts.

    Raise an error if the game has no such agent, or a number is out of range.
    """
    if (parts := parts_of(text)) is not None:
        base, errors = parts
        if errors.memory < 1 and game.levels.shown is None:
            raise BadAgent(f"{game.name} is not a game of memory: ~m does not apply")
        return AgentSpec(text, 1, Making(find_agent(game, base), errors), offered=False)
    return counted_agent(game, text) or guided_agent(game, text)


def _playing(game: Game, spec: AgentSpec) -> AgentSpec:
    """Return `spec`; raise `UnknownAgent` if it does not play `game`."""
    if not spec.plays(game):
        raise UnknownAgent(f"{short(spec.name)} plays {', '.join(spec.games)}, not {game.name}")
    return spec


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


def add_file(text: str) -> tuple[tuple[str, ...], AgentSpec]:
    """Add the agent of a file, or one that is described, to its games in this process.

    Return the games' names and the agent. A net is named after its folder or file, a described agent
    (`search@500`) by its description, other agents by their `AgentSpec`. They are found by that name from
    then on.
    """
    if names_code(text):
        return _add_code(text)
    if DESCRIBED.fullmatch(text) and not os.path.exists(text):
        return _add_described(text)
    path = file_of(text)
    if path is None:
        raise UnknownAgent(
            f"{short(text)} is neither a training run's folder nor a {SUFFIX} file nor FILE.py:SPEC,"
            " nor a description such as search@500"
        )
    game_name = read_header(path).get("game")
    if game_name not in names():
        raise ForeignWeights(f"the net plays {short(game_name)}, which is not installed here")
    game = get(game_name)
    source = path.parent if path.name == FILE else path
    name = source.resolve().name.removesuffix(SUFFIX)
    _check_name(name, "rename the folder or file")
    spec = spec_of_file(path, game, name)
    _check_free(game, spec, "rename the folder or file")
    add_agent(game, spec)
    return (game.name,), spec


def _add_code(text: str) -> tuple[tuple[str, ...], AgentSpec]:
    """Add the agent that FILE.py:SPEC names to every game that it plays."""
    spec = agent_of_code(text)
    _check_name(spec.name, "give the AgentSpec another name")
    played = tuple(name for name in names() if _can_play(spec, name))
    if not played:
        raise UnknownAgent(f"{short(spec.name)} plays {', '.join(spec.games)}, which is not installed here")
    for name in played:
        _check_free(get(name), spec, "give the AgentSpec another name")
    add_agent(None, spec)
    return played, spec


def full_name(text: str) -> str:
    """Return what names the same agent in any working directory: a description, or a full path."""
    is_description = DESCRIBED.fullmatch(text) is not None and not os.path.exists(text)
    return text if is_description else os.path.abspath(text)


def _add_described(text: str) -> tuple[tuple[str, ...], AgentSpec]:
    """Add the agent of a description to every game that has it on its default board."""
    added: dict[str, AgentSpec] = {}
    why: QipaiError | None = None
    for name in names():
        try:
            game = get(name)
            spec = agents_of(game).get(text) or described(game, text)
        except QipaiError as error:
            why = error
            continue
        if spec is not None:
            added[name] = replace(spec, name=text, offered=True)
    if not added:
        raise why or UnknownAgent(f"no game has an agent {short(text)}")
    for name, spec in added.items():
        add_agent(get(name), spec)
    return tuple(added), next(iter(added.values()))


def _can_play(spec: AgentSpec, name: str) -> bool:
    """Return whether an agent plays a game; not if the game's package is broken."""
    try:
        return spec.plays(get(name))
    except QipaiError:
        return False


def _check_name(name: str, advice: str) -> None:
    """Raise `UnknownAgent` unless a name can be shown and typed."""
    if not name.isascii() or not name.replace("-", "").replace("_", "").isalnum() or len(name) > OWN_NAME:
        raise UnknownAgent(
            f"{short(name)} is not a valid agent name (at most {OWN_NAME} letters, digits, - and _): {advice}"
        )


def _check_free(game: Game, spec: AgentSpec, advice: str) -> None:
    """Raise `UnknownAgent` if another agent of the game has this name."""
    if agents_of(game).get(spec.name, spec) != spec:
        raise UnknownAgent(f"{game.name} already has an agent {spec.name}; {advice}")
