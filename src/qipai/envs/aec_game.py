"""`GameEnv`: a game as a PettingZoo AEC environment. Imported only if PettingZoo is installed.

An agent is a seat (`seat_0`, ...). A decision is one of the game's own actions: a
move of several actions (a cover of three cards) is several steps of one agent. An agent
receives the game's `observe` for its seat, and its mask: the legal actions when it decides, zeros when
it does not. `infos` contain nothing else.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import logger
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray

from qipai.core import NOBODY, WATCHER, Game, State, copy_state, get
from qipai.core.errors import (
    BadCount,
    BadLayout,
    IllegalAction,
    MatchOver,
    NoDecision,
    UnknownAgent,
)
from qipai.match.jsonable import is_int
from qipai.sim.loops import CHANCE, MAX_REDEALS

from .aec_base import DealtEnv
from .convention import FPS, RENDER_MODES, Convention
from .features import Form
from .seeds import checked_seed

Observation = dict[str, NDArray[np.int8]]


class GameEnv(DealtEnv):
    """One game at a time, every seat an agent. `qipai.envs.aec` makes it and explains the arguments."""

    def __init__(
        self,
        game: Game | str,
        options: Mapping[str, Any] | None = None,
        seats: int | None = None,
        *,
        render_mode: str | None = None,
        render_seat: str | None = None,
        lang: str = "en",
        seed: int | None = None,
        max_cycles: int | None = None,
        **convention: Any,
    ) -> None:
        super().__init__()
        self.game = game if isinstance(game, Game) else get(game, options)
        self._blank = self.game.blank(options, seats)
        self._compile()
        count = int(self._blank["seats"])
        self.possible_agents: list[str] = [f"seat_{k}" for k in range(count)]
        self._seat_of = {agent: k for k, agent in enumerate(self.possible_agents)}
        self.convention = Convention(self.game, render_mode=render_mode, lang=lang, **convention)
        if max_cycles is not None and not (is_int(max_cycles) and max_cycles >= 1):
            raise BadCount(f"max_cycles must be a whole number from 1, not {max_cycles!r}")
        self.metadata: dict[str, Any] = {
            "name": f"{self.game.name}_v{self.game.rules.version}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": FPS,
        }
        self.render_mode = render_mode
        self._viewer = WATCHER if render_seat is None else self._seat(render_seat)
        self._max_cycles = max_cycles
        self._seed = None if seed is None else checked_seed(seed)
        self._episode = -1  # episode number within this seed
        self._state: State | None = None
        self.agents: list[str] = []
        self._make_spaces(count)

    def _make_spaces(self, count: int) -> None:
        made = self.convention
        # one object per agent: seeding the space of one must not seed the others
        self.observation_spaces: dict[str, Any] = dict.fromkeys(self.possible_agents, made.observation_space)
        self.action_spaces: dict[str, Discrete] = dict.fromkeys(self.possible_agents, made.action_space)
        raw = Form.of(self.game, "raw")
        self.state_space = Box(np.tile(raw.low, count), np.tile(raw.high, count), dtype=np.int8)

    def observation_space(self, agent: str) -> Any:
        """Return the space of `observe(agent)`: the observation of the seat, and its mask."""
        return self.observation_spaces[self.possible_agents[self._seat(agent)]]

    def action_space(self, agent: str) -> Discrete:
        """Return the space of the game's actions."""
        return self.action_spaces[self.possible_agents[self._seat(agent)]]

    # --- an episode -----------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal. The same seed gives the same deal, and with the same actions the same episode.

        Without a seed, the next deal of the last seed follows (of a random one at first).
        `options={"layout": ...}` sets up a custom deal instead; other keys are ignored.
        """
        new_seed = self._seed if seed is None else checked_seed(seed)
        episode = 0 if seed is not None else self._episode + 1
        if new_seed is None:
            new_seed = secrets.randbits(64)
        layout = _layout_in(options)
        s = self._first_decision(new_seed, episode, layout)
        self._seed, self._episode, self._state = new_seed, episode, s
        self._rng = np.random.default_rng((new_seed, episode))  # for illegal="random"
        self._decisions = [0] * len(self.possible_agents)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[int(s["seat"])]
        self._tell_masks()
        self._show()

    def _first_decision(self, seed: int, episode: int, layout: Any) -> State:
        """Return a state at its first decision, dealt like lane `episode` of a Batch with this seed."""
        s = copy_state(self._blank)
        self.game.key(s, (seed & 0xFFFFFFFF, seed >> 32, episode, CHANCE))
        if layout is not None:
            self.game.place(s, layout)
            if s["seat"] == NOBODY:
                raise BadLayout(f"{self.game.name}: this layout leads to no decision")
            return s
        for _ in range(MAX_REDEALS):
            self.game.rules.deal(s)
            if s["seat"] != NOBODY:
                return s
        raise NoDecision(f"{self.game.name}: with these options no deal leads to a decision")

    def step(self, action: int | np.integer[Any] | NDArray[Any] | None) -> None:
        """Apply the action of `agent_selection`; None for an agent whose episode has ended.

        Raises `IllegalAction`, and changes nothing, if the action is not legal. With illegal="random" a
        random legal action is played instead; with "terminate" the episode ends for everyone, and the agent
        gets `illegal_reward`.
        """
        s = self._dealt()
        self._check_going()
        agent = self.agent_selection
        if not self._is_alive(agent):
            if action is not None:
                raise IllegalAction(f"{agent}: the episode has ended, only None is accepted")
            self._was_dead_step(None)
            return
        number = self._checked_action(agent, action)
        if number is None:
            self._forfeit(agent)
            return
        before = [int(p) for p in s["payoff"]]
        self.game.rules.apply(s, number)
        self._decisions[self._seat_of[agent]] += 1
        self._cumulative_rewards[agent] = 0.0
        for k, other in enumerate(self.possible_agents):
            change = int(s["payoff"][k]) - before[k]
            self.rewards[other] = float(change * self.convention.reward_scale)
        self._accumulate_rewards()
        self._go_on(s)
        self._tell_masks()
        if self.game.ends_move(s, self._seat_of[agent]):
            self._show()

    def _forfeit(self, agent: str) -> None:
        """End the episode because `agent` tried what is not legal."""
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards[agent] = float(self.convention.illegal_reward)
        self._accumulate_rewards()
        for other in self.agents:
            self.terminations[other] = True
        self.agent_selection = self.agents[0]
        self._tell_masks()

    def _go_on(self, s: State) -> None:
        """Set the next agent, or the results if the game has ended."""
        seat = int(s["seat"])
        over = seat == NOBODY
        cut = bool(s["cut"]) if over else self._decisions[seat] == self._max_cycles
        if over or cut:
            ended = self.truncations if cut else self.terminations
            for agent in self.agents:
                ended[agent] = True
        self.agent_selection = self.agents[0] if over or cut else self.possible_agents[seat]

    def _checked_action(self, agent: str, action: Any) -> int | None:
        """Return the action, another one or None where it is illegal and `illegal` says so."""
        if isinstance(action, np.ndarray) and action.shape == ():
            action = action[()]
        if not is_int(action):
            raise IllegalAction(f"{agent}: an action must be a whole number, not {type(action).__name__}")
        number = int(action)
        if 0 <= number < self.game.rules.actions and self._mask[number]:
            return number
        if self.convention.illegal == "terminate":
            return None
        if self.convention.illegal == "random":
            return int(self._rng.choice(np.flatnonzero(self._mask)))
        raise IllegalAction(f"{agent}: action {number} is not legal here")

    # --- what is seen ---------------------------------------------------------------

    def observe(self, agent: str) -> Observation:
        """Return what the agent may know now, whether or not it decides, also after the end."""
        features = self.game.observation_of(self._dealt(), self._seat(agent))
        seen: Observation = self.convention.told(features, self._mask_of(agent))
        return seen

    def state(self) -> NDArray[np.int8]:
        """Return the observations of all seats in a row. For a central critic, not for a player."""
        s = self._dealt()
        return np.concatenate([self.game.observation_of(s, k) for k in range(len(self.possible_agents))])

    def render(self) -> Any:
        """Return the drawing of the position, as text ("ansi") or image ("rgb_array"); "human" prints it."""
        if self.render_mode is None:
            logger.warn(f"render() does nothing without a render_mode: {', '.join(RENDER_MODES)}")
            return None
        drawn = self.convention.drawn(self._dealt(), self._viewer)
        if self.render_mode != "human":
            return drawn
        print(drawn, flush=True)
        return None

    def close(self) -> None:
        """Do nothing, because no resources are held."""

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _tell_masks(self) -> None:
        self._mask = self.game.mask(self._dealt())[: self.game.rules.actions].view(np.int8)
        self.infos: dict[str, dict[str, Any]] = {a: {"action_mask": self._mask_of(a)} for a in self.agents}

    def _mask_of(self, agent: str) -> NDArray[np.int8]:
        """Return a copy of the mask for the agent that decides, zeros for any other."""
        decides = agent == self.agent_selection and self._is_alive(agent)
        return self._mask.copy() if decides else np.zeros_like(self._mask)

    def _is_alive(self, agent: str) -> bool:
        return agent in self.agents and not (self.terminations[agent] or self.truncations[agent])

    def _compile(self) -> None:
        self.game.compile()

    # --- checks ---------------------------------------------------------------------

    def _dealt(self) -> State:
        if self._state is None:
            raise MatchOver("nothing is dealt: reset the environment first")
        return self._state

    def _seat(self, agent: str) -> int:
        if not isinstance(agent, str) or agent not in self._seat_of:
            raise UnknownAgent(f"there is no agent {agent!r}; known: {', '.join(self._seat_of)}")
        return self._seat_of[agent]


def _layout_in(options: Any) -> Any:
    """Return the custom deal among the options of `reset`, if any."""
    if options is not None and not isinstance(options, Mapping):
        raise BadLayout(f"reset takes a mapping of options, not {type(options).__name__}")
    return None if options is None else options.get("layout")
