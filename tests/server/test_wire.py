"""The messages of the protocol."""

from __future__ import annotations

import wire_types
from qipai.server import wire


def test_the_typescript_has_every_message() -> None:
    made = wire_types.typescript(wire)
    for model in wire_types.models(wire):
        assert f"export interface {model.__name__} {{" in made
    assert 'type: "act";' in made and "export type FromServer = " in made
    assert "seats: [number, number];" in made
    assert "unknown" in made and "undefined" not in made
