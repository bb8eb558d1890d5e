"""A long run of bot tables: memory and file descriptors must stay as they are."""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx

from tests.server.killing import BOTS, FEATURES
from tests.server.processes import Process

EVERY = 5.0  # seconds between two samples
GROWTH = 1.10  # most memory of the last third against that of the second
FILES = 10  # open files more


def soak(database: str, folder: Path, tables: int, seconds: float, every: float = EVERY) -> dict[str, Any]:
    """Let bots play at `tables` tables; return samples of the server and its bot processes."""
    pace: dict[str, Any] = {"bot_pace": (0.5, 1.2), "rest": 1.0, "drive_unwatched": True, "bot_processes": 2}
    server = Process(database, folder / "soak.log", **pace)
    try:
        server.wait()
        with httpx.Client(base_url=f"http://127.0.0.1:{server.port}", timeout=60) as http:
            for number in range(tables):
                game, seats, options = BOTS[number % len(BOTS)]
                wish = {"game": game, "seats": seats, "options": options, "bots": ["random"] * seats}
                wish |= FEATURES[number % len(FEATURES)]
                assert http.post("/api/tables", json=wish).status_code == 200
            samples = []
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                time.sleep(every)
                samples.append(_sample(server.process.pid))
            metrics = http.get("/metrics").text
        assert server.process.poll() is None
    finally:
        server.stop()
    found = {name: float(value) for name, value in re.findall(r"^(qipai_\w+) ([\d.e+]+)$", metrics, re.M)}
    return {
        "samples": samples,
        "actions": int(found["qipai_actions_total"]),
        "hands": int(found["qipai_hands_total"]),
        "errors": int(found["qipai_errors_total"]),
        "bots late": int(found["qipai_bots_late"]),
        "log lines": (folder / "soak.log").read_bytes().count(b"\n"),
    }


def check_flat(samples: list[tuple[int, int]]) -> dict[str, Any]:
    """Compare the last third with the second; the first is the time in which everything is compiled."""
    third = len(samples) // 3
    second, last = samples[third : 2 * third], samples[2 * third :]
    memory = [max(m for m, _ in part) for part in (second, last)]
    files = [max(f for _, f in part) for part in (second, last)]
    assert memory[1] <= GROWTH * memory[0], f"from {memory[0]} to {memory[1]} MB"
    assert files[1] <= files[0] + FILES, f"from {files[0]} to {files[1]} open files"
    return {"memory of the second and last third, MB": memory, "open files of the same": files}


def _sample(pid: int) -> tuple[int, int]:
    """Return the megabytes and the open files of a process and those that it started."""
    memory = files = 0
    for one in _family(pid):
        with suppress(OSError):
            found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{one}/status").read_text())
            memory += int(found[1]) if found else 0
            files += len(os.listdir(f"/proc/{one}/fd"))
    return memory >> 10, files


def _family(pid: int) -> list[int]:
    found = [pid]
    for one in found:
        with suppress(OSError):
            for task in Path(f"/proc/{one}/task").iterdir():
                found += [int(child) for child in (task / "children").read_text().split()]
    return found
