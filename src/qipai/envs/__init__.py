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
from qipai.core.errors import MissingExtra, short

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
    features: str = "raw",
    illegal: str = "raise",
    illegal_reward: float = -1.0,
    reward_scale: float = 1.0,
    **unknown: Any,
) -> GameEnv:
    """Return a PettingZoo AEC environment of `game`, with the game's own actions.

    `render_mode` is "ansi", "human" or "rgb_array"; it draws what a watcher sees, or
    what the agent `render_seat` sees. `seed` is used by the first `reset()` without a seed.
    `max_cycles` truncates an episode before any agent decides more often than that.
    `features`, `illegal`, `illegal_reward` and `reward_scale` are those of `single`.
    """
    try:
        from .aec_game import GameEnv
    except ModuleNotFoundError as error:
        raise _missing(error) from error
    _refuse(unknown)
    return GameEnv(
        game,
        options,
        seats,
        render_mode=render_mode,
        render_seat=render_seat,
        lang=lang,
        seed=seed,
        max_cycles=max_cycles,
        features=features,
        illegal=illegal,
        illegal_reward=illegal_reward,
        reward_scale=reward_scale,
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
    space: str = "dict",
    features: str = "raw",
    illegal: str = "raise",
    illegal_reward: float = -1.0,
    reward_scale: float = 1.0,
    render_mode: str | None = None,
    lang: str = "en",
    **unknown: Any,
) -> LearnerVectorEnv:
    """Return a Gymnasium vector environment: `n` lanes, one seat learns in each.

    `opponents` is an agent's name for all other seats, or a list of names, starting with the seat after
    the learner's; "random" moves inside compiled code. `seat` is the learner's, or
    "rotate": lane i begins at seat i mod seats and advances by one with every game.
    `autoreset` is NEXT_STEP, SAME_STEP or DISABLED, as defined by Gymnasium. The last seven arguments are
    those of `single`.
    """
    try:
        from .gym_vector import LearnerVectorEnv
    except ModuleNotFoundError as error:
        raise _missing(error) from error
    _refuse(unknown)
    return LearnerVectorEnv(
        game,
        n,
        opponents,
        seat,
        options,
        seed,
        device,
        seats=seats,
        autoreset=autoreset,
        threads=threads,
        space=space,
        features=features,
        illegal=illegal,
        illegal_reward=illegal_reward,
        reward_scale=reward_scale,
        render_mode=render_mode,
        lang=lang,
    )


def vector_of(num_envs: int, **arguments: Any) -> LearnerVectorEnv:
    """Return a `vector` environment; `gymnasium.make_vec` calls this."""
    return vector(n=num_envs, **arguments)


def single(
    game: Game | str,
    opponents: Opponents = "random",
    seat: int | str = 0,
    options: Mapping[str, Any] | None = None,
    seed: int | None = None,
    *,
    seats: int | None = None,
    space: str = "dict",
    features: str = "raw",
    illegal: str = "raise",
    illegal_reward: float = -1.0,
    reward_scale: float = 1.0,
    render_mode: str | None = None,
    lang: str = "en",
    **unknown: Any,
) -> LearnerEnv:
    """Return a Gymnasium environment: one lane, in which one seat learns.

    `space` is "dict" (observation and mask) or "box" (the observation alone). `features` is "raw", "onehot"
    or "planes". `illegal` says what happens to an illegal action: "raise" raises an error, "random"
    plays a random legal action instead, "terminate" ends the game with `illegal_reward`. Other rewards are
    multiplied by `reward_scale`. `render_mode` is "ansi", "human" or "rgb_array".
    """
    try:
        from .gym_single import LearnerEnv
    except ModuleNotFoundError as error:
        raise _missing(error) from error
    _refuse(unknown)
    return LearnerEnv(
        game,
        opponents,
        seat,
        options,
        seed,
        seats=seats,
        space=space,
        features=features,
        illegal=illegal,
        illegal_reward=illegal_reward,
        reward_scale=reward_scale,
        render_mode=render_mode,
        lang=lang,
    )


def _refuse(unknown: Mapping[str, Any]) -> None:
    """Raise `BadArgument` for a keyword that no environment has, in Python's words, which TorchRL reads."""
    from .convention import BadArgument

    for name in unknown:
        hint = ": it is called opponents" if name == "opponent" else ""
        raise BadArgument(f"environments got an unexpected keyword argument {short(name)}{hint}")


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
