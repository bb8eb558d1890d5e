"""Information-set search for every game: one tree, worlds redrawn in every simulation.

The page "Search" of the documentation describes the method and its settings.
"""

from .loops import Policies
from .searcher import Found, Searcher
from .think import Choice, Thought, think

__all__ = ["Choice", "Found", "Policies", "Searcher", "Thought", "think"]
