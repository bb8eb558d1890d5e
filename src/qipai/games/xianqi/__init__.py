"""Xianqi 掀棋: the game, and its named API."""

from qipai.core import Checks, Device, Game, Guided, Levels, Messages, Rules, Search, Terminal, Words

from . import layout, observe, rules, state, text, view
from .api import (
    CODES,
    EngineError,
    InvalidState,
    XianqiGameEngine,
    enumerate_combos,
    flat_mask,
    flat_to_native,
    flat_to_request,
    native_to_flat,
)
from .bots import AGENTS
from .bots.playout import playout
from .examples import EXAMPLES, TWINS
from .options import OPTIONS
from .vectors import run_vector

__all__ = [
    "CODES",
    "GAME",
    "EngineError",
    "InvalidState",
    "XianqiGameEngine",
    "enumerate_combos",
    "flat_mask",
    "flat_to_native",
    "flat_to_request",
    "native_to_flat",
    "run_vector",
]

GAME = Game(
    name="xianqi",
    rules=Rules(
        State=state.State,
        seats=(3, 3),
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
        length=48,  # §4.5; a cover of k cards is k actions, in a round that takes k of 8 pillars
        start=rules.start,
        advance=rules.advance,
        partial=rules.partial,
        phases=state.Phase,
        edges=state.EDGES,
        scratch=("deck",),
        options=OPTIONS,
        lay_out=layout.lay_out,
        playout=playout,
        successor=layout.successor,
    ),
    words=Words(
        messages=Messages.of_package(__name__),
        line=text.line,
        say=text.say,
        parse=text.parse,
        draw=text.draw,
    ),
    device=Device(gather=8),
    search=Search(
        simulations=4000,
        explore=0.5,
        others=False,
        guided=Guided(simulations=64, place=3, unit=4.0, caution=8.0),
    ),
    levels=Levels(
        agents=(
            "net~t4~o0.5",
            "net~t3.3~o0.41",
            "net~t2.3~o0.29",
            "net~t1.4~o0.18",
            "net~t0.65~o0.08",
            "net",
        ),
    ),
    terminal=Terminal(screen="qipai.games.xianqi.terminal:SCREEN"),
    checks=Checks(
        pieces=layout.pieces,
        unit="chips",
        payoffs=(-11, 12),  # §8.4
        examples=EXAMPLES,
        twins=TWINS,
        run_vector=run_vector,
    ),
    agents=AGENTS,
)
