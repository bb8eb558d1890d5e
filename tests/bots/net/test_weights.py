"""The file of weights: what was written is read, and what is wrong with a file is said."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from qipai.bots.net.weights import ALIGN, DIGEST, MAGIC, read_container, read_header, write_container
from qipai.core.errors import BadWeights

HEADER = {"game": "xianqi", "note": "名前", "list": [1, 2.5, None]}
ARRAYS: dict[str, NDArray[Any]] = {
    "matrix": np.arange(6, dtype=np.float32).reshape(2, 3),
    "bytes": np.array([-1, 5], np.int8),
    "none": np.zeros((0, 4), np.int64),
    "one": np.array(7, np.uint64),
    "half": np.array([0.5], np.float16),
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "net.qnet"
    write_container(path, HEADER, ARRAYS)
    return path


def signed(data: bytes) -> bytes:
    """Return the same bytes with the digest that belongs to them."""
    return data[:-DIGEST] + hashlib.sha256(data[:-DIGEST]).digest()


def with_header(data: bytes, change: Any) -> bytes:
    """Return the file with its header changed, and signed again."""
    start = len(MAGIC) + 8
    length = int.from_bytes(data[len(MAGIC) : start], "little")
    header = json.loads(data[start : start + length])
    text = json.dumps(change(header)).encode()
    return signed(MAGIC + len(text).to_bytes(8, "little") + text + data[start + length :])


def test_what_was_written_is_read(file: Path) -> None:
    header, arrays = read_container(file)
    assert header == HEADER == read_header(file)
    assert list(arrays) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype and arrays[name].shape == array.shape
        assert np.array_equal(arrays[name], array)
        assert not arrays[name].flags.writeable


def test_arrays_lie_at_multiples_of_64_bytes_and_equal_contents_are_equal_files(file: Path) -> None:
    data = file.read_bytes()
    start = len(MAGIC) + 8
    header = json.loads(data[start : start + int.from_bytes(data[len(MAGIC) : start], "little")])
    for name, kind, shape, offset in header["arrays"]:
        assert offset % ALIGN == 0
        found = np.frombuffer(data, f"<{kind}", int(np.prod(shape)), offset)
        assert np.array_equal(found, ARRAYS[name].ravel())
    write_container(file.with_name("again.qnet"), HEADER, ARRAYS)
    assert file.with_name("again.qnet").read_bytes() == data


def test_arrays_of_any_order_and_byte_order_are_written_alike(tmp_path: Path, file: Path) -> None:
    other = {**ARRAYS, "matrix": np.asfortranarray(ARRAYS["matrix"]).astype(">f4")}
    write_container(tmp_path / "other.qnet", HEADER, other)
    assert (tmp_path / "other.qnet").read_bytes() == file.read_bytes()


@pytest.mark.parametrize("cut", [0, 5, len(MAGIC), len(MAGIC) + 4, 40, 200, -DIGEST - 1, -1])
def test_a_truncated_file_is_refused(file: Path, cut: int) -> None:
    file.write_bytes(file.read_bytes()[:cut])
    with pytest.raises(BadWeights, match=r"truncated|does not begin as one"):
        read_container(file)


def test_a_file_that_was_altered_anywhere_is_refused(file: Path) -> None:
    data = file.read_bytes()
    for at in (*range(0, len(data), 13), len(data) - 1):
        file.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        with pytest.raises(BadWeights):
            read_container(file)
    file.write_bytes(data + b"x")
    with pytest.raises(BadWeights, match="altered"):
        read_container(file)


def test_a_file_that_is_too_large_is_refused(file: Path) -> None:
    size = file.stat().st_size
    read_container(file, limit_bytes=size)
    with pytest.raises(BadWeights, match=f"larger than {size - 1} bytes"):
        read_container(file, limit_bytes=size - 1)


def test_a_pickle_is_refused_and_never_run(tmp_path: Path) -> None:
    class Hostile:
        def __reduce__(self) -> Any:
            return os.mkdir, (str(tmp_path / "run"),)

    path = tmp_path / "net.qnet"
    path.write_bytes(pickle.dumps(Hostile()))
    with pytest.raises(BadWeights, match="does not begin as one"):
        read_container(path)
    with pytest.raises(BadWeights, match="does not begin as one"):
        read_header(path)
    good = tmp_path / "good.qnet"
    write_container(good, {"x": 1}, {"a": np.frombuffer(pickle.dumps(Hostile()), np.uint8)})
    read_container(good)  # as bytes of an array it is bytes
    with pytest.raises(BadWeights, match="which the format does not support"):
        write_container(good, {}, {"a": np.array([Hostile()], object)})
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda h: [], "not a mapping"),
        (lambda h: {**h, "arrays": 3}, "without a list of arrays"),
        (lambda h: {**h, "arrays": [1]}, "not an array"),
        (lambda h: {**h, "arrays": [["a", "O", [1], 64]]}, "unknown type"),
        (lambda h: {**h, "arrays": [["a", "f4", [-1], 64]]}, "without a shape"),
        (lambda h: {**h, "arrays": [["a", "f4", [1 << 60], 64]]}, "without a shape"),
        (lambda h: {**h, "arrays": [["a", "f4", [1 << 40], 128]]}, "truncated|in the wrong place"),
        (lambda h: {**h, "arrays": [["a", "f4", [1], 3]]}, "in the wrong place"),
        (lambda h: {**h, "arrays": [["", "f4", [1], 64]]}, "without a unique name"),
        (lambda h: {**h, "arrays": 2 * [["a", "f4", [0], 192]]}, "without a unique name"),
    ],
)
def test_a_header_that_describes_no_arrays_is_refused(file: Path, change: Any, text: str) -> None:
    file.write_bytes(with_header(file.read_bytes(), change))
    with pytest.raises(BadWeights, match=text):
        read_container(file)


@pytest.mark.parametrize("text", [b"{", b"[" * 100_000, b'{"a": NaN}', b"\xff\xff", b"1" * 10_000])
def test_a_header_that_is_not_json_is_refused(file: Path, text: bytes) -> None:
    file.write_bytes(signed(MAGIC + len(text).to_bytes(8, "little") + text + bytes(200)))
    with pytest.raises(BadWeights, match="header that is not"):
        read_container(file)


def test_a_huge_header_is_refused_before_it_is_read(file: Path) -> None:
    file.write_bytes(MAGIC + (1 << 60).to_bytes(8, "little") + bytes(100))
    for read in (read_container, read_header):
        with pytest.raises(BadWeights, match="a header of more than"):
            read(file)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = os.open(tmp_path / "pipe", os.O_RDWR | os.O_NONBLOCK)  # so that opening it does not wait
    try:
        for name, text in (("missing", "No such file"), (".", "cannot be read"), ("pipe", "is not a file")):
            with pytest.raises(BadWeights, match=text):
                read_container(tmp_path / name)
    finally:
        os.close(writer)


def test_a_failed_write_leaves_the_old_file_and_no_other(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = file.read_bytes()

    def fail(*given: Any) -> None:
        raise OSError("no room")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="no room"):
        write_container(file, {}, {})
    assert file.read_bytes() == before
    assert [p.name for p in file.parent.iterdir()] == [file.name]


@pytest.mark.parametrize("name", ["", "x" * 65])
def test_a_name_that_no_array_can_have_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadWeights, match="name of an array"):
        write_container(tmp_path / "net.qnet", {}, {name: np.zeros(1)})


def test_a_header_with_a_number_that_json_does_not_know_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="JSON"):
        write_container(tmp_path / "net.qnet", {"score": float("nan")}, {})
    assert not list(tmp_path.iterdir())
