"""Fixtures of several folders: a Ray cluster of two nodes on this machine, one core each."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
LOOPBACK = "127.0.0.1"
# Read when Ray is imported: without it a driver reaches "127.0.0.1" by the machine's outward address.
os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"


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
