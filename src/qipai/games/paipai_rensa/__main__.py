"""`python -m qipai.games.paipai_rensa`: live play in the terminal, or `--selftest`."""

from __future__ import annotations

import argparse
import sys

from qipai.core import LANGUAGES, QipaiError

from .terminal.live import configure, run


def main(argv: list[str] | None = None) -> int:
    """Play, or run the self test; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m qipai.games.paipai_rensa", description="牌牌連鎖, live")
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="English, Chinese or Japanese")
    parser.add_argument("--seed", help="a number or a word; the same seed deals the same tiles")
    parser.add_argument("--option", action="append", metavar="NAME=VALUE", help="a rule; may be repeated")
    configure(parser)
    try:
        return run(parser.parse_args(argv))
    except QipaiError as error:
        print(f"paipai_rensa: {error} [{error.code}]", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
