"""The shares of a seed: nobody alone chooses it, and a record shows who contributed and who withheld."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from qipai.cli import main
from qipai.core.errors import BadRecord
from qipai.match import Match, RecordWriter, Series, Share, Shares, check_record, parse_record, resume
from qipai.match.keys import commitment
from qipai.match.shares import check_shares, gather, share_commitment
from tests.toys import PRIZES, play

SERVER = bytes([0x11]) * 32
SECRET = bytes([0x22]) * 32
# front/src/lib/shares.test.ts has the same numbers.
COMMITMENT = "ffeac2de17a7478490f14cd0bdd0c0d72a595c9d436ab216b56aa9af8452fdf8"
SHARE_COMMITMENT = "6c0135c0c3e7f6c14a49aceee8beb8a23f24e885f1ccd67d7d5c3eeec9b084f4"
SEED = "8d9f7833f79dc46f057cc344ad0c029144fe4ecb19d7ed4802d159cdac8c256a"


def given(*seats: int, withheld: tuple[int, ...] = ()) -> Shares:
    """Return shares of these seats, each of its own random bytes."""
    reveals = {seat: bytes([0x22 + seat]) * 32 for seat in seats}
    commits = {seat: share_commitment(COMMITMENT, seat, secret) for seat, secret in reveals.items()}
    return gather(SERVER, (*seats, *withheld), commits, reveals)


@pytest.fixture
def lines(tmp_path: Path) -> list[dict[str, Any]]:
    path = tmp_path / "m.jsonl"
    match = Match(PRIZES, shares=given(0, withheld=(1,)))
    RecordWriter(path, play(match, Random(1)), sync=False).close()
    return [json.loads(line) for line in path.read_text().splitlines()]


def written(lines: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def test_the_formulas_are_what_the_page_says() -> None:
    assert commitment(SERVER) == COMMITMENT
    text = f"qipai/1/share/{COMMITMENT}/2/".encode() + SECRET
    assert share_commitment(COMMITMENT, 2, SECRET) == hashlib.sha256(text).hexdigest() == SHARE_COMMITMENT
    whole = b"qipai/1/combine" + SERVER + b"\x02" + SECRET
    shares = Shares(SERVER, COMMITMENT, (Share(2, SHARE_COMMITMENT, SECRET),))
    assert shares.combined().hex() == hashlib.sha256(whole).hexdigest() == SEED


def test_every_share_changes_the_seed_and_a_withheld_one_does_not() -> None:
    seeds = [given(*seats).combined() for seats in ((), (0,), (1,), (0, 1))]
    assert len(set(seeds)) == 4
    assert given(0, withheld=(1,)).combined() == given(0).combined()
    assert given(0, withheld=(1,)).withheld == [1]


def test_a_match_is_dealt_from_its_shares() -> None:
    shares = given(0, 1)
    match = Match(PRIZES, shares=shares)
    assert match.head()["seed"] == shares.combined().hex() and match.shares == shares
    assert Match.load(match.dump()).shares == shares
    assert match.copy().shares == shares
    series = Series(PRIZES, shares=shares)
    assert series.match.shares == shares
    play(series.match, Random(1))
    assert series.next(given(0)).shares == given(0)


def test_a_record_carries_its_shares_and_verifies(lines: list[dict[str, Any]]) -> None:
    record = parse_record(written(lines))
    assert record.head.shares == given(0, withheld=(1,))
    assert check_record(record)[1] == []
    assert "shares" not in Match(PRIZES).head()


def test_a_resumed_file_keeps_its_shares(lines: list[dict[str, Any]], tmp_path: Path) -> None:
    path = tmp_path / "resumed.jsonl"
    path.write_bytes(written(lines[:4]))
    match, writer, _ = resume(path, sync=False)
    assert match.shares == given(0, withheld=(1,))
    play(match, Random(2))
    writer.save()
    writer.close()
    assert check_record(parse_record(path.read_bytes()))[1] == []


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"seed": "00" * 32}, "server's share"),
        ({"commitment": "00" * 32}, "server's share"),
        ({"seats": []}, "does not follow"),
        ({"seats": [{"seat": 0, "commitment": "00" * 32, "reveal": "22" * 32}]}, "share of seat 0"),
        ({"seats": [{"seat": 0, "commitment": "00" * 32, "reveal": None}]}, "does not follow"),
        ({"seats": [{"seat": 9, "commitment": None, "reveal": None}]}, "no seat 9"),
    ],
)
def test_a_part_that_does_not_fit_is_named(
    lines: list[dict[str, Any]], change: dict[str, Any], word: str
) -> None:
    lines[0]["shares"].update(change)
    _, wrong = check_record(parse_record(written(lines)))
    assert any(word in text for text in wrong), wrong
    doc = play(Match(PRIZES, shares=given(0, withheld=(1,))), Random(1)).dump()
    doc["shares"].update(change)
    with pytest.raises(BadRecord):
        Match.load(doc)


@pytest.mark.parametrize(
    "shares",
    [
        None,
        [],
        {},
        {"seed": "00" * 32, "commitment": "00" * 32},
        {"seed": "0", "commitment": "00" * 32, "seats": []},
        {"seed": "00" * 32, "commitment": "00" * 32, "seats": None},
        {"seed": "00" * 32, "commitment": "00" * 32, "seats": [None]},
        {"seed": "00" * 32, "commitment": "00" * 32, "seats": [{"seat": 0}]},
        {
            "seed": "00" * 32,
            "commitment": "00" * 32,
            "seats": [{"seat": 0, "commitment": None, "reveal": "00" * 32}],
        },
        {
            "seed": "00" * 32,
            "commitment": "00" * 32,
            "seats": [{"seat": s, "commitment": None, "reveal": None} for s in (1, 0)],
        },
        {
            "seed": "00" * 32,
            "commitment": "00" * 32,
            "seats": [{"seat": 200, "commitment": None, "reveal": None}],
        },
    ],
)
def test_malformed_shares_are_refused(lines: list[dict[str, Any]], shares: Any) -> None:
    lines[0]["shares"] = shares
    with pytest.raises(BadRecord):
        parse_record(written(lines))


def test_the_chain_covers_the_shares(lines: list[dict[str, Any]]) -> None:
    """A record whose shares were taken away is not an older one: its links say otherwise."""
    del lines[0]["shares"]
    assert any("hash chain" in text for text in check_record(parse_record(written(lines)))[1])


def test_the_command_says_who_contributed(
    lines: list[dict[str, Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "shared.jsonl"
    path.write_bytes(written(lines))
    assert main(["verify", str(path)]) == 0
    assert "deal drawn by the server and seat 0, seat 1 withheld" in capsys.readouterr().out
    lines[0]["shares"]["seats"][0]["reveal"] = "00" * 32
    path.write_bytes(written(lines))
    assert main(["verify", str(path)]) == 1
    assert "share of seat 0" in capsys.readouterr().out


def test_a_seat_cannot_copy_the_commitment_of_another() -> None:
    copied = Shares(
        SERVER,
        COMMITMENT,
        tuple(Share(seat, share_commitment(COMMITMENT, 0, SECRET), SECRET) for seat in (0, 1)),
    )
    assert check_shares(copied, copied.combined(), 2) == ["the share of seat 1 does not match its commitment"]
