"""What a player of NANA may forget: cards that were shown and turned over again."""

from __future__ import annotations

from qipai.core import State

from ..state import CENTRE_SLOT, HAND


def shown(s: State, seat: int) -> dict[int, bool]:
    """Return the slots of hidden cards that everyone has seen; True: in the last attempt."""
    last = {int(slot) for slot in s["last"]}
    found = []
    for k in range(int(s["seats"])):
        if k != seat:
            dark = range(int(s["dark_low"][k]), int(s["dark_high"][k]))
            down = range(int(s["head"][k]), int(s["tail"][k]))
            found += [k * HAND + i for i in down if i not in dark]
    centre = int(s["lying"]) & int(s["shown"]) & ~int(s["turned"])
    found += [CENTRE_SLOT + i for i in range(int(s["centre"])) if centre >> i & 1]
    return {slot: slot in last for slot in found}


def forget(s: State, slots: set[int]) -> None:
    """Make these cards unknown again, with all that lies deeper in a hand than one of them."""
    for slot in sorted(slots):
        if slot >= CENTRE_SLOT:
            s["shown"] = int(s["shown"]) & ~(1 << (slot - CENTRE_SLOT))
            continue
        k, i = divmod(slot, HAND)
        low, high = int(s["dark_low"][k]), int(s["dark_high"][k])
        if low >= high:  # nothing was hidden: hide this card alone, and then what lies between
            s["dark_low"][k], s["dark_high"][k] = i, i + 1
        elif i < low:
            s["dark_low"][k] = i
        elif i >= high:
            s["dark_high"][k] = i + 1
