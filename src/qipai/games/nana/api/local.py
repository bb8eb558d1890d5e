"""`LocalGame`: a local table over the game's rules, with one human and bots with memories.

This module has the stages, reveals that update every memory, settling and a bot's turn. Nothing is delayed.
Rules and decisions (`bots.decision`) are elsewhere.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from qipai.core import NOBODY, State
from qipai.core.errors import IllegalAction, MatchOver

from .. import rules
from ..bots.decision import REVEAL_PUBLIC, BotDecision, make_bot_decision
from ..bots.memory import (
    BotMemory,
    Card,
    Player,
    get_number_range_for_player_count,
    init_bot_memory,
    update_memory_on_collect,
    update_memory_on_reveal,
)
from ..bots.openings import Openings
from ..reference import seeded_deal
from ..state import CENTRE_ACTION, CENTRE_SLOT, HAND, SEATS, Phase
from ..view import MODE_NAMES, PHASE_NAMES, Reading, slot_name

HUMAN = "me"
MOST_BOTS = SEATS - 1


class LocalGame:
    """A table in one process: `me` at seat 0, `bot-1`.. after it."""

    def __init__(
        self, bot_count: int = 1, policy: str = "seed", options: Mapping[str, Any] | None = None
    ) -> None:
        self.bot_count = 1
        self.set_bot_count(bot_count)
        self.policy = policy
        self.options = dict(options or {})
        self.bot_memories: dict[str, BotMemory] = {}
        self.last_decision: BotDecision | None = None
        self._openings: dict[str, Openings] = {}
        self._s: State | None = None

    # --- the table ------------------------------------------------------------------

    def set_bot_count(self, count: int) -> None:
        """Set how many bots join at the next start: 1 to 5, clamped."""
        if not isinstance(count, int) or isinstance(count, bool):
            raise IllegalAction("a bot count must be a whole number")
        self.bot_count = min(MOST_BOTS, max(1, count))

    def start_game(self, seed: int | None = None, deal: Mapping[str, Any] | None = None) -> None:
        """Deal (from `seed`, or a custom `deal`) and give every bot a memory."""
        from .. import GAME  # imported late: the description imports this package's agents

        if deal is None:
            deal = seeded_deal(self.bot_count + 1, secrets.randbits(128) if seed is None else seed)
        s = GAME.new(self.options, self.bot_count + 1, layout=deal)
        self._s = s
        self.last_decision = None
        players, public = self.players, self.public_cards
        top = max(int(s["top"]), get_number_range_for_player_count(len(players)).max)
        self.bot_memories = {
            player.id: init_bot_memory(player.id, player.hand, players, public, {"min": 1, "max": top})
            for player in players
            if player.id != HUMAN
        }
        self._openings = {bot: Openings() for bot in self.bot_memories}

    @property
    def game_stage(self) -> str:
        """The stage: `config`, `in-game` or `game-over`."""
        if self._s is None:
            return "config"
        return "game-over" if self._s["phase"] == Phase.GAME_OVER else "in-game"

    @property
    def turn_phase(self) -> str:
        """The phase: `waiting`, or a phase of the turn."""
        return "waiting" if self._s is None else PHASE_NAMES[Phase(int(self._s["phase"]))]

    @property
    def players(self) -> list[Player]:
        """Everyone, with the cards in play of each hand."""
        if self._s is None:
            return []
        found = []
        for k in range(int(self._s["seats"])):
            slots = range(k * HAND, k * HAND + int(self._s["dealt"][k]))
            found.append(Player(self._name(k), self._cards(slots)))
        return found

    @property
    def public_cards(self) -> list[Card]:
        """The centre cards in play."""
        if self._s is None:
            return []
        return self._cards(range(CENTRE_SLOT, CENTRE_SLOT + int(self._s["centre"])))

    @property
    def current_player_index(self) -> int:
        """Whose turn it is."""
        return int(self._s["current"]) if self._s is not None else 0

    @property
    def winner(self) -> str | None:
        """The winner's id."""
        if self._s is None or self._s["winner"] == NOBODY:
            return None
        return self._name(int(self._s["winner"]))

    def is_current_player_bot(self) -> bool:
        """Return whether a bot is to move."""
        return self._s is not None and self.current_player_index != 0

    def get_current_player(self) -> Player | None:
        """Return the player to move."""
        return self.players[self.current_player_index] if self._s is not None else None

    def get_revealed_cards(self) -> list[Card]:
        """Return the chain, in order."""
        if self._s is None:
            return []
        return [self._card(int(slot)) for slot in self._s["chain"][: self._s["links"]]]

    # --- moves ----------------------------------------------------------------------

    def reveal_player_card(self, player_id: str, min_max: str) -> Card:
        """Turn up a head ("min") or tail ("max") for the current player."""
        s = self._running()
        names = [self._name(k) for k in range(int(s["seats"]))]
        if player_id not in names or min_max not in ("min", "max"):
            raise IllegalAction('a player card is named by a player and "min" or "max"')
        seat = names.index(player_id)
        relative = (seat - int(s["current"])) % int(s["seats"])
        return self._reveal(2 * relative + (min_max == "max"), {"type": "player", "player_id": player_id})

    def reveal_public_card(self, card_id: str) -> Card:
        """Turn up a centre card for the current player."""
        s = self._running()
        names = [slot_name(CENTRE_SLOT + i) for i in range(int(s["centre"]))]
        if card_id not in names:
            raise IllegalAction("no centre card has this id")
        return self._reveal(CENTRE_ACTION + names.index(card_id), {"type": "public"})

    def process_turn_result(self) -> None:
        """Settle a failed attempt or a trio."""
        s = self._running()
        if s["phase"] not in (Phase.FAILED, Phase.SUCCESS):
            raise IllegalAction("there is nothing to settle: the attempt has not ended")
        trio = s["phase"] == Phase.SUCCESS
        chain = self.get_revealed_cards()
        who = self._name(int(s["current"]))
        rules.advance(s)
        if trio:
            number = chain[0].number
            assert number is not None
            ids = [card.id for card in chain]
            for bot, memory in self.bot_memories.items():
                self.bot_memories[bot] = update_memory_on_collect(memory, who, number, ids)

    def next_turn(self) -> None:
        """Pass the move to the next player; face-up cards are turned back."""
        s = self._running()
        if s["phase"] == Phase.SUCCESS:
            raise IllegalAction("a trio is face up: settle it first")
        s["seat"] = NOBODY
        s["phase"] = int(Phase.FAILED)
        rules.advance(s)

    def execute_bot_turn(self) -> BotDecision | None:
        """Let the bot to move decide and reveal; return None if it is no bot's turn. Settle a trio first."""
        if self._s is None or self.game_stage != "in-game" or not self.is_current_player_bot():
            return None
        if self.turn_phase == "success":
            self.process_turn_result()
        if not self.turn_phase.startswith("flip"):
            return None
        bot = self._name(self.current_player_index)
        decision = self._decide(bot, int(self._s["turn"]), MODE_NAMES[self._s["mode"]])
        if decision.action == REVEAL_PUBLIC:
            self.reveal_public_card(str(decision.card_id))
        else:
            self.reveal_player_card(str(decision.player_id), str(decision.min_max))
        self.last_decision = decision
        return decision

    # --- helpers --------------------------------------------------------------------

    def _decide(self, bot: str, turn: int, mode: str) -> BotDecision:
        """Return what a bot decides; an opening is recorded, so that it is not repeated without gain."""
        memory, openings = self.bot_memories[bot], self._openings[bot]
        chain = self.get_revealed_cards()
        failed = [] if chain else openings.failed(memory, turn)
        decision = make_bot_decision(
            memory, chain, self.players, self.public_cards, self.policy, mode, failed
        )
        if not chain:
            openings.note(turn, decision)
        return decision

    def _running(self) -> State:
        if self._s is None:
            raise IllegalAction("the game has not started")
        if self._s["phase"] == Phase.GAME_OVER:
            raise MatchOver("the game is over")
        return self._s

    def _reveal(self, action: int, source: dict[str, str]) -> Card:
        from .. import GAME

        s = self._running()
        if s["seat"] == NOBODY or not GAME.mask(s)[action]:
            raise IllegalAction("this card cannot be revealed now")
        rules.make(s, action)
        card = self._card(int(s["chain"][s["links"] - 1]))
        assert card.number is not None
        for bot, memory in self.bot_memories.items():
            self.bot_memories[bot] = update_memory_on_reveal(memory, card.id, card.number, source)
        return card

    def _name(self, seat: int) -> str:
        return HUMAN if seat == 0 else f"bot-{seat}"

    def _cards(self, slots: range) -> list[Card]:
        assert self._s is not None
        table = Reading(self._s)
        return [self._card(slot) for slot in slots if table.is_in_play(slot)]

    def _card(self, slot: int) -> Card:
        assert self._s is not None
        return Card(slot_name(slot), int(self._s["card"][slot]), slot in self._s["chain"][: self._s["links"]])
