"""`PaipaiGame`: one game with fine-grained actions (README §12, §15.2), over the compiled rules.

This class knows where the falling pair is, what is assigned in the open allocation, and which fine action
does what in which state (T1-T16). Everything else is in the state, and only the rules change it. There is no
clock: the player sends TICKs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qipai.core import State, copy_state, digest
from qipai.core.errors import BadLayout, IllegalAction
from qipai.core.option import unwritten

from .. import board as grid
from .. import rules
from ..config import options_of, read_config
from ..layout import blank, lay_out, ready
from ..options import OPTIONS
from ..reference import Mulberry32, supply
from ..state import (
    ALLOC,
    CHAIN,
    DISCARD,
    EVALUATE,
    HAND_MAX,
    HOLD,
    KEEP,
    OVER,
    PLACE,
    PLACEMENTS,
    SCRATCH,
    SUPPLY,
    TITLE,
    Phase,
)
from ..tiles import Box, codes, values
from ..view import STATES, hold_result, next_pair, remaining, result, view
from .board import Board

SPAWN = (2, 0, 0)
MOVES = {"LEFT": (-1, 0), "RIGHT": (1, 0), "ROTATE_CW": (0, 1), "ROTATE_CCW": (0, 3)}  # x, r
FALLING = (*MOVES, "SOFT_DROP", "TICK")
ALLOCATING = ("ALLOC_ASSIGN", "ALLOC_MODE", "ALLOC_RESET", "ALLOC_CONFIRM")
ACTIONS = ("START", *FALLING, *ALLOCATING, "CONTINUE", "RESTART")
SIDES = ("hand", "discard")


class PaipaiGame:
    """One game with fine-grained actions. `act` takes them; those that do not apply are ignored."""

    def __init__(self, seed: int = 0, config: Mapping[str, Any] | None = None, deck: Any = None) -> None:
        self.config = read_config(config)
        self.seed = seed
        self._deck = deck
        self._begin(seed, deck)

    def _begin(self, seed: int, deck: Any) -> None:
        """Set up the supply and show the title (T1)."""
        self.load({"deck": supply(seed, self.config) if deck is None else deck})

    def load(self, layout: Mapping[str, Any], box: Box | None = None) -> None:
        """Load a deal or position (layout.py); raise `BadLayout` and change nothing if it is invalid."""
        if not isinstance(layout, Mapping):
            raise BadLayout(f"a layout must be a mapping, not {type(layout).__name__}")
        s = blank()
        given = options_of(self.config)
        for option in OPTIONS:
            s[option.name] = option.read(given[option.name])
        lay_out(s, layout, box)
        if int(s["phase"]) == EVALUATE:
            rules.advance(s)  # not a state of this API: HOLD is entered after the evaluation
        self.record: State = s
        self.x, self.y, self.r = SPAWN
        self.mode = "hand"
        self.assigned: list[str] = ["hand"] * int(s["n_tiles"]) if self.phase == ALLOC else []

    # --- what is ----------------------------------------------------------------------

    @property
    def phase(self) -> int:
        """The phase of the state."""
        return int(self.record["phase"])

    @property
    def state(self) -> str:
        """title, play, alloc, hold or gameover."""
        return STATES[Phase(self.phase)]

    @property
    def resolving(self) -> bool:
        """Whether a chain is running."""
        return self.phase == CHAIN

    @property
    def score(self) -> int:
        """The player's score."""
        return int(self.record["score"])

    @property
    def cpu_score(self) -> int:
        """The CPU's score."""
        return int(self.record["cpu_score"])

    @property
    def cpu_wins(self) -> int:
        """Hands the CPU has won."""
        return int(self.record["cpu_wins"])

    @property
    def chain(self) -> int:
        """The chain level as shown."""
        return int(self.record["chain"])

    @property
    def hand(self) -> list[str]:
        """The hand in order."""
        return codes(values(self.record["hand"]))

    @property
    def discards(self) -> list[str]:
        """The discards in order."""
        return codes(values(self.record["discards"]))

    @property
    def lost(self) -> list[str]:
        """Tiles overwritten by blocked spawns."""
        return codes(values(self.record["lost"]))

    @property
    def alloc_tiles(self) -> list[int]:
        """The list of an open allocation, as ids."""
        return values(self.record["tiles"]) if self.phase == ALLOC else []

    @property
    def board(self) -> Board:
        """The board (without the falling pair)."""
        return Board.of(self.record)

    @property
    def next(self) -> list[str]:
        """The visible NEXT pair, or both one after the other."""
        return next_pair(self.record)

    def remaining(self) -> int:
        """Return the tiles behind NEXT (§4)."""
        return remaining(self.record)

    @property
    def falling(self) -> dict[str, Any] | None:
        """The falling pair and where it is."""
        if self.phase != PLACE:
            return None
        axis, rotor = codes(values(self.record["pair"]))
        return {"axis": axis, "rotor": rotor, "x": self.x, "y": self.y, "r": self.r}

    def cells(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return the axis and rotor cell (column, row) of the falling pair (§5.1)."""
        x, y = self.x, self.y
        rotor = ((x, y), (x + 1, y + 1), (x, y + 2), (x - 1, y + 1))[self.r]
        return (x, y + 1), rotor

    @property
    def holds(self) -> dict[str, Any] | None:
        """At HOLD: what player and CPU have."""
        return hold_result(self.record) if self.phase == HOLD else None

    def result(self) -> dict[str, Any] | None:
        """Return both totals and the winner, after the end."""
        return result(self.record)

    def legal_actions(self) -> list[str]:
        """Return the fine actions of this state; moves that are blocked are legal and change nothing."""
        by_phase = {
            TITLE: ["START"],
            SUPPLY: ["TICK"],
            PLACE: list(FALLING),
            CHAIN: ["TICK"],
            ALLOC: list(ALLOCATING),
            HOLD: ["CONTINUE"],
            OVER: ["RESTART"],
        }
        return by_phase[self.phase]

    def observation(self) -> dict[str, Any]:
        """Return everything that a client may see, nothing hidden (§15.6)."""
        seen = view(self.record, 0)
        seen["falling"] = self.falling
        if self.phase == ALLOC:
            kept = self.assigned.count("hand")
            tiles = codes(self.alloc_tiles)
            seen["alloc"] = {"tiles": tiles, "assign": list(self.assigned), "mode": self.mode, "kept": kept}
        seen["legal_actions"] = self.legal_actions()
        return seen

    def hash(self) -> str:
        """Return a digest of the whole game, the same in every process."""
        where = f"{self.x},{self.y},{self.r}" if self.falling else "-"
        shared = f"{self.mode}:{','.join(self.assigned)}" if self.assigned else "-"
        return f"{digest(self.record, ('rng', *SCRATCH, *unwritten(OPTIONS, self.record)))}/{where}/{shared}"

    def copy(self) -> PaipaiGame:
        """Return an independent copy."""
        other = PaipaiGame.__new__(PaipaiGame)
        other.__dict__.update(self.__dict__)
        other.record = copy_state(self.record)
        other.assigned = list(self.assigned)
        return other

    # --- fine actions -----------------------------------------------------------------

    def act(self, action: str, *args: Any) -> bool:
        """Do a fine action and return whether anything changed; raise `IllegalAction` for an unknown name."""
        if not isinstance(action, str) or action not in ACTIONS:
            raise IllegalAction(f"a fine action must be one of {', '.join(ACTIONS)}")
        wants = {"ALLOC_ASSIGN": 2, "ALLOC_MODE": 1}.get(action, 0)
        if len(args) != wants:
            raise IllegalAction(f"{action} takes {wants} more values, not {len(args)}")
        if action not in self.legal_actions():
            self._check_args(action, args)
            return False
        if action in MOVES:
            return self._move(*MOVES[action])
        if action in ("TICK", "SOFT_DROP"):
            return self._tick()
        return bool(getattr(self, f"_{action.lower()}")(*args))

    def _check_args(self, action: str, args: tuple[Any, ...]) -> None:
        """Raise `IllegalAction` for malformed values, even if the action would be ignored."""
        if args and args[-1] not in SIDES:
            raise IllegalAction("a tile goes to 'hand' or to 'discard'")

    def _start(self) -> bool:
        """Start (T2)."""
        rules.advance(self.record)
        self._supply()
        return True

    def _move(self, dx: int, dr: int) -> bool:
        """Move or turn the pair if the cells are free (T3, T4)."""
        x, r = self.x + dx, (self.r + dr) % 4
        if not grid.is_free(self.record, x, self.y, r):
            return False
        self.x, self.r = x, r
        return True

    def _tick(self) -> bool:
        """Let the pair fall, the chain tick, or the next pair come (T5-T10)."""
        if self.phase == SUPPLY:
            self._supply()
        elif self.phase == CHAIN:
            rules.advance(self.record)
            if self.phase == SUPPLY:
                self._supply()
            elif self.phase == ALLOC:
                self.assigned = ["hand"] * int(self.record["n_tiles"])
                self.mode = "hand"
        elif grid.is_free(self.record, self.x, self.y + 1, self.r):
            self.y += 1
        else:
            rules.land(self.record, self.x, self.y, self.r)
        return True

    def _supply(self) -> None:
        rules.advance(self.record)
        self.x, self.y, self.r = SPAWN

    def _alloc_mode(self, mode: Any) -> bool:
        """Set the mode (T11)."""
        self._check_args("ALLOC_MODE", (mode,))
        changed = bool(self.mode != mode)
        self.mode = mode
        return changed

    def _alloc_assign(self, tile: Any, side: Any) -> bool:
        """Assign the tile at a place in the list (T11)."""
        self._check_args("ALLOC_ASSIGN", (side,))
        if not isinstance(tile, int) or isinstance(tile, bool) or not 0 <= tile < len(self.assigned):
            raise IllegalAction(f"a tile of the list is a number from 0 to {len(self.assigned) - 1}")
        changed = bool(self.assigned[tile] != side)
        self.assigned[tile] = side
        return changed

    def _alloc_reset(self) -> bool:
        """Assign every tile to the hand; the mode stays (T11)."""
        changed = "discard" in self.assigned
        self.assigned = ["hand"] * len(self.assigned)
        return changed

    def _alloc_confirm(self) -> bool:
        """Close the allocation unless the hand is too large (T12, T13)."""
        if self.assigned.count("hand") > HAND_MAX:
            return False
        self.finalise()
        return True

    def finalise(self) -> None:
        """Close the allocation as assigned; of more than 14, the last go to the discards one by one (§7)."""
        if self.phase != ALLOC:
            raise IllegalAction("no allocation is open")
        tiles = values(self.record["tiles"])
        hand = [t for t, side in zip(tiles, self.assigned, strict=True) if side == "hand"]
        rest = [t for t, side in zip(tiles, self.assigned, strict=True) if side != "hand"]
        while len(hand) > HAND_MAX:
            rest.append(hand.pop())
        self.record["tiles"][: len(tiles)] = [t + 1 for t in hand + rest]
        for i in range(len(tiles)):
            rules.answer(self.record, KEEP if i < len(hand) else DISCARD)
        rules.advance(self.record)  # the evaluation, for which a screen does not wait
        self.assigned = []

    def _continue(self) -> bool:
        """Close HOLD (T14)."""
        rules.advance(self.record)
        return True

    def _restart(self) -> bool:
        """Start another game, whose seed follows from this one's (T15)."""
        self.seed = int(Mulberry32(self.seed).random() * (1 << 32))
        self._begin(self.seed, self._deck)
        return True

    # --- placements -------------------------------------------------------------------

    def placements(self) -> list[int]:
        """Return the legal placements col * 4 + rot (§15.3)."""
        bits = int(grid.reachable(self.record)) if self.phase == PLACE else 0
        return [i for i in range(PLACEMENTS) if bits >> i & 1]

    def path(self, col: int, rot: int) -> list[str]:
        """Return the moves that take the pair from its spawn to (col, rot), at the top."""
        ready()
        if (
            self.phase != PLACE
            or not isinstance(col, int)
            or not isinstance(rot, int)
            or isinstance(col, bool)
        ):
            raise IllegalAction("only a falling pair can be placed, by column and rotation")
        paths: dict[tuple[int, int], list[str]] = {(SPAWN[0], SPAWN[2]): []}
        todo = list(paths)
        for x, r in todo:
            for name, (dx, dr) in MOVES.items():
                to = x + dx, (r + dr) % 4
                if to not in paths and grid.is_free(self.record, to[0], 0, to[1]):
                    paths[to] = [*paths[x, r], name]
                    todo.append(to)
        if (col, rot) not in paths:
            raise IllegalAction(f"column {col}, rotation {rot} cannot be reached")
        return paths[col, rot]

    def place(self, col: int, rot: int) -> None:
        """Move, drop, land, and tick until the chain is over: PLACE (§15.3)."""
        if (self.x, self.y, self.r) != SPAWN:
            raise IllegalAction("the pair has moved; PLACE starts at the spawn")
        self.path(col, rot)
        rules.place(self.record, col, rot)
        while self.phase in (CHAIN, SUPPLY):
            self._tick()
