"""The secret of a match: its seed, the commitment to it, and the generator words derived from it.

Every action gets its own words, so that past random numbers reveal nothing about future ones.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import struct
from hashlib import sha256

from qipai.core.errors import BadSeed

SEED_BYTES = 32
BLOCK = 64  # block size of SHA-256 in bytes
PREFIX = b"qipai/1/"

Words = tuple[int, int, int, int]
_unpack = struct.Struct("<4I16x").unpack  # the first half of a digest


def check_seed(seed: bytes | None) -> bytes:
    """Return `seed` if it is 32 bytes; if it is None, draw one from the system's secure source."""
    if seed is None:
        return secrets.token_bytes(SEED_BYTES)
    if not isinstance(seed, bytes) or len(seed) != SEED_BYTES:
        raise BadSeed(f"the seed of a match must be {SEED_BYTES} bytes")
    return seed


def commitment(seed: bytes) -> str:
    """Return the commitment to the seed, which is public from the start and binds the dealer to it."""
    return hashlib.sha256(PREFIX + b"commit" + seed).hexdigest()


def deal_words(seed: bytes) -> Words:
    """Return generator words for the deal."""
    return _words(seed, b"deal")


class ActionWords:
    """The generator words of a match's actions.

    They are HMAC-SHA-256 under the seed. The two padded keys of RFC 2104 are the same for every action,
    so they are computed once.
    """

    __slots__ = ("_inner", "_outer")

    def __init__(self, seed: bytes) -> None:
        key = check_seed(seed).ljust(BLOCK, b"\0")
        self._inner = bytes(x ^ 0x36 for x in key) + PREFIX
        self._outer = bytes(x ^ 0x5C for x in key)

    def __call__(self, ply: int) -> Words:
        """Return the words for the action before which `ply` actions were applied."""
        inner = sha256(b"%bact/%d" % (self._inner, ply)).digest()
        found: Words = _unpack(sha256(self._outer + inner).digest())
        return found


def action_words(seed: bytes, ply: int) -> Words:
    """Return generator words for the action before which `ply` actions were applied."""
    return ActionWords(seed)(ply)


def hand_seed(seed: bytes, hand: int) -> bytes:
    """Return the seed of one hand in a series that has a seed."""
    return hmac.digest(seed, PREFIX + b"hand/%d" % hand, "sha256")


def _words(seed: bytes, label: bytes) -> Words:
    found: Words = _unpack(hmac.digest(seed, PREFIX + label, "sha256"))
    return found
