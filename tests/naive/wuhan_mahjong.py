"""Slow, obvious twins of Wuhan mahjong's win detection and scoring, written from the spec's text.

No packing, no arithmetic tricks: a reading is tried by naming every substitute, a split
by taking sets off a sorted list, a payment by multiplying factors.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations_with_replacement
from typing import Any

JIANG = frozenset({1, 4, 7, 10, 13, 16, 19, 22, 25})
WINDS = frozenset({27, 28, 29, 30, 32, 33})
RED = 31
HONOUR_CYCLE = (27, 28, 29, 30, 32, 33)
TYPES = (
    "SOFT_WIN",
    "HARD_WIN",
    "PURE_FLUSH",
    "PENG_PENG_HU",
    "ALL_WIND",
    "ALL_JIANG",
    "FULLY_MELDED",
    "FLOWER_ON_KONG",
    "LAST_TILE_WIN",
    "ROB_KONG",
)
OPEN = ("CHOW", "PONG", "KONG_EXPOSED", "KONG_SUPPLEMENT")
Meld = dict[str, Any]


def special_tiles(indicator: int) -> tuple[int, int, int]:
    if indicator < 27:
        base = indicator // 9 * 9
        return base + (indicator - base + 1) % 9, indicator, base + (indicator - base - 1) % 9
    at = HONOUR_CYCLE.index(30 if indicator == RED else indicator)
    return HONOUR_CYCLE[(at + 1) % 6], HONOUR_CYCLE[at], HONOUR_CYCLE[at - 1]


@cache
def splits(tiles: tuple[int, ...], triplets_only: bool) -> bool:
    """Return whether sorted `tiles` of one suit (or the honours) split into sets."""
    if not tiles:
        return True
    first = tiles[0]
    if tiles.count(first) >= 3 and splits(_without(tiles, (first,) * 3), triplets_only):
        return True
    if triplets_only or first >= 27 or first % 9 > 6:
        return False
    run = (first, first + 1, first + 2)
    return all(t in tiles for t in run) and splits(_without(tiles, run), False)


def _without(tiles: tuple[int, ...], gone: Sequence[int]) -> tuple[int, ...]:
    left = list(tiles)
    for t in gone:
        left.remove(t)
    return tuple(left)


@lru_cache(maxsize=200_000)
def pairs(tiles: tuple[int, ...], triplets_only: bool) -> frozenset[int]:
    """Return the kinds that can be the pair when sorted `tiles` split into sets and a pair."""
    found = set()
    for pair in set(tiles):
        if tiles.count(pair) >= 2:
            rest = _without(tiles, (pair, pair))
            groups = [tuple(t for t in rest if min(t // 9, 3) == g) for g in range(4)]
            if all(splits(group, triplets_only) for group in groups):
                found.add(pair)
    return frozenset(found)


def patterns(resolved: tuple[int, ...], melds: list[Meld], way: str, left: int) -> tuple[bool, list[str]]:
    """Return whether one resolved hand has the 258 shape, and its big patterns."""
    tiles = [*resolved, *(t for m in melds for t in m["tiles"])]
    eyes = pairs(resolved, False)
    shape258 = bool(eyes & JIANG)
    big = []
    if eyes and all(t < 27 for t in tiles) and len({t // 9 for t in tiles}) == 1:
        big.append("PURE_FLUSH")
    if pairs(resolved, True) and not any(m["type"] == "CHOW" for m in melds):
        big.append("PENG_PENG_HU")
    if all(t in WINDS for t in tiles):
        big.append("ALL_WIND")
    if all(t in JIANG for t in tiles):
        big.append("ALL_JIANG")
    if shape258:
        if way == "DISCARD" and len(melds) == 4 and all(m["type"] in OPEN for m in melds):
            big.append("FULLY_MELDED")
        if way == "KONG_SELF_DRAW":
            big.append("FLOWER_ON_KONG")
        if way in ("SELF_DRAW", "KONG_SELF_DRAW") and left <= 3:
            big.append("LAST_TILE_WIN")
        if way == "ROB_KONG":
            big.append("ROB_KONG")
    return shape258, big


def evaluate_win(
    hand: list[int],
    melds: list[Meld],
    indicator: int,
    way: str,
    left: int,
    small: int = 1,
    big: int = 2,
) -> dict[str, Any] | None:
    """Return the spec's own procedure (5.4): every multiset of named kinds, the best kept."""
    laizi, skin0, skin1 = special_tiles(indicator)
    if not any(m["type"] in OPEN for m in melds) or len(hand) != 14 - 3 * len(melds):
        return None
    if any(t in (RED, skin0, skin1) for t in hand):
        return None
    held = hand.count(laizi)
    others = [t for t in hand if t != laizi]
    names = [t for t in range(34) if t not in (RED, laizi)]
    best: tuple[Any, ...] | None = None
    for w in range(min(held, max(small, big)) + 1):
        for named in combinations_with_replacement(names, w):
            resolved = tuple(sorted([*others, *[laizi] * (held - w), *named]))
            shape258, found = patterns(resolved, melds, way, left)
            if found and w <= big:
                value = 10 * len(found)
            elif shape258 and not found and w <= small:
                value = 1
            else:
                continue
            value *= 2 if w == 0 else 1
            key = (-value, w, -len(found), [TYPES.index(t) for t in found])
            if best is None or key < best[0]:
                best = (key, w, found)
    if best is None:
        return None
    hard = best[1] == 0
    return {"hard": hard, "substitutes": best[1], "types": ["HARD_WIN" if hard else "SOFT_WIN", *best[2]]}


def waits(hand: list[int], melds: list[Meld], indicator: int, small: int = 1, big: int = 2) -> list[int]:
    """Section 5.6; ROB_KONG and the like are kept out by a win way that scores nothing."""
    _, skin0, skin1 = special_tiles(indicator)
    found = []
    for t in range(34):
        if t in (RED, skin0, skin1) or len(hand) != 13 - 3 * len(melds):
            continue
        if evaluate_win([*hand, t], melds, indicator, "NONE", 99, small, big) is not None:
            found.append(t)
    return found


# --- scoring --------------------------------------------------------------------------


def fan(melds: list[Meld], laid: list[int], indicator: int, kou_kou_fan: bool = True) -> int:
    laizi, _, _ = special_tiles(indicator)
    product = 1
    opens = [m for m in melds if m["type"] in OPEN]
    if kou_kou_fan:
        for _ in opens:
            product *= 2
    elif opens:
        product *= 2
    for m in melds:
        if m["type"] in ("KONG_EXPOSED", "KONG_SUPPLEMENT"):
            product *= 2
        if m["type"] == "KONG_CONCEALED":
            product *= 4
    for t in laid:
        product *= 4 if t == laizi else 2
    return product


def payments(
    dealer: int,
    winner: int,
    way: str,
    payer: int | None,
    types: list[str],
    fans: list[int],
) -> list[int]:
    """Section 6.2, factor by factor."""
    big = len(types) - 1
    extra = Fraction(3, 2) if big else Fraction(2)
    raw = []
    for i in range(4):
        if i == winner:
            raw.append(0)
            continue
        base = 10 * big if big else 1
        fw = Fraction(fans[winner]) * (2 if types[0] == "HARD_WIN" else 1)
        if way == "SELF_DRAW":
            fw *= extra
        fl = Fraction(fans[i])
        if way == "DISCARD" and payer == i:
            fl *= extra
        d = 2 if not big and dealer in (winner, i) else 1
        amount = base * fw * fl * d
        assert amount.denominator == 1
        raw.append(int(amount))
    return raw


def settle_win(
    dealer: int,
    indicator: int,
    winner: int,
    way: str,
    payer: int | None,
    hand: list[int],
    melds: list[list[Meld]],
    laid: list[list[int]],
    left: int,
    payer_hand: list[int] | None = None,
    options: dict[str, Any] | None = None,
) -> dict[str, Any] | None:
    o = {
        "min_win": 16,
        "cap": 300,
        "golden_mode": "raise",
        "kou_kou_fan": True,
        "small_laizi": 1,
        "big_laizi": 2,
        "contract": True,
        "wall_reserve": 0,
        **(options or {}),
    }
    found = evaluate_win(
        hand, melds[winner], indicator, way, left - o["wall_reserve"], o["small_laizi"], o["big_laizi"]
    )
    if found is None:
        return None
    types = found["types"]
    fans = [fan(melds[i], laid[i], indicator, o["kou_kou_fan"]) for i in range(4)]
    raw = payments(dealer, winner, way, payer, types, fans)
    losers = [i for i in range(4) if i != winner]
    result: dict[str, Any] = {
        "types": types,
        "raw": raw,
        "legal": all(raw[i] >= o["min_win"] for i in losers),
    }
    result["deltas"] = result["contractor"] = None
    if not result["legal"]:
        return result
    gold = o["cap"] + (200 if o["kou_kou_fan"] else 100)
    if all(raw[i] >= o["cap"] for i in losers):
        paid = {i: gold if o["golden_mode"] == "raise" else min(raw[i], gold) for i in losers}
    else:
        paid = {i: min(raw[i], o["cap"]) for i in losers}
    total = sum(paid.values())
    contractor = None
    opens = [m for m in melds[winner] if m["type"] in OPEN]
    if o["contract"]:
        if way == "ROB_KONG" or (
            "FULLY_MELDED" in types and not ready(payer_hand or [], melds[payer or 0], indicator, o)
        ):
            contractor = payer
        elif "PURE_FLUSH" in types and len(opens) >= 3:
            contractor = opens[2]["from"]
    deltas = [-paid.get(i, 0) for i in range(4)]
    if contractor is not None:
        deltas = [-total if i == contractor else 0 for i in range(4)]
    deltas[winner] = total
    result["deltas"], result["contractor"] = deltas, contractor
    return result


def ready(hand: list[int], melds: list[Meld], indicator: int, o: dict[str, Any]) -> bool:
    _, skin0, skin1 = special_tiles(indicator)
    if any(t in (RED, skin0, skin1) for t in hand):
        return False
    return bool(waits(hand, melds, indicator, o.get("small_laizi", 1), o.get("big_laizi", 2)))


def settle_flow_draw(
    indicator: int,
    hands: list[list[int]],
    melds: list[list[Meld]],
    laid: list[list[int]],
    options: dict[str, Any] | None = None,
) -> dict[str, Any]:
    o: dict[str, Any] = {"flow_cap": 300, "flow_settlement": True, "kou_kou_fan": True, **(options or {})}
    ting = [ready(hands[i], melds[i], indicator, o) for i in range(4)]
    fans = [fan(melds[i], laid[i], indicator, o["kou_kou_fan"]) for i in range(4)]
    deltas = [0] * 4
    if o["flow_settlement"]:
        for a in range(4):
            for b in range(4):
                if ting[a] and not ting[b]:
                    pays = fans[a] * fans[b] * (1 if any(m["type"] in OPEN for m in melds[b]) else 2)
                    if o["flow_cap"] is not None:
                        pays = min(pays, o["flow_cap"])
                    deltas[a] += pays
                    deltas[b] -= pays
    return {"ting": ting, "deltas": deltas}
