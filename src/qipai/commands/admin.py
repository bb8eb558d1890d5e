"""`qipai admin`: reports, bans and the data of guests, while the server runs."""

from __future__ import annotations

import argparse
import time
from typing import Any

ABOUT = "look after a server's guests: reports, bans, deletion"
DAY = 24.0


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the tasks, and where the database is."""
    parser.add_argument(
        "--database", default="", metavar="URL", help="the server's database, as for `qipai serve`"
    )
    tasks = parser.add_subparsers(dest="task", metavar="TASK", required=True, help="what to do")
    listed = tasks.add_parser("reports", help="list reported lines of chat")
    listed.add_argument("--all", action="store_true", help="list closed reports too")
    closed = tasks.add_parser("close", help="close a report")
    closed.add_argument("report", type=int, help="number of the report")
    found = tasks.add_parser("guests", help="list guests, latest visitors first")
    found.add_argument("search", nargs="?", default="", help="part of the name, or an id")
    ban = tasks.add_parser("ban", help="ban a guest for a time")
    ban.add_argument("guest", help="id of the guest")
    ban.add_argument("--hours", type=float, default=DAY, metavar="H", help="length of the ban (default: 24)")
    ban.add_argument("--reason", default="", metavar="TEXT", help="note for operators")
    tasks.add_parser("unban", help="end a ban").add_argument("guest", help="id of the guest")
    tasks.add_parser("delete", help="delete what is stored about a guest").add_argument(
        "guest", help="id of the guest"
    )


def run(args: argparse.Namespace) -> int:
    """Do one task and print its result."""
    from qipai.core.errors import MissingExtra

    try:
        from qipai.server.main import database_url
        from qipai.server.store.store import beside
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "qipai":
            raise
        raise MissingExtra(f"qipai admin needs {error.name}: pip install 'qipai[serve]'") from error
    with beside(database_url(args.database)) as connection:
        for line in _lines(connection, args):
            print(line)
    return 0


def _lines(connection: Any, args: argparse.Namespace) -> list[str]:
    from qipai.server import admin
    from qipai.server.refusals import BadServer

    if args.task == "reports":
        found = admin.reports(connection, args.all)
        return [
            f"{r.id}  {_at(r.at)}  {r.reason}{' (closed)' if r.closed else ''}  {r.guest} {r.name!r} at "
            f"table {r.table}: {r.text!r} (reported by {r.reporter})"
            for r in found
        ] or ["no reports"]
    if args.task == "guests":
        return [
            f"{g.id}  {g.name!r}  last here {_at(g.seen)}  hands {g.hands}  reports {g.reports}"
            f"{'' if g.banned is None else f'  banned until {_at(g.banned)}'}"
            for g in admin.guests(connection, args.search)
        ] or ["no guests"]
    if args.task == "close":
        admin.close_report(connection, args.report)
        return [f"closed report {args.report}"]
    if args.task == "ban":
        if not 0 < args.hours <= 10 * 365 * DAY:
            raise BadServer("--hours must be positive and at most ten years")
        return [f"banned until {_at(admin.ban(connection, args.guest, args.hours, args.reason))}"]
    if args.task == "unban":
        admin.unban(connection, args.guest)
        return ["unbanned"]
    admin.forget(connection, args.guest)
    return ["deleted"]


def _at(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(seconds)) + " UTC"
