"""Who sits at a table, folded from its entries: the same rows give the same table in every worker.

This module has seats, ownership, readiness, chips and the number of the hand. The hand itself,
connections and requests are elsewhere (table.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from qipai.core.message import people
from qipai.match.series import ENDLESS, Goal, Progress

BOT = "Bot "  # before a bot's name: people are shown a name of their own language
BOT_NAMES = tuple(people())
REMOVED = 50  # removed guests that a table remembers
Status = Literal["waiting", "shuffling", "playing", "over"]
PATIENCE = 2  # shares that a person withholds at a table before a bot takes the seat
REMEMBERED = 50  # guests who withheld, also those who have left, that a table remembers


def seated_bots() -> set[str]:
    """Return the names of bots at tables, which no person may have."""
    return {BOT + name for name in BOT_NAMES}


@dataclass
class Seat:
    """One seat. `guest` is set for a person, `agent` for a bot."""

    guest: str | None = None
    name: str = ""
    agent: str | None = None
    ready: bool = False
    away: bool = False  # a bot plays for the person
    left: bool = False  # the person stood up; the seat becomes free after the hand
    joined: int = 0  # number of the entry that seated the person

    @property
    def empty(self) -> bool:
        """Whether the seat is free."""
        return self.guest is None and self.agent is None

    @property
    def person(self) -> bool:
        """Whether this seat belongs to a person, present or not."""
        return self.guest is not None

    @property
    def played(self) -> bool:
        """Whether a person makes the moves of this seat now."""
        return self.guest is not None and not self.away


@dataclass
class Seating:
    """The result of the fold. `entries` counts the rows folded in."""

    seats: list[Seat]
    entries: int = 0
    hand: int = -1  # the current one, from 0; -1: none yet
    status: Status = "waiting"
    progress: Progress = field(default_factory=lambda: Progress.start(0))  # of the current series
    goal: Goal = ENDLESS
    removed: list[str] = field(default_factory=list)  # guests whom the owner removed; they do not come back
    asked: list[int] = field(default_factory=list)  # the people who are asked for a share of the next seed
    withheld: dict[str, int] = field(default_factory=dict)  # shares that a guest withheld at this table

    @classmethod
    def empty_table(cls, count: int, goal: Goal = ENDLESS) -> Seating:
        """Return a table before its first entry."""
        return cls([Seat() for _ in range(count)], progress=Progress.start(count), goal=goal)

    @property
    def chips(self) -> list[int]:
        """The chips of each seat in the current series."""
        return list(self.progress.chips)

    @property
    def finished(self) -> bool:
        """Whether the last hand ended the series; another hand begins a new one."""
        return self.status == "over" and self.goal.reached(self.progress)

    @property
    def owner(self) -> int | None:
        """The seat of the person who joined first and has not left."""
        people = [(s.joined, k) for k, s in enumerate(self.seats) if s.person and not s.left]
        return min(people)[1] if people else None

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [k for k, s in enumerate(self.seats) if s.person]

    @property
    def names(self) -> list[str]:
        """Names by seat."""
        return [s.name for s in self.seats]

    @property
    def idle(self) -> bool:
        """Whether no hand is being played or about to be dealt."""
        return self.status in ("waiting", "over")

    @property
    def all_ready(self) -> bool:
        """Whether the next hand can be dealt: every seat is taken, and every person present is ready.

        A table of bots only is always ready.
        """
        if not self.idle or any(s.empty for s in self.seats):
            return False
        present = [s for s in self.seats if s.played]
        if not present:
            return not self.people
        return all(s.ready for s in present)

    def loses_seat(self, number: int) -> bool:
        """Return whether a person who withholds one more share is out of patience, and plays now."""
        seat = self.seats[number]
        return seat.played and self.withheld.get(seat.guest or "", 0) + 1 >= PATIENCE

    def seat_of(self, guest: str | None) -> int | None:
        """Return the seat of a guest, or None."""
        for k, seat in enumerate(self.seats):
            if guest is not None and seat.guest == guest:
                return k
        return None

    def unfinished_for(self, guest: str) -> bool:
        """Return whether a guest has something to come back to: a hand or a series to finish, or to begin."""
        seat = self.seat_of(guest)
        if seat is None:
            return False
        return self.status != "over" or (self.goal.kind != "endless" and not self.finished)

    # --- snapshots -------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """Return all of it, for `from_json`."""
        return asdict(self)

    @classmethod
    def from_json(cls, body: dict[str, Any]) -> Seating:
        """Return what `to_json` returned; earlier versions counted what was withheld in the seat."""
        seats, withheld = [], dict(body.get("withheld", {}))
        for given in body["seats"]:
            count = given.get("withheld", 0)
            seats.append(Seat(**{key: value for key, value in given.items() if key != "withheld"}))
            if count:
                withheld[given["guest"]] = count
        progress, goal = body["progress"], Goal(**body["goal"])
        progress = Progress(progress["hands"], progress["passes"], tuple(progress["chips"]))
        return cls(**{**body, "seats": seats, "progress": progress, "goal": goal, "withheld": withheld})

    def after(self, entries: Iterable[tuple[str, dict[str, Any]]]) -> Seating:
        """Return a copy with more entries folded in."""
        copy = Seating.from_json(self.to_json())
        for kind, body in entries:
            copy.fold(kind, body)
        return copy

    # --- folding ---------------------------------------------------------------------

    def fold(self, kind: str, body: dict[str, Any]) -> None:
        """Fold in one entry."""
        self.entries += 1
        getattr(self, f"_{kind}")(body)

    def _sit(self, body: dict[str, Any]) -> None:
        seat = Seat(guest=body["guest"], name=body["name"], joined=self.entries)
        self.seats[body["seat"]] = seat

    def _name(self, body: dict[str, Any]) -> None:
        self.seats[body["seat"]].name = body["name"]

    def _stand(self, body: dict[str, Any]) -> None:
        seat = self.seats[body["seat"]]
        if not self.idle:
            seat.away = seat.left = True
        else:
            self.seats[body["seat"]] = Seat()

    def _bot(self, body: dict[str, Any]) -> None:
        number, agent = body["seat"], body["agent"]
        if agent is None:
            self.seats[number] = Seat()
        else:
            self.seats[number] = Seat(agent=agent, name=BOT + BOT_NAMES[number % len(BOT_NAMES)])

    def _remove(self, body: dict[str, Any]) -> None:
        number = body["seat"]
        guest = self.seats[number].guest
        if guest is not None:
            self.removed = [*self.removed, guest][-REMOVED:]
        if not self.idle:
            self._bot(body)
        else:
            self.seats[number] = Seat()

    def _ready(self, body: dict[str, Any]) -> None:
        self.seats[body["seat"]].ready = body["ready"]

    def _away(self, body: dict[str, Any]) -> None:
        self.seats[body["seat"]].away = True

    def _back(self, body: dict[str, Any]) -> None:
        seat = self.seats[body["seat"]]
        seat.away = seat.left = False

    def _shuffle(self, body: dict[str, Any]) -> None:
        self.status = "shuffling"
        self.asked = list(body["seats"])

    def _hand(self, body: dict[str, Any]) -> None:
        if self.goal.reached(self.progress):  # the hand begins a new series
            self.progress = Progress.start(len(self.seats))
        self.hand = body["hand"]
        self.status = "playing"
        for number in body.get("withheld", ()):
            guest = self.seats[number].guest
            if guest is not None:  # whom the owner has removed meanwhile is not there any more
                count = self.withheld.get(guest, 0) + 1
                rest = [pair for pair in self.withheld.items() if pair[0] != guest]
                self.withheld = dict([*rest, (guest, count)][-REMEMBERED:])
        self.asked = []

    def _over(self, body: dict[str, Any]) -> None:
        self.status = "over"
        self.progress = self.progress.after(body["payoff"], body.get("passed", False))
        for number, seat in enumerate(self.seats):
            seat.ready = False
            if seat.left:
                self.seats[number] = Seat()
