"""Signatures: an intact record, a signed one, one with a false signature and an older one are told apart."""

from __future__ import annotations

import builtins
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from qipai.cli import main
from qipai.core.errors import BadRecord
from qipai.match import Match, RecordWriter, Signature, Trust, check_record, parse_record, signature_of
from qipai.match.signature import read_keys
from tests.match.tampering import KEY, rechained, signed
from tests.toys import PRIZES, SEED, play

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def match() -> Match:
    return play(Match(PRIZES, seed=SEED), Random(1))


@pytest.fixture
def path(match: Match, tmp_path: Path) -> Path:
    found = tmp_path / "signed.jsonl"
    found.write_bytes(signed(match))
    return found


def without_library(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def missing(name: str, *rest: Any) -> Any:
        if name.startswith("cryptography"):
            raise ModuleNotFoundError(name=name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", missing)


def verify(capsys: Capture, *arguments: object) -> tuple[int, str]:
    status = main(["verify", *map(str, arguments)])
    return status, capsys.readouterr().out


def test_a_signed_record_is_said_to_be(path: Path, capsys: Capture) -> None:
    assert signature_of(parse_record(path.read_bytes())) is Trust.SIGNED
    status, said = verify(capsys, path)
    assert status == 0 and f"hash chain intact, signed by {KEY}" in said


def test_an_intact_record_without_a_signature_is_told_apart(
    match: Match, tmp_path: Path, capsys: Capture
) -> None:
    path = tmp_path / "own.jsonl"
    RecordWriter(path, match, sync=False).close()
    status, said = verify(capsys, path)
    assert status == 0 and "hash chain intact, not signed" in said


def test_a_recomputed_chain_does_not_match_the_signature(path: Path, capsys: Capture) -> None:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    lines[0]["seed"] = lines[-1]["seed"] = "00" * 32  # anything that the chain covers
    path.write_bytes(rechained(lines))
    status, said = verify(capsys, path)
    assert status == 1 and "the signature does not match" in said


@pytest.mark.parametrize("change", [{"signature": "00" * 64}, {"key": "00" * 32}, {"key": "ff" * 32}])
def test_a_false_signature_is_told(path: Path, capsys: Capture, change: dict[str, str], match: Match) -> None:
    lines = path.read_text().splitlines()
    lines[-1] = json.dumps({**json.loads(lines[-1]), **change})
    path.write_text("\n".join(lines) + "\n")
    status, said = verify(capsys, path)
    assert status == 1 and "the signature does not match" in said
    end = json.loads(lines[-1])
    with pytest.raises(BadRecord, match="signature does not match"):
        Match.load({**match.dump(), "key": end["key"], "signature": end["signature"]})


@pytest.mark.parametrize(
    "change",
    [{"signature": None}, {"signature": "x"}, {"key": "A" * 64}, {"key": 1}, {"signature": "0" * 127}],
)
def test_a_malformed_signature_is_refused(path: Path, change: dict[str, Any], match: Match) -> None:
    lines = path.read_text().splitlines()
    end = {**json.loads(lines[-1]), **change}
    lines[-1] = json.dumps(end)
    with pytest.raises(BadRecord, match=r"'key'|'signature'"):
        parse_record(("\n".join(lines) + "\n").encode())
    with pytest.raises(BadRecord, match=r"'key'|'signature'"):
        Match.load({**match.dump(), "key": end["key"], "signature": end["signature"]})


def test_a_signature_needs_the_chain(path: Path) -> None:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    bare = [{k: v for k, v in line.items() if k not in ("link", "chain")} for line in lines]
    with pytest.raises(BadRecord, match="over the hash chain"):
        parse_record("".join(json.dumps(line) + "\n" for line in bare).encode())


def test_a_signed_dump_loads(match: Match) -> None:
    end = json.loads(signed(match).splitlines()[-1])
    assert Match.load({**match.dump(), "key": end["key"], "signature": end["signature"]}).over


def test_without_the_library_a_record_loads_and_verify_says_so(
    path: Path, match: Match, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_library(monkeypatch)
    record = parse_record(path.read_bytes())
    assert signature_of(record) is Trust.UNCHECKED and check_record(record)[1] == []
    status, said = verify(capsys, path)
    assert status == 0 and "signature not checked" in said and "signed by" not in said
    status, said = verify(capsys, "--key", KEY, path)
    assert status == 2 and "signature not checked" in said


def test_a_pinned_key_refuses_every_other(path: Path, match: Match, tmp_path: Path, capsys: Capture) -> None:
    other = Ed25519PrivateKey.generate().public_key().public_bytes_raw().hex()
    assert verify(capsys, "--key", KEY, path)[0] == verify(capsys, "--key", KEY.upper(), path)[0] == 0
    status, said = verify(capsys, "--key", other, path)
    assert status == 1 and "another key" in said and KEY in said
    own = tmp_path / "own.jsonl"
    RecordWriter(own, match, sync=False).close()
    status, said = verify(capsys, "--key", KEY, own)
    assert status == 1 and "not signed" in said


def test_a_key_may_come_from_a_file(path: Path, tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "key"
    published = {"algorithm": "Ed25519", "key": "00" * 32, "keys": [{"key": KEY, "since": 1.0}]}
    for text in (f"{KEY}\n", json.dumps(published), f"{'00' * 32}\n{KEY}"):
        file.write_text(text)
        assert KEY in read_keys(str(file))
        assert verify(capsys, "--key", file, path)[0] == 0
    for text in ("", "{}", "nothing", '{"key": 1}', "[]"):
        file.write_text(text)
        with pytest.raises(BadRecord, match="--key"):
            read_keys(str(file))
    with pytest.raises(BadRecord, match="--key"):
        read_keys(str(tmp_path / "none"))


def test_a_signature_is_for_its_chain_alone(match: Match) -> None:
    end = json.loads(signed(match).splitlines()[-1])
    signature = Signature(end["key"], end["signature"])
    assert signature.check(match.chain) is Trust.SIGNED
    assert signature.check("00" * 32) is Trust.FALSE
