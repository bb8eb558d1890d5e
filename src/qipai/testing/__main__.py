"""`python -m qipai.testing GAME [--games N] [--seed S]`: the report of a check, one line per property."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from qipai.core import QipaiError

from .check import check_game
from .report import ConformanceError


def main(argv: Sequence[str] | None = None) -> int:
    """0 when the game keeps the contract, 1 when not, 2 when it cannot be checked."""
    parser = argparse.ArgumentParser(prog="python -m qipai.testing", description=__doc__)
    parser.add_argument("game", help="the name of a registered game")
    parser.add_argument("--games", type=int, default=200, help="random games (default 200)")
    parser.add_argument("--seed", type=int, default=0, help="of the run (default 0)")
    parser.add_argument("--parity", type=int, default=20, help="games in three ways (default 20)")
    parser.add_argument("--variant", choices=("checked", "compiled", "plain"), default="checked")
    args = parser.parse_args(argv)
    try:
        report = check_game(
            args.game,
            games=args.games,
            seed=args.seed,
            variant=args.variant,
            parity_games=args.parity,
            progress=_show,
        )
    except KeyboardInterrupt:
        print("qipai.testing: stopped", file=sys.stderr)
        return 130
    except ConformanceError as error:
        print("\n".join(error.report.lines()))
        print(error)
        return 1
    except QipaiError as error:
        print(f"qipai.testing: {error} [{error.code}]", file=sys.stderr)
        return 2
    print("\n".join(report.lines()))
    return 0


def _show(done: int, total: int, name: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K" if done >= total else f"\r\033[K{name} {done:,}/{total:,}")
        sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
