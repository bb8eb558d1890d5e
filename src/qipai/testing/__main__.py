"""`python -m qipai.testing GAME`: the older form of `qipai check GAME`."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run `qipai check` with these arguments; return its exit status."""
    from qipai.cli import main as run

    return run(["check", *(sys.argv[1:] if argv is None else argv)])


if __name__ == "__main__":
    sys.exit(main())
