"""The addresses of this machine within its network, for invitations."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress

from ..settings import Settings

ELSEWHERE = ("192.0.2.1", 9)  # reserved for documentation: a route to it exists, nothing is sent


def addresses(settings: Settings, port: int | None) -> list[str]:
    """Return the server's addresses for other machines; none on this machine alone or behind a proxy."""
    if port is None or settings.hosts or settings.proxies:
        return []
    return [f"http://{ip}:{port}" for ip in own_addresses() if _is_useful(ip)]


def own_addresses() -> list[str]:
    """Return the IPv4 addresses of this machine, the one that leads outside first."""
    found: list[str] = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(ELSEWHERE)  # fails where there is no network
        found.append(probe.getsockname()[0])
    with suppress(OSError):  # the name of this machine may not be known
        found += socket.gethostbyname_ex(socket.gethostname())[2]
    return list(dict.fromkeys(found))


def _is_useful(ip: str) -> bool:
    address = ipaddress.ip_address(ip)
    return not (address.is_loopback or address.is_link_local or address.is_unspecified)
