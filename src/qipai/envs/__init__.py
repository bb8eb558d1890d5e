"""Environments for reinforcement learning: every registered game as a PettingZoo AEC environment.

PettingZoo is loaded when the first environment is made; the ids (`qipai/xianqi-v1`) are in
its registry as soon as both it and this package are imported.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from qipai.core import Game
from qipai.core.errors import MissingExtra

from .ids import register_ids, register_when_loaded

if TYPE_CHECKING:
    from .table import TableEnv

__all__ = ["aec", "register_ids"]


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
) -> TableEnv:
    """A PettingZoo AEC environment of `game`, with the game's own small actions.

    `render_mode` is "ansi" or "human"; what is drawn is the table as a watcher sees it, or
    as the agent `render_seat` does. `seed` is used by the first `reset()` that names none.
    `max_cycles` truncates before any agent decides more often than that.
    """
    try:
        from .table import TableEnv
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("pettingzoo", "gymnasium"):
            raise
        raise MissingExtra(
            f"environments need {error.name}, which is not installed: pip install 'qipai[envs]'"
        ) from error
    return TableEnv(
        game,
        options,
        seats,
        render_mode=render_mode,
        render_seat=render_seat,
        lang=lang,
        seed=seed,
        max_cycles=max_cycles,
    )


register_when_loaded()
