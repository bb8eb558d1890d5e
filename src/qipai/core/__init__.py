"""The foundation of every game: rules, generator, state, `Game`, agents and errors.

Nothing here names a game. A game's `rules.py` imports from this package and from no layer above it.
"""

from .agent import (
    Agent,
    AgentSpec,
    Player,
    Sight,
    add_agent,
    agents_of,
    bots_of,
    choose_move,
    make_agent,
    sight,
    sparring_of,
    strongest,
)
from .compiling import compile_rules
from .errors import QipaiError
from .game import Game, compile_game, diagram
from .machine import clamp_payoff, goto
from .message import LANGUAGES, Line, Messages, list_value, seat_value, signed
from .option import SWITCH, Option
from .parts import (
    CATEGORY,
    FLAG,
    NUMBER,
    Checks,
    Device,
    Event,
    Example,
    Feature,
    Rules,
    Search,
    Terminal,
    Twins,
    Windows,
    Words,
)
from .registry import get, names, register
from .rng import below, draw, draw_wide, next_word, pick, seed_words, shuffle
from .rule import rule
from .state import (
    NOBODY,
    WATCHER,
    State,
    copy_state,
    digest,
    header,
    new_state,
    new_states,
    same,
    state_dtype,
)
from .variant import Slot

__all__ = [
    "CATEGORY",
    "FLAG",
    "LANGUAGES",
    "NOBODY",
    "NUMBER",
    "SWITCH",
    "WATCHER",
    "Agent",
    "AgentSpec",
    "Checks",
    "Device",
    "Event",
    "Example",
    "Feature",
    "Game",
    "Line",
    "Messages",
    "Option",
    "Player",
    "QipaiError",
    "Rules",
    "Search",
    "Sight",
    "Slot",
    "State",
    "Terminal",
    "Twins",
    "Windows",
    "Words",
    "add_agent",
    "agents_of",
    "below",
    "bots_of",
    "choose_move",
    "clamp_payoff",
    "compile_game",
    "compile_rules",
    "copy_state",
    "diagram",
    "digest",
    "draw",
    "draw_wide",
    "get",
    "goto",
    "header",
    "list_value",
    "make_agent",
    "names",
    "new_state",
    "new_states",
    "next_word",
    "pick",
    "register",
    "rule",
    "same",
    "seat_value",
    "seed_words",
    "shuffle",
    "sight",
    "signed",
    "sparring_of",
    "state_dtype",
    "strongest",
]
