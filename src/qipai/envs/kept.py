"""Values from a pickle or a deep copy, in memory that compiled code can write to."""

from __future__ import annotations

from typing import Any

import numpy as np

from qipai.core import copy_state


def own(value: Any) -> Any:
    """Return a state or an array as a writable copy, and anything else unchanged.

    An unpickled state is a NumPy scalar, which ignores writes. An unpickled array may
    be in memory that other processes share.
    """
    if isinstance(value, np.record):
        return copy_state(value)
    return value.copy() if isinstance(value, np.ndarray) else value
