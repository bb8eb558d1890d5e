"""Starts the server: checks the arguments, then runs uvicorn in one process or several."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import uvicorn

from qipai.bots.find import add_file

from .http.app import make_app
from .http.gate import networks
from .logs import set_up
from .refusals import BadServer
from .settings import Settings
from .store.store import Store

SETTINGS = "QIPAI_SERVER_SETTINGS"  # JSON, passed from the first process to its workers; tests set it too
FRAME = 16384  # maximum bytes of a WebSocket message


@dataclass(frozen=True)
class Options:
    """The arguments of the command."""

    host: str
    port: int
    database: str = ""
    workers: int = 1
    full_sync: bool = False
    bots: tuple[str, ...] = ()  # files of weights or folders of training runs


def serve(options: Options, listening: Callable[[], Any]) -> int:
    """Run the server until interrupted. `listening` is called just before connections are accepted."""
    if not 1 <= options.workers <= 64:
        raise BadServer("--workers must be a number from 1 to 64")
    if not 0 < options.port < 65536:
        raise BadServer("--port must be a number from 1 to 65535")
    given: dict[str, Any] = {"database": read_url(options.database), "full_sync": options.full_sync}
    given |= {"workers": options.workers, "tidy": True, "bots": tuple(map(os.path.abspath, options.bots))}
    settings = guarded(read_settings(given), options.host)
    networks(settings.proxies)
    add_bots(settings)  # raises before anything is opened
    store = Store(settings.url, settings.full_sync)  # migrates the schema before any worker starts
    shared = store.shared
    try:
        store.check()
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
    alone = host in ("localhost", "127.0.0.1", "::1") and not settings.hosts and not settings.proxies
    return replace(settings, hosts=("localhost",)) if alone else settings


def uvicorn_arguments(settings: Settings) -> dict[str, Any]:
    """Return the arguments that decide how connections are handled."""
    return {
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
