"""`qipai serve`: the tables in the browser."""

from __future__ import annotations

import argparse
import sys
import threading
import time
import webbrowser

ABOUT = "serve tables to play in the browser"
PORT = 8140


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments: the address, the database, the number of processes."""
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
    parser.add_argument("--port", type=int, default=PORT, help=f"port (default: {PORT})")
    parser.add_argument(
        "--database",
        default="",
        metavar="URL",
        help="postgresql://... or sqlite:///FILE; @FILE or QIPAI_DATABASE keeps a password out of `ps`",
    )
    parser.add_argument(
        "--workers", type=int, default=1, help="number of processes; more than one needs PostgreSQL"
    )
    parser.add_argument(
        "--open", action=argparse.BooleanOptionalAction, default=True, help="open the browser (default)"
    )
    parser.add_argument(
        "--bot",
        action="append",
        default=[],
        metavar="AGENT",
        help="offer an agent as a bot: a training run's folder, a .qnet file, FILE.py:SPEC, search@500;"
        " may be repeated",
    )
    parser.add_argument(
        "--key-file",
        default="",
        metavar="FILE",
        help="Ed25519 key (PEM) that signs records; made if missing (default: next to the database)",
    )
    parser.add_argument(
        "--full-sync", action="store_true", help="flush every move to disk before it is accepted"
    )
    parser.add_argument("--as-root", action="store_true", help="allow root to listen beyond this machine")


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted."""
    from qipai.core.errors import MissingExtra

    try:
        from qipai.server.http.pages import MISSING, page_is_here
        from qipai.server.main import Options, serve
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "qipai":
            raise
        raise MissingExtra(f"qipai serve needs {error.name}: pip install 'qipai[serve]'") from error
    address = f"http://{_shown(args.host)}:{args.port}/"
    options = Options(
        args.host,
        args.port,
        args.database,
        args.workers,
        args.full_sync,
        tuple(args.bot),
        args.as_root,
        args.key_file,
    )
    page = page_is_here()
    if args.open and page:
        threading.Thread(target=_open, args=(address,), daemon=True).start()

    def listening() -> None:
        print(f"qipai: serving at {address}", flush=True)
        if not page:
            print(f"qipai: {MISSING}", end="", file=sys.stderr, flush=True)

    return serve(options, listening)


def _shown(host: str) -> str:
    if host in ("0.0.0.0", "::"):
        return "localhost"
    return f"[{host}]" if ":" in host else host


def _open(address: str) -> None:
    """Open the browser once the server answers."""
    import urllib.request

    for _ in range(300):
        try:
            urllib.request.urlopen(address + "livez", timeout=1).close()
        except OSError:
            time.sleep(0.1)
            continue
        if not webbrowser.open(address):
            print("open this address in a browser", file=sys.stderr)
        return
