"""The signing key: made once, kept from others, replaced without losing the old one's public part."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519, rsa
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, NoEncryption
from cryptography.hazmat.primitives.serialization import PrivateFormat as Format

from qipai.match import Trust
from qipai.server.refusals import BadServer
from qipai.server.signing import Signer, key_path
from qipai.server.store.store import Store
from tests.server.live import live
from tests.server.postgres import WHY, binaries, postgres

CHAIN = "ab" * 32


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(f"sqlite:///{tmp_path}/server.db")


def test_a_key_is_made_once_next_to_the_database_and_for_its_owner_only(store: Store) -> None:
    first = Signer(store)
    path = key_path(store)
    assert path is not None and path.name == "server.db.key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert Signer(store).key == first.key
    assert [p.name for p in path.parent.glob("*.key*")] == [path.name], "nothing else is left"
    assert first.sign(CHAIN).check(CHAIN) is Trust.SIGNED
    assert first.sign(CHAIN).check("00" * 32) is Trust.FALSE
    store.close()


def test_a_link_to_the_database_leads_to_the_same_key(store: Store, tmp_path: Path) -> None:
    key = Signer(store).key
    store.close()
    (tmp_path / "links").mkdir()
    link = tmp_path / "links" / "other.db"
    link.symlink_to(tmp_path / "server.db")
    linked = Store(f"sqlite:///{link}")
    assert Signer(linked).key == key
    assert list(tmp_path.rglob("*.key")) == [tmp_path / "server.db.key"]
    linked.close()


def test_a_replaced_key_stays_published(store: Store) -> None:
    old = Signer(store)
    path = key_path(store)
    assert path is not None
    path.unlink()
    new = Signer(store)
    assert new.key != old.key and new.knows(old.key) and new.knows(new.key) and not new.knows("00" * 32)
    assert old.knows(new.key), "another worker learns of it"
    published = new.published()
    assert published["key"] == new.key
    assert [item["key"] for item in published["keys"]] == [old.key, new.key]
    store.close()


def test_a_key_may_be_given_as_a_file(store: Store, tmp_path: Path) -> None:
    key = ed25519.Ed25519PrivateKey.generate()
    path = tmp_path / "given.pem"
    path.write_bytes(key.private_bytes(Encoding.PEM, Format.PKCS8, NoEncryption()))
    path.chmod(0o600)
    assert Signer(store, str(path)).key == key.public_key().public_bytes_raw().hex()
    made = tmp_path / "made.pem"
    assert Signer(store, str(made)).key == Signer(store, str(made)).key
    store.close()


def test_a_bad_key_is_refused_by_name(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "bad.pem"
    good = ed25519.Ed25519PrivateKey.generate()
    other = rsa.generate_private_key(65537, 2048).private_bytes(Encoding.PEM, Format.PKCS8, NoEncryption())
    locked = good.private_bytes(Encoding.PEM, Format.PKCS8, BestAvailableEncryption(b"x"))
    for data, word in ((b"", "PEM"), (b"x" * 99, "PEM"), (other, "Ed25519"), (locked, "PEM")):
        path.write_bytes(data)
        path.chmod(0o600)
        with pytest.raises(BadServer, match=word):
            Signer(store, str(path))
    path.write_bytes(good.private_bytes(Encoding.PEM, Format.PKCS8, NoEncryption()))
    path.chmod(0o640)
    with pytest.raises(BadServer, match="chmod 600"):
        Signer(store, str(path))
    with pytest.raises(BadServer, match="cannot be read"):
        Signer(store, str(tmp_path / "none" / "key"))
    store.close()


def test_workers_on_postgresql_share_one_key() -> None:
    if binaries() is None:
        pytest.skip(WHY)
    with postgres() as url:
        one, two = Store(url), Store(url)
        assert Signer(one).key == Signer(two).key and key_path(one) is None
        one.close()
        two.close()


def test_the_public_key_has_its_address(tmp_path: Path) -> None:
    with live(tmp_path) as server, server.person() as ann:
        answer = ann.http.get("/.well-known/qipai-key.json")
        assert answer.status_code == 200 and answer.headers["content-type"] == "application/json"
        found = answer.json()
        assert found["algorithm"] == "Ed25519" and found["key"] == server.hall.signer.key
        private = key_path(server.hall.store)
        assert private is not None
        assert private.read_text().splitlines()[1] not in json.dumps(found)
