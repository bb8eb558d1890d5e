"""Paipai Rensa 牌牌連鎖: the game's description, and its named API."""

from qipai.core import Checks, Device, Game, Levels, Messages, Rules, Search, Terminal, Words

from . import layout, observe, rules, state, text, vectors, view
from .api import (
    Board,
    PaipaiGame,
    SuitPlanner,
    cpu_progress,
    find_groups,
    remove_tiles,
    resolve,
    run_selftest,
    settle,
    solve14,
    solve_from_pool,
    try_win,
)
from .bots import AGENTS
from .bots import playout as fast
from .examples import EXAMPLES, TWINS
from .options import OPTIONS, ORIGINAL, check

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
        State=state.State,
        seats=(1, 1),
        actions=state.ACTIONS,
        observation=observe.FEATURES,
        deal=rules.deal,
        legal=rules.legal,
        apply=rules.apply,
        observe=observe.observe,
        view=view.view,
        determinize=observe.determinize,
        narrate=view.narrate,
        version=1,
        observation_version=2,
        length=state.LONGEST,
        start=rules.start,
        advance=rules.advance,
        partial=rules.partial,
        playout=fast.playout,
        phases=state.Phase,
        edges=state.EDGES,
        scratch=state.SCRATCH,
        options=OPTIONS,
        check=check,
        lay_out=layout.lay_out,
    ),
    words=Words(
        messages=Messages.of_package(__name__),
        line=text.line,
        say=text.say,
        parse=text.parse,
        draw=text.draw,
    ),
    device=Device(
        gather=28,
        act=rules.act,
        rest=rules.rest,
    ),
    search=Search(
        simulations=8,
        flat=True,
        width=6,
        horizon=0,
        work=fast.WORK,
        prior=fast.prior,
        value=fast.value,
    ),
    levels=Levels(
        agents=(
            "net~t4~o0.5",
            "net~t1.4~o0.18",
            "net",
            "builder~o0.25",
            "builder~o0.08",
            "builder",
        ),
    ),
    terminal=Terminal(
        screen="qipai.games.paipai_rensa.terminal:SCREEN",
        live="qipai.games.paipai_rensa.terminal.live",
    ),
    checks=Checks(
        pieces=layout.pieces,
        zero_sum=lambda s: False,
        examples=EXAMPLES,
        twins=TWINS,
        run_vector=vectors.run_vector,
    ),
    agents=AGENTS,
)
