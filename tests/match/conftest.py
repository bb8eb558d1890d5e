from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.toys import registered


@pytest.fixture(autouse=True)
def toys() -> Iterator[None]:
    with registered():
        yield
