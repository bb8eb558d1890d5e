"""NANA's own agents."""

from .exact import EXACT
from .hard import HARD

AGENTS = (HARD, EXACT)
