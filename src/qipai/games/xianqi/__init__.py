"""Xianqi 掀棋: the game's record, and the named API."""

from qipai.core import Checks, Device, Game, Messages, Rules, Terminal, Words

from . import bot, layout, observe, rules, text, vectors, view
from .api import XianqiGameEngine, enumerate_combos
from .flat import flat_mask, flat_to_native, flat_to_request, native_to_flat
from .options import OPTIONS
from .refusals import CODES, EngineError, InvalidState
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
        version=1,
        seats=(3, 3),
        actions=rules.ACTIONS,
        observation=observe.FEATURES,
        length=48,  # §4.5; a cover of k cards is k actions, in a round that takes k of 8 pillars
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
        successor=layout.successor,
        options=OPTIONS,
        scratch=("deck",),
    ),
    device=Device(
        gather=8,
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
        examples=layout.EXAMPLES,
        twins=layout.TWINS,
        run_vector=vectors.run_vector,
    ),
    terminal=Terminal(
        screen="qipai.games.xianqi.screen:SCREEN",
    ),
    agents=bot.AGENTS,
)
