"""One game for people: checked actions, versions, events, records, replay. No rules, no network."""

from .keys import commitment
from .match import Match
from .record import Record, parse_record, read_record
from .replay import as_match, replay
from .series import Series
from .step import Step
from .verify import check_record, restore
from .writer import RecordWriter, Resumed, resume

__all__ = [
    "Match",
    "Record",
    "RecordWriter",
    "Resumed",
    "Series",
    "Step",
    "as_match",
    "check_record",
    "commitment",
    "parse_record",
    "read_record",
    "replay",
    "restore",
    "resume",
]
