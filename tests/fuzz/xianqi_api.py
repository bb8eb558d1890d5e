"""A seeded fuzzer of Xianqi's named API: junk, near misses and mutated real documents.

Every input is one call. It gives a valid result, or an EngineError with a known code and
then the engine's document and record are what they were. Inputs come in blocks of BLOCK,
each from its own generator and a fresh engine, so that a failure is replayed with
`replay(seed, index)` in a moment.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from random import Random
from typing import Any

from qipai.games.xianqi.api import CODES, EngineError, XianqiGameEngine, enumerate_combos
from qipai.games.xianqi.api.document import MAX_ENTRIES, MAX_NUMBER
from qipai.games.xianqi.api.ruleset import CHOICES, DEFAULTS, REFUSED, SWITCHES
from qipai.games.xianqi.state import CARDS

Json = dict[str, Any]

BLOCK = 500
PHASES = ("init", "buckle_decision", "reveal_decision", "in_round", "buckle_flow", "settlement", "finished")
WORDS = (*CARDS, *PHASES, *DEFAULTS, "", "seat", "hand", "later", "0", "R_KING", "\ud800", "一", "x" * 300)
NUMBERS = (0, 1, 2, 3, -1, 4, 7, 8, 9, 11, 24, 25, 127, 128, 255, 2**31 - 1, 2**31, 2**63, -(2**63), 10**40)
ODD = (
    None, True, False, 0.0, 1.0, 1.5, -0.0, 1e308, float("nan"), float("inf"), 10**6000, (), (1,), b"1",
    Decimal(1), {1}, object, range(3),
)  # fmt: skip


def run(count: int, seed: int) -> dict[str, int]:
    """Make `count` inputs; how many were accepted, and how many refused with each code."""
    outcomes: Counter[str] = Counter()
    for block in range(0, count, BLOCK):
        _run_block(seed, block, min(BLOCK, count - block), outcomes)
    return {"inputs": count, **{name: outcomes[name] for name in sorted(outcomes)}}


def replay(seed: int, index: int) -> dict[str, int]:
    """Make the inputs of the block of `index` again, up to it."""
    outcomes: Counter[str] = Counter()
    block = index - index % BLOCK
    _run_block(seed, block, index - block + 1, outcomes)
    return dict(outcomes)


def _run_block(seed: int, block: int, count: int, outcomes: Counter[str]) -> None:
    rng = Random(f"{seed}/{block}")
    fuzz = Fuzz(rng)
    for i in range(block, block + count):
        name, call, changes = fuzz.next_call()
        record = _record(fuzz.engine)
        try:
            result = call()
        except EngineError as error:
            outcome = error.code
            known = outcome in CODES and str(error) == outcome and isinstance(error.message, str)
            assert known, f"seed {seed} input {i}: {name} raised the unknown code {outcome!r}"
            changes = False
        except Exception as error:
            raise AssertionError(f"seed {seed} input {i}: {name} raised {error!r}") from error
        else:
            outcome = "accepted"
            if changes:
                fuzz.document = fuzz.engine.dump_state()
            fault = fuzz.fault(name, result)
            assert fault is None, f"seed {seed} input {i}: {name}: {fault}"
        if not changes:
            same = fuzz.engine.dump_state() == fuzz.document and _record(fuzz.engine) == record
            assert same, f"seed {seed} input {i}: {name} was {outcome} and changed the state"
        outcomes[outcome] += 1


def _record(engine: XianqiGameEngine) -> bytes:
    s = engine._s
    return b"" if s is None else s.tobytes()


def _loads_again(document: Json) -> bool:
    """Play from a document at the limits of load_state goes beyond them; any other dump loads."""
    numbers = (document["version"], document["turn"]["round_index"])
    holders = (document["turn"], *document["pillar_groups"])
    lists = (document["pillar_groups"], document["reveal"]["relations"], *(x["plays"] for x in holders))
    return max(numbers) <= MAX_NUMBER and max(map(len, lists)) <= MAX_ENTRIES


class Fuzz:
    """One engine and the next input for it."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.engine = XianqiGameEngine(self.good_rules() if rng.random() < 0.7 else None)
        self.engine.init_game({"player_count": 3}, rng.randrange(1 << 32))
        self.document = self.engine.dump_state()  # as it was after the last accepted call
        self.makers = (
            [self.apply] * 9 + [self.load] * 9 + [self.init, self.settle, self.private, self.listed]
            + [self.make, self.combos]
        )  # fmt: skip

    def next_call(self) -> tuple[str, Callable[[], Any], bool]:
        """Return a name, the call, and whether it may change the state."""
        return self.rng.choice(self.makers)()

    # --- calls ------------------------------------------------------------------------

    def apply(self) -> tuple[str, Callable[[], Any], bool]:
        rng, document = self.rng, self.document
        decision = document.get("decision")
        seat = decision["seat"] if decision else 0
        actions = self.engine.get_legal_actions(seat)["actions"]
        idx: Any = rng.randrange(len(actions)) if actions and rng.random() < 0.7 else self.junk(1)
        cover: Any = None
        if actions and actions[0]["type"] == "COVER":
            hand = [card for card, n in document["players"][seat]["hand"].items() for _ in range(n)]
            picked = rng.sample(hand, min(len(hand), actions[0]["required_count"]))
            cover = {card: picked.count(card) for card in picked}
        if rng.random() < 0.15:
            cover = self.mutated(cover) if cover and rng.random() < 0.6 else self.card_set()
        version: Any = document["version"] if rng.random() < 0.5 else None
        if rng.random() < 0.1:
            version = self.junk(1) if rng.random() < 0.5 else document["version"] + rng.choice((-1, 1))
        return "apply_action", lambda: self.engine.apply_action(idx, cover, version), True

    def load(self) -> tuple[str, Callable[[], Any], bool]:
        rng = self.rng
        if rng.random() < 0.05:
            document: Any = self.junk(3)
        else:
            document = self.engine.dump_state()
            for _ in range(rng.choice((0, 1, 1, 1, 1, 2, 3, 6))):
                document = self.mutated(document)
        strict: Any = rng.choice((False, False, True, 1, None))
        return "load_state", lambda: self.engine.load_state(document, strict), True

    def init(self) -> tuple[str, Callable[[], Any], bool]:
        rng = self.rng
        config: Any = {"player_count": 3}
        if rng.random() < 0.5:
            config["rules"] = self.rules()
        if rng.random() < 0.3:
            config["first_seat"] = rng.choice((0, 1, 2, self.junk(1)))
        if rng.random() < 0.4:
            config = self.mutated(config)
        seed = rng.randrange(1 << 32) if rng.random() < 0.8 else self.junk(2)
        return "init_game", lambda: self.engine.init_game(config, seed), True

    def settle(self) -> tuple[str, Callable[[], Any], bool]:
        return "settle", self.engine.settle, True

    def private(self) -> tuple[str, Callable[[], Any], bool]:
        seat = self.junk(1)
        return "get_private_state", lambda: self.engine.get_private_state(seat), False

    def listed(self) -> tuple[str, Callable[[], Any], bool]:
        seat = self.junk(1)
        return "get_legal_actions", lambda: self.engine.get_legal_actions(seat), False

    def make(self) -> tuple[str, Callable[[], Any], bool]:
        rules = self.rules() if self.rng.random() < 0.5 else self.mutated(self.rules())
        return "XianqiGameEngine", lambda: XianqiGameEngine(rules), False

    def combos(self) -> tuple[str, Callable[[], Any], bool]:
        hand, kind, rules = self.card_set(), self.rng.choice((None, 1, 2, 3, self.junk(1))), self.rules()
        return "enumerate_combos", lambda: enumerate_combos(hand, kind, rules), False

    # --- values -----------------------------------------------------------------------

    def good_rules(self) -> Json:
        rng = self.rng
        found: Json = {n: rng.choice(values) for n, values in CHOICES.items() if rng.random() < 0.3}
        found.update({name: rng.random() < 0.5 for name in SWITCHES if rng.random() < 0.3})
        return found

    def rules(self) -> Json:
        rng, found = self.rng, self.good_rules()
        if rng.random() < 0.05:
            found[rng.choice(REFUSED)] = rng.choice((None, False, True, {"bound_seat": 0}))
        return found

    def card_set(self) -> Any:
        rng = self.rng
        if rng.random() < 0.2:
            return self.junk(2)
        return {rng.choice(CARDS): rng.choice((0, 1, 1, 2, 3, self.junk(0))) for _ in range(rng.randrange(5))}

    def junk(self, depth: int) -> Any:
        """Anything a caller might pass, wrong more often than right."""
        rng, kind = self.rng, self.rng.random()
        if kind < 0.4:
            return rng.choice(NUMBERS)
        if kind < 0.55:
            return rng.choice(WORDS)
        if kind < 0.75 or depth <= 0:
            return rng.choice(ODD)
        if kind < 0.87:
            return [self.junk(depth - 1) for _ in range(rng.randrange(4))]
        if kind < 0.98:
            return {rng.choice(WORDS): self.junk(depth - 1) for _ in range(rng.randrange(4))}
        nested: Any = 0
        for _ in range(rng.choice((5, 50, 5000))):
            nested = [nested]
        return nested

    def mutated(self, value: Any) -> Any:
        """Return `value` (changed in place) with one thing in it replaced, removed, added or doubled."""
        rng = self.rng
        at = value
        while True:
            keys = list(at) if isinstance(at, dict) else list(range(len(at))) if isinstance(at, list) else []
            if not keys:
                return self.junk(2) if at is value else value
            key = rng.choice(keys)
            if isinstance(at[key], dict | list) and at[key] and rng.random() < 0.8:
                at = at[key]
            else:
                break
        how = rng.random()
        if how < 0.6:
            at[key] = self.near(at[key])
        elif how < 0.75:
            del at[key]
        elif isinstance(at, dict):
            at[rng.choice((*WORDS, 3, None))] = self.junk(1)
        else:
            at.insert(rng.randrange(len(at) + 1), rng.choice((at[key], self.junk(1))))
        return value

    def near(self, value: Any) -> Any:
        """Return a replacement for `value`, often of the same kind."""
        rng = self.rng
        if rng.random() < 0.6:
            if isinstance(value, bool):
                return not value
            if isinstance(value, int):
                return rng.choice((value + 1, value - 1, rng.randrange(4), rng.choice(NUMBERS)))
            if isinstance(value, str):
                return rng.choice(WORDS)
            if value is None:
                return rng.randrange(3)
        return self.junk(2)

    # --- results ----------------------------------------------------------------------

    def fault(self, name: str, result: Any) -> str | None:
        """Return what is wrong with an accepted result, if anything."""
        if name == "XianqiGameEngine":
            return None
        if name == "enumerate_combos":
            return None if all(set(c) == {"cards", "power"} for c in result) else "not combos"
        if name in ("get_private_state", "get_legal_actions"):
            return None if isinstance(result, dict) and len(result) == 2 else "not the two keys"
        document = self.document
        if name != "load_state" and result["new_state"] != document:
            return "new_state is not the state"
        decision, seat = document["decision"], document["turn"]["current_seat"]
        if document["phase"] in ("settlement", "finished"):
            if name in ("apply_action", "settle", "init_game") and decision is not None:
                return "a decision after the end"
        elif decision is None or decision["seat"] != seat:
            return "decision and turn disagree"
        if self.rng.random() < 0.05 and _loads_again(document):
            again = XianqiGameEngine()
            again.load_state(json.loads(json.dumps(document)))
            if again.get_public_state() != self.engine.get_public_state():
                return "a dump does not load to the same public state"
        return None
