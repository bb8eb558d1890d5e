"""Records and bytes moved some words at a time."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from qipai.core.errors import BadGame
from qipai.sim.cuda import words as cuda_words


def test_a_state_that_is_no_whole_number_of_words_is_refused() -> None:
    odd = SimpleNamespace(name="odd", rules=SimpleNamespace(State=np.dtype([("a", np.int32, (5,))])))
    with pytest.raises(BadGame, match="state_dtype"):
        cuda_words.record_copier(odd)  # type: ignore[arg-type]
