"""One hand for people: checked actions, versions, events, record files, replay. No rules, no network."""

from .draft import Draft
from .keys import commitment
from .match import Match
from .record import RecordFile, parse_record, read_record
from .replay import as_match, replay
from .series import Series
from .shares import Share, Shares
from .signature import Signature, Trust
from .step import Step
from .telling import Telling
from .verify import check_record, restore, signature_of
from .window import Window
from .writer import RecordWriter, Resumed, resume

__all__ = [
    "Draft",
    "Match",
    "RecordFile",
    "RecordWriter",
    "Resumed",
    "Series",
    "Share",
    "Shares",
    "Signature",
    "Step",
    "Telling",
    "Trust",
    "Window",
    "as_match",
    "check_record",
    "commitment",
    "parse_record",
    "read_record",
    "replay",
    "restore",
    "resume",
    "signature_of",
]
