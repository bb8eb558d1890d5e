"""The record of a hand: its phases and transitions (§3), and what is packed into its fields."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from qipai.core import NOBODY, State
from qipai.games.wuhan_mahjong import GAME, GameStateType, rules
from qipai.games.wuhan_mahjong.state import (
    CLAIM_CHOW,
    CLAIM_KONG,
    CLAIM_PONG,
    CLAIM_WIN,
    EDGES,
    HIDDEN,
    LOG,
    POOL,
    Phase,
)
from qipai.games.wuhan_mahjong.state import State as Record
from qipai.games.wuhan_mahjong.tiles import KINDS, SEATS, T_DISCARD, TILES, WALL_START, ActionType

ROOT = Path(__file__).parents[3]
README = (Path(rules.__file__).parent / "README.md").read_text("utf-8")
RESERVED = {Phase.RESPONSES, Phase.RESPONSES_AFTER_GONG, Phase.SETTLE}
DECISIONS = {Phase.PLAYER_DECISION, Phase.MELD_DECISION, Phase.WAITING_RESPONSE, Phase.WAIT_ROB_KONG}


def test_3_1_the_readme_lists_every_phase_under_its_code() -> None:
    rows = re.findall(r"^\| ([\d, ]+) \| ([A-Z_*, ]+) \|", README, re.M)
    listed = {
        int(code): name.strip("* ")
        for codes, names in rows
        for code, name in zip(codes.split(","), names.split(","), strict=True)
    }
    assert listed == {int(phase): phase.name for phase in Phase}
    assert sorted(listed) == list(range(15))
    assert GameStateType is Phase


def test_3_1_reserved_phases_are_on_no_edge_and_all_others_are() -> None:
    assert {phase for edge in EDGES for phase in edge} == set(Phase) - RESERVED


def test_a_hand_begins_once_and_ends_in_a_win_or_a_flow_draw() -> None:
    left, reached = {a for a, _ in EDGES}, {b for _, b in EDGES}
    assert left - reached == {Phase.INITIAL}
    assert reached - left == {Phase.WIN, Phase.FLOW_DRAW}
    assert len(set(EDGES)) == len(EDGES)


def within_reach(phase: int) -> set[int]:
    """Return the phases to which edges lead from this one, itself included."""
    found, grown = set[int](), {phase}
    while grown != found:
        found, grown = grown, grown | {b for a, b in EDGES if a in grown}
    return found


def test_every_phase_is_within_reach_of_the_first_and_the_end_of_every_phase() -> None:
    assert within_reach(Phase.INITIAL) == set(Phase) - RESERVED
    for phase in set(Phase) - RESERVED:
        assert within_reach(phase) & {Phase.WIN, Phase.FLOW_DRAW}


def test_a_meld_leads_to_meld_decision_and_from_there_to_no_win() -> None:
    assert [b for a, b in EDGES if a == Phase.PROCESSING_MELD] == [Phase.MELD_DECISION]
    assert (Phase.MELD_DECISION, Phase.WIN) not in EDGES
    assert {a for a, b in EDGES if b == Phase.WIN} == DECISIONS - {Phase.MELD_DECISION}


def test_claims_are_distinct_bits_that_fit_their_field() -> None:
    bits = [CLAIM_CHOW, CLAIM_CHOW << 1, CLAIM_CHOW << 2, CLAIM_PONG, CLAIM_KONG, CLAIM_WIN]
    assert all(a & b == 0 for a, b in combinations(bits, 2))
    assert sum(bits) <= np.iinfo(Record["claims"].base).max


def test_an_entry_of_the_log_and_of_the_rivers_fits_and_reads_back() -> None:
    logged = {
        kind + 16 * tile + 1024 * seat
        for kind in ActionType
        for tile in range(HIDDEN + 1)
        for seat in range(SEATS)
    }
    assert len(logged) == len(ActionType) * (HIDDEN + 1) * SEATS
    assert max(logged) <= np.iinfo(Record["log"].base).max
    assert KINDS <= 64
    assert np.iinfo(Record["pool"].base).max >= KINDS - 1 + 64 * (SEATS - 1)


def played(seed: int) -> list[State]:
    """Return the states of a random hand at its decisions and at its end."""
    rng = random.Random(seed)
    s = GAME.new(words=(seed, 0, 0, 1))
    states = [s.copy()]
    while s["seat"] != NOBODY:
        GAME.rules.apply(s, rng.choice(GAME.legal_actions(s)))
        states.append(s.copy())
    return states


@pytest.mark.parametrize("seed", range(6))
def test_rivers_and_log_agree_through_a_hand(seed: int) -> None:
    states = played(seed)
    for s in states:
        pool = [divmod(int(entry), 64) for entry in s["pool"][: s["pooled"]]]
        rivers = Counter({(seat, t): int(s["river"][seat, t]) for seat in range(SEATS) for t in range(KINDS)})
        assert Counter(pool) == +rivers
        log = [int(entry) for entry in s["log"][: s["logged"]]]
        discarded = [(entry // 1024, entry // 16 % 64) for entry in log if entry % 16 == T_DISCARD]
        lying = iter(discarded)
        assert all(entry in lying for entry in pool)  # in order; claimed tiles are gone
        assert s["pooled"] <= POOL
        assert s["logged"] <= 117 < LOG
    assert int(states[-1]["phase"]) in (Phase.WIN, Phase.FLOW_DRAW)
    assert int(states[-1]["logged"]) > 0


@pytest.mark.parametrize("seed", range(6))
def test_a_seat_is_asked_in_a_decision_phase_and_nowhere_else(seed: int) -> None:
    states = played(seed)
    assert {Phase(int(s["phase"])) for s in states[:-1]} <= DECISIONS
    assert all(0 <= int(s["seat"]) < SEATS for s in states[:-1])


def test_the_record_has_room_for_a_whole_hand() -> None:
    assert Record["hand"].shape == (SEATS, KINDS)
    assert POOL > TILES - WALL_START  # every tile of the wall, and the dealer's first discard
    assert LOG >= 117  # public actions of a hand (§3.2)


def test_the_page_tells_the_size_of_the_record() -> None:
    page = (ROOT / "docs" / "games" / "wuhan_mahjong.md").read_text("utf-8")
    assert Record.itemsize == 896 == GAME.rules.State.itemsize
    assert f"State {Record.itemsize} bytes" in page
