"""qipai 棋牌: turn-based table games whose rules are written once.

`get` a game, play one with `Match`, thousands with `Batch`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qipai.core import Player, QipaiError, get, names

if TYPE_CHECKING:
    from qipai.match import Match
    from qipai.sim import Batch

__version__ = "0.2.0"
__all__ = ["Batch", "Match", "Player", "QipaiError", "__version__", "get", "names"]


def __getattr__(name: str) -> Any:
    """Import `Match` and `Batch` on first use."""
    if name == "Batch":
        from qipai.sim import Batch

        return Batch
    if name == "Match":
        from qipai.match import Match

        return Match
    raise AttributeError(f"module 'qipai' has no attribute {name!r}")
