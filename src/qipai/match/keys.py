"""The secret of a match: its seed, the commitment to it, and the generator words drawn from it.

Every action gets words of its own, so that what has been seen tells nothing of what comes.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import struct

from qipai.core.errors import BadSeed

SEED_BYTES = 32
PREFIX = b"qipai/1/"

Words = tuple[int, int, int, int]


def check_seed(seed: bytes | None) -> bytes:
    """`seed` when it is 32 bytes, a fresh one from the system's secure source when it is None."""
    if seed is None:
        return secrets.token_bytes(SEED_BYTES)
    if not isinstance(seed, bytes) or len(seed) != SEED_BYTES:
        raise BadSeed(f"the seed of a match is {SEED_BYTES} bytes")
    return seed


def commitment(seed: bytes) -> str:
    """What is public from the start and binds the dealer to the seed."""
    return hashlib.sha256(PREFIX + b"commit" + seed).hexdigest()


def deal_words(seed: bytes) -> Words:
    """Generator words for the deal."""
    return _words(seed, b"deal")


def action_words(seed: bytes, ply: int) -> Words:
    """Generator words for the action before which `ply` actions were applied."""
    return _words(seed, b"act/%d" % ply)


def hand_seed(seed: bytes, hand: int) -> bytes:
    """The seed of one hand of a series that has a seed of its own."""
    return hmac.digest(seed, PREFIX + b"hand/%d" % hand, "sha256")


def _words(seed: bytes, label: bytes) -> Words:
    found: Words = struct.unpack("<4I", hmac.digest(seed, PREFIX + label, "sha256")[:16])
    return found
