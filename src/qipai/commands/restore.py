"""`qipai restore`: a server's database from a backup."""

from __future__ import annotations

import argparse
from pathlib import Path

from .backup import DATABASE, find_database, shown

ABOUT = "restore a backup to an empty database"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments: the file, the database, whether only to check."""
    parser.add_argument("file", type=Path, help="a file that qipai backup wrote")
    parser.add_argument("--database", default="", metavar="URL", help=DATABASE)
    parser.add_argument("--check", action="store_true", help="only check the file; write nothing")


def run(args: argparse.Namespace) -> int:
    """Restore, and print what the backup held."""
    url, key_file = find_database(args.database)
    from qipai.server.store.backup import read, restore

    if args.check:
        found = read(args.file)
        print(f"{args.file}: intact, schema {found.schema}, {shown(found.rows)}")
        return 0
    found = restore(url, args.file, key_file)
    print(f"restored: {shown(found.rows)}")
    if found.key is None:
        print("the backup holds no signing key: put the old one in place, or the server makes a new one")
    elif (found.key == "") != (key_file is None):
        print("the signing key was not restored: it is a file for SQLite and a row in PostgreSQL")
    return 0
