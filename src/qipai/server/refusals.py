"""The errors of the server, in addition to those of the core. Codes never change once shipped."""

from __future__ import annotations

from qipai.core import QipaiError


class Refusal(QipaiError):
    """Base class of the server's errors: the request cannot be fulfilled, and nothing has changed."""

    code = "server"
    status = 409  # HTTP status


class BadMessage(Refusal):
    """A message is not JSON, or not of any known kind."""

    code = "message/bad"
    status = 422


class TooLarge(Refusal):
    """A message has too many bytes."""

    code = "message/size"
    status = 413


class TooFast(Refusal):
    """A guest, a socket or an address sends requests too quickly."""

    code = "message/rate"
    status = 429


class BadOrigin(Refusal):
    """The request comes from a page of another site."""

    code = "origin/other"
    status = 403


class NotFound(Refusal):
    """There is nothing at this address."""

    code = "page/unknown"
    status = 404


class UnknownTable(Refusal):
    """There is no table of this name."""

    code = "table/unknown"
    status = 404


class UnknownHand(Refusal):
    """The table has not finished this hand."""

    code = "hand/unknown"
    status = 404


class NoLesson(Refusal):
    """There is no lesson for this game."""

    code = "lesson/unknown"
    status = 404


class HallFull(Refusal):
    """The server has reached its limit of tables, watchers or sockets."""

    code = "hall/full"
    status = 503


class SeatTaken(Refusal):
    """The seat is not empty, or the guest already has a seat at this table."""

    code = "seat/taken"


class NoSeat(Refusal):
    """The guest has no seat at this table."""

    code = "seat/none"
    status = 403


class Removed(Refusal):
    """The owner has removed the guest from this table."""

    code = "seat/removed"
    status = 403


class Banned(Refusal):
    """The operator has banned the guest for a time."""

    code = "guest/banned"
    status = 403


class UnknownGuest(Refusal):
    """There is no guest with this id, or no such report."""

    code = "guest/unknown"
    status = 404


class UnknownLine(Refusal):
    """There is no such line of chat, or nobody to report or block behind it."""

    code = "chat/unknown"
    status = 404


class NotOwner(Refusal):
    """Only the table's owner may do this."""

    code = "table/owner"
    status = 403


class Playing(Refusal):
    """The request is not possible while a hand is being played."""

    code = "table/playing"


class NoHand(Refusal):
    """No hand is being played, or not this one."""

    code = "hand/none"


class NoShare(Refusal):
    """No share of this seat is asked for now: wrong hand, wrong step, or too late."""

    code = "share/none"


class ShareTaken(Refusal):
    """The seat has already committed to another share."""

    code = "share/taken"


class BadShare(Refusal):
    """A revealed share does not match its commitment."""

    code = "share/bad"
    status = 422


class BadLesson(Refusal):
    """A lesson file is malformed or contains an illegal move."""

    code = "lesson/bad"
    status = 500


class Conflict(Refusal):
    """Another worker wrote first; its rows have been read, and the request can be repeated."""

    code = "table/conflict"


class BadDatabase(Refusal):
    """The database cannot be opened, or was written by a newer qipai."""

    code = "database/bad"
    status = 500


class BadBackup(Refusal):
    """A file is not a backup, or cannot be read or written."""

    code = "backup/bad"
    status = 500


class BackupExists(Refusal):
    """There is a file already where the backup would be written."""

    code = "backup/exists"


class TruncatedBackup(Refusal):
    """The end of a backup is missing."""

    code = "backup/truncated"


class AlteredBackup(Refusal):
    """A backup does not match its hash."""

    code = "backup/altered"


class OtherSchema(Refusal):
    """A backup or a database has another schema than this qipai supports."""

    code = "backup/schema"


class TargetNotEmpty(Refusal):
    """A backup can only be restored to an empty database."""

    code = "backup/target"


class BadServer(Refusal):
    """The server cannot be started with these arguments."""

    code = "server/bad"
    status = 500


def all_refusals() -> list[type[Refusal]]:
    """Return the errors of this file, in order."""
    return [Refusal, *Refusal.__subclasses__()]
