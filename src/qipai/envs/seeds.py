"""Seeds of environments: one range and one error for all of them."""

from __future__ import annotations

from typing import Any

from qipai.core.errors import BadSeed
from qipai.match.jsonable import is_int


def checked_seed(seed: Any) -> int:
    """Return the seed as a number; raise `BadSeed` if it is not one."""
    if not is_int(seed) or not 0 <= seed < 1 << 64:
        raise BadSeed("an environment's seed must be a whole number from 0 to 2^64 - 1")
    return int(seed)
