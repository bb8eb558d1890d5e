"""DLPack for device arrays: PyTorch, JAX and CuPy read a batch's arrays where they lie.

Numba's device arrays speak `__cuda_array_interface__` alone. `speaking` gives one the two
methods of the DLPack protocol; `capsule` is the handle that it passes on.
"""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import Any

import numpy as np

CPU, CUDA = 1, 2  # DLPack's device types
CODES = {"i": 0, "u": 1, "f": 2}  # DLPack's type codes, by NumPy's kinds
NAME = b"dltensor"


class _Device(ctypes.Structure):
    _fields_ = (("kind", ctypes.c_int32), ("number", ctypes.c_int32))


class _Type(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("ndim", ctypes.c_int32),
        ("dtype", _Type),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class _Managed(ctypes.Structure):
    pass


_Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Managed))
_Managed._fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _Deleter))
_Destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)

_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, _Destructor]
_is_valid = ctypes.pythonapi.PyCapsule_IsValid
_is_valid.restype, _is_valid.argtypes = ctypes.c_int, [ctypes.c_void_p, ctypes.c_char_p]
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p]

# What has been handed out: by address, the handle and all that must outlive it.
_lent: dict[int, tuple[Any, ...]] = {}


def capsule(owner: Any, pointer: int, device: tuple[int, int]) -> Any:
    """A DLPack capsule over the memory at `pointer`: shape, strides and dtype of `owner`, which keeps it."""
    dtype = np.dtype(owner.dtype)
    if dtype.kind not in CODES:
        raise BufferError(f"DLPack knows no {'records' if dtype.names else dtype}")
    if any(step % dtype.itemsize for step in owner.strides):  # a field of records
        raise BufferError("DLPack counts strides in elements, and these are no whole number of them")
    ndim = len(owner.shape)
    shape = (ctypes.c_int64 * ndim)(*owner.shape)
    strides = (ctypes.c_int64 * ndim)(*(step // dtype.itemsize for step in owner.strides))
    managed = _Managed()
    tensor = managed.tensor
    tensor.data, tensor.device, tensor.ndim = pointer, _Device(*device), ndim
    tensor.dtype = _Type(CODES[dtype.kind], 8 * dtype.itemsize, 1)
    tensor.shape, tensor.strides = shape, strides
    managed.deleter = _release
    address = ctypes.addressof(managed)
    _lent[address] = (managed, shape, strides, owner)
    return _new(address, NAME, _forget)


def _give_back(managed: Any) -> None:
    """The reader is done."""
    _lent.pop(ctypes.addressof(managed.contents), None)


def _drop(handle: int) -> None:
    """The capsule goes; had it been read, it would be called `used_dltensor`, and its reader releases it."""
    if _is_valid(handle, NAME):
        _lent.pop(_pointer(handle, NAME), None)


_release, _forget = _Deleter(_give_back), _Destructor(_drop)


def speaking(array: Any, cuda: Any, stream: Any) -> Any:
    """`array`, a Numba device array written on `stream`, with DLPack's two methods; so have its slices."""
    if not hasattr(array, "__dlpack__"):
        kind: Any = type(array)
        array.__class__ = _speaking(kind, cuda, stream, cuda.get_current_device().id)
    return array


@lru_cache(maxsize=64)
def _speaking(kind: Any, cuda: Any, writer: Any, number: int) -> Any:
    """`kind` with DLPack's methods, for arrays on device `number` that are written on the stream `writer`."""

    class Speaking(kind):  # type: ignore[misc]
        def __dlpack_device__(self) -> tuple[int, int]:
            return CUDA, number

        def __dlpack__(self, *, stream: Any = None, **asked: Any) -> Any:
            if asked.get("copy"):
                raise BufferError("this memory is shared, not copied")
            if asked.get("dl_device") not in (None, (CUDA, number)):
                raise BufferError("this memory lies on its device and is not copied to another")
            if stream != -1:  # -1: the reader sees to it
                self._order_before(stream)
            return capsule(self, self.__cuda_array_interface__["data"][0], self.__dlpack_device__())

        def _order_before(self, reader: Any) -> None:
            """What was launched so far comes before what `reader`, a stream, does next."""
            event = cuda.event(timing=False)
            event.record(writer)
            event.wait(cuda.external_stream(reader) if reader not in (None, 1) else cuda.default_stream())

    return Speaking
