"""Does a game keep the contract? `check_game` plays it in every way and says what it breaks.

Public: it runs on every registered game, ours or not. Here: one module per concern (`play`, `pieces`,
`walk`, `secrecy`, `told`, `worlds`, `parity`, `lanes`, `edges`, `doors`), each a stage of the check. Not
here: any game.
"""

from .check import check_game
from .report import Case, ConformanceError, Failure, Property, Report

__all__ = ["Case", "ConformanceError", "Failure", "Property", "Report", "check_game"]
