"""Servers as separate processes: `qipai serve`, to be killed and started again."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx

from qipai.server.main import SETTINGS
from tests.server.live import QUICK

resource: ModuleType | None
try:
    import resource
except ImportError:  # not a POSIX system
    resource = None

SOURCE = Path(__file__).parents[2] / "src"


class Process:
    """`qipai serve` on a port, with at most `files` open files. `kill` ends all of its processes.

    `cache` is a folder for compiled code, instead of the usual one.
    """

    def __init__(
        self,
        database: str,
        log: Path,
        workers: int = 1,
        port: int = 0,
        files: int = 0,
        cache: Path | None = None,
        **given: Any,
    ) -> None:
        self.port = port or free_port()
        self.log = log
        settings = {**QUICK, **given}
        environment = {**os.environ, "PYTHONPATH": str(SOURCE), SETTINGS: json.dumps(settings)}
        if cache is not None:
            environment["QIPAI_CACHE_DIR"] = str(cache)
        command = [sys.executable, "-m", "qipai.cli", "serve", "--no-open", "--port", str(self.port)]
        command += ["--database", database, "--workers", str(workers)]
        bound = partial(_bound_files, files) if files else None
        with log.open("ab") as out:
            self.process = subprocess.Popen(
                command, env=environment, stdout=out, stderr=out, start_new_session=True, preexec_fn=bound
            )

    def wait(self, seconds: float = 120.0) -> None:
        """Wait until it answers."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if httpx.get(f"http://127.0.0.1:{self.port}/healthz", timeout=5).status_code == 200:
                    return
            except httpx.HTTPError:
                time.sleep(0.05)
            assert self.process.poll() is None, self.log.read_text()[-2000:]
        raise AssertionError(f"the server does not answer: {self.log.read_text()[-2000:]}")

    def kill(self) -> None:
        """Kill the whole process group."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """Stop it like Ctrl-C."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.kill()


def _bound_files(most: int) -> None:
    """Be in a child what `ulimit -n` is in a shell."""
    assert resource is not None
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def children(pid: int) -> list[int]:
    """Return the worker processes of a server, if Linux reports them."""
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += [int(p) for p in (task / "children").read_text().split()]
    return [p for p in found if b"spawn_main" in Path(f"/proc/{p}/cmdline").read_bytes()]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
