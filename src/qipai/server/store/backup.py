"""Backups: one file that holds a database as it was at one moment, made while servers go on playing.

A backup is a line that names the format, a line of JSON, a SQLite database, and the SHA-256 of all of that.
SQLite is copied with its online backup, PostgreSQL row by row in one `REPEATABLE READ` transaction. So a
backup of one can be restored to the other, needs no tool of the database's version, and can leave out the key
that signs hands.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from sqlalchemy import Connection, Engine, Table, create_engine, delete, func, inspect, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from ..refusals import (
    AlteredBackup,
    BackupExists,
    BadBackup,
    BadDatabase,
    OtherSchema,
    TargetNotEmpty,
    TruncatedBackup,
)
from .rows import KEYS, LEASES, META, PRESENCE, VERSIONS, WORKERS, migrate
from .steps import STEPS
from .store import LOCK, claim_file, open_engine, reason

MAGIC = b"qipai backup 1\n"
HEADER = 1 << 16  # maximum bytes of the line of JSON
TRAILER = 32  # bytes of the hash
CHUNK = 1 << 20
ROWS = 2000  # rows per statement
SIGNING = "signing"  # the row of the private key, where it is in the database
FLEETING = (LEASES, PRESENCE, WORKERS)  # about processes that will be gone


@dataclass(frozen=True)
class Contents:
    """What a backup holds."""

    kind: str  # sqlite or postgresql: where it came from
    schema: int
    made: float
    size: int  # bytes of the database
    rows: dict[str, int]  # by table
    key: str | None = None  # the text of the signing key's file; empty: it is a row; None: left out


def backup(url: str, path: Path, key_file: Path | None = None, with_key: bool = False) -> Contents:
    """Write a backup of the database to `path`, which must not exist; return what it holds.

    `key_file` is the file of the signing key, if it is not a row. Without `with_key` neither is copied.
    """
    if path.exists():
        raise BackupExists(f"{path.name} exists already")
    with _scratch(path.parent) as copy:
        kind = make_url(url).get_backend_name()
        if kind == "sqlite":
            _copy_sqlite(Path(make_url(url).database or ""), copy)
        else:
            _copy_postgresql(url, copy)
        with _sqlite(copy) as engine, engine.begin() as connection:
            version, rows, key = _tidy(connection, with_key)
        with closing(sqlite3.connect(copy)) as database:
            database.execute("PRAGMA journal_mode=DELETE")
            database.execute("VACUUM")  # what was deleted is not left in free pages
        if with_key and key_file is not None and key_file.exists():
            key = key_file.read_text("utf-8")
        found = Contents(kind, version, time.time(), copy.stat().st_size, rows, key)
        _write(found, copy, path)
    return found


def restore(url: str, path: Path, key_file: Path | None = None) -> Contents:
    """Restore a backup to an empty database, whole or not at all; return what it held."""
    with _scratch(_folder(url)) as copy:
        found = read(path, copy)
        if found.schema > len(STEPS):
            raise OtherSchema(
                f"the backup has schema version {found.schema}; this qipai supports up to {len(STEPS)}"
            )
        _check_copy(copy)
        if make_url(url).get_backend_name() == "sqlite":
            _place(copy, Path(make_url(url).database or ""), found.key or None, key_file)
        else:
            _fill_postgresql(url, copy)
    return found


def read(path: Path, copy: Path | None = None) -> Contents:
    """Check the whole file; write its database to `copy`. Raise by name what is wrong with it."""
    try:
        with path.open("rb") as file:
            return _read(file, path.stat().st_size, copy)
    except OSError as error:
        raise BadBackup(f"the backup cannot be read: {error.strerror}") from error


def _read(file: BinaryIO, size: int, copy: Path | None) -> Contents:
    digest = hashlib.sha256()
    magic = file.readline(len(MAGIC))
    if magic != MAGIC:
        short = MAGIC.startswith(magic)
        raise TruncatedBackup("the backup ends too early") if short else BadBackup("this is not a backup")
    line = file.readline(HEADER)
    if not line.endswith(b"\n"):
        raise TruncatedBackup("the backup ends too early")
    digest.update(magic + line)
    try:
        found = Contents(**json.loads(line))
        wanted = file.tell() + int(found.size) + TRAILER
    except (ValueError, TypeError) as error:
        raise AlteredBackup("the backup was altered: its first lines cannot be read") from error
    if size < wanted:
        raise TruncatedBackup(f"the backup ends too early: {size} of {wanted} bytes")
    if size > wanted:
        raise AlteredBackup(f"the backup was altered: {size - wanted} bytes too many")
    with open(copy or os.devnull, "wb") as out:
        left = found.size
        while left > 0:
            data = file.read(min(CHUNK, left))
            digest.update(data)
            out.write(data)
            left -= len(data)
    if file.read(TRAILER) != digest.digest():
        raise AlteredBackup("the backup was altered: its hash does not match")
    return found


def _write(found: Contents, copy: Path, path: Path) -> None:
    """Write the file next to its place, readable for its owner only; then rename it."""
    digest = hashlib.sha256()
    line = json.dumps(found.__dict__).encode() + b"\n"
    fd, part = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(fd, "wb") as out, copy.open("rb") as source:
            for data in (MAGIC, line, *iter(lambda: source.read(CHUNK), b"")):
                digest.update(data)
                out.write(data)
            out.write(digest.digest())
            out.flush()
            os.fsync(out.fileno())
        try:
            os.link(part, path)  # fails if a file is there, unlike a rename
        except FileExistsError as error:
            raise BackupExists(f"{path.name} exists already") from error
    finally:
        os.unlink(part)


# --- making a copy --------------------------------------------------------------------


def _copy_sqlite(source: Path, copy: Path) -> None:
    """Copy in one step: one read transaction, which in WAL mode neither waits for writers nor stops them."""
    if not source.exists():
        raise BadDatabase("the database cannot be opened: there is no such file")
    try:
        address = f"{source.resolve().as_uri()}?mode=rw"  # a reader needs the shared memory of the log
        there = closing(sqlite3.connect(address, uri=True, timeout=30))
        with there as source_file, closing(sqlite3.connect(copy)) as here:
            source_file.backup(here, pages=-1)
    except sqlite3.Error as error:
        raise BadDatabase(f"the database cannot be read: {reason(error)}") from error


def _copy_postgresql(url: str, copy: Path) -> None:
    """Copy all rows as one snapshot shows them."""
    there = open_engine(url)
    try:
        with _sqlite(copy) as here, here.begin() as target, there.connect() as opened:
            source = opened.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            if not inspect(source).has_table(VERSIONS.name):
                raise OtherSchema("the database has no tables of qipai")
            version = source.execute(select(VERSIONS.c.version)).scalar() or 0
            if version != len(STEPS):
                raise OtherSchema(f"the schema is version {version}, not {len(STEPS)}; start the server once")
            migrate(target)
            for table in _lasting():
                _copy_rows(source, target, table)
    except SQLAlchemyError as error:
        raise BadDatabase(f"the database cannot be read: {reason(error)}") from error
    finally:
        there.dispose()


def _copy_rows(source: Connection, target: Connection, table: Table) -> None:
    found = source.execute(select(table).execution_options(yield_per=ROWS)).mappings()
    for rows in found.partitions():
        target.execute(table.insert(), [dict(row) for row in rows])


def _lasting() -> list[Table]:
    return [t for t in META.sorted_tables if t is not VERSIONS and t not in FLEETING]


def _tidy(connection: Connection, with_key: bool) -> tuple[int, dict[str, int], str | None]:
    """Delete what a backup does not hold; return the version, rows by table, and "" if a row is the key."""
    known = inspect(connection)
    if not known.has_table(VERSIONS.name):
        raise OtherSchema("the database has no tables of qipai")
    version = connection.execute(select(VERSIONS.c.version)).scalar() or 0
    for table in FLEETING:
        if known.has_table(table.name):
            connection.execute(delete(table))
    key: str | None = None
    if known.has_table(KEYS.name):
        where = KEYS.c.name == SIGNING
        if not with_key:
            connection.execute(delete(KEYS).where(where))
        elif connection.execute(select(KEYS.c.name).where(where)).scalar() is not None:
            key = ""
    there = [t for t in _lasting() if known.has_table(t.name)]
    counts = {t.name: connection.execute(select(func.count()).select_from(t)).scalar() or 0 for t in there}
    return version, counts, key


# --- restoring ------------------------------------------------------------------------


def _check_copy(copy: Path) -> None:
    """Check the database of a backup, and bring it to the current schema."""
    try:
        with _sqlite(copy) as engine, engine.begin() as connection:
            if str(connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar()) != "ok":
                raise AlteredBackup("the database in the backup is damaged")
            migrate(connection)
    except BadDatabase as error:
        raise OtherSchema(str(error)) from error
    except SQLAlchemyError as error:
        raise AlteredBackup(f"the database in the backup is damaged: {reason(error)}") from error


def _place(copy: Path, target: Path, key: str | None, key_file: Path | None) -> None:
    """Move the copy to the place of a SQLite file that is missing or has no tables."""
    claim = claim_file(target)  # raises if a server uses it
    try:
        if key is not None and key_file is not None and key_file.exists():
            raise TargetNotEmpty(f"there is a signing key already: {key_file.name}")
        if target.exists() and _has_tables(target):
            raise TargetNotEmpty("the database has tables already; restore to an empty one")
        for suffix in ("-wal", "-shm"):
            with suppress(FileNotFoundError):
                target.with_name(target.name + suffix).unlink()
        copy.chmod(0o600)
        with copy.open("rb") as file:
            os.fsync(file.fileno())
        if key is not None and key_file is not None:
            with open(os.open(key_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
                out.write(key)
        os.replace(copy, target)
    finally:
        if claim is not None:
            os.close(claim)


def _has_tables(path: Path) -> bool:
    try:
        with closing(sqlite3.connect(path)) as database:
            return bool(database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
    except sqlite3.Error:  # not a database: it is something else of value
        return True


def _fill_postgresql(url: str, copy: Path) -> None:
    """Create the tables and insert all rows, in one transaction."""
    there = open_engine(url)
    try:
        with _sqlite(copy) as here, here.connect() as source, there.begin() as target:
            target.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
            names = set(inspect(target).get_table_names())
            if names & {table.name for table in META.sorted_tables}:
                raise TargetNotEmpty("the database has tables already; restore to an empty one")
            migrate(target)
            for table in _lasting():
                _copy_rows(source, target, table)
            _continue_numbers(target)
    except SQLAlchemyError as error:
        raise BadDatabase(f"the database cannot be written: {reason(error)}") from error
    finally:
        there.dispose()


def _continue_numbers(target: Connection) -> None:
    """Let numbers that PostgreSQL gives begin after the restored ones."""
    for table in _lasting():
        for column in table.primary_key.columns:
            if column.autoincrement is True:
                last = target.execute(select(func.max(column))).scalar()
                where = {"table": table.name, "column": column.name, "last": last or 1, "used": bool(last)}
                target.execute(
                    text("SELECT setval(pg_get_serial_sequence(:table, :column), :last, :used)"), where
                )


# --- files ----------------------------------------------------------------------------


def _folder(url: str) -> Path:
    """Return the folder of a SQLite file, which a rename cannot leave; otherwise one for temporary files."""
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite":
        return Path(tempfile.gettempdir())
    folder = Path(parsed.database or "").absolute().parent
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


@contextmanager
def _scratch(folder: Path) -> Iterator[Path]:
    """Yield the name of a file in a new folder that only its owner may enter."""
    try:
        with tempfile.TemporaryDirectory(dir=folder, prefix=".qipai-") as name:
            yield Path(name) / "copy.db"
    except OSError as error:
        raise BadBackup(f"the backup cannot be written: {error.strerror}") from error


@contextmanager
def _sqlite(path: Path) -> Iterator[Engine]:
    engine = create_engine(f"sqlite:///{path}", poolclass=NullPool, hide_parameters=True)
    try:
        yield engine
    finally:
        engine.dispose()
