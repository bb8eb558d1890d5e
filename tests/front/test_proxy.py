"""The page through a real nginx with TLS: WebSockets, the Secure cookie, addresses, what stays closed."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from socket import create_connection
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from qipai.server.store.guests import HOST_COOKIE
from tests.deploy.proxy import NAME, WHY, Certificates, nginx, proxied
from tests.server.live import Live, live, until

from .conftest import ARGS, BROWSERS, missing
from .driver import quick_game

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(nginx() is None and os.environ.get("CI") != "true", reason=WHY),
]
Behind = tuple[Live, Certificates, int, int]


@pytest.fixture(scope="module")
def behind(site: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Behind]:
    """Yield a server, and the certificates and ports of the nginx in front of it."""
    folder: Path = tmp_path_factory.mktemp("proxy")
    with live(folder, proxies=("127.0.0.1",), hosts=(NAME,)) as server, proxied(folder, server.port) as found:
        yield server, *found


def client(found: Certificates, port: int, **headers: str) -> httpx.Client:
    """Return a client that trusts the authority, and reaches the name at this machine."""

    class Here(httpx.HTTPTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            request.extensions = {**request.extensions, "sni_hostname": NAME}
            request.url = request.url.copy_with(host="127.0.0.1")
            return super().handle_request(request)

    base = f"https://{NAME}:{port}"
    return httpx.Client(transport=Here(verify=found.context), base_url=base, headers=headers, timeout=60)


def test_a_guest_gets_a_cookie_for_https_alone(behind: Behind) -> None:
    _, found, http, https = behind
    with client(found, https) as asker:
        answer = asker.get("/api/me")
        cookie = answer.headers["set-cookie"]
        assert answer.status_code == 200 and cookie.startswith(HOST_COOKIE) and "Secure" in cookie
        assert "strict-transport-security" in answer.headers
        assert asker.get("/metrics").status_code == 404
    plain = httpx.get(f"http://127.0.0.1:{http}/", headers={"host": NAME}, follow_redirects=False)
    assert plain.status_code == 301 and plain.headers["location"].startswith("https://")


def test_a_forged_address_is_replaced(behind: Behind) -> None:
    server, found, _, https = behind
    forged = {"X-Forwarded-For": "203.0.113.9", "Forwarded": "for=203.0.113.9", "X-Real-IP": "203.0.113.9"}
    with client(found, https, **forged) as asker:
        token = asker.get("/api/me").headers["set-cookie"].partition(";")[0]
    with connect(
        f"wss://{NAME}:{https}/ws/lobby",
        sock=create_connection(("127.0.0.1", https)),
        ssl=found.context,
        server_hostname=NAME,
        additional_headers={"Cookie": token, **forged},
    ) as socket:
        assert json.loads(socket.recv(30))["type"] == "lobby"
        until(lambda: server.hall.addresses)
        assert set(server.hall.addresses) == {"127.0.0.1"}


def test_a_page_plays_through_the_proxy(behind: Behind) -> None:
    server, found, _, https = behind
    path = next((there for name in BROWSERS if (there := shutil.which(name))), None)
    if path is None:
        missing("there is no Chromium (Debian: apt-get install chromium)")
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    trust = [
        f"--ignore-certificate-errors-spki-list={found.public_key}",
        f"--host-resolver-rules=MAP {NAME} 127.0.0.1",
    ]
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=[*ARGS, *trust])
        context = browser.new_context(locale="en-US")
        page = context.new_page()
        sockets: list[Any] = []
        errors: list[str] = []
        page.on("websocket", lambda socket: sockets.append(socket.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"https://{NAME}:{https}/")
        until(lambda: server.hall.catalog.ready("nana"))
        quick_game(page, "nana")
        assert page.evaluate("() => isSecureContext")
        assert any(url.startswith("wss://") and "/ws/table/" in url for url in sockets)
        cookies = {cookie["name"]: cookie for cookie in context.cookies()}
        assert cookies[HOST_COOKIE]["secure"] and cookies[HOST_COOKIE]["httpOnly"]
        assert errors == []
        browser.close()
