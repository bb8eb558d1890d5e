"""`python docs/sitemaker [pages|check]`: build the site, only write the generated pages, or check them."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))


def main() -> int:
    """Return 0 when done, 1 when something is out of date or cannot be built."""
    parser = argparse.ArgumentParser(prog="python docs/sitemaker", description=__doc__)
    parser.add_argument("what", nargs="?", choices=("site", "pages", "check"), default="site")
    args = parser.parse_args()
    from sitemaker import generated

    if args.what == "check":
        stale = generated.stale()
        for path in stale:
            print(f"{path} is out of date: make pages", file=sys.stderr)
        return 1 if stale else 0
    for path in generated.write():
        print(f"written: {path}")
    if args.what == "site":
        from sitemaker.assemble import BadPage
        from sitemaker.site import SITE, BuildError, build

        try:
            build()
        except (BadPage, BuildError) as error:
            print(f"the site was not built:\n{error}", file=sys.stderr)
            return 1
        print(f"the site is in {SITE.relative_to(Path.cwd()) if SITE.is_relative_to(Path.cwd()) else SITE}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
