"""What the server refuses, beside the refusals of the core. Codes never change once shipped."""

from __future__ import annotations

from qipai.core import QipaiError


class Refusal(QipaiError):
    """Something asked of the server cannot be done, and nothing has changed."""

    code = "server"
    status = 409  # of HTTP


class BadMessage(Refusal):
    """A message is not JSON, or not of any shape the server knows."""

    code = "message/bad"
    status = 422


class TooLarge(Refusal):
    """A message has more bytes than are read."""

    code = "message/size"
    status = 413


class TooFast(Refusal):
    """More requests than one guest or one socket may make."""

    code = "message/rate"
    status = 429


class BadOrigin(Refusal):
    """The request comes from a page of another site."""

    code = "origin/other"
    status = 403


class NotFound(Refusal):
    """Nothing is found at this address."""

    code = "page/unknown"
    status = 404


class UnknownTable(Refusal):
    """There is no table of this name."""

    code = "table/unknown"
    status = 404


class UnknownHand(Refusal):
    """The table has not played this hand to its end."""

    code = "hand/unknown"
    status = 404


class NoLesson(Refusal):
    """There is no lesson for this game."""

    code = "lesson/unknown"
    status = 404


class HallFull(Refusal):
    """The server holds as many tables, watchers or sockets as it can."""

    code = "hall/full"
    status = 503


class SeatTaken(Refusal):
    """The seat is not empty, or the guest sits already."""

    code = "seat/taken"


class NoSeat(Refusal):
    """The guest does not sit at this table."""

    code = "seat/none"
    status = 403


class NotOwner(Refusal):
    """Only the table's owner may do this."""

    code = "table/owner"
    status = 403


class Playing(Refusal):
    """This cannot be done while a hand is played."""

    code = "table/playing"


class NoHand(Refusal):
    """No hand is being played, or not this one."""

    code = "hand/none"


class BadLesson(Refusal):
    """A lesson file is malformed or does not play."""

    code = "lesson/bad"
    status = 500


class Conflict(Refusal):
    """Another worker was first; what it wrote has been read, and the request can be made again."""

    code = "table/conflict"


class BadDatabase(Refusal):
    """The database cannot be opened, or was written by a newer qipai."""

    code = "database/bad"
    status = 500


class BadServer(Refusal):
    """The server cannot be started as asked."""

    code = "server/bad"
    status = 500


def all_refusals() -> list[type[Refusal]]:
    """The family, in the order of this file."""
    return [Refusal, *Refusal.__subclasses__()]
