"""Wuhan mahjong 七皮四赖: the game's description, and its public names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qipai.core import Checks, Device, Game, Guided, Levels, Messages, Rules, Search, Terminal, Windows, Words

from . import examples, layout, observe, options, rules, state, text, tiles, vectors, view, windows
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
from .bots import AGENTS
from .bots import playout as fast
from .tiles import ActionType, WinType, WinWay

if TYPE_CHECKING:
    from qipai.envs.wuhan_mahjong import WuhanMahjongEnv

GameStateType = state.Phase  # the phases, as the environment calls them

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
        State=state.State,
        seats=(4, 4),
        actions=tiles.ACTIONS,
        observation=observe.FEATURES,
        deal=rules.deal,
        legal=rules.legal,
        apply=rules.apply,
        observe=observe.observe,
        view=view.view,
        determinize=observe.determinize,
        narrate=view.narrate,
        version=1,
        length=500,  # 117 public actions, and at most three answers to each discard or announced kong
        start=rules.start,
        advance=rules.advance,
        playout=fast.playout,
        phases=state.Phase,
        edges=state.EDGES,
        options=options.OPTIONS,
        lay_out=layout.lay_out,
        successor=layout.successor,
    ),
    words=Words(
        messages=Messages.of_package(__name__),
        line=text.line,
        say=text.say,
        parse=text.parse,
        draw=text.draw,
    ),
    windows=Windows(sealed=windows.sealed, held=windows.held, pause=windows.pause),
    device=Device(gather=32, act=rules.act, rest=rules.rest),
    search=Search(
        simulations=80,
        flat=True,
        others=False,
        width=6,
        work=fast.WORK,
        prior=fast.prior,
        doubt=0.5,
        caution=30.0,
        guided=Guided(simulations=16, place=3, unit=1500.0, doubt=0.5, caution=30.0),
    ),
    levels=Levels(
        agents=(
            "net~t3.2~o0.4",
            "net~t2.2~o0.28",
            "net~t1.6~o0.2",
            "net~t1.15~o0.14",
            "net~t0.55~o0.06",
            "net",
        ),
    ),
    terminal=Terminal(screen="qipai.games.wuhan_mahjong.terminal:SCREEN"),
    checks=Checks(
        pieces=layout.pieces,
        payoffs=(-1500, 1500),  # three golden amounts, all paid by one seat if there is a contract (§6)
        examples=examples.EXAMPLES,
        twins=examples.TWINS,
        run_vector=vectors.run_vector,
    ),
    agents=AGENTS,
)


def __getattr__(name: str) -> Any:
    """Import `WuhanMahjongEnv` on first use; it needs the extra `envs`."""
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
