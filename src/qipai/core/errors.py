"""All errors that qipai raises on purpose.

Each error has a `code` that never changes once shipped. The message is enough to
reproduce the case and reveals no secret. Compiled code raises none of them; the checked
entry points (Match, Batch, the named APIs, the command line) do.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def short(value: Any) -> str:
    """Return a short text that identifies `value` and is safe to print, whatever the value is."""
    if isinstance(value, str):
        text = ascii(value[:40])
    elif isinstance(value, float | bool) or value is None:
        text = repr(value)
    elif isinstance(value, int | np.integer):
        text = str(int(value)) if abs(int(value)) < 1 << 64 else "a huge number"
    else:
        text = f"a {type(value).__name__}"
    return text if len(text) <= 40 else text[:37] + "..."


class QipaiError(Exception):
    """Base class of all errors: the request cannot be fulfilled, and nothing has changed."""

    code = "qipai"

    def to_json(self) -> dict[str, str]:
        """Return the error as JSON, in the only form in which errors leave the process."""
        return {"code": self.code, "message": str(self)}


class UnknownGame(QipaiError):
    """No game is registered under this name."""

    code = "game/unknown"


class BadGame(QipaiError):
    """A game breaks the contract: a reserved field name, a missing function, a wrong shape."""

    code = "game/bad"


class BadName(QipaiError):
    """A new game cannot have this name."""

    code = "name/bad"


class BadFolder(QipaiError):
    """A folder cannot be written, or exists already."""

    code = "folder/bad"


class BadPickle(QipaiError):
    """A game cannot be pickled by name, or the unpickled data does not match the game of that name."""

    code = "pickle/bad"


class NoDecision(QipaiError):
    """With these options, or against these opponents, no decision is ever reached."""

    code = "game/decisionless"


class BadOption(QipaiError):
    """An option is unknown, out of range, or incompatible with another."""

    code = "option/bad"


class BadSeats(QipaiError):
    """The game cannot be played by this number of seats, or the seat does not exist."""

    code = "seat/bad"


class BadSeed(QipaiError):
    """A seed has the wrong type or is out of range."""

    code = "seed/bad"


class BadCount(QipaiError):
    """A number of steps, threads, deals or seconds has the wrong type or is out of range."""

    code = "count/bad"


class BadBatch(QipaiError):
    """A batch cannot have this many lanes, or an array does not have one entry per lane."""

    code = "batch/bad"


class BadState(QipaiError):
    """Something is not a state of this game, or its header holds impossible values."""

    code = "state/bad"


class BadLayout(QipaiError):
    """A custom deal or position is malformed or impossible."""

    code = "layout/bad"


class BadText(QipaiError):
    """Text does not name an action or a position of this game."""

    code = "text/bad"


class BadWording(QipaiError):
    """A message file is malformed, or a line uses a message or a value that does not exist."""

    code = "wording/bad"


class NotYourTurn(QipaiError):
    """It is another seat's turn to decide."""

    code = "action/turn"


class IllegalAction(QipaiError):
    """The action is not legal in this position."""

    code = "action/illegal"


class IncompleteMove(QipaiError):
    """The actions stop in the middle of a move that must be made as a whole."""

    code = "action/incomplete"


class StaleVersion(QipaiError):
    """The caller acted on an outdated version of its view."""

    code = "match/stale"


class MatchRunning(QipaiError):
    """The match has not ended, and the requested data is only shown after its end."""

    code = "match/running"


class MatchOver(QipaiError):
    """The match has ended and accepts no more moves."""

    code = "match/over"


class BadRecord(QipaiError):
    """A saved match or a record file is malformed or does not replay to its digest."""

    code = "record/bad"


class BadVectors(QipaiError):
    """A file of conformance vectors is malformed or names an unknown kind."""

    code = "vectors/bad"


class UnknownAgent(QipaiError):
    """No agent of this name plays this game."""

    code = "agent/unknown"


class BadAgent(QipaiError):
    """An agent from a file or another package cannot be imported, or is not an `AgentSpec`."""

    code = "agent/bad"


class AgentFault(QipaiError):
    """An agent returned something that is not a legal action."""

    code = "agent/fault"


class BadContest(QipaiError):
    """A contest or a ladder has no games, too few agents, or a file that does not fit it."""

    code = "contest/bad"


class BadWeights(QipaiError):
    """A weights file is truncated, altered, too large, or of another format."""

    code = "weights/bad"


class ForeignWeights(QipaiError):
    """The net was trained for another game, another rules version, or another observation."""

    code = "weights/foreign"


class MissingExtra(QipaiError):
    """An optional dependency is not installed."""

    code = "extra/missing"


class BadData(QipaiError):
    """A dataset is truncated, altered, of another game, or cannot be written this way."""

    code = "data/bad"


class BadTraining(QipaiError):
    """A training run cannot be set up this way: a setting is out of range, or weights have another shape."""

    code = "train/bad"


class NoCluster(QipaiError):
    """No Ray cluster answers at this address, or it has too few cores free."""

    code = "cluster/missing"


class LostWorker(QipaiError):
    """A task lost its worker several times, or a process that cannot be replaced has ended."""

    code = "cluster/lost"


class NoDevice(QipaiError):
    """The requested device is not available."""

    code = "device/missing"


class BadStream(QipaiError):
    """The value given as a stream is not a stream of the batch's device."""

    code = "device/stream"


def all_errors() -> list[type[QipaiError]]:
    """Return the errors of this file, in order; games and tests define more of their own."""
    return [QipaiError, *(e for e in QipaiError.__subclasses__() if e.__module__ == __name__)]
