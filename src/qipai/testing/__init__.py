"""Check whether a game keeps the contract: `check_game` plays it in every way and reports what it breaks.

This package is public and runs on every registered game. It has one module per concern (`play`, `pieces`,
`walk`, `secrecy`, `told`, `worlds`, `parity`, `lanes`, `edges`, `doors`), each a stage of the check. Nothing
here names a game.
"""

from .check import check_game
from .report import Case, ConformanceError, Failure, Property, Report

__all__ = ["Case", "ConformanceError", "Failure", "Property", "Report", "check_game"]
