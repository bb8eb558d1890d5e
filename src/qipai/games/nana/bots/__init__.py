"""The agents of NANA."""

from .exact import EXACT
from .hard import HARD
from .sparring import FORGETFUL, SPARRING

AGENTS = (FORGETFUL, HARD, EXACT, *SPARRING)
