"""The command line: `qipai COMMAND ...`. Each command is a module of `qipai.commands`.

Exit status: 0 success, 1 something was checked and differs, 2 an error, explained in one line.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from qipai.core import QipaiError
from qipai.core.registry import named_or_file

# In the order of the help; a module has ABOUT, configure(parser) and run(args) -> int.
COMMANDS = (
    "games",
    "play",
    "rules",
    "replay",
    "verify",
    "vectors",
    "arena",
    "ladder",
    "think",
    "train",
    "exploit",
    "data",
    "bench",
    "export",
    "new",
    "check",
    "serve",
    "admin",
    "backup",
    "restore",
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; errors are printed as one line on standard error."""
    about = "棋牌: table games to play, simulate and verify"
    parser = argparse.ArgumentParser(prog="qipai", description=about)
    parser.add_argument("--version", action="version", version=f"qipai {_version()}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in COMMANDS:
        module = import_module(f"qipai.commands.{name}")
        sub = commands.add_parser(name, help=module.ABOUT, description=module.ABOUT)
        module.configure(sub)
        sub.set_defaults(run=module.run)
    args = parser.parse_args(argv)
    try:
        if getattr(args, "game", None):
            args.game = named_or_file(args.game)
        return int(args.run(args))
    except QipaiError as error:
        print(f"qipai {args.command}: {error} [{error.code}]", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of our output is gone
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130


def _version() -> str:
    from qipai import __version__

    return __version__


if __name__ == "__main__":
    sys.exit(main())
