"""Paipai Rensa 牌牌連鎖: the game's record, and its named API."""

from qipai.core import Game

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
    title={"en": "Paipai Rensa", "zh": "牌牌連鎖"},
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
    act=rules.act,
    rest=rules.run_on,
    gather=28,
    observe=observe.observe,
    determinize=observe.determinize,
    partial=rules.partial,
    view=view.view,
    narrate=view.narrate,
    tell=text.tell,
    say=text.say,
    parse=text.parse,
    draw=text.draw,
    lay_out=layout.lay_out,
    check=check,
    pieces=layout.pieces,
    zero_sum=lambda s: False,
    options=OPTIONS,
    scratch=rules.SCRATCH,
    examples=EXAMPLES,
    twins=TWINS,
    agents=AGENTS,
    run_vector=vectors.run_vector,
    live="qipai.games.paipai_rensa.live",
)
