"""Wuhan mahjong 七皮四赖: the game's record, and the names its users ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qipai.core import Checks, Device, Game, Messages, Rules, Terminal, Windows, Words

from . import bot, examples, layout, observe, rules, state, text, tiles, view, window
from .api import (
    action_to_index,
    discards_to_ready,
    evaluate_win,
    index_to_action,
    is_ready,
    legal_mask,
    settle_flow_draw,
    settle_win,
    special_tiles,
)
from .options import OPTIONS, check
from .tiles import ActionType, WinType, WinWay

if TYPE_CHECKING:
    from qipai.envs.wuhan_mahjong import WuhanMahjongEnv

GameStateType = state.Phase  # the user's name of the phases

__all__ = [
    "GAME",
    "ActionType",
    "GameStateType",
    "WinType",
    "WinWay",
    "WuhanMahjongEnv",
    "action_to_index",
    "discards_to_ready",
    "evaluate_win",
    "index_to_action",
    "is_ready",
    "legal_mask",
    "settle_flow_draw",
    "settle_win",
    "special_tiles",
]

GAME = Game(
    name="wuhan_mahjong",
    rules=Rules(
        version=1,
        seats=(4, 4),
        actions=tiles.ACTIONS,
        observation=observe.FEATURES,
        length=500,  # 117 public actions, and at most three answers to each discard or announced kong
        State=state.State,
        phases=state.Phase,
        edges=state.EDGES,
        deal=rules.deal,
        start=rules.start,
        legal=rules.legal,
        apply=rules.apply,
        advance=rules.advance,
        observe=observe.observe,
        determinize=observe.determinize,
        view=view.view,
        narrate=view.narrate,
        lay_out=layout.lay_out,
        successor=layout.successor,
        options=OPTIONS,
        check=check,
    ),
    device=Device(
        act=rules.act,
        rest=rules.rest,
        gather=32,
    ),
    words=Words(
        messages=Messages.of_package(__name__),
        tell=text.tell,
        say=text.say,
        parse=text.parse,
        draw=text.draw,
    ),
    terminal=Terminal(screen="qipai.games.wuhan_mahjong.screen:SCREEN"),
    checks=Checks(
        pieces=layout.count_tiles,
        examples=examples.EXAMPLES,
        twins=examples.TWINS,
    ),
    windows=Windows(
        sealed=window.sealed,
        held=window.held,
        pause=window.pause,
    ),
    agents=bot.AGENTS,
)


def __getattr__(name: str) -> Any:
    """`WuhanMahjongEnv` is loaded when first asked for; it needs the extra `envs`."""
    if name != "WuhanMahjongEnv":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from qipai.envs.wuhan_mahjong import WuhanMahjongEnv
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("pettingzoo", "gymnasium"):
            raise
        from qipai.core.errors import MissingExtra

        raise MissingExtra(
            f"WuhanMahjongEnv needs {error.name}, which is not installed: pip install 'qipai[envs]'"
        ) from error
    return WuhanMahjongEnv
