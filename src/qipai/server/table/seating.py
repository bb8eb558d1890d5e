"""Who sits at a table, folded from its entries: the same rows give the same table in every worker.

This module has seats, ownership, readiness, chips and the number of the hand. The hand itself,
connections and requests are elsewhere (table.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from qipai.match.series import add_chips

BOT_NAMES = ("Lan", "Bo", "Mei", "Jun", "Hua", "Yun", "Tao", "Qing")
Status = Literal["waiting", "playing", "over"]


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
    chips: list[int] = field(default_factory=list)

    @classmethod
    def empty_table(cls, count: int) -> Seating:
        """Return a table before its first entry."""
        return cls([Seat() for _ in range(count)], chips=[0] * count)

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
    def all_ready(self) -> bool:
        """Whether the next hand can be dealt: every seat is taken, and every person present is ready.

        A table of bots only is always ready.
        """
        if self.status == "playing" or any(s.empty for s in self.seats):
            return False
        present = [s for s in self.seats if s.played]
        if not present:
            return not self.people
        return all(s.ready for s in present)

    def seat_of(self, guest: str | None) -> int | None:
        """Return the seat of a guest, or None."""
        for k, seat in enumerate(self.seats):
            if guest is not None and seat.guest == guest:
                return k
        return None

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
        if self.status == "playing":
            seat.away = seat.left = True
        else:
            self.seats[body["seat"]] = Seat()

    def _bot(self, body: dict[str, Any]) -> None:
        number, agent = body["seat"], body["agent"]
        if agent is None:
            self.seats[number] = Seat()
        else:
            self.seats[number] = Seat(agent=agent, name=BOT_NAMES[number % len(BOT_NAMES)])

    def _ready(self, body: dict[str, Any]) -> None:
        self.seats[body["seat"]].ready = body["ready"]

    def _away(self, body: dict[str, Any]) -> None:
        self.seats[body["seat"]].away = True

    def _back(self, body: dict[str, Any]) -> None:
        seat = self.seats[body["seat"]]
        seat.away = seat.left = False

    def _hand(self, body: dict[str, Any]) -> None:
        self.hand = body["hand"]
        self.status = "playing"

    def _over(self, body: dict[str, Any]) -> None:
        self.status = "over"
        self.chips = add_chips(self.chips, body["payoff"])
        for number, seat in enumerate(self.seats):
            seat.ready = False
            if seat.left:
                self.seats[number] = Seat()
