"""Matches between agents on duplicate deals, and what they show, with intervals."""

from .contest import run
from .seating import seatings
from .standings import Estimate, Pair, Row, Table

__all__ = ["Estimate", "Pair", "Row", "Table", "run", "seatings"]
