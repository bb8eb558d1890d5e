"""The order of the tests, and fixtures of several folders: a Ray cluster of two nodes, one core each."""

from __future__ import annotations

import os
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from numba.core import event

from . import required

ROOT = Path(__file__).parents[1]
LOOPBACK = "127.0.0.1"
# Read when Ray is imported: without it a driver reaches "127.0.0.1" by the machine's outward address.
os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"


class Untraced(event.Listener):
    """Pauses the tracer of the line coverage while Numba compiles, which would take twice as long with it.

    Functions that wait for the compiler are not traced to their end, so the coverage is never overstated.
    """

    def __init__(self) -> None:
        self.thread = threading.local()

    def on_start(self, event: event.Event) -> None:
        depth = getattr(self.thread, "depth", 0)
        self.thread.depth = depth + 1
        if depth == 0:
            self.thread.tracer = sys.gettrace()
            sys.settrace(None)

    def on_end(self, event: event.Event) -> None:
        self.thread.depth -= 1
        if self.thread.depth == 0:
            sys.settrace(self.thread.tracer)
            _call()


def _call() -> None:
    """Do nothing: the tracer of `coverage` goes on at the first call, so the returns after it are seen."""


def pytest_configure(config: pytest.Config) -> None:
    required.register(config)
    if config.pluginmanager.hasplugin("_cov"):
        register: Any = event.register  # not annotated by Numba
        register("numba:compile", Untraced())


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run files with slow tests first, and slow tests without the tracer of the line coverage.

    A long file that starts last keeps one worker busy while the others are idle. A slow test plays many
    games: the tracer would double the time of all that is not compiled, and other tests cover the same lines.
    """
    slow = [item for item in items if item.get_closest_marker("slow")]
    files = {item.path for item in slow}
    items.sort(key=lambda item: item.path not in files)
    if config.pluginmanager.hasplugin("_cov"):
        for item in slow:
            item.add_marker("no_cover")


@pytest.fixture(scope="session")
def ray_address() -> Iterator[str]:
    """Return the address of the cluster, or skip the test where Ray is not installed."""
    pytest.importorskip("ray", reason="Ray is not installed (pip install 'qipai[ray]')")
    os.environ["RAY_ENABLE_UV_RUN_RUNTIME_ENV"] = "0"
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"
    # Workers import the tests' functions by name.
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), *([before] if before else [])])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import ray
        from ray.cluster_utils import Cluster

        node: dict[str, Any] = {
            "num_cpus": 1,
            "num_gpus": 0,
            "object_store_memory": 100 << 20,
            "include_dashboard": False,
        }
        node["node_ip_address"] = LOOPBACK
        cluster = Cluster(initialize_head=True, head_node_args=node)
        cluster.add_node(**{k: v for k, v in node.items() if k != "include_dashboard"})
        ray.init(address=cluster.address, log_to_driver=False, logging_level="error", namespace="qipai")
        assert cluster.address.startswith(f"{LOOPBACK}:")
        cluster.wait_for_nodes()
    yield cluster.address
    ray.shutdown()
    cluster.shutdown()
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before
