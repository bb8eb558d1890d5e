"""DLPack for device arrays, so that PyTorch, JAX and CuPy read a batch's arrays without copying.

Numba's device arrays only support `__cuda_array_interface__`. `speaking` adds the two methods of
the DLPack protocol to one; `capsule` makes the handle that is passed on.
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

# Exported handles by address, with everything that must outlive them.
_lent: dict[int, tuple[Any, ...]] = {}


def capsule(owner: Any, pointer: int, device: tuple[int, int]) -> Any:
    """Return a DLPack capsule over the memory at `pointer`, with the shape, strides and dtype of `owner`."""
    dtype = np.dtype(owner.dtype)
    if dtype.kind not in CODES:
        raise BufferError(f"DLPack does not support {'records' if dtype.names else dtype}")
    if any(step % dtype.itemsize for step in owner.strides):  # a field of a record array
        raise BufferError("DLPack needs strides that are a multiple of the element size")
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
    """Release the memory; the reader calls this when it is done."""
    _lent.pop(ctypes.addressof(managed.contents), None)


def _drop(handle: int) -> None:
    """Destroy a capsule unless it was read, hence named `used_dltensor`: then its reader releases it."""
    if _is_valid(handle, NAME):
        _lent.pop(_pointer(handle, NAME), None)


_release, _forget = _Deleter(_give_back), _Destructor(_drop)


def speaking(array: Any, cuda: Any, stream: Any) -> Any:
    """Return a Numba device array that is written on `stream`, with DLPack's methods; also its slices."""
    if not hasattr(array, "__dlpack__"):
        kind: Any = type(array)
        array.__class__ = _speaking(kind, cuda, stream, cuda.get_current_device().id)
    return array


@lru_cache(maxsize=64)
def _speaking(kind: Any, cuda: Any, writer: Any, number: int) -> Any:
    """Return `kind` with DLPack's methods, for arrays of device `number` written on stream `writer`."""

    class Speaking(kind):  # type: ignore[misc]
        def __dlpack_device__(self) -> tuple[int, int]:
            return CUDA, number

        def __dlpack__(self, *, stream: Any = None, **asked: Any) -> Any:
            if asked.get("copy"):
                raise BufferError("this array cannot be copied, only shared")
            if asked.get("dl_device") not in (None, (CUDA, number)):
                raise BufferError("this array cannot be copied to another device")
            if stream != -1:  # -1: the reader synchronises
                self._order_before(stream)
            return capsule(self, self.__cuda_array_interface__["data"][0], self.__dlpack_device__())

        def _order_before(self, reader: Any) -> None:
            """Make the stream `reader` wait for everything launched so far."""
            event = cuda.event(timing=False)
            event.record(writer)
            event.wait(cuda.external_stream(reader) if reader not in (None, 1) else cuda.default_stream())

    return Speaking
