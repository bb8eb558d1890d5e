"""A seeded fuzzer of Skill Gomoku's named API: junk events, near misses, mutated state documents.

Every input is one call. It is accepted, or refused with a known code and then the match is
what it was. Inputs come in blocks, each from its own generator, so that a failure is
replayed with `replay(seed, index)` in a moment.
"""

from __future__ import annotations

import copy
import json
from collections import Counter
from random import Random
from typing import Any

from qipai.games.skill_gomoku import Code, SkillGomokuError, SkillGomokuMatch, TurnMachine

Json = dict[str, Any]
BLOCK = 250
IDS = ("Place", "Take", "PolarityInversion", "TimeFreeze", "SpontaneousGeneration")
STATES = (
    "maybeSkip",
    "drawTwo",
    "choose",
    "maybeTarget",
    "selectTarget",
    "resolve",
    "checkWin",
    "endTurn",
    "confirm",
)
EVENTS = (
    "CHOOSE_CARD",
    "SELECT_TARGET",
    "END_TURN",
    "ADD_TARGET",
    "CONFIRM_TARGETS",
    "AFTER_ANIMATION",
    "FOO",
)
WORDS = (
    *IDS,
    *STATES,
    *EVENTS,
    "",
    "cell",
    "player",
    "none",
    "draw",
    "five",
    "1",
    "2",
    "\ud800",
    "一",
    "x" * 300,
)
NUMBERS = (0, 1, 2, 3, -1, 4, 5, 15, 25, 26, 127, 128, 255, 2**31 - 1, 2**31, 2**53, 2**63, -(2**63), 10**40)
ODD = (None, True, False, 0.0, 1.0, 1.5, -0.0, 1e308, float("nan"), float("inf"), (), (1,), b"1", {1}, object)
SETTINGS: tuple[Json, ...] = (
    {"boardSize": 5}, {"boardSize": 5, "deckCounts": "source-early"}, {"boardSize": 9, "maxTurns": 6},
    {"boardSize": 5, "confirmEnd": True}, {"boardSize": 5, "paced": True},
    {"boardSize": 6, "allowReselect": True},
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
        try:
            outcome = fuzz.step()
        except Exception as error:
            raise AssertionError(f"seed {seed} input {i}: raised {type(error).__name__}: {error}") from error
        outcomes[outcome] += 1


class Fuzz:
    """One match, and inputs thrown at it and at the loaders."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.match = self._new()

    def _new(self) -> SkillGomokuMatch | TurnMachine:
        settings = self.rng.choice(SETTINGS)
        kind = TurnMachine if self.rng.random() < 0.3 else SkillGomokuMatch
        return kind(self.rng.randrange(1000), settings)

    def step(self) -> str:
        """Try one input and return its outcome by name."""
        if not self.match.legal_actions() and self.match.state not in ("drawTwo", "resolve", "checkWin"):
            self.match = self._new()
        roll = self.rng.random()
        if roll < 0.55:
            return self._send(self._event())
        if roll < 0.75:
            return self._act()
        return self._make() if roll < 0.8 else self._load()

    # --- calls --------------------------------------------------------------------------

    def _send(self, event: Any) -> str:
        return self._answered(lambda: self.match.send(event))

    def _act(self) -> str:
        legal = self.match.legal_actions()
        action = self.rng.choice(legal) if legal and self.rng.random() < 0.5 else self._value()
        return self._answered(lambda: self.match.act(action))

    def _answered(self, call: Any) -> str:
        before = json.dumps(self.match.dump())
        answer = call()
        if answer["ok"]:
            json.dumps(answer)
            return "accepted"
        code = answer["error"]["code"]
        assert code in set(Code), f"unknown code {code}"
        assert json.dumps(self.match.dump()) == before, f"a refusal ({code}) changed the match"
        return str(code)

    def _make(self) -> str:
        name = self.rng.choice(["boardSize", "maxTurns", "deckCounts", "paced", "x"])
        settings: Any = {name: self._value()}
        try:
            SkillGomokuMatch(self._value(), self._value() if self.rng.random() < 0.2 else settings)
        except SkillGomokuError as error:
            assert error.code == "InvalidConfig", error.code
            return error.code
        return "accepted"

    def _load(self) -> str:
        doc: Any = copy.deepcopy(self.match.dump())
        doc["log"] = doc["log"][-self.rng.randrange(1, 6) :]
        for _ in range(self.rng.randrange(3)):
            doc = self._mutated(doc)
        try:
            loaded = SkillGomokuMatch.load(doc)
        except SkillGomokuError as error:
            assert error.code in ("InvalidConfig", "UnknownCard"), error.code
            return error.code
        again = SkillGomokuMatch.load(json.loads(json.dumps(loaded.dump())))
        assert again.dump() == loaded.dump(), "a loaded state does not load to itself"
        for viewer in (1, 2, None):
            loaded.view(viewer)
        legal = loaded.legal_actions()
        if legal:
            assert loaded.act(self.rng.choice(legal))["ok"], "a legal action was refused"
        return "loaded"

    # --- inputs -------------------------------------------------------------------------

    def _event(self) -> Any:
        if self.rng.random() < 0.08:
            return self._value()
        event: Json = {"type": self.rng.choice(EVENTS[:2] if self.rng.random() < 0.7 else EVENTS)}
        if event["type"] == "CHOOSE_CARD":
            if self.rng.random() < 0.7:
                event["index"] = self.rng.choice((0, 1, 0, 1, self._value()))
            if self.rng.random() < 0.3:
                event["cardId"] = self.rng.choice((*IDS, self._value()))
        else:
            event["target"] = self._target()
        if self.rng.random() < 0.3:
            event["player"] = self.rng.choice((1, 2, self._value()))
        return event if self.rng.random() < 0.9 else self._mutated(event)

    def _target(self) -> Any:
        roll = self.rng.random()
        if roll < 0.6:
            return {"kind": "cell", "point": {"x": self.rng.randrange(-1, 7), "y": self.rng.randrange(-1, 7)}}
        if roll < 0.8:
            return {"kind": "player", "player": self.rng.choice((1, 2, self._value()))}
        return self._value()

    def _value(self, depth: int = 0) -> Any:
        roll = self.rng.random()
        if roll < 0.35:
            return self.rng.choice(NUMBERS)
        if roll < 0.6:
            return self.rng.choice(WORDS)
        if roll < 0.8 or depth > 2:
            return self.rng.choice(ODD)
        if roll < 0.9:
            return [self._value(depth + 1) for _ in range(self.rng.randrange(4))]
        return {self.rng.choice(WORDS): self._value(depth + 1) for _ in range(self.rng.randrange(3))}

    def _mutated(self, doc: Any) -> Any:
        """Return `doc` with one place, however deep, changed, removed or doubled."""
        if isinstance(doc, dict) and doc and self.rng.random() < 0.9:
            key = self.rng.choice(list(doc))
            roll = self.rng.random()
            if roll < 0.1:
                return {k: v for k, v in doc.items() if k != key}
            if roll < 0.15:
                return {**doc, self.rng.choice(WORDS): self._value()}
            return {**doc, key: self._mutated(doc[key])}
        if isinstance(doc, list) and doc and self.rng.random() < 0.9:
            i = self.rng.randrange(len(doc))
            roll = self.rng.random()
            if roll < 0.1:
                return [*doc[:i], *doc[i + 1 :]]
            if roll < 0.2:
                return [*doc, doc[i]]
            return [*doc[:i], self._mutated(doc[i]), *doc[i + 1 :]]
        return self._value()
