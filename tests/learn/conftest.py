"""The Ray cluster of tests/cluster, for the tests of training on it."""

from __future__ import annotations

from tests.cluster.conftest import ray_address

__all__ = ["ray_address"]
