"""Every refusal of qipai, in one place.

Each error has a `code` that never changes once shipped; the message is enough to
replay the case and tells no secret. Compiled code raises none of these: the checked
doors (Match, Batch, the named APIs, the command line) do.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def short(value: Any) -> str:
    """A few characters to recognise `value` by, safe whatever it is and to whatever it is printed."""
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
    """The family: something asked of qipai cannot be done, and nothing has changed."""

    code = "qipai"

    def to_json(self) -> dict[str, str]:
        """The one shape in which an error leaves the process."""
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
    """A folder cannot be written, or is there already."""

    code = "folder/bad"


class BadPickle(QipaiError):
    """A game cannot be pickled by name, or what is unpickled does not fit the game of that name."""

    code = "pickle/bad"


class NoDecision(QipaiError):
    """With these options, or against these opponents, nobody ever comes to decide."""

    code = "game/decisionless"


class BadOption(QipaiError):
    """An option is unknown, out of range, or not supported together with another."""

    code = "option/bad"


class BadSeats(QipaiError):
    """The game cannot be played by this number of seats, or the seat does not exist."""

    code = "seat/bad"


class BadSeed(QipaiError):
    """A seed is not of the stated type and range."""

    code = "seed/bad"


class BadCount(QipaiError):
    """A number of steps, threads, deals or seconds is not of the stated type and range."""

    code = "count/bad"


class BadBatch(QipaiError):
    """A batch cannot have this many lanes, or an array does not hold one entry for each of them."""

    code = "batch/bad"


class BadLayout(QipaiError):
    """A custom deal or position is malformed or impossible."""

    code = "layout/bad"


class BadText(QipaiError):
    """Text does not name an action or a position of this game."""

    code = "text/bad"


class BadWording(QipaiError):
    """A message file is malformed, or a line names a message or a value that is not there."""

    code = "wording/bad"


class NotYourTurn(QipaiError):
    """The seat is not the one that decides now."""

    code = "action/turn"


class IllegalAction(QipaiError):
    """The action is not a legal one here."""

    code = "action/illegal"


class IncompleteMove(QipaiError):
    """The actions stop in the middle of a move that is made as a whole."""

    code = "action/incomplete"


class StaleVersion(QipaiError):
    """The caller acted on an older version of what it was shown."""

    code = "match/stale"


class MatchRunning(QipaiError):
    """The match has not ended, and what was asked for is shown only after its end."""

    code = "match/running"


class MatchOver(QipaiError):
    """The match has ended; nothing more can be done in it."""

    code = "match/over"


class BadRecord(QipaiError):
    """A dumped match or a record file is malformed or does not replay to its digest."""

    code = "record/bad"


class BadVectors(QipaiError):
    """A file of conformance vectors is malformed or names an unknown kind."""

    code = "vectors/bad"


class UnknownAgent(QipaiError):
    """No agent of this name plays this game."""

    code = "agent/unknown"


class AgentFault(QipaiError):
    """An agent answered with something that is not a legal action."""

    code = "agent/fault"


class BadWeights(QipaiError):
    """A file of weights is truncated, altered, too large, or not one."""

    code = "weights/bad"


class ForeignWeights(QipaiError):
    """A net was made for another game, another version of its rules, or another observation."""

    code = "weights/foreign"


class MissingExtra(QipaiError):
    """An optional dependency is not installed."""

    code = "extra/missing"


class BadTraining(QipaiError):
    """A training run cannot be set up like this: a setting out of range, weights of another shape."""

    code = "train/bad"


class NoCluster(QipaiError):
    """No Ray cluster answers at this address, or it has too few cores free."""

    code = "cluster/missing"


class LostWorker(QipaiError):
    """A task lost its worker again and again, or the process that cannot be replaced is gone."""

    code = "cluster/lost"


class NoDevice(QipaiError):
    """The device asked for is not there."""

    code = "device/missing"


class BadStream(QipaiError):
    """What was given as a stream is not one of the batch's device."""

    code = "device/stream"


def all_errors() -> list[type[QipaiError]]:
    """The family, in the order of this file; games and tests have cousins of their own elsewhere."""
    return [QipaiError, *(e for e in QipaiError.__subclasses__() if e.__module__ == __name__)]
