"""The state record: names it refuses, its allocator, its digest."""

from __future__ import annotations

import hashlib
import pickle
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

from qipai.core import copy_state, digest, header, new_state, new_states, same, state_dtype
from qipai.core.errors import BadGame
from qipai.core.state import HEADER, fields_of, one_of, rows
from tests.toys_check.hush import GAME, STATE


@pytest.mark.parametrize("name", ["size", "shape", "data", "T", "item", "flags", "sum", "copy", "real"])
def test_a_name_that_numpy_keeps_for_itself_is_refused(name: str) -> None:
    """Plain, such a field would silently read as the attribute."""
    with pytest.raises(BadGame, match=f"'{name}'"):
        state_dtype([*header(seats=2), (name, np.int8)])


def test_a_record_inside_the_record_is_refused() -> None:
    inner = np.dtype([("a", np.int8)])
    for field in (("hand", inner), ("hand", inner, (3,))):
        with pytest.raises(BadGame, match="record inside the record"):
            state_dtype([*header(seats=2), field])


def test_every_state_begins_with_the_same_header() -> None:
    dtype = state_dtype([*header(seats=5), ("own", np.int8)])
    names = dtype.names
    assert names is not None
    assert names[: len(HEADER)] == HEADER
    assert dtype["rng"].shape == (4,)
    assert dtype["payoff"].shape == (5,)


@pytest.mark.parametrize("own", [0, 1, 3, 4, 5, 15, 16, 17])
def test_a_state_is_a_whole_number_of_sixteen_bytes_and_aligned(own: int) -> None:
    fields = [*header(seats=2), ("own", np.int8, (own,)), ("wide", np.int64)]
    dtype = state_dtype(fields)
    plain = np.dtype(fields, align=True)
    assert dtype.itemsize % 16 == 0 and 0 <= dtype.itemsize - plain.itemsize < 16
    assert dtype.isalignedstruct and dtype.alignment == plain.alignment
    assert {n: dtype.fields[n] for n in dtype.names} == dict(plain.fields.items())  # type: ignore[index,union-attr]


def test_fields_read_and_write_by_attribute_and_by_name() -> None:
    s = new_state(STATE)
    s.seat = 2
    s["ply"] = 7
    assert (int(s["seat"]), int(s.ply)) == (2, 7)
    s.hand[1, 3] = 5
    assert s["hand"].tolist()[1] == [0, 0, 0, 5]


def test_a_new_state_is_zero_and_states_of_a_batch_are_apart() -> None:
    states = new_states(STATE, 3)
    assert states.tobytes() == bytes(3 * STATE.itemsize)
    states[1].seat = 2
    assert [int(s.seat) for s in states] == [0, 2, 0]


def test_a_copy_is_independent() -> None:
    s = GAME.new(seats=3)
    copy = copy_state(s)
    assert same(s, copy)
    copy.hand[0, 0] += 1
    assert not same(s, copy)
    assert int(s.hand[0, 0]) == int(copy.hand[0, 0]) - 1


def test_a_digest_tells_every_field_and_leaves_out_scratch() -> None:
    s = GAME.new(seats=3)
    before = digest(s, GAME.rules.scratch)
    for name in STATE.names or ():
        changed = copy_state(s)
        changed[name] = s[name] + 1
        assert (digest(changed, GAME.rules.scratch) == before) == (name in GAME.rules.scratch), name
        assert digest(changed) != digest(s)
        assert same(changed, s, GAME.rules.scratch) == (name in GAME.rules.scratch)


def test_a_digest_does_not_look_at_padding() -> None:
    dtype = state_dtype([*header(seats=1), ("a", np.int8), ("b", np.int64)])
    hole = dtype.fields["a"][1] + 1  # type: ignore[index]
    one, other = new_states(dtype, 1), new_states(dtype, 1)
    other.view(np.ndarray).view(np.uint8)[hole] = 9
    assert one.tobytes() != other.tobytes()
    assert digest(one[0]) == digest(other[0])
    assert same(one[0], other[0])


def test_a_digest_is_of_names_and_numbers_and_not_of_this_machine() -> None:
    dtype = state_dtype(header(seats=1))
    text = '{"cut":0,"payoff":[0],"phase":0,"ply":0,"rng":[0,0,0,0],"seat":0,"seats":0}'
    assert digest(new_state(dtype)) == hashlib.sha256(text.encode()).hexdigest()


def test_fields_are_plain_numbers_and_lists() -> None:
    fields = fields_of(GAME.new(seats=2), GAME.rules.scratch)
    assert "pool" not in fields
    assert type(fields["seat"]) is int
    assert all(type(n) is int for row in fields["hand"] for n in row)


def test_a_single_state_refuses_a_field_that_it_does_not_have() -> None:
    s = new_state(STATE)
    with pytest.raises(AttributeError, match="no field 'sest'"):
        s.sest = 1
    with pytest.raises(AttributeError, match="sest"):
        _ = s.sest


def test_single_states_of_a_layout_share_one_dtype_and_batches_give_the_same_bytes() -> None:
    """Numba recognises a dtype by the object; a new one for every state would be compared field by field."""
    one, batch = GAME.new(seats=3), new_states(STATE, 2)
    batch[1] = one
    copy = copy_state(batch[1])
    assert copy.dtype is one.dtype is new_state(STATE).dtype is copy_state(copy).dtype
    assert copy.tobytes() == one.tobytes() == batch[1].tobytes()
    assert isinstance(copy, np.record)


def test_a_compiled_rule_works_on_the_memory_of_a_single_state() -> None:
    s = GAME.new(seats=3)
    assert np.shares_memory(s.data, s["rng"])
    before = s["rng"].tolist()
    GAME.key(s, (1, 2, 3, 4))
    assert s["rng"].tolist() != before


def test_a_state_can_be_pickled_and_copied() -> None:
    s = GAME.new(seats=3)
    array = np.array([s, s])
    for again in (pickle.loads(pickle.dumps(s)), deepcopy(s), pickle.loads(pickle.dumps(array))[1]):
        assert type(again) is type(s) and same(again, s)
        again["ply"] += 1
        assert not same(again, s)


def test_a_copy_is_the_state_whatever_memory_it_lies_in() -> None:
    """Alone, among others, read-only, of a batch, restored from a pickle, and after it was written to."""
    s = GAME.new(seats=3)
    three, batch = rows(s, 3), new_states(STATE, 3)
    three[1] = batch[2] = s
    fixed = np.frombuffer(s.tobytes(), s.dtype)[0]
    whole = np.ndarray((), s.dtype, bytearray(2 * STATE.itemsize))  # memory longer than the state
    whole[()] = s
    places: list[Any] = [s, three[1], batch[2], fixed, whole[()], one_of(s)[0], pickle.loads(pickle.dumps(s))]
    for place in places:
        for copy in (copy_state(place), one_of(place)[0]):
            assert copy.tobytes() == s.tobytes() and copy.dtype is s.dtype
            assert not np.shares_memory(copy["rng"], place["rng"])
            copy["ply"] += 1
            assert copy_state(copy).tobytes() == copy.tobytes() != place.tobytes()
