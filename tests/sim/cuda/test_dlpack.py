"""DLPack over our own memory: a reader sees the memory itself, and what is exported is released."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

from qipai.sim.cuda import dlpack


class Lent:
    """A NumPy array that is only accessible through our capsules."""

    def __init__(self, array: Any) -> None:
        self.array = array
        self.shape, self.dtype, self.strides = array.shape, array.dtype, array.strides

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


def test_a_part_of_an_array_is_read_as_it_lies() -> None:
    array = np.arange(60, dtype=np.int32).reshape(5, 12)
    for part in (array[:, :7], array[1::2], array[:, 3:9:2], array.T, array[2]):
        assert np.array_equal(np.from_dlpack(Lent(part)), part)


def test_strides_that_are_no_whole_elements_are_refused() -> None:
    field = np.zeros(3, np.dtype([("a", np.int32), ("b", np.int8)]))["a"]
    with pytest.raises(BufferError, match="strides"):
        Lent(field).__dlpack__()


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
    with pytest.raises(BufferError, match="does not support records"):
        Lent(record).__dlpack__()


def test_pytorch_reads_without_a_copy() -> None:
    torch = pytest.importorskip("torch")
    array = np.arange(12, dtype=np.int8).reshape(3, 4)
    tensor = torch.from_dlpack(Lent(array))
    assert tensor.data_ptr() == array.ctypes.data
    assert tensor.tolist() == array.tolist()
