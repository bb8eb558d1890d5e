"""What a view tells that must be computed: fan products and waits."""

from __future__ import annotations

from qipai.core import rule

from .claims import is_special
from .observe import shown_phase, shown_seat
from .score import fan_log, seat_waits
from .state import MELD_DECISION, PLAYER_DECISION
from .tiles import KINDS, SEATS

F_PHASE, F_SEAT, F_FANS, F_WAITS, F_DISCARDS = 0, 1, 2, 6, 7  # where they stand in `note`
FACTS = F_DISCARDS + KINDS


@rule(note="i8[:]")
def view_facts(s, seat, note):
    """Fill `note` (FACTS,): phase and seat as `seat` may know them, fan products, and its waits.

    A seat in its own decision gets the waits that each discard would leave instead.
    """
    note[F_PHASE] = shown_phase(s, seat)
    note[F_SEAT] = shown_seat(s, seat)
    for other in range(SEATS):
        note[F_FANS + other] = 1 << fan_log(s, other)
    for i in range(F_WAITS, FACTS):
        note[i] = 0
    if seat < 0:
        return
    if s.seat == seat and (s.phase == PLAYER_DECISION or s.phase == MELD_DECISION):
        for t in range(KINDS):
            if s.hand[seat, t] > 0 and not is_special(s, t):
                s.hand[seat, t] -= 1
                note[F_DISCARDS + t] = seat_waits(s, seat)
                s.hand[seat, t] += 1
    else:
        note[F_WAITS] = seat_waits(s, seat)
