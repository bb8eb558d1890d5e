"""`constraints/server.txt` pins everything that the server needs, each with hashes."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[1]
PINNED = re.compile(
    r"^([a-z0-9-]+)==([\w.]+) \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.MULTILINE
)


# Other systems than the one that runs this test: `constraints/server.txt` is for all that are supported.
PLACES = (
    {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"},
    {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix"},
)
PYTHONS = ("3.11", "3.12", "3.13")


def pinned() -> dict[str, Version]:
    text = (ROOT / "constraints" / "server.txt").read_text()
    return {canonicalize_name(name): Version(version) for name, version, _ in PINNED.findall(text)}


def wanted() -> list[Requirement]:
    """Return what the server is installed with: `qipai[serve,postgres]`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    return [Requirement(text) for text in (*project["dependencies"], *extras["serve"], *extras["postgres"])]


def needed(requirement: Requirement, extras: set[str]) -> bool:
    """Return whether a requirement counts on any system that the server supports, with these extras."""
    if requirement.marker is None:
        return True
    environments = (
        {**place, "python_version": python, "python_full_version": f"{python}.0", "extra": extra}
        for place in PLACES
        for python in PYTHONS
        for extra in ("", *extras)
    )
    return any(requirement.marker.evaluate(environment) for environment in environments)


def closure(pins: dict[str, Version]) -> dict[str, list[Requirement]]:
    """Return everything that is needed, directly or through others, with the requirements on it.

    What an installed package needs is in its metadata; one that is not installed here has none to follow.
    """
    found: dict[str, list[Requirement]] = {}
    queue = wanted()
    while queue:
        requirement = queue.pop()
        name = canonicalize_name(requirement.name)
        seen = found.setdefault(name, [])
        if any(str(requirement) == str(known) for known in seen):
            continue
        seen.append(requirement)
        try:
            given = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            assert name in pins, f"{name} is neither pinned nor installed"
            continue
        queue += [one for one in map(Requirement, given) if needed(one, set(requirement.extras))]
    return found


def test_everything_that_is_needed_through_others_is_pinned_and_nothing_else() -> None:
    """`pip --require-hashes` stops at the first package without a hash, however deep it is needed."""
    pins = pinned()
    found = closure(pins)
    assert set(found) - set(pins) == set(), "pin these with their hashes"
    assert set(pins) - set(found) == set(), "nothing needs these any more"
    assert len(found) > len(wanted()) + 5  # others are needed through them


def test_no_pin_is_a_version_that_another_package_excludes() -> None:
    pins = pinned()
    for name, requirements in closure(pins).items():
        for requirement in requirements:
            assert requirement.specifier.contains(pins[name], prereleases=True), (name, str(requirement))


@pytest.mark.parametrize("name", sorted(pinned()))
def test_a_package_without_its_pin_is_noticed(name: str) -> None:
    rest = {other: version for other, version in pinned().items() if other != name}
    try:
        assert set(closure(rest)) - set(rest) == {name}
    except AssertionError as error:
        assert "neither pinned nor installed" in str(error)


def name_of(requirement: str) -> str:
    found = re.match(r"[A-Za-z0-9_.-]+", requirement)
    assert found is not None
    return found[0].lower().replace("_", "-")


def test_everything_that_the_server_needs_is_pinned_with_hashes() -> None:
    text = (ROOT / "constraints" / "server.txt").read_text()
    pinned = {name: hashes.count("--hash") for name, _, hashes in PINNED.findall(text)}
    assert pinned and all(pinned.values())
    lines = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
    assert len(lines) == len(pinned)  # no line without a hash, none twice
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    needed = [*project["dependencies"], *extras["serve"], *extras["postgres"]]
    assert {name_of(one) for one in needed} <= set(pinned)
