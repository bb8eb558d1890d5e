"""Contests between agents on duplicate deals, and their standings, with intervals."""

from .contest import run
from .seating import seatings
from .standings import Estimate, Pair, Row, Standings

__all__ = ["Estimate", "Pair", "Row", "Standings", "run", "seatings"]
