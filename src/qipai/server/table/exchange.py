"""The exchange before a hand is dealt: people commit to a share of its seed, then reveal it.

The server has committed to its own share before it asks. The rows decide: a step is over when there is a row
for everyone who is asked, and the driver adds empty rows for those who are too late. So every worker, and a
server that is started again, continues the same exchange; none is ever given up after a share was revealed.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Literal

from qipai.match import Shares
from qipai.match.keys import commitment
from qipai.match.shares import gather, share_commitment

from ..refusals import BadShare, NoShare, ShareTaken
from ..store.ledger import COMMIT, REVEAL, SERVER
from ..wire import ShareInfo, SharesInfo

Phase = Literal["commit", "reveal", "complete"]
LATE = ""  # the value of a row for a seat that sent nothing in time


class Exchange:
    """One exchange, as its rows say. `since` is when its current step began."""

    def __init__(self, hand: int, seed: str, asked: Sequence[int]) -> None:
        self.hand = hand
        self.seed = bytes.fromhex(seed)
        self.commitment = commitment(self.seed)
        self.asked = sorted(asked)
        self.since = time.monotonic()
        self.changes = 0
        self._rows: dict[int, dict[int, str]] = {COMMIT: {}, REVEAL: {}}

    @property
    def phase(self) -> Phase:
        """What is waited for."""
        if any(seat not in self._rows[COMMIT] for seat in self.asked):
            return "commit"
        return "reveal" if self.missing() else "complete"

    def missing(self) -> list[int]:
        """Return the seats that the current step waits for."""
        committed = self._rows[COMMIT]
        if waiting := [seat for seat in self.asked if seat not in committed]:
            return waiting
        return [seat for seat in self.asked if committed[seat] and seat not in self._rows[REVEAL]]

    def add(self, rows: Mapping[int, Mapping[int, str]]) -> None:
        """Take in rows: by step, then by seat."""
        before = self.phase
        for step, values in rows.items():
            for seat, value in values.items():
                if seat != SERVER and self._rows[step].get(seat) != value:
                    self._rows[step][seat] = value
                    self.changes += 1
        if self.phase != before:
            self.since = time.monotonic()

    def left(self, seconds: float) -> float:
        """Return how much is left of the seconds for the current step."""
        return self.since + seconds - time.monotonic()

    def closing(self) -> dict[int, dict[int, str]]:
        """Return the rows that end the current step without those who are too late."""
        step = COMMIT if self.phase == "commit" else REVEAL
        return {step: dict.fromkeys(self.missing(), LATE)}

    # --- what people send ---------------------------------------------------------------

    def check_commit(self, seat: int, value: str) -> bool:
        """Return whether a commitment is new; raise if it cannot be accepted."""
        if seat not in self.asked:
            raise NoShare("this seat is not asked for a share")
        return self._fresh(COMMIT, seat, value)

    def check_reveal(self, seat: int, value: str) -> bool:
        """Return whether a revealed share is new; raise if it cannot be accepted."""
        committed = self._rows[COMMIT].get(seat)
        if self.phase == "commit" or not committed:
            raise NoShare("nothing of this seat is to be revealed now")
        if share_commitment(self.commitment, seat, bytes.fromhex(value)) != committed:
            raise BadShare("the share does not match its commitment")
        return self._fresh(REVEAL, seat, value)

    def _fresh(self, step: int, seat: int, value: str) -> bool:
        found = self._rows[step].get(seat)
        if found == LATE:
            raise NoShare("the share comes too late")
        if found is not None and found != value:
            raise ShareTaken("this seat has already committed to another share")
        return found is None

    # --- what comes of it ----------------------------------------------------------------

    def shares(self) -> Shares:
        """Return the shares of a complete exchange."""
        commits = {seat: value or None for seat, value in self._rows[COMMIT].items()}
        reveals = {seat: bytes.fromhex(value) or None for seat, value in self._rows[REVEAL].items()}
        return gather(self.seed, self.asked, commits, reveals)

    def info(self, viewer: int) -> SharesInfo:
        """Return what a viewer may know: their own share, and all commitments once everyone's is in."""
        open_ = self.phase != "commit"

        def told(step: int, seat: int, public: bool) -> str | None:
            return (self._rows[step].get(seat) or None) if public or seat == viewer else None

        seats = [
            ShareInfo(seat=k, commitment=told(COMMIT, k, open_), reveal=told(REVEAL, k, False))
            for k in self.asked
        ]
        return SharesInfo(commitment=self.commitment, seed=None, seats=seats)


def shares_info(shares: Shares, over: bool) -> SharesInfo:
    """Return the shares of a hand that was dealt: those of people, and the server's when it is over."""
    doc = shares.to_json()
    seats = [ShareInfo(**share) for share in doc["seats"]]
    return SharesInfo(commitment=shares.commitment, seed=doc["seed"] if over else None, seats=seats)
