"""The files of deploy/ are accepted by the programs that read them, and agree with the server."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from qipai.cli import main
from qipai.server.http.gate import networks
from qipai.server.settings import Settings

from .proxy import DEPLOY, ROOT, WHY, configuration, free_port, make_certificates, nginx

PINNED = re.compile(
    r"pip install [\w -]*--require-hashes -r constraints/server\.txt.*pip install [\w -]*--no-deps '[\w.]+\["
)
UNITS = sorted(path.name for path in DEPLOY.glob("qipai*") if path.suffix in (".service", ".timer"))


def tool(name: str, why: str) -> str:
    """Return a program; skip without it, or fail where CI=true."""
    found = shutil.which(name)
    if found is None:
        if os.environ.get("CI") == "true":
            pytest.fail(why)
        pytest.skip(why)
    return found


@pytest.mark.parametrize("unit", UNITS)
def test_systemd_accepts_the_units(unit: str, tmp_path: Path) -> None:
    program = tool("systemd-analyze", "systemd-analyze is not installed (Debian: apt-get install systemd)")
    for name in UNITS:  # a timer is checked together with its service
        text = (DEPLOY / name).read_text().replace("/opt/qipai/bin/qipai", "/bin/true")
        (tmp_path / name).write_text(text)
    done = subprocess.run([program, "verify", str(tmp_path / unit)], capture_output=True, text=True)
    ours = [line for line in done.stderr.splitlines() if "qipai" in line]
    assert done.returncode == 0 and not ours, done.stderr


def test_the_service_is_confined(tmp_path: Path) -> None:
    """Systemd rates units from 0 (confined) to 10; below 2 needs nearly everything that it offers."""
    program = tool("systemd-analyze", "systemd-analyze is not installed (Debian: apt-get install systemd)")
    (tmp_path / "qipai.service").write_text((DEPLOY / "qipai.service").read_text())
    command = [program, "security", "--offline=yes", "--no-pager", str(tmp_path / "qipai.service")]
    done = subprocess.run(command, capture_output=True, text=True)
    found = re.search(r"exposure level for qipai.service: ([\d.]+)", done.stdout)
    if found is None:
        pytest.skip("this systemd-analyze cannot rate a file")
    assert float(found[1]) < 2.0


def test_the_service_starts_a_command_that_exists(capsys: pytest.CaptureFixture[str]) -> None:
    text = (DEPLOY / "qipai.service").read_text()
    command = re.search(r"^ExecStart=\S+/qipai (.*)$", text, re.M)
    settings = re.search(r"^Environment='QIPAI_SERVER_SETTINGS=(.*)'$", text, re.M)
    assert command is not None and settings is not None
    given = json.loads(settings[1])
    assert networks(Settings(proxies=tuple(given["proxies"])).proxies)
    for line in (command[1], "backup x"):
        with pytest.raises(SystemExit) as ended:
            main([*shlex.split(line), "--help"])
        assert ended.value.code == 0
    help_text = capsys.readouterr().out
    for flag in re.findall(r"--[a-z-]+", command[1]):
        assert flag.replace("--no-", "--") in help_text or flag in help_text


@pytest.mark.skipif(nginx() is None and os.environ.get("CI") != "true", reason=WHY)
def test_nginx_accepts_its_configuration(tmp_path: Path) -> None:
    program = nginx()
    assert program is not None, WHY
    path = configuration(tmp_path, make_certificates(tmp_path), free_port(), free_port(), free_port())
    command = [program, "-t", "-e", str(tmp_path / "error.log"), "-c", str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0 and "warn" not in done.stderr, done.stderr


def test_caddy_accepts_its_configuration(tmp_path: Path) -> None:
    program = tool("caddy", "Caddy is not installed (Debian: apt-get install caddy)")
    places = {"XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    command = [program, "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile")]
    done = subprocess.run(command, env={**os.environ, **places}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_page_installs_what_is_pinned() -> None:
    page = (ROOT / "docs" / "operate" / "deploy.md").read_text()
    section = page.partition("## As a service")[2].partition("\n## ")[0]
    assert PINNED.search(section.replace("\n", " && ")), section


def test_the_container_file_names_what_exists() -> None:
    """There is no engine here: instructions, paths and the command are checked, the image is not built."""
    text = (DEPLOY / "Containerfile").read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    known = {"FROM", "RUN", "WORKDIR", "COPY", "ENV", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK"}
    known |= {"ENTRYPOINT", "CMD"}
    assert {line.split()[0] for line in lines} <= known
    stages = [line for line in lines if line.startswith("FROM")]
    assert all(re.search(r"python:\d\.\d+-slim-\w+", stage) for stage in stages)  # a version, not "latest"
    last = lines[lines.index(stages[-1]) :]
    user = next(line for line in last if line.startswith("USER"))
    assert int(user.split()[1].partition(":")[0]) >= 10000  # never root
    extras = re.search(r"'\.\[([\w,]+)\]'", text)
    assert extras is not None
    project = (ROOT / "pyproject.toml").read_text()
    assert all(re.search(rf"^{name} = \[", project, re.M) for name in extras[1].split(","))
    command = json.loads(next(line for line in last if line.startswith("CMD [")).removeprefix("CMD "))
    with pytest.raises(SystemExit) as ended:
        main([*command, "--help"])
    assert ended.value.code == 0
    assert PINNED.search(text), "what it installs is pinned"
    hadolint = shutil.which("hadolint")
    if hadolint is not None:
        subprocess.run([hadolint, str(DEPLOY / "Containerfile")], check=True)


def test_the_page_shows_the_same_service() -> None:
    """The page on deployment names the files, and every file is named there."""
    page = (ROOT / "docs/operate/deploy.md").read_text()
    for path in DEPLOY.iterdir():
        assert path.name in page, path.name
