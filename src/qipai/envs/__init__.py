"""Environments for reinforcement learning: every registered game for PettingZoo and for Gymnasium.

`aec` is a PettingZoo environment in which every seat is an agent; `vector` and `single` are
Gymnasium environments in which one seat learns against opponents. Both libraries are
imported when the first environment is made. The ids (`qipai/xianqi-v1`) are in the registry of each library
as soon as both it and this package are imported, in any order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from qipai.core import Game
from qipai.core.errors import MissingExtra

from .ids import register_ids, when_loaded

if TYPE_CHECKING:
    from gymnasium.vector import AutoresetMode

    from .aec_game import GameEnv
    from .gym_single import LearnerEnv
    from .gym_vector import LearnerVectorEnv
    from .learner import Opponents
    from .wuhan_mahjong import WuhanMahjongEnv

__all__ = ["WuhanMahjongEnv", "aec", "register_gymnasium", "register_ids", "single", "vector", "vector_of"]


def aec(
    game: Game | str,
    options: Mapping[str, Any] | None = None,
    seats: int | None = None,
    *,
    render_mode: str | None = None,
    render_seat: str | None = None,
    lang: str = "en",
    seed: int | None = None,
    max_cycles: int | None = None,
) -> GameEnv:
    """Return a PettingZoo AEC environment of `game`, with the game's own actions.

    `render_mode` is "ansi" or "human"; it draws what a watcher sees, or
    what the agent `render_seat` sees. `seed` is used by the first `reset()` without a seed.
    `max_cycles` truncates an episode before any agent decides more often than that.
    """
    try:
        from .aec_game import GameEnv
    except ModuleNotFoundError as error:
        raise _missing(error) from error
    return GameEnv(
        game,
        options,
        seats,
        render_mode=render_mode,
        render_seat=render_seat,
        lang=lang,
        seed=seed,
        max_cycles=max_cycles,
    )


def vector(
    game: Game | str,
    n: int,
    opponents: Opponents = "random",
    seat: int | str = 0,
    options: Mapping[str, Any] | None = None,
    seed: int | None = None,
    device: str = "cpu",
    *,
    seats: int | None = None,
    autoreset: AutoresetMode | str = "NEXT_STEP",
    threads: int | None = None,
) -> LearnerVectorEnv:
    """Return a Gymnasium vector environment: `n` lanes, one seat learns in each (docs/training.md).

    `opponents` is an agent's name for all other seats, or a list of names, starting with the seat after
    the learner's; "random" moves inside compiled code. `seat` is the learner's, or
    "rotate": lane i begins at seat i mod seats and advances by one with every game.
    `autoreset` is NEXT_STEP, SAME_STEP or DISABLED, as defined by Gymnasium.
    """
    try:
        from .gym_vector import LearnerVectorEnv
    except ModuleNotFoundError as error:
        raise _missing(error) from error
    return LearnerVectorEnv(
        game, n, opponents, seat, options, seed, device, seats=seats, autoreset=autoreset, threads=threads
    )


def vector_of(num_envs: int, **arguments: Any) -> LearnerVectorEnv:
    """Return a `vector` environment; `gymnasium.make_vec` calls this."""
    return vector(n=num_envs, **arguments)


def single(
    game: Game | str,
    opponent: Opponents = "random",
    seat: int | str = 0,
    options: Mapping[str, Any] | None = None,
    seed: int | None = None,
    *,
    seats: int | None = None,
    illegal: str = "raise",
    render_mode: str | None = None,
    lang: str = "en",
) -> LearnerEnv:
    """Return a Gymnasium environment: one lane, in which one seat learns (docs/training.md).

    `illegal` says what happens to an illegal action: "raise" raises an error, "random"
    plays a random legal action instead, for tools that do not support masks.
    """
    try:
        from .gym_single import LearnerEnv
    except ModuleNotFoundError as error:
        raise _missing(error) from error
    return LearnerEnv(
        game, opponent, seat, options, seed, seats=seats, illegal=illegal, render_mode=render_mode, lang=lang
    )


def register_gymnasium() -> list[str]:
    """Add the games to Gymnasium's registry and return the ids. Call it again after `qipai.core.register`."""
    try:
        from .gym_single import register_games
    except ModuleNotFoundError as error:
        raise _missing(error) from error
    return register_games()


def __getattr__(name: str) -> Any:
    """Import `WuhanMahjongEnv`, the environment of that game, on first use."""
    if name != "WuhanMahjongEnv":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from .wuhan_mahjong import WuhanMahjongEnv
    except ModuleNotFoundError as error:
        raise _missing(error) from error
    return WuhanMahjongEnv


def _missing(error: ModuleNotFoundError) -> Exception:
    """Return the error for a missing module: an explanation if it is an optional dependency."""
    if error.name is None or error.name.partition(".")[0] not in ("pettingzoo", "gymnasium"):
        return error
    return MissingExtra(f"environments need {error.name}, which is not installed: pip install 'qipai[envs]'")


when_loaded("pettingzoo", register_ids)
when_loaded("gymnasium", register_gymnasium)
