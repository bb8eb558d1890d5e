"""Paipai Rensa 牌牌連鎖: the game's record, and its named API."""

from qipai.core import Checks, Device, Game, Messages, Rules, Terminal, Words

from . import layout, observe, rules, text, vectors, view
from .api import (
    Board,
    SuitPlanner,
    cpu_progress,
    find_groups,
    remove_tiles,
    resolve,
    settle,
    solve14,
    solve_from_pool,
    try_win,
)
from .bot import AGENTS
from .examples import EXAMPLES, TWINS
from .face import PaipaiGame
from .options import OPTIONS, ORIGINAL, check
from .selftest import run_selftest

__all__ = [
    "GAME",
    "ORIGINAL",
    "Board",
    "PaipaiGame",
    "SuitPlanner",
    "cpu_progress",
    "find_groups",
    "remove_tiles",
    "resolve",
    "run_selftest",
    "settle",
    "solve14",
    "solve_from_pool",
    "try_win",
]

GAME = Game(
    name="paipai_rensa",
    rules=Rules(
        version=1,
        seats=(1, 1),
        actions=rules.ACTIONS,
        observation=observe.FEATURES,
        length=rules.LONGEST,
        State=rules.State,
        phases=rules.Phase,
        edges=rules.EDGES,
        deal=rules.deal,
        start=rules.start,
        legal=rules.legal,
        apply=rules.apply,
        advance=rules.advance,
        observe=observe.observe,
        determinize=observe.determinize,
        partial=rules.partial,
        view=view.view,
        narrate=view.narrate,
        lay_out=layout.lay_out,
        check=check,
        options=OPTIONS,
        scratch=rules.SCRATCH,
    ),
    device=Device(
        act=rules.act,
        rest=rules.run_on,
        gather=28,
    ),
    words=Words(
        messages=Messages.of_package(__name__),
        tell=text.tell,
        say=text.say,
        parse=text.parse,
        draw=text.draw,
    ),
    checks=Checks(
        pieces=layout.pieces,
        zero_sum=lambda s: False,
        examples=EXAMPLES,
        twins=TWINS,
        run_vector=vectors.run_vector,
    ),
    terminal=Terminal(
        screen="qipai.games.paipai_rensa.screen:SCREEN",
        live="qipai.games.paipai_rensa.live",
    ),
    agents=AGENTS,
)
