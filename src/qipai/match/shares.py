"""The shares of a seed: what the server and the people at a table contribute to it.

The server commits to its share first, then every person to theirs; only then are the shares of people
revealed. The seed of the hand is a hash over all of them, so no side can choose it. The page
"Records" of the documentation has the formulas.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from .keys import PREFIX, commitment


@dataclass(frozen=True)
class Share:
    """The share of one person. Without `reveal` it was withheld, and it does not count."""

    seat: int
    commitment: str | None  # None: not even a commitment arrived in time
    reveal: bytes | None = field(repr=False)


@dataclass(frozen=True)
class Shares:
    """The server's share, its commitment, and one share per person who was asked, in the order of seats."""

    seed: bytes = field(repr=False)
    commitment: str
    seats: tuple[Share, ...]

    @property
    def withheld(self) -> list[int]:
        """The seats whose share was left out."""
        return [share.seat for share in self.seats if share.reveal is None]

    def combined(self) -> bytes:
        """Return the seed of the hand."""
        parts = (bytes([s.seat]) + s.reveal for s in self.seats if s.reveal is not None)
        return sha256(PREFIX + b"combine" + self.seed + b"".join(parts)).digest()

    def to_json(self) -> dict[str, Any]:
        """Return the written form. It contains the server's share: keep it from players."""
        seats = [
            {
                "seat": s.seat,
                "commitment": s.commitment,
                "reveal": None if s.reveal is None else s.reveal.hex(),
            }
            for s in self.seats
        ]
        return {"seed": self.seed.hex(), "commitment": self.commitment, "seats": seats}


def share_commitment(server: str, seat: int, reveal: bytes) -> str:
    """Return the commitment of a seat to its share, which holds for one server commitment and seat only."""
    return sha256(PREFIX + f"share/{server}/{seat}/".encode() + reveal).hexdigest()


def gather(
    seed: bytes, asked: Iterable[int], commits: Mapping[int, str | None], reveals: Mapping[int, bytes | None]
) -> Shares:
    """Return the shares after an exchange; a seat without an entry withheld."""
    seats = tuple(Share(seat, commits.get(seat), reveals.get(seat)) for seat in sorted(asked))
    return Shares(seed, commitment(seed), seats)


def check_shares(shares: Shares, seed: bytes, seats: int) -> list[str]:
    """Return what is wrong with the shares of a hand with this seed and number of seats."""
    wrong = []
    if commitment(shares.seed) != shares.commitment:
        wrong.append("the server's share does not match its commitment")
    for share in shares.seats:
        if share.seat >= seats:
            wrong.append(f"there is no seat {share.seat} that could contribute a share")
        elif share.reveal is not None:
            if share_commitment(shares.commitment, share.seat, share.reveal) != share.commitment:
                wrong.append(f"the share of seat {share.seat} does not match its commitment")
    if shares.combined() != seed:
        wrong.append("the seed does not follow from the shares")
    return wrong
