"""`Match`: one hand for people; every action is checked.

This module decides whose turn it is, which moves are accepted and what each seat has been told, and
reads and writes the JSON form. Rules, players, clocks, files and the network are elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from qipai.core import NOBODY, WATCHER, Event, Game, QipaiError, State, copy_state, digest, get
from qipai.core.errors import (
    BadRecord,
    BadSeats,
    IllegalAction,
    IncompleteMove,
    MatchOver,
    NotYourTurn,
    short,
)
from qipai.core.option import unwritten

from .chain import last_link
from .document import (
    HEAD_KEYS,
    MORE_KEYS,
    Head,
    Move,
    read_document,
    read_head,
    read_hex,
    read_move,
    write_head,
)
from .jsonable import copied, is_int
from .keys import commitment
from .opening import Opening, open_match
from .shares import Shares, check_shares
from .signature import Trust, read_signature
from .step import Position, Step, first_position
from .telling import Telling


class Match:
    """A game, its rules version, options, seats, layout, seed and moves; the state follows from them.

    Every error is a `QipaiError` and leaves the match unchanged. Returned objects share no memory
    with the match. `view`, `events`, `legal`, `version`, `over`, `payoff`,
    `commitment` and `revealed_seed` are for seats. `seat`, `state`, `moves`, `ply`, `steps`, `telling`, `at`,
    `digest`, `chain`, `shares`, `head`, `dump` and the result of `act` contain secrets and are for the
    program that hosts the match.
    """

    def __init__(
        self,
        game: Game | str,
        options: Mapping[str, Any] | None = None,
        seats: int | None = None,
        seed: bytes | None = None,
        layout: Mapping[str, Any] | None = None,
        shares: Shares | None = None,
    ) -> None:
        self._begin(open_match(game, options, seats, seed, layout, shares))

    def _begin(self, opening: Opening) -> None:
        self._opening = opening
        self._position = first_position(opening)
        self._moves: list[Move] = []
        self._actions: list[int] = []  # the actions of all moves, in order
        self._telling: Telling | None = None  # created when events are first requested

    # --- what everyone may know -----------------------------------------------------

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._opening.game

    @property
    def seats(self) -> int:
        """Number of seats: 0 to seats - 1."""
        return self._opening.seats

    @property
    def options(self) -> dict[str, str | int]:
        """The options in their external form."""
        return self._opening.options()

    @property
    def commitment(self) -> str:
        """SHA-256 that commits the host to its seed; public from the start."""
        return commitment(self._opening.seed)

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self._position.seat == NOBODY

    @property
    def cut(self) -> bool:
        """Whether a cap ended it."""
        return bool(self._state["cut"])

    @property
    def payoff(self) -> list[int] | None:
        """The result by seat; None until the match is over."""
        if not self.over:
            return None
        return [int(x) for x in self._state["payoff"][: self.seats]]

    @property
    def revealed_seed(self) -> bytes | None:
        """The seed, to check against the commitment; None until the match is over."""
        return self._opening.seed if self.over else None

    # --- what one seat may know -----------------------------------------------------

    def view(self, seat: int) -> dict[str, Any]:
        """Return the JSON that `seat` (-1: a watcher) may see."""
        self._check_viewer(seat)
        return self.game.rules.view(self.state, int(seat))

    def legal(self, seat: int) -> list[int]:
        """Return the legal actions of `seat` in ascending order; none if it is not its turn."""
        self._check_viewer(seat)
        position = self._position
        return position.legal() if position.seat == seat and seat != WATCHER else []

    def version(self, seat: int) -> int:
        """Return how many events `seat` (-1: a watcher) has been sent."""
        self._check_viewer(seat)
        return self._told().version(int(seat))

    def events(self, seat: int, since: int = 0) -> list[Event]:
        """Return copies of the events sent to `seat` after its version `since`."""
        self._check_viewer(seat)
        return [copied(event) for event in self._told().events(int(seat), since)]

    # --- acting ---------------------------------------------------------------------

    def act(self, seat: int, actions: int | Sequence[int], version: int | None = None) -> list[Step]:
        """Make one whole move of `seat`, an action or all of a compound move, and return its steps.

        `version`, if given, is the version of the events that the seat based its decision on. The checks
        before the actions are examined only use what the seat knows about itself.
        """
        self._check_viewer(seat)
        if seat == WATCHER:
            raise BadSeats("a watcher does not act")
        if self._position.seat == NOBODY:
            raise MatchOver("the match is over")
        if version is not None:
            self._told().check_version(int(seat), version)
        if self._position.seat != seat:
            raise NotYourTurn(f"it is not seat {int(seat)}'s turn")
        seat = int(seat)
        steps, self._position = self._try(seat, _listed(actions))
        made = tuple([step.action for step in steps])
        self._moves.append((seat, made))
        self._actions += made
        if self._telling is not None:
            self._telling.tell(steps)
        return steps

    def _try(self, seat: int, actions: Sequence[Any]) -> tuple[list[Step], Position]:
        """Return the steps of a move and the position after it; raise if the actions are not one move."""
        position, ply, most = self._position, len(self._actions), self.game.rules.actions
        steps: list[Step] = []
        for action in actions:
            if steps and _ends(position, seat):
                raise IllegalAction(
                    f"seat {seat}: the move ends after {len(steps)} of {len(actions)} actions"
                )
            if not is_int(action) or not 0 <= action < most or not position.allows(action):
                raise IllegalAction(f"seat {seat}: action {short(action)} is not legal here")
            step, position = position.take(self._opening, ply + len(steps), int(action))
            steps.append(step)
        if not _ends(position, seat):
            raise IncompleteMove(f"seat {seat}: the move is not complete after {len(steps)} actions")
        return steps, position

    def _check_viewer(self, seat: Any) -> None:
        if not is_int(seat) or not WATCHER <= seat < self._opening.seats:
            raise BadSeats(f"there is no seat {short(seat)} in a match of {self.seats} seats")

    def _told(self) -> Telling:
        if self._telling is None:
            self._telling = self.telling()
            self._telling.tell(self.steps())
        return self._telling

    # --- for the program that hosts the match -----------------------------------------

    @property
    def seat(self) -> int:
        """The seat to move, -1 when the match is over. Secret in some games."""
        return self._position.seat

    @property
    def state(self) -> State:
        """A copy of the true state, to make an agent's `sight` from."""
        return copy_state(self._state)

    @property
    def _state(self) -> State:
        """The true state itself."""
        return self._position.state

    @property
    def moves(self) -> list[Move]:
        """The moves so far: (seat, actions)."""
        return list(self._moves)

    @property
    def ply(self) -> int:
        """How many actions have been applied."""
        return len(self._actions)

    def telling(self, windows: bool = False) -> Telling:
        """Return a new `Telling` of this match. It has only told the start; pass it the steps."""
        return Telling(self._opening, windows)

    def steps(self) -> Iterator[Step]:
        """Play the match again from its first decision, action by action."""
        position = first_position(self._opening)
        for ply, action in enumerate(list(self._actions)):
            step, position = position.take(self._opening, ply, action)
            yield step

    def at(self, ply: int) -> State:
        """Return the true state after the first `ply` actions."""
        if not is_int(ply) or not 0 <= ply <= self.ply:
            raise IllegalAction(f"this match has {self.ply} actions, not {short(ply)}")
        s = self._opening.first()
        for step in islice(self.steps(), int(ply)):
            s = step.after
        return s

    def copy(self) -> Match:
        """Return an independent match in the same position, with the same seed."""
        twin = object.__new__(type(self))
        twin._opening = self._opening
        twin._position = self._position  # immutable, so two matches may share it
        twin._moves = list(self._moves)
        twin._actions = list(self._actions)
        twin._telling = None
        return twin

    def __copy__(self) -> Match:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Match:
        return self.copy()

    # --- the written form -----------------------------------------------------------

    @property
    def digest(self) -> str:
        """SHA-256 over the named fields of the state. As secret as the state."""
        rules = self.game.rules
        return digest(self._state, rules.scratch + unwritten(rules.options, self._state))

    @property
    def chain(self) -> str:
        """The last link of the hash chain over head and moves; see `chain.py`."""
        return last_link(self.head(), self._moves)

    @property
    def shares(self) -> Shares | None:
        """What the seed was made from; None if the host drew it alone. Contains the server's share."""
        return self._opening.shares

    def head(self) -> dict[str, Any]:
        """Return what the match was made from as JSON; it contains the seed."""
        return write_head(self._opening)

    def dump(self) -> dict[str, Any]:
        """Return the match as JSON: everything needed to replay it, the expected digest and hash chain."""
        moves = [[seat, list(actions)] for seat, actions in self._moves]
        return {**self.head(), "moves": moves, "digest": self.digest, "chain": self.chain}

    @classmethod
    def load(cls, doc: Mapping[str, Any]) -> Match:
        """Return the match that `dump` wrote; raise `BadRecord` for anything else.

        Dumps of earlier versions have no `chain`; their digest alone is checked. A stored hand may have
        `key` and `signature`, which are checked if the package `cryptography` is installed.
        """
        optional = (*MORE_KEYS, "chain", "key", "signature")
        found = read_document(doc, (*HEAD_KEYS, "moves", "digest"), "a dumped match", optional)
        head = read_head(found)
        signature = read_signature(found, "a dumped match")
        wanted = read_hex(found["digest"], "'digest'")
        moves = _read_moves(found["moves"])
        match = cls.begin(head)
        if head.shares is not None and (wrong := check_shares(head.shares, head.seed, match.seats)):
            raise BadRecord(wrong[0])
        for number, (seat, actions) in enumerate(moves, 1):
            try:
                match.act(seat, actions)
            except QipaiError as error:
                raise BadRecord(f"move {number} does not replay: {error} [{error.code}]") from error
        if match.digest != wanted:
            raise BadRecord("the moves replay to a state with another digest")
        if "chain" in found and read_hex(found["chain"], "'chain'") != match.chain:
            raise BadRecord("the moves differ from their hash chain")
        if signature is not None and signature.check(match.chain) is Trust.FALSE:
            raise BadRecord("the signature does not match")
        return match

    @classmethod
    def begin(cls, head: Head) -> Match:
        """Return the match at its first decision, from its written head; raise `BadRecord` if that fails."""
        try:
            game = get(head.game, head.options)
            if game.rules.version != head.rules:
                raise BadRecord(
                    f"written under version {head.rules} of the rules of {game.name};"
                    f" this is version {game.rules.version}"
                )
            return cls(game, head.options, head.seats, head.seed, head.layout, head.shares)
        except BadRecord:
            raise
        except QipaiError as error:
            raise BadRecord(f"{error} [{error.code}]") from error


def _ends(position: Position, seat: int) -> bool:
    """Return whether the action of `seat` that led here completed its move; see `Game.ends_move`."""
    return position.seat != seat or not position.unfinished


def _listed(actions: Any) -> Sequence[Any]:
    """Return the actions of a move as a sequence; each action is checked later."""
    found: Sequence[Any] = [actions]
    if isinstance(actions, np.ndarray) and actions.ndim == 1:
        found = actions.tolist()
    elif isinstance(actions, Sequence) and not isinstance(actions, str | bytes | bytearray):
        found = actions
    if not found:
        raise IllegalAction("a move has at least one action")
    return found


def _read_moves(value: Any) -> list[Move]:
    if not isinstance(value, list):
        raise BadRecord("'moves' must be a list")
    moves = []
    for number, item in enumerate(value, 1):
        if not isinstance(item, list) or len(item) != 2:
            raise BadRecord(f"move {number} must be a seat and a list of actions")
        moves.append(read_move(item[0], item[1], number))
    return moves
