"""A real PostgreSQL for tests, from the installed binaries, in its own folder and on its own port."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg

PLACES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
KINDS = ("sqlite", "postgresql")
WHY = "PostgreSQL's binaries are not installed (Debian: apt-get install postgresql)"


def binaries() -> Path | None:
    """Return the folder of initdb and postgres."""
    found = shutil.which("initdb")
    places = [*PLACES, *([Path(found).parent] if found else [])]
    return next((p for p in places if (p / "initdb").exists() and (p / "postgres").exists()), None)


@contextmanager
def postgres() -> Iterator[str]:
    """Yield the URL of an empty database; the server ends with the block."""
    place = binaries()
    assert place is not None, WHY
    folder = Path(tempfile.mkdtemp(prefix="qipai-pg-"))
    user = _user()
    if user is not None:
        shutil.chown(folder, user)
    else:
        user = pwd.getpwuid(os.geteuid()).pw_name
    run = {"user": user} if os.geteuid() == 0 else {}
    data, port = folder / "data", _port()
    base = ["-D", str(data)]
    init = [str(place / "initdb"), *base, "-A", "trust", "-U", "qipai", "-E", "UTF8", "--no-sync"]
    subprocess.run(init, check=True, stdout=subprocess.DEVNULL, cwd="/", **run)  # type: ignore[call-overload]
    settings = ["-c", "listen_addresses=127.0.0.1", "-c", f"unix_socket_directories={folder}"]
    command = [str(place / "postgres"), *base, "-p", str(port), *settings]
    process = subprocess.Popen(  # type: ignore[call-overload]
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/", **run
    )
    try:
        url = f"postgresql://qipai@127.0.0.1:{port}/postgres"
        _wait(url)
        yield url
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def databases(kind: str, folder: Path) -> Iterator[Callable[[], str]]:
    """Yield a function that returns the URL of another empty database of this kind (of `KINDS`)."""
    numbers = count()
    if kind == "sqlite":
        yield lambda: f"sqlite:///{folder}/{next(numbers)}.db"
        return

    with postgres() as url:

        def make() -> str:
            name = f"d{next(numbers)}"
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE {name}".encode())
            return f"{url.rpartition('/')[0]}/{name}"

        yield make


def _user() -> str | None:
    """Return another user if we are root, because PostgreSQL does not run as root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_name
        except KeyError:
            continue
    raise AssertionError("no unprivileged user to run PostgreSQL as")


def _port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait(url: str) -> None:
    for _ in range(300):
        try:
            psycopg.connect(url, connect_timeout=2).close()
            return
        except psycopg.OperationalError:
            time.sleep(0.1)
    raise AssertionError("PostgreSQL does not start")
