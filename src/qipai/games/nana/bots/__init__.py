"""The agents of NANA."""

from .exact import EXACT
from .hard import HARD
from .sparring import SPARRING

AGENTS = (HARD, EXACT, *SPARRING)
