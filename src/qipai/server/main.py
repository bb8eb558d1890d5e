"""Starts the server: checks the arguments, then runs uvicorn in one process or several."""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import uvicorn
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from qipai.bots.find import add_file, full_name

from .http.app import make_app
from .http.gate import QUEUED, networks
from .logs import set_up
from .refusals import BadServer
from .settings import Settings
from .signing import Signer
from .store.store import Store

SETTINGS = "QIPAI_SERVER_SETTINGS"  # JSON, passed from the first process to its workers; tests set it too
DATABASE = "QIPAI_DATABASE"  # the same as --database
LOOPBACK = ("localhost", "127.0.0.1", "::1")
FRAME = 16384  # maximum bytes of a WebSocket message


@dataclass(frozen=True)
class Options:
    """The arguments of the command."""

    host: str
    port: int
    database: str = ""
    workers: int = 1
    full_sync: bool = False
    bots: tuple[str, ...] = ()  # files of weights, folders of training runs, descriptions
    as_root: bool = False  # listen beyond this machine even as root
    key_file: str = ""


def serve(options: Options, listening: Callable[[], Any]) -> int:
    """Run the server until interrupted. `listening` is called just before connections are accepted."""
    if not 1 <= options.workers <= 64:
        raise BadServer("--workers must be a number from 1 to 64")
    if not 0 < options.port < 65536:
        raise BadServer("--port must be a number from 1 to 65535")
    check_user(options)
    given: dict[str, Any] = {"database": given_url(options.database), "full_sync": options.full_sync}
    given |= {"workers": options.workers, "tidy": True, "bots": tuple(map(full_name, options.bots))}
    given["key_file"] = options.key_file and os.path.abspath(options.key_file)
    settings = guarded(read_settings(given), options.host)
    networks(settings.proxies)
    add_bots(settings)  # raises before anything is opened
    store = Store(settings.url, settings.full_sync)  # migrates the schema before any worker starts
    shared = store.shared
    try:
        store.check()
        Signer(store, settings.key_file)  # makes the key, or raises if it cannot be used
    finally:
        store.close()
    if options.workers > 1 and not shared:
        raise BadServer("several workers need PostgreSQL: add --database postgresql://... or use one worker")
    _check_port(options)
    set_up()
    os.environ[SETTINGS] = json.dumps(asdict(settings))
    listening()
    uvicorn.run(
        "qipai.server.main:worker",
        factory=True,
        host=options.host,
        port=options.port,
        workers=options.workers,
        log_config=None,  # our own logging writes their lines
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=3,
        **uvicorn_arguments(settings),
    )
    return 0


def check_user(options: Options) -> None:
    """Print a warning for root; raise `BadServer` if the server would also listen beyond this machine."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return
    if options.host not in LOOPBACK and not options.as_root:
        raise BadServer(
            "as root the server listens on this machine only; use a separate account, or --as-root"
        )
    print("qipai: warning: the server runs as root; use a separate account", file=sys.stderr, flush=True)


def database_url(given: str) -> str:
    """Return the URL of the database that a server with these arguments and this environment uses."""
    return read_settings({"database": given_url(given)}).url


def given_url(argument: str) -> str:
    """Return the URL that was given: as an argument, or in the environment. Warn of a visible password."""
    if has_password(argument):
        print(
            "qipai: warning: every account of this machine can read the password in --database (ps shows it);"
            f" write the URL to a file and pass --database @FILE, or set {DATABASE}",
            file=sys.stderr,
            flush=True,
        )
    return read_url(argument or os.environ.get(DATABASE, ""))


def has_password(url: str) -> bool:
    """Return whether a URL contains a password, before the host or as a parameter."""
    try:
        parsed = make_url(url)
    except ArgumentError:  # such as @FILE
        return False
    return bool(parsed.password or parsed.query.get("password"))


def read_url(database: str) -> str:
    """Return the URL of the database; `@FILE` is the first line of a file, which `ps` does not show."""
    if not database.startswith("@"):
        return database
    try:
        lines = Path(database[1:]).read_text("utf-8").strip().splitlines()
    except (OSError, ValueError) as error:
        raise BadServer(f"the file of --database cannot be read: {type(error).__name__}") from error
    if not lines:
        raise BadServer("the file of --database is empty")
    return lines[0].strip()


def guarded(settings: Settings, host: str) -> Settings:
    """Return the settings; a server for this machine alone accepts no other host names."""
    alone = host in LOOPBACK and not settings.hosts and not settings.proxies
    return replace(settings, hosts=("localhost",)) if alone else settings


def uvicorn_arguments(settings: Settings) -> dict[str, Any]:
    """Return the arguments that decide how connections are handled."""
    return {
        "loop": "qipai.server.http.gate:Loop" if os.name == "posix" else "auto",
        "backlog": QUEUED,
        "http": "qipai.server.http.gate:Requests",
        "ws": "qipai.server.http.gate:Frames",
        "ws_max_size": FRAME,
        "ws_ping_interval": None,
        "ws_per_message_deflate": False,
        "server_header": False,
        "proxy_headers": bool(settings.proxies),
        "forwarded_allow_ips": list(settings.proxies),
    }


def _check_port(options: Options) -> None:
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((options.host, options.port))
        except OSError as error:
            raise BadServer(f"port {options.port} cannot be used: {error.strerror}; see --port") from error


def worker() -> Any:
    """Return the application of one worker process."""
    set_up()
    settings = read_settings({})
    add_bots(settings)
    return make_app(settings)


def add_bots(settings: Settings) -> None:
    """Add the bots whose files the operator named; raise if one cannot play here."""
    for path in settings.bots:
        add_file(path)


def read_settings(given: dict[str, Any]) -> Settings:
    """Return the settings from the environment, overridden by `given`."""
    found = json.loads(os.environ.get(SETTINGS) or "{}")
    known = {f.name for f in fields(Settings)}
    merged = {**{k: v for k, v in found.items() if k in known}, **{k: v for k, v in given.items() if v}}
    typed: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in merged.items()}
    return Settings(**typed)
