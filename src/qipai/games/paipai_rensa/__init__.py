"""Paipai Rensa 牌牌連鎖: the game's record."""

from qipai.core import Game

from . import layout, observe, rules, text, vectors, view
from .bot import AGENTS
from .examples import EXAMPLES, TWINS
from .options import OPTIONS, check

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
)
