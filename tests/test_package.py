"""The sdist and the wheel made from it, installed where there is nothing but what they declare.

No network: the backend runs in this environment, and an installed package's dependencies are links to the
distributions of this environment, only those that its metadata asks for. A missing declaration is a failure.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import time
import tomllib
import urllib.request
import zipfile
from email import message_from_string
from email.message import Message
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from qipai import __version__

ROOT = Path(__file__).parents[1]
FOLDERS = ("benchmarks", "constraints", "deploy", "docs", "examples", "front", "src", "tests")
LEFT = ("node_modules", "__pycache__", "*.egg-info", ".site.lock", "fixtures", "coverage", "shots")
ADDRESS = "https://example.org/someone/qipai"
BUILD = """
import sys
sys.path.insert(0, "front")
import site_build
if {without_node}:
    site_build.find_node = lambda: None
import qipai_build
print(getattr(qipai_build, "build_{what}")(sys.argv[1]))
"""


def copy_sources(target: Path) -> Path:
    """Copy what a clone has, and the page if it is built here."""
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, target / folder, ignore=shutil.ignore_patterns(*LEFT))
    for path in ROOT.iterdir():
        if path.is_file() and not path.name.startswith("."):
            shutil.copy(path, target / path.name)
    return target


def build(what: str, sources: Path, target: Path, node: bool = True, **env: str) -> tuple[Path, str]:
    """Run a hook of the build backend in a separate process; return what it made, and its warnings."""
    target.mkdir(exist_ok=True)
    clean = {name: value for name, value in os.environ.items() if not name.startswith("QIPAI_")}
    done = subprocess.run(
        [sys.executable, "-c", BUILD.format(what=what, without_node=not node), str(target)],
        cwd=sources,
        env={**clean, **env},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return target / done.stdout.split()[-1], done.stderr


def dependencies(meta: Message, extras: set[str]) -> dict[str, Distribution]:
    """Return the distributions that a package needs with these extras, and what they need in turn."""
    found: dict[str, Distribution] = {}
    todo = [(line, extras) for line in meta.get_all("Requires-Dist", [])]
    while todo:
        line, wanted = todo.pop()
        need = Requirement(line)
        if need.marker and not any(need.marker.evaluate({"extra": extra}) for extra in ("", *wanted)):
            continue
        if need.name in found:
            continue
        found[need.name] = distribution(need.name)
        todo += [(one, need.extras) for one in found[need.name].requires or ()]
    return found


class Installed:
    """A virtual environment with a wheel and what that declares."""

    def __init__(self, folder: Path, wheel: Path, extras: set[str]) -> None:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
        self.folder = folder
        self.bin = folder / ("Scripts" if os.name == "nt" else "bin")
        where = "import sysconfig; print(sysconfig.get_path('purelib'))"
        shown = subprocess.run([self.bin / "python", "-c", where], capture_output=True, text=True, check=True)
        self.site = Path(shown.stdout.strip())
        self.meta = metadata_of(wheel)
        for one in dependencies(self.meta, extras).values():
            self._link(one)
        pip = [sys.executable, "-m", "pip", "--python", str(self.bin / "python"), "install", "--quiet"]
        flags = [
            "--no-deps",
            "--no-index",
            "--no-compile",
            "--disable-pip-version-check",
            "--root-user-action=ignore",
        ]
        subprocess.run([*pip, *flags, str(wheel)], check=True)

    def _link(self, found: Distribution) -> None:
        tops = {path.parts[0] for path in found.files or () if path.parts[0] not in ("..", "__pycache__")}
        for top in tops:
            source = Path(str(found.locate_file(top)))
            if source.exists() and not (self.site / top).exists():
                (self.site / top).symlink_to(source)

    def env(self) -> dict[str, str]:
        """Return an environment in which nothing of this checkout is found."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("QIPAI_", "PYTHON", "COV_", "XDG_"))}
        return {**kept, "HOME": str(self.folder), "QIPAI_CACHE_DIR": str(self.folder / "cache")}

    def qipai(self, *args: str, typed: str = "", **env: str) -> subprocess.CompletedProcess[str]:
        """Run the command as its user would, away from the checkout."""
        return subprocess.run(
            [self.bin / "qipai", *args],
            input=typed,
            capture_output=True,
            text=True,
            cwd=self.folder,
            env={**self.env(), **env},
        )

    def serve(self) -> tuple[str, str]:
        """Start the server; return the page, or why there is none, and what the server printed."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = int(free.getsockname()[1])
        flags = ["--no-open", "--port", str(port), "--database", f"sqlite:///{self.folder}/tables.db"]
        log = (self.folder / "server.log").open("w+")
        with (
            log,
            subprocess.Popen(
                [self.bin / "qipai", "serve", *flags], env=self.env(), stdout=log, stderr=log
            ) as on,
        ):
            try:
                page = fetch(f"http://127.0.0.1:{port}/", on)
            finally:
                on.send_signal(signal.SIGTERM)
                on.wait(60)
            log.seek(0)
            return page, log.read()


def fetch(address: str, server: subprocess.Popen[bytes]) -> str:
    """Return what a server answers as soon as it listens."""
    while server.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=30) as answer:
                return str(answer.read(), "utf-8")
        except urllib.error.HTTPError as error:
            return str(error.read(), "utf-8")
        except OSError:
            time.sleep(0.1)
    pytest.fail("the server ended")


def metadata_of(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as opened:
        name = next(name for name in opened.namelist() if name.endswith(".dist-info/METADATA"))
        return message_from_string(opened.read(name).decode())


def names_in(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as opened:
        return opened.namelist()


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sdist")
    made, _ = build("sdist", copy_sources(folder / "clone"), folder / "dist", QIPAI_REPOSITORY=ADDRESS)
    return made


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel of the unpacked sdist without Node: the page comes with the sdist."""
    folder = tmp_path_factory.mktemp("wheel")
    with tarfile.open(sdist) as packed:
        packed.extractall(folder, filter="data")
    made, said = build("wheel", folder / sdist.name.removesuffix(".tar.gz"), folder / "dist", node=False)
    assert "without the page" not in said
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("installed"), wheel, {"play", "serve"})


@pytest.mark.slow
def test_the_sdist_carries_documentation_examples_tests_and_the_built_page(sdist: Path) -> None:
    with tarfile.open(sdist) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    for name in ("CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "CITATION.cff", "LICENSE", "Makefile"):
        assert name in names
    for name in (
        "docs/index.md",
        "docs/images/xianqi.webp",
        "examples/kuhn_poker.py",
        "front/package-lock.json",
    ):
        assert name in names
    for name in ("deploy/nginx.conf", "deploy/Containerfile", "constraints/server.txt"):
        assert name in names
    for name in ("src/qipai/server/site/index.html", "tests/test_package.py", "benchmarks/README.md"):
        assert name in names
    strays = [
        name for name in names if re.search(r"node_modules|__pycache__|\.pyc$|\.venv|front/coverage", name)
    ]
    assert strays == []


@pytest.mark.slow
def test_the_wheel_contains_the_page_and_only_the_package(wheel: Path) -> None:
    names = names_in(wheel)
    assert "qipai/server/site/index.html" in names and "qipai/py.typed" in names
    assert "qipai/skeleton/pyproject.toml.tmpl" in names
    assert {name.partition("/")[0] for name in names} == {"qipai", f"qipai-{__version__}.dist-info"}


@pytest.mark.slow
def test_the_metadata_names_version_authors_addresses_and_no_node(wheel: Path) -> None:
    meta = metadata_of(wheel)
    assert meta["Version"] == __version__ and meta["Author"] == "the qipai authors"
    assert f"Source, {ADDRESS}" in meta.get_all("Project-URL", [])  # handed on by the sdist
    assert len(meta.get_all("Classifier", [])) > 10 and "mahjong" in meta["Keywords"]
    for line in meta.get_all("Requires-Dist", []):
        if "node" in line:
            assert 'extra == "page"' in line
    text = str(meta.get_payload())
    targets = re.findall(r"\]\(([^)]+)\)", text)
    assert targets and all(target.startswith("https://") for target in targets)
    assert f"{ADDRESS}/raw/HEAD/docs/images/wuhan_mahjong.webp" in targets


@pytest.mark.slow
def test_the_installed_commands_work(installed: Installed) -> None:
    shown = installed.qipai("--version")
    assert shown.stdout == f"qipai {__version__}\n", shown.stderr
    listed = installed.qipai("games")
    assert "xianqi" in listed.stdout and listed.stderr == ""
    read = installed.qipai("rules", "nana", "--lang", "ja")
    assert read.returncode == 0 and len(read.stdout) > 1000
    made = installed.qipai("new", "my_game")
    assert made.returncode == 0 and (installed.folder / "my_game" / "pyproject.toml").is_file(), made.stderr


@pytest.mark.slow
def test_a_new_game_is_simulated_compiled_and_played_in_the_terminal(installed: Installed) -> None:
    """A game of one file compiles in seconds; those of the package take longer."""
    assert installed.qipai("new", "tiny_dice", "--small").returncode == 0
    flags = ["--seconds", "0.05", "--threads", "1", "--no-obs", "--batch", "64"]
    measured = installed.qipai("bench", "tiny_dice.py", *flags)
    assert measured.returncode == 0 and "tiny_dice" in measured.stdout, measured.stderr
    played = installed.qipai("play", "tiny_dice.py", "--new", "--fast", "--hands", "1", typed="roll\n")
    assert played.returncode == 0 and "You roll again." in played.stdout, played.stderr


@pytest.mark.slow
def test_the_installed_terminal_opens_a_table_of_ours(installed: Installed) -> None:
    flags = ["--new", "--fast", "--seed", "7", "--bots", "random"]
    played = installed.qipai("play", "xianqi", *flags, NUMBA_DISABLE_JIT="1")
    assert played.returncode == 0 and "The input has ended." in played.stdout, played.stderr


@pytest.mark.slow
def test_the_installed_server_shows_the_page(installed: Installed) -> None:
    page, said = installed.serve()
    assert "<html" in page and "has no page" not in said


@pytest.mark.slow
def test_without_node_the_package_is_built_without_the_page_and_the_server_says_so(tmp_path: Path) -> None:
    """An install from a clone in which nothing was built."""
    sources = copy_sources(tmp_path / "clone")
    shutil.rmtree(sources / "src" / "qipai" / "server" / "site", ignore_errors=True)
    made, said = build("wheel", sources, tmp_path / "dist", node=False)
    assert "qipai is built without the page of `qipai serve`: it needs Node" in said
    assert not [name for name in names_in(made) if name.startswith("qipai/server/site")]
    meta = metadata_of(made)
    assert meta.get_all("Project-URL") is None and "](docs/" not in str(meta.get_payload())
    page, said = Installed(tmp_path / "installed", made, {"serve"}).serve()
    assert "has no page" in page and "has no page" in said


def test_the_version_is_written_once_and_other_files_agree() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert "version" in project["dynamic"] and "version" not in project
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"version = {{{__version__}}}" in (ROOT / "docs" / "research" / "citation.md").read_text("utf-8")
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    first = re.search(r"^## (\S+)", changes, re.M)
    assert first is not None and first[1] == __version__


def test_the_workflow_runs_every_version_of_python_that_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    versions = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    assert versions[0] == project["requires-python"].removeprefix(">=")
    listed = "[" + ", ".join(f'"{version}"' for version in versions) + "]"
    text = (ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8")
    assert text.count(f"python: {listed}") == text.count("matrix:") == 2
    for command in ("make test", "make docs", "python -m build"):
        assert f"- run: {command}\n" in text
