"""Addresses for invitations: only where other machines can open the server."""

from __future__ import annotations

import socket
from pathlib import Path

import httpx
import pytest

from qipai.server.http import reach
from qipai.server.settings import Settings
from tests.server.live import live


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand on a machine with these addresses."""
    monkeypatch.setattr(
        reach, "own_addresses", lambda: ["192.168.1.5", "127.0.1.1", "169.254.7.7", "10.0.0.2"]
    )


def test_a_server_for_everyone_names_addresses_of_the_network() -> None:
    assert reach.addresses(Settings(), 8140) == ["http://192.168.1.5:8140", "http://10.0.0.2:8140"]


@pytest.mark.parametrize("settings", [Settings(hosts=("localhost",)), Settings(proxies=("127.0.0.1",))])
def test_a_server_for_this_machine_or_behind_a_proxy_names_none(settings: Settings) -> None:
    assert reach.addresses(settings, 8140) == []


def test_a_machine_without_a_network_has_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()

    def broken(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(socket, "gethostbyname_ex", broken)
    monkeypatch.setattr(socket.socket, "connect", broken)
    assert reach.own_addresses() == []


def test_the_page_asks_for_them(tmp_path: Path) -> None:
    with live(tmp_path) as server:
        port = server.address.rpartition(":")[2]
        found = httpx.get(f"{server.address}/api/reach").json()
        relayed = httpx.get(f"{server.address}/api/reach", headers={"x-forwarded-for": "203.0.113.5"}).json()
        assert relayed == {"addresses": []}  # a visitor is not told private addresses
        assert found == {"addresses": [f"http://192.168.1.5:{port}", f"http://10.0.0.2:{port}"]}
