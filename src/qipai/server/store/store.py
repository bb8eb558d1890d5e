"""The store: one writer that commits many requests together, and concurrent readers.

A write is a function of a connection, and may run twice: if one write of a batch fails, the
batch runs again with each write in its own savepoint, so that a row that already exists
only fails that write. Its future completes after the commit.
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
import queue
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from qipai.core.errors import MissingExtra

from ..logs import log
from ..refusals import BadDatabase, Conflict
from .rows import KEYS, check_version, migrate
from .turns import Turns

locks: ModuleType | None
try:
    import fcntl as locks
except ImportError:  # not a POSIX system
    locks = None

T = TypeVar("T")
Work = Callable[[Connection], Any]
Future = asyncio.Future[Any]
Answer = tuple[Any, Exception | None]
TOGETHER = 256  # maximum writes per commit
PATIENT = 100  # maximum long reads in the queue
EACH = 25  # of one address
FULL = ("SQLITE_FULL", "DiskFull")
CORRUPT = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "DataCorrupted", "IndexCorrupted")
DEADLOCK = "DeadlockDetected"
ATTEMPTS = 4
LOCK = 0x71697061  # PostgreSQL's advisory lock during schema migration


class Store:
    """Opens the database and migrates its schema. Raises `BadDatabase` if that fails."""

    def __init__(self, url: str, full_sync: bool = False) -> None:
        self.engine = open_engine(url, full_sync)
        self.shared = self.engine.dialect.name == "postgresql"  # used by several workers
        self._claim = None if self.shared else claim_file(Path(self.engine.url.database or ""))
        try:
            with self.engine.begin() as connection:
                if self.shared:
                    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
                migrate(connection)
        except (SQLAlchemyError, BadDatabase) as error:
            self.engine.dispose()
            self._release()
            if isinstance(error, BadDatabase):
                raise
            raise BadDatabase(f"the database cannot be used: {reason(error)}") from error
        self._waiting: queue.SimpleQueue[tuple[Work, Future, asyncio.AbstractEventLoop] | None] = (
            queue.SimpleQueue()
        )
        self._readers = ThreadPoolExecutor(4, thread_name_prefix="store")
        self._slow = ThreadPoolExecutor(1, thread_name_prefix="store-slow")
        self.turns = Turns(PATIENT, EACH)  # for long reads
        self.corrupt = False  # damage was found since the start
        self.full = -math.inf  # when a write last found no room
        self._connection: Connection | None = None  # the writer's connection
        self._writer = threading.Thread(target=self._write_all, name="store-writer", daemon=True)
        self._writer.start()
        self.commits = 0
        self.writes = 0

    def key(self, name: str) -> str:
        """Return a key of the server from the database, 32 bytes in hexadecimal; make it if there is none."""
        return self.put_key(name, secrets.token_bytes(32).hex())

    def put_key(self, name: str, fresh: str) -> str:
        """Store a value among the server's keys, unless there is one of this name; return what is there."""
        with self.engine.begin() as connection:
            if self.shared:
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
            found = connection.execute(select(KEYS.c.value).where(KEYS.c.name == name)).scalar()
            if found is None:
                connection.execute(KEYS.insert().values(name=name, value=fresh))
        return found or fresh

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run `work` and wait until it is durable. Raise `Conflict` if a row already exists."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._waiting.put((work, done, loop))
        # A cancelled caller must not leave a write in an unknown state: queued writes are carried out.
        return await asyncio.shield(done)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run `work` on its own connection."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._readers, self.read_now, work)

    async def read_slowly(self, work: Callable[[Connection], T], who: str = "") -> T:
        """Run a long read: one at a time, so that tables are not delayed; those who ask take turns."""
        async with self.turns.turn(who):
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._slow, self.read_now, work)

    def read_now(self, work: Callable[[Connection], T]) -> T:
        """Run a read from outside the event loop."""
        try:
            with self.engine.connect() as connection:
                return work(connection)
        except SQLAlchemyError as error:
            raise self._bad("read", error) from error

    def check(self) -> None:
        """Raise `BadDatabase` if a SQLite file is damaged. It reads the whole file."""
        if self.shared:
            return
        try:
            with self.engine.connect() as connection:
                found = str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar())
        except SQLAlchemyError as error:
            found = cause(error)
        if found != "ok":
            raise BadDatabase("the database is damaged: restore a backup, or try `sqlite3 FILE .recover`")

    def close(self) -> None:
        """Write what is queued, then close."""
        self._waiting.put(None)
        self._writer.join(timeout=30)
        self._readers.shutdown()
        self._slow.shutdown(cancel_futures=True)
        self.engine.dispose()
        self._release()

    def _release(self) -> None:
        if self._claim is not None:
            os.close(self._claim)
            self._claim = None

    def _write_all(self) -> None:
        more = True
        while more:
            first = self._waiting.get()
            batch = [] if first is None else [first]
            more = first is not None
            while more and len(batch) < TOGETHER and not self._waiting.empty():
                another = self._waiting.get()
                more = another is not None
                if another is not None:
                    batch.append(another)
            if batch:
                self._commit(batch)
        self._hang_up()

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """Commit what happens inside. The connection is kept, and reopened after an error."""
        if self._connection is None:
            self._connection = self.engine.connect()
        try:
            with self._connection.begin():
                yield self._connection
        except BaseException:
            self._hang_up()
            raise

    def _hang_up(self) -> None:
        if self._connection is not None:
            connection, self._connection = self._connection, None
            connection.close()

    def _commit(self, batch: list[tuple[Work, Future, asyncio.AbstractEventLoop]]) -> None:
        works = [work for work, _, _ in batch]
        try:
            try:
                with self._transaction() as connection:
                    answers: list[Answer] = [(work(connection), None) for work in works]
            except Exception:  # everything was rolled back; repeat each write in its own savepoint
                with self._transaction() as connection:
                    answers = [self._one(connection, work) for work in works]
        except Exception as error:
            answers = [(None, self._bad("written", error))] * len(batch)
        self.commits += 1
        self.writes += len(batch)
        for (_, done, loop), (value, fault) in zip(batch, answers, strict=True):
            loop.call_soon_threadsafe(_settle, done, value, fault)

    def _one(self, connection: Connection, work: Work) -> Answer:
        """Run one write in its own savepoint; again if it waited in a circle with another worker."""
        for attempt in range(ATTEMPTS):
            savepoint = connection.begin_nested()
            try:
                value = work(connection)
            except IntegrityError:
                savepoint.rollback()
                return None, Conflict("another worker wrote this first")
            except Exception as error:
                try:
                    savepoint.rollback()
                except SQLAlchemyError:  # a full SQLite has already rolled back everything
                    raise error from None
                if cause(error) == DEADLOCK and attempt + 1 < ATTEMPTS:
                    continue
                return None, self._bad("written", error) if isinstance(error, SQLAlchemyError) else error
            savepoint.commit()
            return value, None
        raise AssertionError("unreachable")

    def _bad(self, what: str, error: Exception) -> BadDatabase:
        """Log why the database failed; return the error for those who wait."""
        found = cause(error)
        self.corrupt = self.corrupt or found in CORRUPT
        if found in FULL:
            self.full = time.monotonic()
        log("database/fault", logging.ERROR, cause=found)
        return BadDatabase(f"the database cannot be {what}: {found}")


@contextmanager
def beside(url: str) -> Iterator[Connection]:
    """Yield a connection for one change next to a running server; raise `BadDatabase` if there is none."""
    parsed = make_url_of(url)
    if parsed.get_backend_name() == "sqlite" and not Path(parsed.database or "").is_file():
        raise BadDatabase("there is no such database")
    engine = open_engine(url)
    try:
        with engine.begin() as connection:
            check_version(connection)
            yield connection
    except SQLAlchemyError as error:
        raise BadDatabase(f"the database cannot be used: {reason(error)}") from error
    finally:
        engine.dispose()


def _settle(done: Future, value: Any, fault: Exception | None) -> None:
    if done.done():
        return
    if fault is None:
        done.set_result(value)
    else:
        done.set_exception(fault)


def make_url_of(url: str) -> URL:
    """Return a database's URL, read."""
    try:
        return make_url(url)
    except SQLAlchemyError as error:
        what = "the database must be a URL such as sqlite:///tables.db or postgresql://host/name"
        raise BadDatabase(what) from error


def open_engine(url: str, full_sync: bool = False) -> Engine:
    """Return the engine of a database; a SQLite file is made if it is missing."""
    parsed = make_url_of(url)
    kind = parsed.get_backend_name()
    if kind == "postgresql":
        parsed = parsed.set(drivername="postgresql+psycopg")
        # PostgreSQL always commits synchronously, whatever `full_sync` says: data in the server's memory
        # would not survive a crash of its processes.
        try:
            return create_engine(
                parsed, pool_size=6, max_overflow=2, pool_pre_ping=True, hide_parameters=True
            )
        except ModuleNotFoundError as error:
            raise MissingExtra(f"PostgreSQL needs {error.name}: pip install 'qipai[postgres]'") from error
    if kind != "sqlite" or not parsed.database or parsed.database == ":memory:":
        raise BadDatabase("the database must be a SQLite file or PostgreSQL")
    path = Path(parsed.database)
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(mode=0o600)  # it contains seeds and hashed tokens
        if os.name == "posix" and path.stat().st_uid == os.geteuid():
            path.chmod(path.stat().st_mode & 0o700)  # also a file that was made by something else
    except OSError as error:
        raise BadDatabase(f"the database cannot be opened: {error.strerror}") from error
    arguments = {"timeout": 30, "check_same_thread": False}
    engine = create_engine(parsed, connect_args=arguments, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # use SQLAlchemy's BEGIN below, not the driver's
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute(f"PRAGMA synchronous={'FULL' if full_sync else 'NORMAL'}")
        cursor.execute("PRAGMA busy_timeout=30000")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN")

    return engine


def claim_file(path: Path) -> int | None:
    """Lock a SQLite database for this process: a second server would play the same tables."""
    if locks is None:
        return None
    path = path.resolve()  # one file has one lock, whatever links lead to it
    found = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        locks.flock(found, locks.LOCK_EX | locks.LOCK_NB)
    except OSError as error:
        os.close(found)
        raise BadDatabase(
            "another server is using this database; give this one its own --database"
        ) from error
    return found


def cause(error: Exception) -> str:
    """Return the database's own name of an error, such as SQLITE_FULL or DiskFull; never a value."""
    found = getattr(error, "orig", None) or error
    return str(getattr(found, "sqlite_errorname", type(found).__name__))


def reason(error: Exception) -> str:
    """Return the reason of an error, without the statement, its values or the URL."""
    found = getattr(error, "orig", None) or error
    return f"{type(found).__name__}: {str(found).splitlines()[0][:200] if str(found) else ''}"
