"""Skeleton: the game's description."""

from qipai.core import Checks, Game, Messages, Rules, Words

from . import bots, examples, layout, observe, options, rules, state, text, view

GAME = Game(
    name="skeleton",
    rules=Rules(
        State=state.State,
        seats=(2, 2),
        actions=state.CARDS,
        observation=observe.FEATURES,
        deal=rules.deal,
        legal=rules.legal,
        apply=rules.apply,
        observe=observe.observe,
        view=view.view,
        determinize=observe.determinize,
        narrate=view.narrate,
        version=1,
        length=13,  # 12, and one that determinize may have taken back
        start=rules.start,
        advance=rules.advance,
        partial=rules.partial,
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
    checks=Checks(pieces=layout.pieces, examples=examples.EXAMPLES, twins=examples.TWINS),
    agents=bots.AGENTS,
)
