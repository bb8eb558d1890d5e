"""A slow, obvious twin of Skill Gomoku's turn machine: cards, deck, board and generator in plain Python.

It shares with the package only what both show (`MachineInterface`), settings, and the checks of target specs.
It plays the base game and every extension, so that `TurnMachine` can be compared with it byte for byte.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from qipai.games.skill_gomoku.api.cards import CardDefinition, CardRegistry, Context, base_registry
from qipai.games.skill_gomoku.api.clone import clone
from qipai.games.skill_gomoku.api.codes import Code, SkillGomokuError, short
from qipai.games.skill_gomoku.api.interface import Json, MachineInterface
from qipai.games.skill_gomoku.api.log import Entry, log_event
from qipai.games.skill_gomoku.api.settings import Settings, read_settings
from qipai.games.skill_gomoku.reference import Generator, Mulberry32, seed_state

Cells = list[list[int]]
Op = dict[str, Any]
Point = tuple[int, int]
Target = Any
T = TypeVar("T")
WORD = 0xFFFFFFFF
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
FIVE = 5
SCATTERED = 5
SLOTS = 2
OPPONENT = 2
CELL = 3
WAITING = ("choose", "selectTarget", "confirm")  # states that need an event of the player
PACED = ("drawTwo", "resolve", "checkWin")  # states that wait for AFTER_ANIMATION when paced

# --- generator ------------------------------------------------------------------------


class NaiveSfc32:
    """The core's generator, written out: draws as the compiled rules draw."""

    def __init__(self, words: Sequence[int]) -> None:
        self.words = [int(w) & WORD for w in words]

    @classmethod
    def seeded(cls, words: Sequence[int]) -> NaiveSfc32:
        """From four words, with the core's warm-up."""
        made = cls(words)
        for _ in range(12):
            made.u32()
        return made

    def u32(self) -> int:
        """Return the next 32 bits."""
        a, b, c, d = self.words
        t = (a + b + d) & WORD
        turned = ((c << 21) | (c >> 11)) & WORD
        self.words = [b ^ (b >> 9), (c + (c << 3)) & WORD, (turned + t) & WORD, (d + 1) & WORD]
        return t

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1, exactly uniform."""
        while True:
            product = self.u32() * n
            if (product & WORD) >= n or (product & WORD) >= (WORD + 1 - n) % n:
                return product >> 32

    def shuffle(self, items: Sequence[T]) -> list[T]:
        """Fisher-Yates from the end."""
        out = list(items)
        for i in range(len(out) - 1, 0, -1):
            j = self.below(i + 1)
            out[i], out[j] = out[j], out[i]
        return out

    def scatter(self, empties: Sequence[Point], n: int) -> list[tuple[Point, int]]:
        """Cell and colour by turns; a cell is drawn by its rank among those still empty."""
        left = list(empties)
        out = []
        for _ in range(n):
            cell = left.pop(self.below(len(left)))
            out.append((cell, 1 + self.below(2)))
        return out

    def to_json(self) -> dict[str, Any]:
        """Return the four words."""
        return {"algorithm": "sfc32", "state": list(self.words)}


def play_generator(state: int) -> NaiveSfc32:
    """Return the generator of play, seeded from a state of the original's."""
    return NaiveSfc32.seeded((state & WORD, 0x736B696C, 0x6C676F6D, 1))


# --- board ----------------------------------------------------------------------------


def empty_cells(cells: Cells) -> list[tuple[int, int]]:
    """Return the empty cells (x, y), row by row."""
    return [(x, y) for y, row in enumerate(cells) for x, c in enumerate(row) if c == 0]


def count(cells: Cells, value: int) -> int:
    """Return how many cells hold `value`."""
    return sum(row.count(value) for row in cells)


def apply_ops(state: Mapping[str, Any], ops: Sequence[Op]) -> dict[str, Any]:
    """§12 the state after `ops`, in order; `state` itself stays as it is.

    Of `state` it reads and renews `board`, `status` and `lastMove`. SkillGomokuError
    when one of the ops cannot be done.
    """
    out = dict(state)
    for key in ("board", "status", "lastMove"):
        out[key] = clone(state.get(key))
    for op in ops:
        _apply_op(out, op)
    return out


def _apply_op(state: dict[str, Any], op: Op) -> None:
    kind = op.get("type") if isinstance(op, Mapping) else None
    cells: Cells = state["board"]["cells"]
    if kind == "place":
        x, y = op["point"]["x"], op["point"]["y"]
        player = op.get("player")
        if type(player) is not int or player not in (1, 2):
            raise SkillGomokuError(Code.InvalidTarget, f"no player {short(player)}")
        if cells[y][x] != 0:
            raise SkillGomokuError(Code.CellOccupied)
        cells[y][x] = player
        state["lastMove"] = {"x": x, "y": y, "player": player}
    elif kind == "remove":
        x, y = op["point"]["x"], op["point"]["y"]
        if cells[y][x] == 0:
            raise SkillGomokuError(Code.CellEmpty)
        cells[y][x] = 0
        last = state["lastMove"]
        if last is not None and (last["x"], last["y"]) == (x, y):
            state["lastMove"] = None
    elif kind == "swapAll":
        state["board"]["cells"] = [[(0, 2, 1)[c] for c in row] for row in cells]
        if state["lastMove"] is not None:
            state["lastMove"]["player"] = 3 - state["lastMove"]["player"]
    elif kind == "freeze":
        target, amount = op.get("target"), op.get("amount")
        if type(target) is not int or target not in (1, 2) or type(amount) is not int or amount < 0:
            raise SkillGomokuError(Code.InvalidTarget, f"cannot freeze {short(target)} by {short(amount)}")
        state["status"]["skipNextTurns"][str(target)] += amount
    else:
        raise SkillGomokuError(Code.InvalidEvent, f"unknown operation {short(op)}")


def runs(cells: Cells) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """§7 all maximal runs (player, cells), by start cell row by row, then by direction."""
    size = len(cells)
    for y in range(size):
        for x in range(size):
            if cells[y][x] == 0:
                continue
            for dx, dy in DIRECTIONS:
                if _at(cells, x - dx, y - dy) == cells[y][x]:
                    continue  # not the start of the run
                line = [(x, y)]
                while _at(cells, line[-1][0] + dx, line[-1][1] + dy) == cells[y][x]:
                    line.append((line[-1][0] + dx, line[-1][1] + dy))
                yield cells[y][x], line


def _at(cells: Cells, x: int, y: int) -> int:
    return cells[y][x] if 0 <= y < len(cells) and 0 <= x < len(cells) else -1


def winning_lines(cells: Cells) -> list[dict[str, Any]]:
    """Return all maximal runs of five or more, as §7 reports them."""
    return [
        {"player": player, "length": len(line), "line": [{"x": x, "y": y} for x, y in line]}
        for player, line in runs(cells)
        if len(line) >= FIVE
    ]


def scan_wins(cells: Cells, attacker: int, policy: str = "attacker") -> dict[str, Any]:
    """§7 winner, reason and lines of a board on which `attacker` has just moved."""
    lines = winning_lines(cells)
    owners = {line["player"] for line in lines}
    winner: int | str | None = None
    reason = None
    if len(owners) == 1:
        winner, reason = next(iter(owners)), "five"
    elif len(owners) == 2:
        winner, reason = ("draw" if policy == "draw" else attacker), "simultaneousFive"
    return {"winner": winner, "reason": reason, "lines": lines}


# --- cards and deck -------------------------------------------------------------------


def _always(context: Context) -> Code | None:
    return None


def _can_place(context: Context) -> Code | None:
    return None if count(context.cells, 0) > 0 else Code.InsufficientEmpties


def _can_take(context: Context) -> Code | None:
    return None if count(context.cells, context.opponent) > 0 else Code.CardNotPlayable


def _can_generate(context: Context) -> Code | None:
    return None if count(context.cells, 0) >= SCATTERED else Code.InsufficientEmpties


def _place(context: Context, target: Target, generator: Generator) -> list[Op]:
    return [{"type": "place", "point": dict(target["point"]), "player": context.player}]


def _take(context: Context, target: Target, generator: Generator) -> list[Op]:
    return [{"type": "remove", "point": dict(target["point"])}]


def _invert(context: Context, target: Target, generator: Generator) -> list[Op]:
    return [{"type": "swapAll"}]


def _freeze(context: Context, target: Target, generator: Generator) -> list[Op]:
    return [{"type": "freeze", "target": context.opponent, "amount": 1}]


def _generate(context: Context, target: Target, generator: Generator) -> list[Op]:
    stones = generator.scatter(empty_cells(context.cells), SCATTERED)
    return [{"type": "place", "point": {"x": x, "y": y}, "player": colour} for (x, y), colour in stones]


PLAY: dict[str, tuple[Any, Any]] = {
    "Place": (_can_place, _place),
    "Take": (_can_take, _take),
    "PolarityInversion": (_always, _invert),
    "TimeFreeze": (_always, _freeze),
    "SpontaneousGeneration": (_can_generate, _generate),
}


def naive_registry(registry: CardRegistry) -> CardRegistry:
    """Return the registry with the base cards played by the functions above."""
    own = base_registry()
    return CardRegistry(
        tuple(
            replace(card, can_play=PLAY[card.id][0], effect=PLAY[card.id][1])
            if card is own.get(card.id)
            else card
            for card in registry
        )
    )


def put_place_on_top(deck: list[str]) -> list[str]:
    """Exchange the Place with the lowest index and the last card."""
    out = list(deck)
    if "Place" in out:
        i = out.index("Place")
        out[i], out[-1] = out[-1], out[i]
    return out


def draw_cards(
    draw_pile: Sequence[str], discard_pile: Sequence[str], n: int, generator: Generator
) -> dict[str, Any]:
    """§4.5 draw `n`; the lists given stay as they are. Keys as in the vectors' kind `draw`."""
    pile, discards, drawn = list(draw_pile), list(discard_pile), []
    reshuffled = False
    for _ in range(n):
        if not pile and discards:
            pile, discards = generator.shuffle(discards), []
            reshuffled = True
        if not pile:
            break
        drawn.append(pile.pop())
    return {"drawn": drawn, "drawPile": pile, "discardPile": discards, "reshuffled": reshuffled}


# --- the machine ----------------------------------------------------------------------


class NaiveMachine(MachineInterface):
    """One match, state by state."""

    def __init__(
        self,
        seed: int | str,
        settings: Mapping[str, Any] | None = None,
        *,
        registry: CardRegistry | None = None,
        pinned: bool = False,
    ) -> None:
        self.registry = naive_registry(base_registry() if registry is None else registry)
        self._blank(read_settings({**(settings or {}), "seed": seed}, self.registry.ids))
        dealer = Mulberry32(seed_state(seed))
        deck = dealer.shuffle([c for c in self.registry.ids for _ in range(self.settings.counts[c])])
        self._pile.extend(put_place_on_top(deck) if self.settings.place_top else deck)
        self._generator: Generator = dealer if pinned else play_generator(dealer.state)
        self._begin()

    @classmethod
    def load(cls, doc: Json, *, registry: CardRegistry | None = None, pinned: bool = False) -> NaiveMachine:
        """Return a machine in the state of `doc`, which must be sound, gone on to where it waits."""
        made = cls.__new__(cls)
        made.registry = naive_registry(base_registry() if registry is None else registry)
        made._read(doc, pinned)
        made._run()
        return made

    def _blank(self, settings: Settings) -> None:
        self.settings = settings
        self._cells: Cells = [[0] * settings.board_size for _ in range(settings.board_size)]
        self._player = settings.first_player
        self._pile: list[str] = []
        self._discard: list[str] = []
        self._skips = {"1": 0, "2": 0}
        self._number = 1
        self._last_move: Json | None = None
        self._winner: int | str | None = None
        self._reason: str | None = None
        self._state = "maybeSkip"
        self.log = []
        self._last_events = []
        self._clear_turn()

    def _clear_turn(self) -> None:
        self._drawn: list[str] = []
        self._chosen: str | None = None
        self._index: int | None = None
        self._target: Any = None
        self._added: list[Json] = []  # targets of a card that takes several, until confirmed

    def _read(self, given: Json, pinned: bool) -> None:
        doc: Any = clone(given)
        self._blank(read_settings(doc["settings"], self.registry.ids, loaded=True))
        self._cells, self._player = doc["board"]["cells"], doc["currentPlayer"]
        self._pile, self._discard = doc["deck"]["drawPile"], doc["deck"]["discardPile"]
        self._skips, self._last_move = doc["status"]["skipNextTurns"], doc["lastMove"]
        self._winner, self._reason, self.log = doc["winner"], doc["reason"], doc["log"]
        turn, rng = doc["turn"], doc["rng"]
        self._number, self._state, self._drawn = turn["number"], turn["state"], turn.get("drawn", [])
        self._chosen, self._index = turn.get("chosen"), turn.get("chosenIndex")
        self._target, self._added = turn.get("target"), turn.get("added", [])
        if rng["algorithm"] == "sfc32":
            self._generator = NaiveSfc32(rng["state"])
        else:
            self._generator = Mulberry32(rng["state"]) if pinned else play_generator(rng["state"])

    def _begin(self) -> None:
        settings = {**self.settings.to_json(), "seed": None}
        self._last_events = [{"event": "matchStarted", "settings": settings}, self._turn_started()]
        self._run()

    def _turn_started(self) -> Json:
        return {"event": "turnStarted", "turn": self._number, "player": self._player}

    # --- the machine ------------------------------------------------------------------

    def _run(self) -> None:
        """Run the automatic states, until an event is needed or the game is over."""
        while not self._waits():
            self._step()
        if self._winner is not None and self._state == "endTurn":
            self._emit({"event": "matchEnded", "winner": self._winner, "reason": self._reason})

    def _waits(self) -> bool:
        if self._state in WAITING or (self.settings.paced and self._state in PACED):
            return True
        return self._state == "endTurn" and self._winner is not None

    def _step(self) -> None:
        steps: dict[str, Callable[[], None]] = {
            "maybeSkip": self._leave_maybe_skip,
            "drawTwo": self._leave_draw_two,
            "maybeTarget": self._leave_maybe_target,
            "resolve": self._enter_check_win,
            "checkWin": self._leave_check_win,
            "endTurn": self._next_turn,
        }
        steps[self._state]()

    def _leave_maybe_skip(self) -> None:
        if self._skips[str(self._player)] > 0:  # shouldSkip
            self._skips[str(self._player)] -= 1
            remaining = self._skips[str(self._player)]
            self._write("skip", {"reason": "frozen", "remaining": remaining}, "consumed 1")
            self._enter_end_turn()
        else:
            self._enter_draw_two()

    def _enter_draw_two(self) -> None:
        self._state = "drawTwo"
        got = draw_cards(self._pile, self._discard, SLOTS, self._generator)
        self._drawn = got["drawn"]
        self._pile, self._discard = got["drawPile"], got["discardPile"]
        data = {"cards": list(self._drawn), "reshuffled": got["reshuffled"]}
        self._write("drawTwo", data, f"[{', '.join(self._drawn)}]")

    def _leave_draw_two(self) -> None:
        if self._drawn:
            self._state = "choose"
        else:
            self._winner, self._reason = "draw", "noCards"
            self._enter_end_turn()

    def _leave_maybe_target(self) -> None:
        if self._card.needs_target and self._card.can_play(self.context) is None:  # needsTarget
            self._state = "selectTarget"
        else:
            self._enter_resolve()

    def _enter_resolve(self) -> None:
        self._state = "resolve"
        ops = self._effect()
        fizzled = ops is None
        if self.settings.allow_reselect:
            self._discard = [*self._discard, *self._drawn]
        else:
            self._discard = [*self._discard, self._card.id]
        data = {"card": self._card.id, "ops": ops or [], "fizzled": fizzled}
        self._write("resolve", data, f"{self._card.id} {'fizzled' if fizzled else 'applied'}")

    def _effect(self) -> list[Op] | None:
        """Return what the card has done; None if it fizzles: unplayable, or its operations are impossible."""
        if self._card.can_play(self.context) is not None:
            return None
        ops = self._card.effect(self.context, self._target, self._generator)
        try:
            self._apply(ops)
        except SkillGomokuError:  # a card of a third party; those of §3 are never refused here
            return None
        return ops

    def _apply(self, ops: list[Op]) -> None:
        before = {
            "board": {"size": len(self._cells), "cells": self._cells},
            "status": {"skipNextTurns": self._skips},
            "lastMove": self._last_move,
        }
        after = apply_ops(before, ops)
        self._cells = after["board"]["cells"]
        self._skips = after["status"]["skipNextTurns"]
        self._last_move = after["lastMove"]

    def _enter_check_win(self) -> None:
        self._state = "checkWin"
        found = scan_wins(self._cells, self._player, self.settings.policy)
        self._winner, self._reason = found["winner"], found["reason"]
        shown = "none" if self._winner is None else str(self._winner)
        self._write("checkWin", {"winner": self._winner}, shown)

    def _leave_check_win(self) -> None:
        if self.settings.confirm_end and self._winner is None:
            self._state = "confirm"
        else:
            self._enter_end_turn()

    def _enter_end_turn(self) -> None:
        self._state = "endTurn"
        self._emit({"event": "turnEnded", "turn": self._number})
        self._player = 3 - self._player
        limit = self.settings.max_turns
        if self._winner is None and limit is not None and self._number >= limit:
            self._winner, self._reason = "draw", "turnLimit"

    def _next_turn(self) -> None:
        self._number += 1
        self._clear_turn()
        self._state = "maybeSkip"
        self._emit(self._turn_started())

    # --- events -----------------------------------------------------------------------

    def _accept(self, event: Mapping[str, Any]) -> list[Json] | Code:
        handlers: dict[str, Callable[[Mapping[str, Any]], Code | None]] = {
            "CHOOSE_CARD": self._choose,
            "SELECT_TARGET": self._select,
            "ADD_TARGET": self._add_target,
            "CONFIRM_TARGETS": self._confirm_targets,
            "END_TURN": self._end_turn,
            "AFTER_ANIMATION": self._after_animation,
        }
        kept, self._last_events = self._last_events, []
        refused = handlers[event["type"]](event)
        if refused is not None:
            self._last_events = kept
            return refused
        self._run()
        return self._last_events

    def _choose(self, event: Mapping[str, Any]) -> Code | None:
        again = self.settings.allow_reselect and self._state == "selectTarget"
        if self._state != "choose" and not again:
            return Code.WrongState
        slot = self.read_choice(event)
        if isinstance(slot, Code):
            return slot
        self._index, self._chosen, self._target = slot, self._drawn[slot], None
        self._added = []
        other = self._drawn[1 - slot] if len(self._drawn) == SLOTS else None
        if other is not None and not self.settings.allow_reselect:
            self._discard = [*self._discard, other]
        data = {"card": self._chosen, "index": slot, "discarded": other}
        self._write("choose", data, str(self._chosen))
        self._state = "maybeTarget"
        return None

    def _select(self, event: Mapping[str, Any]) -> Code | None:
        if self._state != "selectTarget" or self._card.several is not None:
            return Code.WrongState
        target = event.get("target")
        refused = self._card.validate_target(self.context, target)  # targetValid
        if refused is not None:
            return refused
        self._set_target(plain_target(target))
        return None

    def _set_target(self, target: Any) -> None:
        self._target = target
        text = json.dumps(target, separators=(",", ":"), sort_keys=True)
        self._write("selectTarget", {"target": target}, text)
        self._enter_resolve()

    def _add_target(self, event: Mapping[str, Any]) -> Code | None:
        several = self._card.several if self._state == "selectTarget" else None
        if several is None:
            return Code.WrongState
        refused = self._card.validate_target(self.context, event.get("target"))
        if refused is not None:
            return refused
        target = plain_target(event.get("target"))
        if target in self._added:
            return Code.DuplicateTarget
        if len(self._added) == several[1]:
            return Code.TooManyTargets
        self._added = [*self._added, target]
        return None

    def _confirm_targets(self, event: Mapping[str, Any]) -> Code | None:
        several = self._card.several if self._state == "selectTarget" else None
        if several is None:
            return Code.WrongState
        if len(self._added) < several[0]:
            return Code.TooFewTargets
        self._set_target(list(self._added))
        return None

    def _end_turn(self, event: Mapping[str, Any]) -> Code | None:
        if self._state != "confirm":
            return Code.WrongState
        self._enter_end_turn()
        return None

    def _after_animation(self, event: Mapping[str, Any]) -> Code | None:
        if not self.settings.paced or self._state not in PACED:
            return Code.WrongState
        self._step()
        return None

    @property
    def _card(self) -> CardDefinition:
        return self.registry.require(self._chosen)

    # --- log --------------------------------------------------------------------------

    def _write(self, tag: str, data: Json, text: str) -> None:
        last = self.log[-1] if self.log else None
        at = last["at"] + 1 if last is not None and last["turn"] == self._number else 1
        entry: Entry = {
            "seq": last["seq"] + 1 if last is not None else 1,
            "turn": self._number,
            "player": self._player,
            "at": at,
            "tag": tag,
            "message": f"{tag}: {text}",
            "data": clone(data),
        }
        self.log.append(entry)
        self._emit(log_event(entry))

    def _emit(self, event: Json) -> None:
        self._last_events.append(event)

    # --- facts for MachineInterface ---------------------------------------------------------------

    @property
    def cells(self) -> Cells:
        """The board."""
        return [list(row) for row in self._cells]

    @property
    def current_player(self) -> int:
        """Whose turn it is."""
        return self._player

    @property
    def piles(self) -> tuple[list[str], list[str]]:
        """Draw pile and discard pile."""
        return list(self._pile), list(self._discard)

    @property
    def skips(self) -> dict[str, int]:
        """Turns each player will be frozen for."""
        return dict(self._skips)

    @property
    def turn(self) -> Json:
        """The running turn."""
        turn = {
            "number": self._number,
            "state": self._state,
            "drawn": list(self._drawn),
            "chosen": self._chosen,
            "chosenIndex": self._index,
            "target": clone(self._target),
        }
        if self._added and self._target is None:
            turn["added"] = clone(self._added)
        return turn

    @property
    def last_move(self) -> Json | None:
        """The last stone placed, while it lies there."""
        return None if self._last_move is None else dict(self._last_move)

    @property
    def outcome(self) -> Json:
        """winner, reason, winningLines."""
        lines = winning_lines(self._cells) if self._reason in ("five", "simultaneousFive") else []
        return {"winner": self._winner, "reason": self._reason, "winningLines": lines}

    @property
    def generator_json(self) -> Json:
        """The state of chance."""
        return self._generator.to_json()

    # --- action numbers ---------------------------------------------------------------

    def legal_actions(self) -> list[int]:
        """§8 the legal action numbers, ascending."""
        if self._winner is not None or (self.settings.paced and self._state in PACED):
            return []
        end_turn = CELL + len(self._cells) ** 2
        if self._state == "confirm":
            return [end_turn]
        if self._state == "choose":
            return self._legal_slots()
        slots = self._legal_slots() if self.settings.allow_reselect else []
        several = self._card.several
        if several is not None and len(self._added) == several[1]:
            targets = []
        else:
            targets = [a for a in self._target_actions() if self._fits(a)]
        confirm = [end_turn + 1] if several is not None and len(self._added) >= several[0] else []
        return [*slots, *targets, *confirm]

    def _legal_slots(self) -> list[int]:
        codes = [self.can_play(card) for card in self._drawn]
        playable = [i for i, code in enumerate(codes) if code is None]
        return playable or list(range(len(codes)))

    def _target_actions(self) -> list[int]:
        if self._card.target.get("kind") == "player":
            return [OPPONENT]
        return list(range(CELL, CELL + len(self._cells) ** 2))

    def _fits(self, action: int) -> bool:
        target = self._target_of(action)
        return self._card.validate_target(self.context, target) is None and target not in self._added

    def _target_of(self, action: int) -> Json:
        if action == OPPONENT:
            own = self._card.target.get("relation") == "self"
            return {"kind": "player", "player": self._player if own else 3 - self._player}
        y, x = divmod(action - CELL, len(self._cells))
        return {"kind": "cell", "point": {"x": x, "y": y}}

    def _event_of(self, action: int) -> Json:
        end_turn = CELL + len(self._cells) ** 2
        if action < SLOTS:
            return {"type": "CHOOSE_CARD", "index": action}
        if action >= end_turn:
            return {"type": "END_TURN" if action == end_turn else "CONFIRM_TARGETS"}
        kind = "SELECT_TARGET" if self._card.several is None else "ADD_TARGET"
        return {"type": kind, "target": self._target_of(action)}


def plain_target(target: Any) -> Json:
    """Return a valid target value with its known fields only, so that a log holds nothing else."""
    kind = target["kind"]
    if kind == "cell":
        return {"kind": kind, "point": {"x": target["point"]["x"], "y": target["point"]["y"]}}
    if kind == "player":
        return {"kind": kind, "player": target["player"]}
    raise SkillGomokuError(Code.InvalidTarget)
