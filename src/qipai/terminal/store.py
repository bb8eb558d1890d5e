"""Series on disk: one folder each, with a record file per hand and a note about the current position."""

from __future__ import annotations

import json
import os
import secrets
import time
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from qipai.core.errors import BadRecord
from qipai.match import Match, Series

NOTE = "table.json"
RENAMED = {"deal": "hand", "deals": "hands"}  # fields of notes written by older versions


@dataclass
class Note:
    """The current position of a series, so that it can be resumed."""

    game: str
    seats: int
    seat: int
    bots: list[str]
    options: dict[str, Any]  # of the current hand
    seed: str | None  # of the series, 64 hexadecimal digits; None if every hand draws its own
    hands: int | None  # number of hands to play; None: endless
    hand: int = 0  # the current one, from 0
    chips: list[int] = field(default_factory=list)  # before the current hand
    done: bool = False

    @property
    def last(self) -> bool:
        """Whether the current hand is the last one."""
        return self.hands is not None and self.hand + 1 >= self.hands

    def resume(self, match: Match) -> Series:
        """Return the series whose current hand is `match`."""
        return Series.resume(self.game, match, self.hand, self.chips, self._seed)

    def begin(self) -> Series:
        """Deal the first hand of the series."""
        return Series(self.game, self.options, self.seats, self._seed)

    def follow(self, series: Series) -> None:
        """Store the current position of the series."""
        self.hand, self.chips, self.options = series.hand, series.brought, dict(series.match.options)

    @property
    def _seed(self) -> bytes | None:
        return None if self.seed is None else bytes.fromhex(self.seed)


def state_home() -> Path:
    """Return where series are stored: XDG_STATE_HOME/qipai, by default ~/.local/state/qipai."""
    root = os.environ.get("XDG_STATE_HOME")
    base = Path(root) if root and Path(root).is_absolute() else Path.home() / ".local" / "state"
    return base / "qipai" / "tables"


def new_folder(game: str) -> Path:
    """Make a folder for a series; readable by its owner only, because it contains the seed."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    folder = state_home() / f"{game}-{stamp}-{secrets.token_hex(2)}"
    try:
        folder.mkdir(parents=True, mode=0o700)
    except OSError as error:
        raise BadRecord(f"cannot create {folder}: {error.strerror}; try --record FILE") from error
    return folder


def record_path(folder: Path, hand: int) -> Path:
    """Return the record file of one hand; older versions named it after the deal."""
    old = folder / f"deal-{hand + 1:03}.jsonl"
    return old if old.exists() else folder / f"hand-{hand + 1:03}.jsonl"


def write_note(folder: Path, note: Note) -> None:
    """Replace the note atomically."""
    target, fresh = folder / NOTE, folder / (NOTE + ".new")
    try:
        fresh.write_text(json.dumps(asdict(note), ensure_ascii=False) + "\n", encoding="utf-8")
        fresh.replace(target)
    except OSError as error:
        raise BadRecord(f"cannot write {target}: {error.strerror}") from error


def read_note(folder: Path) -> Note:
    """Return the note in a folder, also in older formats; raise `BadRecord` if it is invalid."""
    path = folder / NOTE
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise BadRecord(f"{path} cannot be read: {error}") from error
    if isinstance(found, dict):
        found = {RENAMED.get(key, key): value for key, value in found.items()}
    wanted = {f.name for f in fields(Note)}
    if not isinstance(found, dict) or set(found) != wanted or not _is_sound(found):
        raise BadRecord(f"{path} is not the note of a table")
    return Note(**found)


def left_tables(game: str) -> list[Path]:
    """Return the folders of unfinished series of this game, latest first."""
    try:
        folders = sorted(state_home().glob(f"{game}-*/"), key=lambda p: p.name, reverse=True)
    except OSError:
        return []
    found = []
    for folder in folders:
        try:
            note = read_note(folder)
        except BadRecord:
            continue
        if note.game == game and not note.done and record_path(folder, note.hand).exists():
            found.append(folder)
    return found


def _is_sound(note: dict[str, Any]) -> bool:
    def whole(value: Any, low: int = 0) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and low <= value < 1 << 31

    return (
        isinstance(note["game"], str)
        and whole(note["seats"], 1)
        and whole(note["seat"], -1)
        and note["seat"] < note["seats"]
        and isinstance(note["bots"], list)
        and len(note["bots"]) == note["seats"] - (note["seat"] >= 0)
        and all(isinstance(b, str) for b in note["bots"])
        and isinstance(note["options"], dict)
        and (note["seed"] is None or _is_seed(note["seed"]))
        and (note["hands"] is None or whole(note["hands"], 1))
        and whole(note["hand"])
        and isinstance(note["chips"], list)
        and len(note["chips"]) == note["seats"]
        and all(whole(abs(c)) if isinstance(c, int) else False for c in note["chips"])
        and isinstance(note["done"], bool)
    )


def _is_seed(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 64 and set(value) <= set("0123456789abcdef")
