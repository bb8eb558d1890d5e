"""The state: its fields are pinned, since record files and digests depend on them; phases and edges."""

from __future__ import annotations

import hashlib

from qipai.games.paipai_rensa.state import ALL_PLACEMENTS, EDGES, LONGEST, PLACEMENTS, SCRATCH, Phase, State


def test_names_order_and_types_of_the_fields_never_change() -> None:
    fields = [(name, State[name].str or "", State[name].subdtype) for name in State.names or ()]
    text = repr([(n, s, None if d is None else (d[0].str, d[1])) for n, s, d in fields])
    assert len(fields) == 66 and State.itemsize == 1040
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == "3f9a376bea9b1320"


def test_scratch_fields_are_fields() -> None:
    assert set(SCRATCH) <= set(State.names or ())


def test_every_phase_is_on_an_edge() -> None:
    assert {Phase(p) for edge in EDGES for p in edge} == set(Phase) and len(set(EDGES)) == len(EDGES)


def test_two_placements_do_not_exist() -> None:
    assert [i for i in range(PLACEMENTS) if not ALL_PLACEMENTS >> i & 1] == [3, 21] and LONGEST == 694
