"""`WuhanMahjongEnv`: Wuhan mahjong as a PettingZoo AEC environment (§8 of the game's README).

One episode is one hand; consecutive hands of one object are linked by the dealer. Actions are tuples
(type, parameter), or indices of the 278-wide mask with `action_format="flat"`.
The rules are in `qipai.games.wuhan_mahjong`; this module only wraps them.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.spaces import Dict, Discrete, MultiBinary, MultiDiscrete
from gymnasium.spaces import Tuple as TupleSpace
from numpy.typing import NDArray

from qipai.core import NOBODY, Game, State, draw, new_states, seed_words
from qipai.core.errors import BadLayout, MatchOver, UnknownAgent
from qipai.games.wuhan_mahjong.api import (
    index_to_action,
    index_to_native,
    native_of_pair,
    read_action,
    read_settings,
    type_names,
)
from qipai.games.wuhan_mahjong.api.observation import MASK, PARTS, SIZE, make_ready, observe_first, take_turn
from qipai.games.wuhan_mahjong.errors import BadPosition, BadReset, BadSetting, IllegalMove
from qipai.games.wuhan_mahjong.layout import dump, short, whole
from qipai.games.wuhan_mahjong.state import WON, Phase
from qipai.games.wuhan_mahjong.tiles import NONE, SEATS, WALL, ActionType, WinWay

from .aec_base import DealtEnv

Observation = dict[str, Any]
AGENTS = [f"player_{k}" for k in range(SEATS)]
FORMATS = ("tuple", "flat")
RENDER_MODES = ("ansi", "human")
PHASE_NAMES = tuple(p.name for p in Phase)
_INT8: Any = np.int8  # the annotation of the spaces only allows int64
_INT16: Any = np.int16
COIN_BITS = 30  # bits of the random number that hides an observation in training phase 2
DEALS, COINS = 0x57684D4A, 0x436F696E  # streams of a seed


class WuhanMahjongEnv(DealtEnv):
    """Four players, one hand per episode. Options are keyword arguments named as in §10, or `options`."""

    metadata: dict[str, Any] = {  # noqa: RUF012 (PettingZoo's own convention)
        "name": "wuhan_mahjong_v1",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        *,
        action_format: str = "tuple",
        render_mode: str | None = None,
        reward_scale: float = 100,
        training_phase: int = 3,
        phase2_progress: float = 0.0,
        lang: str = "en",
        options: Mapping[str, Any] | None = None,
        **rules: Any,
    ) -> None:
        super().__init__()
        if action_format not in FORMATS:
            raise BadSetting(f"action_format must be one of {', '.join(FORMATS)}, not {short(action_format)}")
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise BadSetting(
                f"render_mode must be one of {', '.join(RENDER_MODES)}, not {short(render_mode)}"
            )
        if not _is_number(reward_scale) or not reward_scale > 0:
            raise BadSetting(f"reward_scale must be a positive number, not {short(reward_scale)}")
        if training_phase not in (1, 2, 3) or isinstance(training_phase, bool):
            raise BadSetting(f"training_phase must be 1, 2 or 3, not {short(training_phase)}")
        if not _is_number(phase2_progress):
            raise BadSetting(f"phase2_progress must be a number, not {short(phase2_progress)}")
        self._compile()
        self._numbers = read_settings({**_checked_mapping(options or {}), **rules})
        self._flat = action_format == "flat"
        self._scale = float(reward_scale)
        self._training = int(training_phase)
        self._progress = float(phase2_progress)
        self._lang = lang
        self.render_mode = render_mode
        self.possible_agents: list[str] = list(AGENTS)
        self.agents: list[str] = []
        self._seat_of = {agent: k for k, agent in enumerate(AGENTS)}
        self._scratch = np.zeros(self._game.width, np.uint8)
        self._dense = np.zeros(self._game.width, np.uint8)  # mask of the seat to act
        self._public = np.zeros(MASK, np.int8)  # the same, as the public mask
        self._note = np.zeros(4, np.int64)  # see `take_turn`
        self._coins = np.zeros(4, np.uint32)
        self._seed: int | None = None
        self._episode = -1
        self._next_dealer: int | None = None
        self._states = new_states(self._game.rules.State, 1)
        self._is_dealt = False
        self._bare = [False] * SEATS
        space, action = _observation_space(), Discrete(MASK) if self._flat else _tuple_space()
        self.observation_spaces = dict.fromkeys(AGENTS, space)
        self.action_spaces = dict.fromkeys(AGENTS, action)

    def observation_space(self, agent: str) -> Dict:
        """Return the space of §8.3, the same for every agent."""
        return self.observation_spaces[AGENTS[self._seat(agent)]]

    def action_space(self, agent: str) -> Any:
        """Return the space of pairs (type, parameter), or of indices of the mask."""
        return self.action_spaces[AGENTS[self._seat(agent)]]

    # --- an episode -----------------------------------------------------------------

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal, and return observation and info of the first agent to act.

        `options`: `dealer` (0-3), `deck` (136 tile ids), `state` (a position, §11). A seed
        begins a new chain of hands; without one the last chain continues. Other keys are ignored.
        """
        given = _reset_options(options)
        new_seed = self._seed if seed is None else _checked_seed(seed)
        if new_seed is None:
            new_seed = secrets.randbits(64)
        fresh = seed is not None or self._seed is None
        episode = 0 if fresh else self._episode + 1
        s = self._deal(new_seed, episode, None if fresh else self._next_dealer, given)
        self._seed, self._episode = new_seed, episode
        self._states[0] = s
        self._is_dealt = True
        self._next_dealer = int(s["dealer"])
        seed_words(self._coins, new_seed & 0xFFFFFFFF, new_seed >> 32, episode, COINS)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self._skip_agent_selection = None
        self.agent_selection = AGENTS[int(s["seat"])]
        self._arrive(NONE)
        return self.observe(self.agent_selection), self.infos[self.agent_selection]

    def _deal(self, seed: int, episode: int, dealer: int | None, given: Mapping[str, Any]) -> State:
        if given.get("dealer") is not None:
            dealer = whole(given["dealer"], 0, SEATS - 1, "the dealer")
        numbers = dict(self._numbers)
        position = given.get("state")
        if position is not None:
            if not isinstance(position, Mapping):
                raise BadPosition(f"a state is a mapping, not {short(position)}")
            if position.get("options"):
                own = {o.name: o.show(numbers[o.name]) for o in self._game.rules.options}
                numbers = read_settings({**own, **_checked_mapping(position["options"])})
            position = {k: v for k, v in position.items() if k != "options"}
        if dealer is not None:
            numbers["first_dealer"] = dealer
        s = self._game.blank()
        for name, value in numbers.items():
            s[name] = value
        self._game.key(s, (seed & 0xFFFFFFFF, seed >> 32, episode, DEALS))
        try:
            if position is not None:
                self._game.place(s, position)
            elif given.get("deck") is not None:
                if dealer is None:
                    dealer = int(draw(s["rng"], SEATS))
                self._game.place(s, {"deck": given["deck"], "dealer": dealer})
            else:
                self._game.rules.deal(s)
        except BadLayout as error:
            raise BadPosition(str(error)) from None
        return s

    def step(self, action: Any) -> None:
        """Apply the action of `agent_selection`; None once its episode has ended.

        Raises a ValueError, and changes nothing, if the action is not legal.
        """
        self._dealt()
        if not self.agents:
            raise IllegalMove("the episode has ended: reset the environment")
        agent = self.agent_selection
        if self.terminations[agent]:
            if action is not None:
                raise IllegalMove(f"{agent}: the hand is over, only None is taken")
            self._was_dead_step(None)
            return
        native = self._native(action)
        self._cumulative_rewards[agent] = 0.0
        self._arrive(native)

    def _native(self, action: Any) -> int:
        """Return the number of a legal action in the game; raise `IllegalMove` otherwise."""
        if self._flat:
            if isinstance(action, np.ndarray) and action.shape == ():
                action = action[()]
            native = index_to_native(action)
            if self._public[action]:
                return native
            kind = index_to_action(action)[0]
        else:
            kind, parameter = read_action(action)
            native = native_of_pair(kind, parameter, self._states[0])
            if native != NONE and self._dense[native]:
                return native
        place = PHASE_NAMES[self._note[1]]
        raise IllegalMove(f"{ActionType(kind).name} action is not allowed in {place}: {short(action)}")

    def _arrive(self, action: int) -> None:
        """Apply `action` (if any) and update agent, rewards, infos and the rendering."""
        take_turn(self._states, action, self._dense, self._public, self._note)
        decider, phase, seat_of_others, phase_of_others = self._note.tolist()
        end: dict[str, Any] = {}
        if decider != NOBODY:
            self.agent_selection = AGENTS[decider]
        else:
            end = self._finish(self._states[0])
        self._toss()
        shown = {
            "current_state": PHASE_NAMES[phase_of_others],
            "current_player": None if seat_of_others == NOBODY else seat_of_others,
            "is_terminal": bool(end),
            **end,
        }
        self.infos: dict[str, dict[str, Any]] = {agent: dict(shown) for agent in AGENTS}
        if decider != NOBODY:
            self.infos[self.agent_selection]["current_state"] = PHASE_NAMES[phase]
            self.infos[self.agent_selection]["current_player"] = decider
        if self.render_mode == "human":
            self.render()

    def _finish(self, s: State) -> dict[str, Any]:
        for k, agent in enumerate(AGENTS):
            self.rewards[agent] = int(s["payoff"][k]) / self._scale
            self.terminations[agent] = True
        self._accumulate_rewards()
        self._next_dealer = int(self._game.rules.successor(s)["first_dealer"])
        self.agent_selection = self.agents[0]
        return self._end_info(s)

    def _toss(self) -> None:
        """Draw whose observations are hidden until the next action (training phases 1 and 2)."""
        if self._training != 2:
            self._bare = [self._training == 1] * SEATS
            return
        hide = 1 / (1 + math.exp(-6 * min(max(self._progress - 0.5, -50.0), 50.0)))
        bar = int(hide * (1 << COIN_BITS))
        self._bare = [int(draw(self._coins, 1 << COIN_BITS)) >= bar for _ in AGENTS]

    def _end_info(self, s: State) -> dict[str, Any]:
        won = int(s["phase"]) == WON
        contractor = int(s["contractor"])
        return {
            "winners": [int(s["winner"])] if won else [],
            "win_way": WinWay(int(s["win_way"])).name if won else None,
            "win_types": type_names(int(s["types"])) if won else [],
            "final_scores": [int(p) for p in s["payoff"]],
            "contractor": None if contractor == NONE else contractor,
            "flush": not won,
        }

    # --- what is seen ---------------------------------------------------------------

    def observe(self, agent: str) -> Observation:
        """Return what an agent may know now, whether or not it acts (§8.2, §8.3)."""
        self._dealt()
        seat = self._seat(agent)
        out = np.empty(SIZE, np.int8)
        fans = np.empty(SEATS, np.int16)
        observe_first(self._states, seat, 1 if self._bare[seat] else 0, self._scratch, out, fans)
        seen: Observation = {"melds": {}, "action_history": {}}
        for key, (start, end) in _FLAT_PARTS:
            seen[key] = out[start:end]
        for outer, key, start, end in _NESTED_PARTS:
            seen[outer][key] = out[start:end]
        seen["fan_counts"] = fans
        seen["remaining_tiles"] = int(out[_REMAINING])
        seen["current_phase"] = int(out[_PHASE])
        return seen

    def dump_state(self) -> dict[str, Any]:
        """Return the whole position as JSON, for `reset(options={"state": ...})` (not for players)."""
        s = self._dealt()
        changed = {}
        for option in self._game.rules.options:
            value = int(s[option.name])
            if value != option.default and option.name != "first_dealer":
                changed[option.name] = None if option.name == "flow_cap" else option.show(value)
        return {**dump(s), "options": changed}

    def render(self) -> str | None:
        """Return what a watcher sees as text ("ansi"), or print it ("human")."""
        drawn = self._game.drawing(self._dealt(), NOBODY, self._lang)
        if self.render_mode == "human":
            print(drawn, flush=True)
            return None
        return drawn

    def close(self) -> None:
        """Do nothing, because no resources are held."""

    def _compile(self) -> None:
        self._game = _game()

    # --- checks ---------------------------------------------------------------------

    def _dealt(self) -> State:
        if not self._is_dealt:
            raise MatchOver("nothing is dealt: reset the environment first")
        s: State = self._states[0]
        return s

    def _seat(self, agent: str) -> int:
        if not isinstance(agent, str) or agent not in self._seat_of:
            raise UnknownAgent(f"no agent is called {short(agent)}: {', '.join(AGENTS)}")
        return self._seat_of[agent]


_FLAT_PARTS = [
    (key, part)
    for key, part in PARTS.items()
    if "." not in key and key not in ("remaining_tiles", "current_phase")
]
_NESTED_PARTS = [
    (key.partition(".")[0], key.partition(".")[2], start, end)
    for key, (start, end) in PARTS.items()
    if "." in key
]
_REMAINING, _PHASE = PARTS["remaining_tiles"][0], PARTS["current_phase"][0]


def random_action(observation: Observation, rng: np.random.Generator) -> int:
    """Return a uniformly random set bit of the mask (§8.5); an empty mask is an error, never PASS."""
    legal: NDArray[np.int64] = np.flatnonzero(observation["action_mask"])
    if legal.size == 0:
        raise IllegalMove("the mask is empty: this agent is not the one to act")
    return int(legal[rng.integers(legal.size)])


def _game() -> Game:
    from qipai.core import compile_rules
    from qipai.games.wuhan_mahjong import GAME

    GAME.compile()
    make_ready()
    compile_rules([take_turn, observe_first, draw], GAME.rules.State, "wuhan_mahjong/env")
    return GAME


def _observation_space() -> Dict:
    """Return the observation space of §8.3."""
    return Dict(
        {
            "global_hand": _many(6, 136),
            "private_hand": _many(6, 34),
            "discard_pool_total": _many(6, 34),
            "wall": _many(35, WALL),
            "melds": Dict(
                {"action_types": _many(11, 16), "tiles": _many(35, 64), "group_indices": _many(4, 32)}
            ),
            "action_history": Dict(
                {"types": _many(12, 80), "params": _many(35, 80), "players": _many(5, 80)}
            ),
            "special_gangs": MultiDiscrete(np.array([9, 5, 5] * SEATS), dtype=_INT8),
            "current_player": _many(4, 1),
            "fan_counts": MultiDiscrete(np.full(SEATS, 600), dtype=_INT16),
            "special_indicators": _many(34, 2),
            "remaining_tiles": Discrete(WALL + 1),
            "dealer": _many(4, 1),
            "current_phase": Discrete(len(Phase)),
            "action_mask": MultiBinary(MASK),
        }
    )


def _many(values: int, length: int) -> MultiDiscrete:
    return MultiDiscrete(np.full(length, values), dtype=_INT8)


def _tuple_space() -> TupleSpace[Any]:
    return TupleSpace((Discrete(11), Discrete(35)))


def _is_number(value: Any) -> bool:
    return (
        isinstance(value, int | float | np.integer | np.floating)
        and not isinstance(value, bool)
        and math.isfinite(value)
    )


def _checked_seed(seed: Any) -> int:
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 1 << 64:
        raise BadReset("a seed must be a whole number from 0 to 2^64 - 1")
    return int(seed)


def _checked_mapping(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise BadSetting(f"options are a mapping, not {short(value)}")
    return value


def _reset_options(options: Any) -> Mapping[str, Any]:
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise BadSetting(f"reset takes a mapping of options, not {short(options)}")
    if options.get("deck") is not None and options.get("state") is not None:
        raise BadSetting("reset takes a deck or a state, not both")
    return options
