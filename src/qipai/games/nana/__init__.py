"""NANA: the `GAME` record, and the named API of the bot and the local game."""

from qipai.core import Checks, Game, Guided, Levels, Messages, Rules, Search, Terminal, Words

from . import layout, observe, options, rules, state, text, vectors, view
from .api import *  # noqa: F403  the named API; `api.__all__` is the list
from .api import __all__ as _named
from .bots import AGENTS
from .bots import playout as fast
from .bots.forgetting import forget, shown
from .examples import EXAMPLES, TWINS

GAME = Game(
    name="nana",
    rules=Rules(
        State=state.State,
        seats=(2, state.SEATS),
        actions=state.ACTIONS,
        observation=observe.FEATURES,
        deal=rules.deal,
        legal=rules.legal,
        apply=rules.apply,
        observe=observe.observe,
        view=view.view,
        determinize=observe.determinize,
        narrate=view.narrate,
        public_events=True,
        version=1,
        observation_version=2,
        length=3 * state.MAX_TURNS + state.DECK,
        start=rules.start,
        advance=rules.advance,
        playout=fast.playout,
        phases=state.Phase,
        edges=state.EDGES,
        scratch=("deck",),
        options=options.OPTIONS,
        check=options.check,
        lay_out=layout.lay_out,
    ),
    words=Words(
        messages=Messages.of_package(__name__),
        line=text.line,
        say=text.say,
        parse=text.parse,
        draw=text.draw,
    ),
    search=Search(
        simulations=1300,
        flat=True,
        others=False,
        width=4,
        explore=0.1,
        work=fast.WORK,
        prior=fast.prior,
        doubt=0.5,
        caution=10.0,
        guided=Guided(simulations=32, place=4),
    ),
    levels=Levels(
        agents=(
            "net~t4~o0.5~m0.3",
            "net~t3.1~o0.39~m0.46",
            "net~t2~o0.25~m0.65",
            "net~t1.25~o0.16~m0.78",
            "net~t0.6~o0.08~m0.89",
            "net",
        ),
        shown=shown,
        forget=forget,
    ),
    terminal=Terminal(screen="qipai.games.nana.terminal:SCREEN"),
    checks=Checks(
        pieces=layout.pieces,
        payoffs=(-1, state.SEATS - 1),
        examples=EXAMPLES,
        twins=TWINS,
        run_vector=vectors.run_vector,
    ),
    agents=AGENTS,
)

__all__ = ["GAME", *_named]
