"""`make proof`: the stated counts, and their figures written to docs/proof/.

Every `proof.py` below tests/ offers `proofs() -> list[(name, function)]`; a function runs
one claim at its full count and returns its figures. `python -m tests.proof PART...` runs
those whose "area/name" contains one of the parts. An area or a proof that needs a package which is not
installed is reported and counts as failed; the others run.
"""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
DOCS = HERE.parent / "docs" / "proof"
Proof = Callable[[], dict[str, Any]]


def areas(parts: Sequence[str] = ()) -> tuple[dict[str, list[tuple[str, Proof]]], dict[str, str]]:
    """Return the proofs of each area, an area being a folder with a proof.py, and the areas that cannot run.

    The latter are mapped to the module that is not installed. With `parts`, only areas that one of them can
    mean are imported: those of a game run without the packages that the server needs.
    """
    found, missing = {}, {}
    for path in sorted(HERE.rglob("*/proof.py")):
        area = "_".join(path.relative_to(HERE).parts[:-1]).removeprefix("games_")
        if parts and not any("/" not in p or p.startswith(f"{area}/") for p in parts):
            continue
        try:
            module = import_module(".".join(["tests", *path.relative_to(HERE).with_suffix("").parts]))
        except ModuleNotFoundError as error:
            if ours(error):
                raise
            missing[area] = str(error.name)
        else:
            found[area] = module.proofs()
    return found, missing


def ours(error: ModuleNotFoundError) -> bool:
    """Return whether a module of this repository is missing, which is no question of what is installed."""
    return (error.name or "").partition(".")[0] in ("tests", "qipai", "")


def main(parts: list[str]) -> int:
    """Run the named proofs and write their pages; return 1 if one of them fails."""
    found, missing = areas(parts)
    for area, module in missing.items():
        print(f"{area}: not run, the package {module} is not installed: pip install -e '.[dev]'", flush=True)
    failed = len(missing)
    for area, proofs in found.items():
        for name, proof in proofs:
            if parts and not any(p in f"{area}/{name}" for p in parts):
                continue
            print(f"{area}/{name} ...", flush=True)
            started = time.perf_counter()
            try:
                figures = proof()
                verdict = "holds"
            except AssertionError as error:
                figures = {"fails": str(error)[:2000]}
                verdict = "FAILS"
                failed += 1
            except ModuleNotFoundError as error:  # nothing was found out: the page keeps its section
                if ours(error):
                    raise
                print(f"  not run: {error}", flush=True)
                failed += 1
                continue
            seconds = time.perf_counter() - started
            # read again each time: another process may have written a section of this area meanwhile
            write_page(area, {**read_page(area), name: row(area, name, verdict, seconds, figures)})
            print(f"  {verdict} in {seconds:.1f} s: {figures}", flush=True)
    print(f"{failed} of the proofs failed or could not run" if failed else "all hold")
    return 1 if failed else 0


def row(area: str, name: str, verdict: str, seconds: float, figures: dict[str, Any]) -> str:
    """Return a section of an area's page."""
    day = datetime.now(UTC).strftime("%Y-%m-%d")
    machine = f"{processor()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    lines = [
        f"## {name}",
        "",
        f"`python -m tests.proof {area}/{name}` on {day}, {machine}: **{verdict}**, {seconds:.1f} s.",
        "",
        *(f"- {key}: {value}" for key, value in figures.items()),
        "",
    ]
    return "\n".join(lines)


def processor() -> str:
    """Return the name of the processor, if the system reports it."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.machine()


def read_page(area: str) -> dict[str, str]:
    """Return the sections that a page already has, by name."""
    path = DOCS / f"{area}.md"
    if not path.exists():
        return {}
    sections = path.read_text().split("\n## ")[1:]
    return {s.partition("\n")[0].strip(): f"## {s.rstrip()}\n" for s in sections}


def write_page(area: str, rows: dict[str, str]) -> None:
    """Write the page of an area."""
    DOCS.mkdir(parents=True, exist_ok=True)
    head = f"# Proofs: {area}\n\nWritten by `make proof`; each section names the command that prints it.\n\n"
    (DOCS / f"{area}.md").write_text(head + "\n".join(rows[name] for name in sorted(rows)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
