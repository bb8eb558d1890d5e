r"""The file format of weights and checkpoints: a JSON header and raw arrays, with a digest of everything.

    b"QIPAINET1\n"    magic
    8 bytes           length of the header, little-endian
    the header        JSON; its entry "arrays" lists [name, type, shape, offset] of every array
    the arrays        little-endian, each at a multiple of 64 bytes from the start of the file
    32 bytes          SHA-256 of everything before

Nothing in it is ever executed or unpickled. An invalid file raises `BadWeights`.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from qipai.core import Game
from qipai.core.errors import BadWeights, ForeignWeights, short

MAGIC = b"QIPAINET1\n"
ALIGN = 64
DIGEST = 32  # bytes
HEADER_MOST = 1 << 20  # bytes
NAME_MOST = 64  # characters
NET_MOST = 64 << 20  # default limit of `read_container`, in bytes
TYPES = {
    kind: np.dtype(f"<{kind}") for kind in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8")
}

Arrays = dict[str, NDArray[Any]]


def write_container(
    path: str | os.PathLike[str], header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> None:
    """Write a file atomically: a reader finds the old file or the new one, never a part of it."""
    target = Path(path)
    parts = _parts(dict(header), arrays)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            digest = hashlib.sha256()
            for part in parts:
                digest.update(part)
                file.write(part)
            file.write(digest.digest())
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def read_container(
    path: str | os.PathLike[str], limit_bytes: int = NET_MOST
) -> tuple[dict[str, Any], Arrays]:
    """Return header and arrays of a file; raise `BadWeights` unless it is complete and unaltered."""
    data = _bytes_of(Path(path), limit_bytes)
    if not data.startswith(MAGIC):
        _refuse(path, "is not a file of weights (it does not begin as one)")
    header, start = _header_of(path, data)
    if len(data) < start + DIGEST:
        _refuse(path, "is truncated")
    arrays = header.pop("arrays", None)
    if not isinstance(arrays, list):
        _refuse(path, "has a header without a list of arrays")
    end = _end_of(path, arrays, start)
    if len(data) < end + DIGEST:
        _refuse(path, f"is truncated: {len(data)} of {end + DIGEST} bytes")
    if len(data) > end + DIGEST or hashlib.sha256(memoryview(data)[:-DIGEST]).digest() != data[-DIGEST:]:
        _refuse(path, "has been altered: its digest does not match")
    found = {name: _array(data, kind, shape, offset) for name, kind, shape, offset in arrays}
    return header, found


def read_header(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return only the header, without reading the rest of the file."""
    with _opened(Path(path)) as file:
        data = file.read(len(MAGIC) + 8)
        if not data.startswith(MAGIC):
            _refuse(path, "is not a file of weights (it does not begin as one)")
        data += file.read(min(_length(data), HEADER_MOST))
    header, _ = _header_of(path, data)
    header.pop("arrays", None)
    return header


def content_digest(header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> str:
    """Return the digest of header and arrays as text, the same as at the end of a file."""
    digest = hashlib.sha256()
    for part in _parts(dict(header), arrays):
        digest.update(part)
    return digest.hexdigest()


def made_for(game: Game, form: str) -> dict[str, Any]:
    """Return the entries of a header that say what it is and for which game, rules and observation."""
    return {
        "format": form,
        "game": game.name,
        "rules_version": game.rules.version,
        "observation": game.observation_digest,
        "actions": game.rules.actions,
    }


def check_made_for(header: Mapping[str, Any], game: Game, form: str, what: str) -> None:
    """Raise `ForeignWeights` unless these entries of a header are those of the game. `what` is the file."""
    for name, value in made_for(game, form).items():
        if header.get(name) != value:
            given = short(header.get(name))
            raise ForeignWeights(f"the {what} has {name} {given}, but {game.name} has {short(value)}")


# --- writing --------------------------------------------------------------------------


def _parts(header: dict[str, Any], arrays: Mapping[str, NDArray[Any]]) -> list[bytes]:
    """Return the bytes before the digest, piece by piece."""
    raw = {name: _little(name, array) for name, array in arrays.items()}
    listed: list[list[Any]] = []
    length = 0
    while True:  # the header contains offsets that depend on its own length
        offset = _aligned(len(MAGIC) + 8 + length)
        listed = []
        for name, array in raw.items():
            listed.append([name, array.dtype.str[1:], list(array.shape), offset])
            offset = _aligned(offset + array.nbytes)
        text = json.dumps({**header, "arrays": listed}, separators=(",", ":"), allow_nan=False).encode()
        if len(text) <= length:
            text = text.ljust(length)
            break
        length = len(text)
    if length > HEADER_MOST:
        raise BadWeights(f"a header of {length} bytes is too long")
    parts = [MAGIC, length.to_bytes(8, "little"), text]
    at = len(MAGIC) + 8 + length
    for array, (_, _, _, offset) in zip(raw.values(), listed, strict=True):
        parts += [bytes(offset - at), array.tobytes()]
        at = offset + array.nbytes
    return parts


def _little(name: str, array: NDArray[Any]) -> NDArray[Any]:
    """Return an array in the byte order of the file."""
    array = np.asarray(array)
    kind = array.dtype.str[1:]
    if kind not in TYPES:
        raise BadWeights(f"array {short(name)} has the type {array.dtype}, which the format does not support")
    if not 0 < len(name) <= NAME_MOST:
        raise BadWeights(f"{short(name)} is not a valid name of an array")
    return array.astype(TYPES[kind], order="C", copy=False)


def _aligned(offset: int) -> int:
    return -(-offset // ALIGN) * ALIGN


# --- reading --------------------------------------------------------------------------


def _opened(path: Path) -> Any:
    try:
        file = path.open("rb")
    except OSError as error:
        raise BadWeights(f"{_name(path)} cannot be read: {error.strerror}") from None
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        _refuse(path, "is not a file")
    return file


def _bytes_of(path: Path, limit: int) -> bytes:
    with _opened(path) as file:
        data: bytes = file.read(limit + 1)
    if len(data) > limit:
        _refuse(path, f"is larger than {limit} bytes")
    return data


def _length(data: bytes) -> int:
    return int.from_bytes(data[len(MAGIC) : len(MAGIC) + 8], "little")


def _header_of(path: Any, data: bytes) -> tuple[dict[str, Any], int]:
    """Return the header and where it ends."""
    start = len(MAGIC) + 8
    length = _length(data)
    if length > HEADER_MOST:
        _refuse(path, f"has a header of more than {HEADER_MOST} bytes")
    if len(data) < start + length:
        _refuse(path, "is truncated")
    try:
        header = json.loads(data[start : start + length], parse_constant=_no_constant)
    except (ValueError, RecursionError):
        _refuse(path, "has a header that is not JSON")
    if not isinstance(header, dict):
        _refuse(path, "has a header that is not a mapping")
    return header, start + length


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _end_of(path: Any, arrays: list[Any], start: int) -> int:
    """Return where the last array ends; raise unless the list describes consecutive arrays."""
    at, names = start, set()
    for entry in arrays:
        if not (isinstance(entry, list) and len(entry) == 4):
            _refuse(path, "lists something that is not an array")
        name, kind, shape, offset = entry
        if not isinstance(name, str) or not 0 < len(name) <= NAME_MOST or name in names:
            _refuse(path, "lists an array without a unique name")
        if not isinstance(kind, str) or kind not in TYPES:
            _refuse(path, f"holds array {short(name)} of an unknown type")
        if not isinstance(shape, list) or len(shape) > 8 or not all(_is_count(n) for n in shape):
            _refuse(path, f"holds array {short(name)} without a shape")
        if not _is_count(offset) or offset != _aligned(at):
            _refuse(path, f"holds array {short(name)} in the wrong place")
        names.add(name)
        at = offset + TYPES[kind].itemsize * math.prod(shape)
    return at


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 48


def _array(data: bytes, kind: str, shape: list[int], offset: int) -> NDArray[Any]:
    """Return one array, read-only, in the byte order of this machine."""
    found = np.frombuffer(data, TYPES[kind], math.prod(shape), offset).reshape(shape)
    native = found.astype(TYPES[kind].newbyteorder("="), copy=False)
    native.flags.writeable = False
    return native


def _name(path: Any) -> str:
    return short(Path(path).name)


def _refuse(path: Any, what: str) -> NoReturn:
    raise BadWeights(f"{_name(path)} {what}")
