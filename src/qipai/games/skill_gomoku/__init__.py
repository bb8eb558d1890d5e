"""Skill Gomoku 技能五子棋: the `Game` of each board size, and the named API."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from qipai.core import Checks, Game, Levels, Messages, Rules, Search, Terminal, Words
from qipai.core.errors import BadOption
from qipai.core.parts import UNLIMITED

from . import bots, examples, layout, observe, options, rules, state, text, vectors, view
from .api.cards import BASE_CARDS, CardDefinition, CardRegistry, Context, base_registry, validate_spec
from .api.codes import Code, SkillGomokuError
from .api.deck import PRESETS, build_deck, deck_counts, draw_cards, ensure_place_top, shuffled_deck
from .api.lines import winning_lines
from .api.machine import TurnMachine
from .api.match import SkillGomokuMatch
from .api.wins import scan_wins
from .bots import playout as fast
from .extensions.ops import apply_ops
from .observe import planes

VERSION = 1


def game(given: Mapping[str, Any] | None = None) -> Game:
    """Return the game in the shape that the options `board_size` and `max_turns` require."""
    given = given or {}
    for name in options.MACHINE_ONLY:
        if name in given:
            raise BadOption(
                f"option {name} belongs to the named API "
                "(qipai.games.skill_gomoku.TurnMachine); the compiled rules do not know it"
            )
    known = {o.name: o for o in options.options(options.DEFAULT_SIZE, options.DEFAULT_LIMIT)}
    size = known["board_size"].read(given.get("board_size", options.DEFAULT_SIZE))
    limit = known["max_turns"].read(given.get("max_turns", options.DEFAULT_LIMIT))
    return _game(size, state.NO_LIMIT if limit < 1 else max(limit, options.DEFAULT_LIMIT))


@cache
def _game(size: int, limit: int) -> Game:
    return Game(
        name="skill_gomoku",
        rules=Rules(
            State=state.State,
            seats=(2, 2),
            actions=state.CELL + size * size,
            observation=observe.features(size),
            deal=rules.deal,
            legal=rules.legal,
            apply=rules.apply,
            observe=observe.observe,
            view=view.view,
            determinize=observe.determinize,
            narrate=view.narrate,
            version=VERSION,
            length=UNLIMITED if limit == state.NO_LIMIT else 2 * limit,
            start=rules.start,
            advance=rules.advance,
            playout=fast.playout,
            phases=state.Phase,
            edges=state.EDGES,
            labels=state.LABELS,
            options=options.options(size, options.DEFAULT_LIMIT if limit != state.NO_LIMIT else limit),
            check=options.checker(size, limit),
            first_cell=state.CELL,
            symmetries=8,
            lay_out=layout.lay_out,
        ),
        words=Words(
            messages=Messages.of_package(__name__),
            line=text.liner(size),
            say=text.sayer(size),
            parse=text.parser(size),
            draw=text.draw,
        ),
        search=Search(
            simulations=16,
            flat=True,
            width=4,
            doubt=0.5,
            caution=10.0,
            horizon=24,
            work=fast.WORK,
            prior=fast.prior,
            value=fast.value,
        ),
        levels=Levels(
            agents=(
                "net~t4.5~o0.56",
                "net~t3.4~o0.43",
                "net~t2.3~o0.29",
                "net~t1.35~o0.17",
                "net~t0.5~o0.06",
                "sharp",
            ),
        ),
        terminal=Terminal(screen="qipai.games.skill_gomoku.terminal:SCREEN"),
        checks=Checks(
            pieces=layout.pieces,
            payoffs=(-1, 1),
            examples=examples.EXAMPLES,
            twins=examples.TWINS,
            run_vector=vectors.run_vector,
        ),
        agents=bots.AGENTS,
    )


GAME = game()

__all__ = [
    "BASE_CARDS",
    "GAME",
    "PRESETS",
    "CardDefinition",
    "CardRegistry",
    "Code",
    "Context",
    "SkillGomokuError",
    "SkillGomokuMatch",
    "TurnMachine",
    "apply_ops",
    "base_registry",
    "build_deck",
    "deck_counts",
    "draw_cards",
    "ensure_place_top",
    "game",
    "planes",
    "scan_wins",
    "shuffled_deck",
    "validate_spec",
    "winning_lines",
]
