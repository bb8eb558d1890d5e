"""DLPack over memory of our own: what a reader sees is the memory, and what is lent is given back."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

from qipai.sim import dlpack


class Lent:
    """A NumPy array that speaks through our capsules alone."""

    def __init__(self, array: Any) -> None:
        self.array = array
        self.shape, self.dtype = array.shape, array.dtype

    def __dlpack_device__(self) -> tuple[int, int]:
        return dlpack.CPU, 0

    def __dlpack__(self, **asked: Any) -> Any:
        return dlpack.capsule(self, self.array.ctypes.data, self.__dlpack_device__())


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint32])
@pytest.mark.parametrize("shape", [(7,), (3, 5), (2, 3, 4)])
def test_a_reader_sees_the_same_memory(shape: tuple[int, ...], dtype: Any) -> None:
    array = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    read = np.from_dlpack(Lent(array))
    assert read.dtype == array.dtype
    assert np.array_equal(read, array)
    array[...] = 9
    assert (read == 9).all()


def test_what_is_lent_is_kept_while_it_is_read_and_given_back_after() -> None:
    before = len(dlpack._lent)
    read = np.from_dlpack(Lent(np.arange(1000, dtype=np.int32)))
    gc.collect()
    assert len(dlpack._lent) == before + 1
    assert read[-1] == 999
    del read
    gc.collect()
    assert len(dlpack._lent) == before


def test_a_capsule_that_nobody_reads_is_given_back() -> None:
    before = len(dlpack._lent)
    handle = Lent(np.zeros(4, np.int8)).__dlpack__()
    assert len(dlpack._lent) == before + 1
    del handle
    gc.collect()
    assert len(dlpack._lent) == before


def test_records_are_refused() -> None:
    record = np.zeros(3, [("a", np.int8)])
    with pytest.raises(BufferError, match="no records"):
        Lent(record).__dlpack__()


def test_pytorch_reads_without_a_copy() -> None:
    torch = pytest.importorskip("torch")
    array = np.arange(12, dtype=np.int8).reshape(3, 4)
    tensor = torch.from_dlpack(Lent(array))
    assert tensor.data_ptr() == array.ctypes.data
    assert tensor.tolist() == array.tolist()
