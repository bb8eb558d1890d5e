"""The key with which this server signs finished hands, and the public keys it has used before.

With SQLite the key is a file next to the database, with PostgreSQL a row, because several machines may share
it; `key_file` names a file instead. Public keys are also kept as rows, so that they are published after the
key was replaced.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from sqlalchemy import Connection, select

from qipai.match.signature import Signature, signed_bytes

from .refusals import BadServer
from .store.rows import KEYS
from .store.store import Store

NAME = "signing"  # of the private key, among the keys in the database
PUBLIC = "signed/"  # prefix of the public keys there


class Signer:
    """Signs hands. Raises `BadServer` if the key cannot be read or made."""

    def __init__(self, store: Store, key_file: str = "") -> None:
        self._store = store
        self._key = _private_key(store, key_file)
        self.key = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()
        self._since = _remember(store, self.key)  # of every key: when it was first used

    def sign(self, chain: str) -> Signature:
        """Return the signature of a hand, from the last link of its hash chain."""
        return Signature(self.key, self._key.sign(signed_bytes(chain)).hex())

    def knows(self, key: str) -> bool:
        """Return whether this server signs with that key, or did before."""
        if key not in self._since:  # another worker may have been given a new one
            self._since = _public_keys(self._store)
        return key in self._since

    def published(self) -> dict[str, Any]:
        """Return the public keys as they are published: the current one, and all with their first use."""
        keys = [{"key": key, "since": since} for key, since in _public_keys(self._store).items()]
        return {"algorithm": "Ed25519", "key": self.key, "keys": keys}


def key_path(store: Store) -> Path | None:
    """Return where the key lies by default: next to a SQLite file, not to a link to it; else None."""
    if store.shared:
        return None
    path = Path(store.engine.url.database or "").resolve()
    return path.with_name(f"{path.name}.key")


def _private_key(store: Store, key_file: str) -> Ed25519PrivateKey:
    path = Path(key_file) if key_file else key_path(store)
    if path is None:
        return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(store.key(NAME)))
    try:
        if not path.exists():
            _make(path)
        if os.name == "posix" and path.stat().st_mode & 0o077:
            raise BadServer(f"the signing key {path.name} is open to others: chmod 600 it")
        found = load_pem_private_key(path.read_bytes(), None)
    except OSError as error:
        raise BadServer(f"the signing key cannot be read: {error.strerror}") from error
    except (TypeError, ValueError) as error:
        raise BadServer(f"the signing key {path.name} is not an unencrypted PEM file") from error
    if not isinstance(found, Ed25519PrivateKey):
        raise BadServer(f"the signing key {path.name} is not an Ed25519 key")
    return found


def _make(path: Path) -> None:
    """Write a new key, whole or not at all; one that another process made meanwhile stays."""
    pem = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    fd, name = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")  # with mode 0600
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(pem)
            file.flush()
            os.fsync(fd)
        with suppress(FileExistsError):
            os.link(name, path)
    finally:
        os.unlink(name)


def _remember(store: Store, key: str) -> dict[str, float]:
    """Store the public key; return all that were ever used."""
    if key not in _public_keys(store):
        doc = json.dumps({"key": key, "since": round(time.time(), 1)})
        store.put_key(f"{PUBLIC}{key[:32]}", doc)
    return _public_keys(store)


def _public_keys(store: Store) -> dict[str, float]:
    """Return every public key that was ever used, oldest first, with the time of its first use."""

    def read(connection: Connection) -> list[str]:
        return list(connection.execute(select(KEYS.c.value).where(KEYS.c.name.startswith(PUBLIC))).scalars())

    found = {str(doc["key"]): float(doc["since"]) for doc in map(json.loads, store.read_now(read))}
    return dict(sorted(found.items(), key=lambda pair: pair[1]))
