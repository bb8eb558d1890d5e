"""Information-set search for every game: one tree, worlds redrawn in every simulation (docs/search.md)."""

from .loops import Policies
from .searcher import Found, Searcher
from .think import Choice, Thought, think

__all__ = ["Choice", "Found", "Policies", "Searcher", "Thought", "think"]
