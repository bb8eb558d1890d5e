"""`qipai backup`: copy a server's database to a file while the server goes on."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ABOUT = "back up a server's database while it runs"
DATABASE = (
    "postgresql://... or sqlite:///FILE; @FILE or QIPAI_DATABASE keeps a password out of `ps`"
    " (default: that of qipai serve)"
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments: the file, the database, whether to copy the signing key."""
    parser.add_argument("file", type=Path, help="the backup to write; it must not exist")
    parser.add_argument("--database", default="", metavar="URL", help=DATABASE)
    parser.add_argument(
        "--with-key",
        action="store_true",
        help="also copy the key that signs hands, left out by default",
    )


def run(args: argparse.Namespace) -> int:
    """Write the backup and print what it holds."""
    url, key_file = find_database(args.database)
    from qipai.server.store.backup import backup

    found = backup(url, args.file.absolute(), key_file, args.with_key)
    print(f"{args.file}: schema {found.schema}, {shown(found.rows)}")
    return 0


def find_database(given: str) -> tuple[str, Path | None]:
    """Return the URL of the database as the server would use it, and the file of the signing key."""
    from qipai.core.errors import MissingExtra

    try:
        from sqlalchemy.engine import make_url
        from sqlalchemy.exc import ArgumentError

        from qipai.server.main import given_url, read_settings
        from qipai.server.refusals import BadDatabase
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "qipai":
            raise
        raise MissingExtra(f"this needs {error.name}: pip install 'qipai[serve]'") from error
    settings = read_settings({"database": given_url(given)})
    try:
        parsed = make_url(settings.url)
    except ArgumentError as error:
        raise BadDatabase("the database must be a URL such as sqlite:///tables.db") from error
    if parsed.get_backend_name() not in ("sqlite", "postgresql") or not parsed.database:
        raise BadDatabase("the database must be a SQLite file or PostgreSQL")
    named = settings.key_file
    if not named and parsed.get_backend_name() == "sqlite":
        named = f"{parsed.database}.key"
    return settings.url, Path(named) if named else None


def shown(rows: Mapping[str, Any]) -> str:
    """Return the numbers of rows that an operator knows."""
    return ", ".join(f"{rows.get(name, 0)} {name}" for name in ("tables", "hands", "actions", "guests"))
