"""The observation, and `determinize` against whole decks planned again."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from qipai.core import State
from qipai.games.paipai_rensa import GAME
from qipai.games.paipai_rensa.planner import plan
from qipai.games.paipai_rensa.state import ALLOC, DISCARD, KEEP
from qipai.games.paipai_rensa.tiles import CODE, codes, suit_of, values
from qipai.games.paipai_rensa.view import is_kept_at, view

from .positions import deck_of, play, random_player

SLICES = {f.name: slice(f.start, f.start + f.length) for f in GAME.rules.observation}


def check_observation(s: State) -> None:
    """Compare every feature with the state."""
    seen = {name: GAME.observation_of(s, 0)[part] for name, part in SLICES.items()}
    at, total = int(s["at"]), int(s["total"])
    assert seen["board"].tolist() == [int(CODE[v]) for v in s["board"]]
    assert seen["hand"].tolist() == [int(CODE[v]) for v in s["hand"]]
    upcoming = [int(CODE[v]) for v in s["deck"][at : min(at + 2, total)]]
    assert seen["next"].tolist() == (upcoming + [0, 0])[:2]
    for name, tiles in (("discards", values(s["discards"])), ("unseen", values(s["deck"][at + 2 : total]))):
        counts = Counter(int(CODE[t + 1]) - 1 for t in tiles)
        assert seen[name].tolist() == [counts[i] for i in range(37)], name
    if int(s["phase"]) == ALLOC:
        n, cursor = int(s["n_tiles"]), int(s["cursor"])
        assert seen["list"].tolist() == [int(CODE[v]) for v in s["tiles"]] and seen["size"][0] == n
        assert seen["tile"][0] == CODE[s["tiles"][cursor]] and seen["kept"][0] == s["kept"]
        held = [t for i, t in enumerate(s["tiles"][:cursor]) if is_kept_at(s, i)]
        ahead = s["tiles"][cursor:n]
    else:
        assert not seen["list"].any() and not seen["tile"].any()
        held, ahead = s["hand"][: s["n_hand"]], []
    for name, stored in (("held", held), ("ahead", ahead)):
        counts = Counter(int(CODE[v]) - 1 for v in stored)
        assert seen[name].tolist() == [counts[i] for i in range(37)], name
    assert 100 * (100 * int(seen["score"][0]) + int(seen["score"][1])) == int(s["score"])
    pairs = [deck_of(s)[i : i + 2] for i in range(0, min(at + 2, total), 2)]
    assert seen["zoros"][0] == sum([suit_of(a) == suit_of(b) for a, b in pairs][-16:])
    assert seen["main"][0] == suit_of(pairs[-1][0]) + 1
    streak = 0
    while streak < len(pairs) and suit_of(pairs[-1 - streak][0]) == suit_of(pairs[-1][0]):
        streak += 1
    assert seen["streak"][0] == streak


def test_the_observation_says_what_its_features_claim() -> None:
    rng = random.Random(3)
    for k in range(4):
        play(GAME.new(words=(k, 3, 0, 1)), random_player(rng), lambda s, action: check_observation(s))


def test_what_was_kept_tells_two_allocations_apart() -> None:
    """Version 1 gave one observation for both, and they are worth different answers."""
    seen = []
    for first, second in ((KEEP, DISCARD), (DISCARD, KEEP)):
        s = GAME.new(layout={"phase": "alloc", "collected": "m1 m2 m3 m4", "deck": "p1 p2"})
        GAME.rules.apply(s, first)
        GAME.rules.apply(s, second)
        seen.append(GAME.observation_of(s, 0))
    differs = np.flatnonzero(seen[0] != seen[1])
    assert {f.name for f in GAME.rules.observation for i in differs if f.start <= i < f.start + f.length} == {
        "held"
    }


def test_a_watcher_sees_no_unfinished_allocation() -> None:
    s = GAME.new(layout={"phase": "alloc", "collected": "m1 m2 m3 m4", "deck": "p1 p2"})
    before = GAME.observation_of(s, -1), view(s, -1)
    GAME.rules.apply(s, KEEP)
    assert np.array_equal(GAME.observation_of(s, -1), before[0]) and view(s, -1) == before[1]
    assert not np.array_equal(GAME.observation_of(s, 0), before[0]) and view(s, 0)["alloc"]["cursor"] == 1


def redraw_counts(count: int) -> Counter[str]:
    """Redraw a small deck; return the suits of its six hidden tiles."""
    s = GAME.new(layout={"deck": "m1 p1 s1 m2 m3 m4 p2 p3 s2 s3"})
    found: Counter[str] = Counter()
    for k in range(count):
        world = GAME.redrawn(s, 0, (k, 1, 2, 3))
        assert deck_of(world)[:4] == deck_of(s)[:4] and sorted(deck_of(world)) == sorted(deck_of(s))
        found["".join(code[0] for code in codes(deck_of(world)[4:6]))] += 1
    return found


def planned_counts(count: int) -> Counter[str]:
    """Return the same from whole decks that are planned again and begin with the suits seen."""
    s = GAME.new(layout={"deck": "m1 p1 s1 m2 m3 m4 p2 p3 s2 s3"})
    GAME.key(s, (9, 9, 9, 9))
    found: Counter[str] = Counter()
    while sum(found.values()) < count:
        plan(s, 0)
        suits = "".join(code[0] for code in codes(deck_of(s)))
        if suits.startswith("mpsm"):
            found[suits[4:6]] += 1
    return found


@pytest.mark.slow
def test_determinize_draws_from_the_planner_given_what_was_seen() -> None:
    """By rejection: whole decks that happen to begin like the one seen go on in the same way."""
    ours, theirs = redraw_counts(1500), planned_counts(1500)
    assert set(ours) == set(theirs)
    for pair in theirs:
        p = (ours[pair] + theirs[pair]) / 3000
        assert abs(ours[pair] - theirs[pair]) / 1500 < 5 * (2 * p * (1 - p) / 1500) ** 0.5 + 1e-9, pair


def test_determinize_keeps_both_next_pairs_where_two_are_shown() -> None:
    layout = {"deck": "m1 p1 s1 zE m2 m3 m4 m5 m6"}
    for pairs, seen, orders in ((1, 4, 120), (2, 6, 6)):
        s = GAME.new({"next_pairs": pairs}, layout=layout)
        found = {tuple(codes(deck_of(GAME.redrawn(s, 0, (k, 5, 5, 5))))) for k in range(60)}
        assert {deck[:seen] for deck in found} == {tuple(codes(deck_of(s))[:seen])}
        assert 6 >= len(found) == orders if pairs == 2 else 6 < len(found) <= orders


def test_the_observation_shows_one_next_pair_whatever_the_option() -> None:
    layout = {"deck": "m1 p1 s1 zE m2 m3 m4 m5 m6"}
    one, two = (GAME.observation_of(GAME.new({"next_pairs": n}, layout=layout), 0) for n in (1, 2))
    assert one.tobytes() == two.tobytes()


def test_determinize_reaches_every_order_of_a_suit() -> None:
    s = GAME.new(layout={"deck": "m1 p1 s1 zE m2 m3 m4"})
    seen = {tuple(codes(deck_of(GAME.redrawn(s, 0, (k, 5, 5, 5)))[4:])) for k in range(200)}
    assert len(seen) == 6
