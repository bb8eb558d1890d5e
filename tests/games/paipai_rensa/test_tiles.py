"""The 136 tiles: ids, codes and keys (AC-12)."""

from __future__ import annotations

from collections import Counter

from qipai.games.paipai_rensa import observe
from qipai.games.paipai_rensa.tiles import CODE, KIND, code37, code_of, codes, is_red, key_of, kind_of


def test_ac12_the_set_of_136() -> None:
    kinds = Counter(kind_of(t) for t in range(136))
    assert set(kinds.values()) == {4} and len(kinds) == 34
    assert [t for t in range(136) if is_red(t)] == [16, 52, 88]
    assert KIND[1:].tolist() == [kind_of(t) for t in range(136)] == [t // 4 for t in range(136)]
    keys = [f"{suit}_{n}" for suit in ("man", "pin", "sou") for n in range(1, 10)]
    assert [key_of(k) for k in range(34)] == keys + [f"h_{c}" for c in "ESWNPFC"]
    some = {0: "m1", 16: "m0", 17: "m5", 36: "p1", 52: "p0", 72: "s1", 88: "s0", 108: "zE", 135: "zC"}
    assert {t: code_of(t) for t in some} == some


def test_code_tables_agree() -> None:
    assert [code37(int(CODE[t + 1]) - 1) for t in range(136)] == codes(range(136))
    assert [int(observe.code37(v)) for v in range(137)] == CODE.tolist()
