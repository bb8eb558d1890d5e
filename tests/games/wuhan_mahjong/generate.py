"""Random complete and nearly complete hands and tables, rich in laizi, for the twins to judge."""

from __future__ import annotations

import random
from typing import Any

from tests.naive.wuhan_mahjong import JIANG, RED, special_tiles

WAYS = ("SELF_DRAW", "ROB_KONG", "KONG_SELF_DRAW", "DISCARD")
OPEN_TYPES = ("CHOW", "PONG", "PONG", "KONG_EXPOSED", "KONG_SUPPLEMENT", "KONG_CONCEALED")
Meld = dict[str, Any]


def random_meld(rng: random.Random, kinds: list[int], owner: int) -> Meld:
    """Return a meld of ordinary tiles among `kinds`."""
    kind = rng.choice(OPEN_TYPES)
    runs = [t for t in kinds if t < 27 and t % 9 < 7 and t + 1 in kinds and t + 2 in kinds]
    if kind == "CHOW" and runs:
        low = rng.choice(runs)
        return {"type": "CHOW", "tiles": [low, low + 1, low + 2], "from": (owner - 1) % 4}
    if kind == "CHOW":
        kind = "PONG"
    tile = rng.choice(kinds)
    size = 3 if kind == "PONG" else 4
    source = owner if kind == "KONG_CONCEALED" else rng.choice([k for k in range(4) if k != owner])
    return {"type": kind, "tiles": [tile] * size, "from": source}


def random_melds(
    rng: random.Random, n: int, indicator: int, owner: int, flush: int | None = None
) -> list[Meld]:
    """Return `n` melds of ordinary tiles, of one group when `flush` says so."""
    special = {*special_tiles(indicator), RED}
    pool = [t for t in range(34) if t not in special]
    if flush is not None:
        pool = [t for t in pool if (t // 9 == flush if flush < 3 else t >= 27)] or pool
    if rng.random() < 0.1:
        pool = [t for t in pool if t in JIANG] or pool
    return [random_meld(rng, pool, owner) for _ in range(n)]


MANY = (0, 0, 1, 1, 2, 2, 3, 4)
FEW = (0, 0, 0, 1)  # laizi of a hand whose waits the naive twin must find: it tries every kind


def random_hand(
    rng: random.Random,
    melds: int,
    indicator: int,
    flush: int | None = None,
    wild: tuple[int, ...] = MANY,
) -> list[int]:
    """Return a hand of 14 - 3 * melds tiles: usually complete except for a few, some turned into laizi."""
    laizi, skin0, skin1 = special_tiles(indicator)
    pool = [t for t in range(34) if t not in (RED, skin0, skin1)]
    if flush is not None:
        pool = [t for t in pool if (t // 9 == flush if flush < 3 else t >= 27)]
    style = rng.random()
    if style < 0.08:
        pool = [t for t in pool if t in JIANG] or pool
    tiles: list[int] = []
    while len(tiles) < 12 - 3 * melds:
        runs = [t for t in pool if t < 27 and t % 9 < 7 and t + 1 in pool and t + 2 in pool]
        if runs and rng.random() < (0.1 if style < 0.25 else 0.6):
            low = rng.choice(runs)
            tiles += [low, low + 1, low + 2]
        else:
            tiles += [rng.choice(pool)] * 3
    eyes = [t for t in pool if t in JIANG] if rng.random() < 0.7 else pool
    tiles += [rng.choice(eyes or pool)] * 2
    for _ in range(rng.choice((0, 0, 0, 0, 1, 1, 2))):
        tiles[rng.randrange(len(tiles))] = rng.choice(pool)
    for _ in range(min(rng.choice(wild), len(tiles))):
        tiles[rng.randrange(len(tiles))] = laizi
    if rng.random() < 0.02:
        tiles[0] = rng.choice((RED, skin0, skin1))
    counts = {t: tiles.count(t) for t in set(tiles)}
    return sorted(tiles) if max(counts.values()) <= 4 else random_hand(rng, melds, indicator, flush, wild)


def random_win(rng: random.Random) -> dict[str, Any]:
    """Return arguments of evaluate_win."""
    indicator = rng.randrange(34)
    n = rng.choice((1, 1, 2, 2, 3, 4))
    flush = rng.choice((None, None, None, 0, 1, 2, 3))
    return {
        "hand": random_hand(rng, n, indicator, flush),
        "melds": random_melds(rng, n, indicator, 0, flush),
        "indicator": indicator,
        "win_way": rng.choice(WAYS),
        "wall_left": rng.choice((40, 12, 4, 3, 0)),
    }


def random_options(rng: random.Random) -> dict[str, Any]:
    """Return any options that scoring reads."""
    found: dict[str, Any] = {}
    for name, values in {
        "min_win": (16, 16, 0, 8, 32, 64),
        "cap": (300, 500, 800),
        "golden_mode": ("raise", "limit"),
        "kou_kou_fan": (True, False),
        "contract": (True, False),
        "wall_reserve": (0, 10),
        "flow_cap": (300, None),
        "flow_settlement": (True, True, False),
    }.items():
        if rng.random() < 0.4:
            found[name] = rng.choice(values)
    return found


def random_laid(rng: random.Random, indicator: int) -> list[list[int]]:
    """Return special kongs of four seats, no kind more than four times."""
    laid: list[list[int]] = [[], [], [], []]
    for t in (*special_tiles(indicator), RED):
        for _ in range(rng.choice((0, 0, 1, 1, 2, 4))):
            laid[rng.randrange(4)].append(t)
    return laid


def random_table(rng: random.Random) -> dict[str, Any]:
    """Return arguments of settle_win."""
    indicator = rng.randrange(34)
    n = rng.choice((1, 2, 3, 3, 4, 4))
    flush = rng.choice((None, None, 0, 1, 2, 3))
    winner = rng.randrange(4)
    way = rng.choice(WAYS)
    payer = rng.choice([k for k in range(4) if k != winner]) if way in ("DISCARD", "ROB_KONG") else None
    melds = [random_melds(rng, rng.choice((1, 2, 3)), indicator, k) for k in range(4)]
    melds[winner] = random_melds(rng, n, indicator, winner, flush)
    payer_hand = None
    if payer is not None:
        payer_hand = random_hand(rng, len(melds[payer]), indicator, wild=FEW)[1:]
    return {
        "dealer": rng.randrange(4),
        "indicator": indicator,
        "winner": winner,
        "win_way": way,
        "payer": payer,
        "hand": random_hand(rng, n, indicator, flush),
        "melds": melds,
        "special_kongs": random_laid(rng, indicator),
        "wall_left": rng.choice((40, 12, 3)),
        "payer_hand": payer_hand,
        "options": random_options(rng),
    }


def random_flow(rng: random.Random) -> dict[str, Any]:
    """Return arguments of settle_flow_draw."""
    indicator = rng.randrange(34)
    counts = [rng.choice((0, 1, 2, 3, 4)) for _ in range(4)]
    return {
        "indicator": indicator,
        "hands": [random_hand(rng, n, indicator, wild=FEW)[1:] for n in counts],
        "melds": [random_melds(rng, n, indicator, k) for k, n in enumerate(counts)],
        "special_kongs": random_laid(rng, indicator),
        "options": {
            k: v
            for k, v in random_options(rng).items()
            if k in ("kou_kou_fan", "flow_cap", "flow_settlement")
        },
    }
