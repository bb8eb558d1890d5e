"""What a page does in the exchange before a deal: commit to random bytes, reveal them, check the outcome."""

from __future__ import annotations

import secrets
from typing import Any

from qipai.match.document import read_shares
from qipai.match.shares import check_shares, share_commitment


class Contributor:
    """The shares of one guest, by the commitment of the server."""

    def __init__(self) -> None:
        self.secrets: dict[str, bytes] = {}
        self.answers: set[tuple[str, str]] = set()  # server commitment and phase

    def answer(self, message: dict[str, Any], seat: int) -> dict[str, Any] | None:
        """Return the request that answers a `shares` message, if it asks this seat for something."""
        shares, phase, hand = message["shares"], message["phase"], message["hand"]
        server = shares["commitment"]
        own = next((share for share in shares["seats"] if share["seat"] == seat), None)
        if own is None or (server, phase) in self.answers or phase not in ("commit", "reveal"):
            return None
        secret = self.secrets.setdefault(server, secrets.token_bytes(32))
        wanted = share_commitment(server, seat, secret)
        if phase == "commit":
            wish = {"type": "commit", "hand": hand, "commitment": wanted}
        elif own["commitment"] == wanted:
            wish = {"type": "reveal", "hand": hand, "reveal": secret.hex()}
        else:
            return None
        self.answers.add((server, phase))
        return wish


def wrong(message: dict[str, Any], seed: str, seats: int) -> list[str]:
    """Return what is wrong with the last `shares` message of a hand with this seed."""
    assert message["phase"] == "over"
    return check_shares(read_shares(message["shares"]), bytes.fromhex(seed), seats)
