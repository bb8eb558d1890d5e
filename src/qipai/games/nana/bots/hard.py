"""`hard`: remembers every card that was shown and estimates the rest.

It rebuilds its memory from the view at each decision: a view contains everything that a perfect memory would.
Only its own failed openings are remembered from turn to turn.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core import AgentSpec, Game, Line, Sight

from ..state import CENTRE_ACTION
from .decision import REVEAL_PUBLIC, BotDecision, make_bot_decision
from .memory import PUBLIC, BotMemory, Card, CardSlot, NumberRange, Player, PlayerHandMemory
from .openings import Openings


def memory_from_view(seen: dict[str, Any]) -> BotMemory:
    """Return what the bot would remember at this point, from the view only."""
    seat = seen["seat"]
    own = {card["slot"]: card["number"] for card in seen["my_hand"]}
    dealt = seen["dealt"]["hands"]
    others = {}
    order = {}
    for hand in seen["hands"]:
        k = hand["seat"]
        order[f"p{k}"] = [f"h{k}.{i}" for i in range(dealt[k])]
        if k != seat:
            slots = [CardSlot(x, seen["known"].get(x)) for x in hand["slots"]]
            others[f"p{k}"] = PlayerHandMemory(f"p{k}", slots)
    lying = [card["slot"] for card in seen["centre"] if card["present"]]
    layout = {"players": order, PUBLIC: [card["slot"] for card in seen["centre"]]}
    return BotMemory(
        bot_id=f"p{seat}",
        my_hand=[CardSlot(slot, number) for slot, number in own.items()],
        other_players_hands=others,
        public_cards=[CardSlot(x, seen["known"].get(x)) for x in lying],
        collected_sets={f"p{k}": list(held) for k, held in enumerate(seen["collections"]) if held},
        number_range=NumberRange(min(seen["numbers"]), max(seen["numbers"])),
        layout=layout,
        removed=dict(seen["removed"]),
    )


def decide_from_view(seen: dict[str, Any], openings: Openings, policy: str = "seed") -> BotDecision:
    """Return the decision of the bot at this point, and record it in `openings` if it opens a turn."""
    memory = memory_from_view(seen)
    chain = [Card(card["slot"], card["number"], True) for card in seen["face_up"]]
    players = [Player(f"p{hand['seat']}") for hand in seen["hands"]]
    failed = [] if chain else openings.failed(memory, seen["turn"])
    decision = make_bot_decision(memory, chain, players, (), policy, seen["mode"], failed)
    if not chain:
        openings.note(seen["turn"], decision)
    return decision


def action_of(decision: BotDecision, seen: dict[str, Any]) -> int:
    """Return a decision as an action, relative to the seat to move."""
    if decision.action == REVEAL_PUBLIC:
        return CENTRE_ACTION + int(str(decision.card_id)[1:])
    seat = int(str(decision.player_id)[1:])
    places = (seat - int(seen["seat"])) % int(seen["players"])
    return 2 * places + int(decision.min_max == "max")


class HardAgent:
    """Decides as `make_bot_decision` does; `why` is the line that explains its last decision."""

    def __init__(self, game: Game, words: NDArray[np.uint32]) -> None:
        self.why: Line | None = None
        self._openings = Openings()

    def act(self, sight: Sight) -> int:
        """Return an action, decided from the view."""
        seen = sight.view()
        decision = decide_from_view(seen, self._openings)
        self.why = decision.why
        return action_of(decision, seen)


HARD = AgentSpec(name="hard", place=1, make=HardAgent, plain=True)
