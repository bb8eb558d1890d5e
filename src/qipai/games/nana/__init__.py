"""NANA: the game's record, and the user's bot under the names of his document."""

from qipai.core import Checks, Game, Messages, Rules, Terminal, Words

from . import layout, observe, rules, text, vectors, view
from .api import *  # noqa: F403  the named API; `api.__all__` is the list
from .api import __all__ as _named
from .bot import EXACT, HARD
from .examples import EXAMPLES, TWINS
from .options import OPTIONS, check

GAME = Game(
    name="nana",
    rules=Rules(
        version=1,
        seats=(2, 6),
        actions=rules.ACTIONS,
        observation=observe.FEATURES,
        length=3 * rules.MAX_TURNS + rules.DECK,
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
        view=view.view,
        narrate=view.narrate,
        check=check,
        lay_out=layout.lay_out,
        options=OPTIONS,
        scratch=("deck",),
    ),
    words=Words(
        messages=Messages.of_package(__name__),
        tell=text.tell,
        say=text.say,
        parse=text.parse,
        draw=text.draw,
    ),
    terminal=Terminal(screen="qipai.games.nana.screen:SCREEN"),
    checks=Checks(
        pieces=view.pieces,
        examples=EXAMPLES,
        twins=TWINS,
        run_vector=vectors.run_vector,
    ),
    agents=(HARD, EXACT),
)

__all__ = ["GAME", *_named]
