"""The page's files."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from qipai.server.http import pages
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


def test_every_address_of_the_page_answers_with_it(http: httpx.Client, server: Live) -> None:
    for path in ("/", "/play/nana", "/table/abc", "/replay/abc", "/rules/nana", "/history", "/learn/nana"):
        answer = http.get(path)
        if (pages.SITE / "index.html").exists():
            assert answer.status_code == 200 and "<html" in answer.text
        else:
            assert answer.status_code == 503 and "npm" in answer.text


def test_a_link_preview_names_whole_addresses(http: httpx.Client, server: Live) -> None:
    if (pages.SITE / "index.html").exists():
        assert f'content="{server.address}/preview.jpg"' in http.get("/table/abc").text
