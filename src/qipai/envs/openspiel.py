"""qipai's games in OpenSpiel: `load(name)` returns a `pyspiel.Game` for every game.

The deal is the only chance node. It is sampled: one outcome, drawn when it is applied. A game that lists
its deals (`Rules.chance`) has one outcome per deal instead, as CFR and exploitability need. The players of a
pyspiel game are the seats, and its returns are the payoffs at the end.
"""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core import NOBODY, Game, QipaiError, copy_state, get, names
from qipai.core.errors import BadGame, BadOption, MissingExtra, NoDecision, short
from qipai.core.parts import always_zero_sum
from qipai.core.registry import REFERENCE
from qipai.sim.loops import CHANCE, MAX_REDEALS

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise MissingExtra("OpenSpiel is not installed: pip install 'qipai[toolbox]'") from error

SAMPLED, EXPLICIT = "sampled", "explicit"
MOST = float(np.iinfo(np.int32).max)  # no payoff is larger
PREFIX = "qipai_"


def load(
    game: Game | str,
    options: Mapping[str, Any] | None = None,
    seats: int | None = None,
    chance: str = "auto",
    seed: int | None = None,
) -> SpielGame:
    """Return a game for OpenSpiel.

    `chance` is "explicit" (every deal is an outcome, for a game that lists them), "sampled" (one outcome,
    drawn when it is applied), or "auto": explicit if the game lists its deals. `seed` is that of sampled
    deals.
    """
    found = game if isinstance(game, Game) else get(game, options)
    return SpielGame(found, options, seats, chance, seed)


def register() -> list[str]:
    """Add every game that can be loaded to OpenSpiel's registry as `qipai_NAME`, and return the names."""
    known = set(pyspiel.registered_names())
    made = []
    for name in [*names(), *REFERENCE]:
        short_name = PREFIX + name
        try:
            game = get(name)
        except QipaiError:  # a broken package must not disable the others
            continue
        made.append(short_name)
        if short_name not in known:
            maker = _Maker(name)
            _immortal(maker)
            pyspiel.register_game(_type(game, None), maker)
    return made


def _immortal(thing: Any) -> None:
    """Keep an object for good: OpenSpiel's registry lets go of it when Python has already ended."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(thing))


class _Maker:
    """Make a registered game from OpenSpiel's parameters."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, parameters: Any = None) -> SpielGame:
        """Return the game; it has no parameters."""
        return load(self._name)


def _zero_sum(game: Game) -> bool:
    """Return whether the payoffs of every game add up to 0; not if its checks have a rule of their own."""
    return game.rules.seats[0] > 1 and game.checks.zero_sum is always_zero_sum


def _type(game: Game, explicit: bool | None) -> Any:
    if explicit is None:
        explicit = game.rules.chance is not None
    kinds = pyspiel.GameType
    low, high = game.rules.seats
    perfect = game.rules.perfect_information
    zero = kinds.Utility.ZERO_SUM if _zero_sum(game) else kinds.Utility.GENERAL_SUM
    return pyspiel.GameType(
        short_name=PREFIX + game.name,
        long_name=game.title("en"),
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if explicit else kinds.ChanceMode.SAMPLED_STOCHASTIC,
        information=kinds.Information.PERFECT_INFORMATION
        if perfect
        else kinds.Information.IMPERFECT_INFORMATION,
        utility=zero,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=high,
        min_num_players=low,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game of ours as a `pyspiel.Game`; `game` is ours."""

    def __init__(
        self,
        game: Game,
        options: Mapping[str, Any] | None,
        seats: int | None,
        chance: str = "auto",
        seed: int | None = None,
    ) -> None:
        if chance not in ("auto", SAMPLED, EXPLICIT):
            raise BadOption(f"chance must be auto, {SAMPLED} or {EXPLICIT}, not {short(chance)}")
        if chance == EXPLICIT and game.rules.chance is None:
            raise BadGame(f"{game.name} does not list its deals, so its chance can only be sampled")
        self.game = game
        self.blank = game.blank(options, seats)
        self.seats = int(self.blank["seats"])
        self.deals: Sequence[tuple[int, Mapping[str, Any]]] | None = None
        if game.rules.chance is not None and chance != SAMPLED:
            self.deals = game.rules.chance(self.blank)
        self.random = np.random.default_rng(seed)  # of sampled deals
        self._given = (options, seats, chance, seed)
        game.compile()
        info = pyspiel.GameInfo(
            num_distinct_actions=game.rules.actions,
            max_chance_outcomes=1 if self.deals is None else len(self.deals),
            num_players=self.seats,
            min_utility=-MOST,
            max_utility=MOST,
            utility_sum=0.0 if _zero_sum(game) else None,
            max_game_length=game.rules.length,
        )
        super().__init__(_type(game, self.deals is not None), info, {})

    def new_initial_state(self) -> SpielState:
        """Return a state at its chance node, before the deal."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """Return an observer; its tensor holds the entries of the game's observation."""
        return SpielObserver(self.game, bool(iig_obs_type and iig_obs_type.perfect_recall))

    def __deepcopy__(self, memo: Mapping[int, Any]) -> SpielGame:
        """Return the game itself, which states share."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what the game was made from; pyspiel only pickles games of its registry."""
        return SpielGame, (self.game, *self._given)


class _Now:
    """The record of a position, None before the deal, and what each seat has seen and done so far."""

    def __init__(self, state: Any, seen: list[list[bytes]]) -> None:
        self.state = state
        self.seen = seen

    def __deepcopy__(self, memo: Mapping[int, Any]) -> _Now:
        """Return a copy that can be written; cloning a state copies it this way."""
        return _Now(
            None if self.state is None else copy_state(self.state), [list(seen) for seen in self.seen]
        )


class SpielState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A position; `now.state` is our record."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.ours = game
        self.now = _Now(None, [[] for _ in range(game.seats)])

    # --- who decides ------------------------------------------------------------------

    def current_player(self) -> int:
        """Return the seat that decides, or OpenSpiel's number for chance or the end."""
        if self.now.state is None:
            return int(pyspiel.PlayerId.CHANCE)
        seat = int(self.now.state["seat"])
        return int(pyspiel.PlayerId.TERMINAL) if seat == NOBODY else seat

    def _legal_actions(self, player: int) -> list[int]:
        """Return the legal actions of the seat that decides."""
        return self.ours.game.legal_actions(self.now.state)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the deals with their probabilities; a sampled deal is one outcome."""
        if self.ours.deals is None:
            return [(0, 1.0)]
        total = sum(weight for weight, _ in self.ours.deals)
        return [(k, weight / total) for k, (weight, _) in enumerate(self.ours.deals)]

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.now.state is not None and int(self.now.state["seat"]) == NOBODY

    def returns(self) -> list[float]:
        """Return the payoffs, which are 0 before the end."""
        if not self.is_terminal():
            return [0.0] * self.ours.seats
        return [float(p) for p in self.now.state["payoff"][: self.ours.seats]]

    # --- going on ---------------------------------------------------------------------

    def _apply_action(self, action: int) -> None:
        """Deal, or make an action."""
        if self.now.state is None:
            self.now.state = self._dealt(action)
        else:
            self.now.seen[int(self.now.state["seat"])].append(b"action %d" % action)
            self.ours.game.rules.apply(self.now.state, action)
        if self.ours.game.rules.information is None:
            for seat, seen in enumerate(self.now.seen):
                found = self._observed(seat)
                if not seen or seen[-1] != found:  # what others do in secret leaves no trace
                    seen.append(found)

    def _dealt(self, outcome: int) -> Any:
        game, s = self.ours.game, copy_state(self.ours.blank)
        if self.ours.deals is not None:
            game.key(s, (0, 0, 0, CHANCE))
            game.place(s, self.ours.deals[outcome][1])
            return s
        game.key(s, (*self.ours.random.integers(1 << 32, size=3).tolist(), CHANCE))
        for _ in range(MAX_REDEALS):
            game.rules.deal(s)
            if s["seat"] != NOBODY:
                return s
        raise NoDecision(f"{game.name}: with these options no deal leads to a decision")

    def _observed(self, seat: int) -> bytes:
        return self.ours.game.observation_of(self.now.state, seat).tobytes()

    # --- what is known ----------------------------------------------------------------

    def known(self, seat: int) -> str:
        """Return a key of all that a seat has seen and done: the key of its information state."""
        if self.now.state is None:
            return f"{seat}: nothing is dealt"
        key = self.ours.game.rules.information
        if key is not None:
            return f"{seat}: {key(self.now.state, seat)}"
        digest = hashlib.sha256()
        for part in self.now.seen[seat]:
            digest.update(b"%d:" % len(part) + part)
        return f"{seat}: {digest.hexdigest()}"

    def resample_from_infostate(self, player: int, random: Callable[[], float]) -> SpielState:
        """Return a world that fits what a seat knows; `random` returns a number from 0 to 1."""
        copy: SpielState = self.clone()
        words = [int(random() * (1 << 32)) & 0xFFFFFFFF for _ in range(4)]
        copy.now.state = self.ours.game.redrawn(self.now.state, player, words)
        for seat, seen in enumerate(copy.now.seen):
            if seat != player:  # in this world the others have seen something else
                seen[:] = [b"redrawn", copy._observed(seat)]
        return copy

    def _action_to_string(self, player: int, action: int) -> str:
        """Return an action in the game's notation."""
        return f"deal {action}" if player < 0 else self.ours.game.words.say(action)

    def __str__(self) -> str:
        """Return the actions so far and what every seat sees; no seat knows all of it."""
        if self.now.state is None:
            return "nothing is dealt"
        views = [self.ours.game.rules.view(self.now.state, seat) for seat in range(self.ours.seats)]
        return f"{self.history()} {views}"


class SpielObserver:
    """What a seat sees: the observation's entries as floats, in `tensor` and by feature in `dict`.

    With perfect recall the text is the key of the information state; the tensor is the same.
    """

    def __init__(self, game: Game, recall: bool) -> None:
        self._game = game
        self._recall = recall
        self.tensor = np.zeros(game.observation_size, np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {
            f.name: self.tensor[f.start : f.start + f.length].reshape(f.shape or (f.length,))
            for f in game.rules.observation
        }

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill the tensor with what a seat sees."""
        dealt = state.now.state
        self.tensor[:] = 0 if dealt is None else self._game.observation_of(dealt, player)

    def string_from(self, state: SpielState, player: int) -> str:
        """Return what a seat knows or sees, as text."""
        if self._recall:
            return state.known(player)
        return "nothing is dealt" if state.now.state is None else self._game.drawing(state.now.state, player)
