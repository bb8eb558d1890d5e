"""Health and metrics."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.server.live import Live, live, until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with live(tmp_path_factory.mktemp("server"), tables_per_minute=30, rate=20.0, burst=40) as found:
        until(lambda: found.hall.catalog.ready("nana"))
        yield found


@pytest.fixture(scope="module")
def http(server: Live) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.address) as client:
        yield client


def test_health_metrics_and_the_api_document(http: httpx.Client) -> None:
    assert http.get("/healthz").json() == {"status": "ok"}
    lines = http.get("/metrics").text.splitlines()
    assert any(line.startswith("qipai_actions_total ") for line in lines)
    assert all(line.startswith(("#", "qipai_")) for line in lines)
    document = http.get("/api/openapi.json").json()
    assert {"/api/tables", "/api/me", "/api/history", "/api/lessons/{game}"} <= set(document["paths"])
    for path, methods in document["paths"].items():
        for method in methods.values():
            assert method["responses"]["200"]["content"], path
            problem = method["responses"]["default"]["content"]["application/json"]["schema"]
            assert problem == {"$ref": "#/components/schemas/Problem"}, path
    assert http.get("/docs").status_code == 404


def test_metrics_are_for_the_servers_own_machine(http: httpx.Client) -> None:
    """The numbers of rows and messages would reveal to players that a seat is asked in a window."""
    for address in ("203.0.113.9", "127.0.0.1"):  # the second one as a client would forge it
        answer = http.get("/metrics", headers={"x-forwarded-for": address})
        assert answer.status_code == 404 and "qipai_" not in answer.text
