"""The adapters at their stated counts, with the libraries of the toolbox (`make toolbox`).

1,000 games per adapter are those of a batch; 100,000 actions that each library chooses are legal.
Where this interpreter lacks a library, the one of `make toolbox` runs the proofs.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from qipai.core import names

ROOT = Path(__file__).parents[2]
TOOLBOX = ROOT / ".venv-toolbox" / "bin" / "python"
GAMES = 1000  # per adapter, over all games of ours
STEPS = 100_000  # per adapter, over all games of ours
TOOLS = {  # adapter: the module of its library, and the name of its distribution
    "openspiel": ("pyspiel", "open_spiel"),
    "sb3": ("sb3_contrib", "sb3_contrib"),
    "rllib": ("ray", "ray"),
    "torchrl": ("torchrl", "torchrl"),
    "torchrl_gym": ("torchrl", "torchrl"),  # its own wrapper of a Gymnasium vector environment
    "torchrl_pettingzoo": ("torchrl", "torchrl"),  # its own wrapper of an AEC environment
    "tianshou": ("tianshou", "tianshou"),
    "jax": ("jax", "jax"),
    "gymnasium": ("gymnasium", "gymnasium"),
    "pettingzoo": ("pettingzoo", "pettingzoo"),
}
Figures = dict[str, Any]


def proofs() -> list[tuple[str, Callable[[], Figures]]]:
    """Return parity and legal actions of each adapter, and exact values, whatever is installed."""
    return [(name, partial(anywhere, name)) for name in found()]


def found() -> dict[str, Callable[[], Figures]]:
    """Return the proofs of an interpreter that has every library."""
    parity = {f"parity_{tool}": partial(same_games, tool) for tool in TOOLS}
    legal = {f"legal_{tool}": partial(legal_steps, tool) for tool in TOOLS}
    return {**parity, **legal, "shared_jax": shared, "values": values, "endgame": endgame}


def anywhere(name: str) -> Figures:
    """Run a proof here, or with the interpreter of the toolbox. Raise `ModuleNotFoundError` without both."""
    lacking = [module for module in dict.fromkeys(m for m, _ in TOOLS.values()) if find_spec(module) is None]
    if not lacking:
        return found()[name]()
    if not TOOLBOX.exists():
        missing = ", ".join(lacking)
        raise ModuleNotFoundError(f"{missing}: not installed; make toolbox installs them", name=lacking[0])
    made = subprocess.run(
        [TOOLBOX, "-m", "tests.ecosystem.proof", name], capture_output=True, text=True, cwd=ROOT
    )
    assert made.returncode == 0, made.stderr[-2000:]
    figures: Figures = json.loads(made.stdout.splitlines()[-1])
    return figures


def same_games(tool: str) -> Figures:
    """Play the same actions through the adapter and in batches."""
    check = import_module(f"tests.envs.test_{tool}").check_parity
    decisions = {name: check(name, GAMES // len(names())) for name in names()}
    return {
        **library(tool),
        "games": GAMES,
        "decisions, by game": counted(decisions),
        "differences": 0,
    }


def legal_steps(tool: str) -> Figures:
    """Let the library choose the actions, with the masks that it is told; an illegal one raises."""
    check = import_module(f"tests.envs.test_{tool}").check_legal
    each = STEPS // len(names())
    actions = {name: check(name, each) for name in names()}
    assert all(count >= each for count in actions.values()), actions
    return {**library(tool), "actions, by game": counted(actions), "illegal actions": 0}


def library(tool: str) -> Figures:
    """Return the library of an adapter with its version."""
    distribution = TOOLS[tool][1]
    return {"library": f"{distribution} {version(distribution)}"}


def counted(counts: dict[str, int]) -> str:
    """Return counts by game as text."""
    return ", ".join(f"{name} {count:,}" for name, count in counts.items())


def shared() -> Figures:
    """Compare the addresses of a batch's arrays with those that JAX reads."""
    from qipai.envs.jax import SHARED
    from tests.envs.test_jax import LANES, check_shared

    arrays = sum(check_shared(name, n) for name in names() for n in LANES)
    total = len(names()) * len(LANES) * len(SHARED)
    return {
        **library("jax"),
        "arrays": ", ".join(SHARED),
        "lanes": ", ".join(map(str, LANES)),
        "arrays at the same address, aligned to 64 bytes": f"{arrays} of {total}",
    }


def values() -> dict[str, Any]:
    """Compare CFR on Kuhn and Leduc poker with OpenSpiel's own games."""
    import pyspiel

    from qipai.envs.openspiel import load
    from tests.envs.test_openspiel import solved

    figures: dict[str, Any] = {}
    for name, rounds in (("kuhn_poker", 500), ("leduc_poker", 20)):
        ours, gap, _ = solved(load(name), rounds)
        theirs, other, _ = solved(pyspiel.load_game(name), rounds)
        assert abs(ours - theirs) < 1e-6 and abs(gap - other) < 1e-6, name
        figures[f"{name}, {rounds} iterations of CFR"] = (
            f"value {ours:.9f}, exploitability {gap:.9f}; differences from OpenSpiel's"
            f" {abs(ours - theirs):.1e} and {abs(gap - other):.1e}"
        )
    return figures


def endgame() -> dict[str, Any]:
    """Compute how exploitable uniform play and CFR+ are in the reduced Xianqi."""
    from open_spiel.python import policy
    from open_spiel.python.algorithms import cfr, exploitability

    from qipai.envs.openspiel import load

    game = load("xianqi_endgame")
    solver = cfr.CFRPlusSolver(game)
    found = [exploitability.nash_conv(game, policy.UniformRandomPolicy(game))]
    for _ in range(10):
        solver.evaluate_and_update_policy()
    found.append(exploitability.nash_conv(game, solver.average_policy()))
    assert 0 <= found[1] < found[0], found
    return {
        "deals": len(game.deals or ()),
        "NashConv of uniform play": f"{found[0]:.6f} chips",
        "NashConv after 10 iterations of CFR+": f"{found[1]:.6f} chips",
    }


if __name__ == "__main__":
    print(json.dumps(anywhere(sys.argv[1])))
