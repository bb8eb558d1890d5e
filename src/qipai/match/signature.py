"""The signature of a record: Ed25519 over the last link of its hash chain, by the server that hosted it.

Checking needs the package `cryptography`, which the extra `serve` installs. Without it a record still loads.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qipai.core.errors import BadRecord, MissingExtra

from .keys import PREFIX

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

KEY = re.compile(r"[0-9a-f]{64}")
VALUE = re.compile(r"[0-9a-f]{128}")


class Trust(Enum):
    """What is known of a record's signature."""

    NONE = "not signed"
    UNCHECKED = "signature not checked"
    SIGNED = "signed"
    FALSE = "the signature does not match"


@dataclass(frozen=True)
class Signature:
    """A public key and a signature by it, both in hexadecimal."""

    key: str
    value: str

    def check(self, chain: str) -> Trust:
        """Return whether the key signed this last link; `UNCHECKED` without the package that can tell."""
        try:
            return Trust.SIGNED if verified(self, chain) else Trust.FALSE
        except MissingExtra:
            return Trust.UNCHECKED


def signed_bytes(chain: str) -> bytes:
    """Return what is signed, for the last link of a hash chain."""
    return PREFIX + b"sign" + bytes.fromhex(chain)


def verified(signature: Signature, chain: str) -> bool:
    """Return whether the signature is right. Raise `MissingExtra` without the package `cryptography`."""
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ModuleNotFoundError as error:
        raise MissingExtra("checking a signature needs cryptography: pip install 'qipai[serve]'") from error
    try:
        key: Ed25519PublicKey = Ed25519PublicKey.from_public_bytes(bytes.fromhex(signature.key))
        key.verify(bytes.fromhex(signature.value), signed_bytes(chain))
    except (InvalidSignature, ValueError):
        return False
    return True


def read_signature(doc: dict[str, Any], what: str) -> Signature | None:
    """Return the signature in a closing line or a dump, or None; raise `BadRecord` if it is malformed."""
    key, value = doc.get("key"), doc.get("signature")
    if key is None and value is None:
        return None
    if type(key) is not str or KEY.fullmatch(key) is None:
        raise BadRecord(f"{what}: 'key' is 64 hexadecimal digits")
    if type(value) is not str or VALUE.fullmatch(value) is None:
        raise BadRecord(f"{what}: 'signature' is 128 hexadecimal digits")
    return Signature(key, value)


def read_keys(given: str) -> frozenset[str]:
    """Return the public keys in hexadecimal digits, or in a file of them or of the server's JSON."""
    if KEY.fullmatch(given.lower()):
        return frozenset({given.lower()})
    try:
        data = Path(given).read_bytes()[: 1 << 16].decode()
    except (OSError, ValueError) as error:
        raise BadRecord("--key is 64 hexadecimal digits, or a file with them") from error
    try:
        doc = json.loads(data)
        found = [doc["key"], *(item["key"] for item in doc.get("keys", []))]
    except (ValueError, KeyError, TypeError, AttributeError):
        found = data.split()
    keys = [key.lower() for key in found if isinstance(key, str)]
    if not keys or not all(KEY.fullmatch(key) for key in keys):
        raise BadRecord("the file of --key holds no public key: 64 hexadecimal digits, or the server's JSON")
    return frozenset(keys)
