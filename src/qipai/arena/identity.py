"""What an agent is, behind its name: the description that it plays and a digest of its weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from qipai.bots.find import find_agent
from qipai.bots.levels import Making
from qipai.core import AgentSpec, Game

DIGITS = 16  # of a digest of weights


def resolved(game: Game, name: str) -> tuple[str, AgentSpec]:
    """Return what a name plays: for a level its description, otherwise the name itself; and the agent."""
    spec = find_agent(game, name)
    while isinstance(spec.make, Making):
        name = spec.make.text
        spec = find_agent(game, name)
    return name, spec


def weights_digest(game: Game, spec: AgentSpec) -> str:
    """Return a digest of the weights that an agent plays by, "" if it has none (that it tells of)."""
    found = getattr(spec.make, "weights_digest", None)
    return str(found(game))[:DIGITS] if callable(found) else ""


def head_of(form: str, game: Game, played: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return the first line of a file of results: what is played, and all versions that it depends on."""
    from qipai import __version__

    found = {name: resolved(game, name) for name in names}
    return {
        "format": form,
        "qipai": __version__,
        "rules": game.rules.version,
        "observation": game.observation_digest,
        **played,
        "plays": {name: plays for name, (plays, _) in found.items()},
        "weights": {name: weights_digest(game, spec) for name, (_, spec) in found.items()},
    }


def merged(game: Game, names: Sequence[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the names of different agents, and further names of these as (further name, name).

    Agents are the same if they are made in the same way. Of several names the one that says what is played
    comes first.
    """
    kept: list[tuple[str, AgentSpec]] = []
    groups: list[list[str]] = []
    for name in names:
        plays, spec = resolved(game, name)
        for k, (_, other) in enumerate(kept):
            if other.make == spec.make:
                groups[k].insert(0 if name == plays else len(groups[k]), name)
                break
        else:
            kept.append((plays, spec))
            groups.append([name])
    return [group[0] for group in groups], [(more, group[0]) for group in groups for more in group[1:]]
