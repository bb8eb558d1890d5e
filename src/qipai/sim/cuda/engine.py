"""The CUDA engine of a batch: device arrays, and the launches of the kernels built by `build.py`."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from qipai.core import Game, State
from qipai.core.errors import BadBatch, BadStream, IllegalAction, NoDevice, short

from ..cpu import KEPT as CPU_KEPT
from ..cpu import primitives_for
from ..engine import Arrays, no_action
from .build import KEPT, KERNELS, kernels_for, limits
from .dlpack import speaking


class CudaEngine:
    """Engine that runs the kernels over device arrays.

    Everything is launched on one stream: the default one, or one of another library. `step`
    does not wait for the device: a lane whose action is illegal stays unchanged and is
    counted. `check` and `rollout` wait and raise for it; `reset` clears the count.
    """

    def __init__(self, game: Game, n: int, stream: Any = None) -> None:
        self.cuda = load_cuda()
        self._stream = stream_of(stream, self.cuda)
        self.game = game
        self.n = n
        self._launches = self._configured()
        # number of illegal actions, and the first lane
        self._illegal = self._send(np.array([0, n], np.int32))
        self._ended = self._send(np.zeros(2, np.int64))  # games ended, and lanes that are stuck

    def allocate(self, blank: State) -> Arrays:
        """Return device arrays, with states that are copies of `blank`."""
        n, game = self.n, self.game
        state = np.zeros(n, game.rules.State)
        state[:] = blank
        return Arrays(
            state=self._send(state),
            mask=self._new((n, game.width), np.uint8),
            obs=self._new((n, game.observation_size), np.int8),
            seat=self._new((n,), np.int8),
            reward=self._send(np.zeros((n, int(blank["seats"])), np.int32)),
            done=self._send(np.zeros(n, np.uint8)),
            cut=self._send(np.zeros(n, np.uint8)),
            choice=self._new((n, 4), np.uint32),
        )

    def reset(self, a: Arrays, low: int, high: int) -> bool:
        """Seed and deal every lane; return whether every lane found a deal with a decision."""
        for array in (a.reward, a.done, a.cut):
            array.copy_to_device(np.zeros(array.shape, array.dtype), stream=self._stream)
        self._forget()
        self._launch("reset_kernel", a.state, a.choice, a.mask, a.obs, a.seat, low, high)
        return not bool((self._fetch(a.seat) < 0).any())

    def step(self, a: Arrays, actions: Any) -> None:
        """Apply one action per lane: an int32 device array (of any library), or a NumPy array.

        A device array is read in the order of this engine's stream.
        """
        given = self._given_actions(actions)
        outputs = (a.mask, a.obs, a.seat, a.reward, a.done, a.cut, self._illegal)
        self._launch("step_kernel", a.state, given, *outputs)

    def _given_actions(self, actions: Any) -> Any:
        """Return actions on the device; raise `BadBatch` if they are not one int32 number per lane."""
        given = self._send(actions) if isinstance(actions, np.ndarray) else None
        if given is None:
            given = self.cuda.as_cuda_array(actions, sync=False)
        if given.shape != (self.n,) or given.dtype != np.int32:
            raise BadBatch(f"step takes {self.n} int32 numbers, not {given.dtype} {given.shape}")
        return given

    def check(self) -> None:
        """Wait, and raise `IllegalAction` if a step met an illegal action."""
        count, lane = self._fetch(self._illegal).tolist()
        if count:
            self._forget()
            raise IllegalAction(f"{count} actions were not legal, the first in lane {lane}; skipped")

    def choose(self, a: Arrays) -> Any:
        """Return a random legal action per lane, on the device."""
        actions = self._new((self.n,), np.int32)
        self._launch("choose_kernel", a.choice, a.mask, actions)
        return actions

    def rollout(self, a: Arrays, steps: int, observe: bool) -> int:
        """Make random decisions, wait, and return the number of games ended."""
        self._ended.copy_to_device(np.zeros(2, np.int64), stream=self._stream)
        outputs = (a.seat, a.reward, a.done, a.cut, self._ended)
        if observe:
            self._launch("rollout_observed_kernel", a.state, a.choice, a.mask, a.obs, *outputs, steps)
        else:
            self._launch("rollout_kernel", a.state, a.choice, *outputs, steps)
            self.observe(a)
        ended, lanes = self._fetch(self._ended).tolist()
        if lanes:
            raise no_action(self.game, f"{lanes} lanes have")
        self.check()
        return int(ended)

    def put(self, a: Arrays, states: Any) -> None:
        """Set every state, from main memory."""
        a.state.copy_to_device(states, stream=self._stream)
        for array in (a.reward, a.done, a.cut):
            array.copy_to_device(np.zeros(array.shape, array.dtype), stream=self._stream)
        self.observe(a)

    def redraw(self, a: Arrays, viewers: Any) -> None:
        """Redraw worlds on the CPU, where `determinize` may allocate."""
        states, choice = self._fetch(a.state).view(np.recarray), self._fetch(a.choice)
        primitives_for(self.game, CPU_KEPT)["redraw_lanes"](states, choice, viewers, 0, self.n)
        a.state.copy_to_device(states, stream=self._stream)
        a.choice.copy_to_device(choice, stream=self._stream)
        self._launch("show_kernel", a.state, self._send(states["seat"].copy()), a.mask, a.obs, a.seat)

    def reset_chosen(self, a: Arrays, chosen: Any, seed: tuple[int, int] | None) -> None:
        """Deal again in the chosen lanes; a mask on the device is read in the order of the stream."""
        if isinstance(chosen, np.ndarray):
            given = self._send(chosen)
        else:
            given = self.cuda.as_cuda_array(chosen, sync=False)
        if given.shape != (self.n,) or given.dtype != np.uint8:
            raise BadBatch(
                f"a mask on the device has {self.n} uint8 numbers, not {given.dtype} {given.shape}"
            )
        outputs = (a.mask, a.obs, a.seat, a.reward, a.done, a.cut)
        words = (0 if seed is None else 1, *(seed or (0, 0)))
        self._launch("reset_chosen_kernel", a.state, a.choice, given, *outputs, *words)

    def step_kept(self, a: Arrays, actions: Any) -> None:
        """Apply one action in each lane that is not over; see `step`."""
        given = self._given_actions(actions)
        outputs = (a.mask, a.obs, a.seat, a.reward, a.done, a.cut, self._illegal)
        self._launch("step_kept_kernel", a.state, given, *outputs)

    def rollout_kept(self, a: Arrays, steps: int) -> tuple[int, int, Any]:
        """Make random decisions up to the end of each game. Waits."""
        payoff, last = self._new(a.reward.shape, np.int32), self._new((self.n,), np.int8)
        ended = self._send(np.zeros(3, np.int64))
        outputs = (a.reward, a.done, a.cut, payoff, last, ended)
        self._launch("rollout_kept_kernel", a.state, a.choice, *outputs, steps)
        self._launch("show_kernel", a.state, last, a.mask, a.obs, a.seat)
        games, lanes, decisions = self._fetch(ended).tolist()
        if lanes:
            raise no_action(self.game, f"{lanes} lanes have")
        self.check()
        return decisions, games, payoff

    def observe(self, a: Arrays) -> None:
        """Fill mask, observation and seat for the current states."""
        self._launch("deliver_kernel", a.state, a.mask, a.obs, a.seat)

    def observe_all(self, a: Arrays, seen: Any) -> None:
        """Fill in the observations of all seats."""
        self._launch("observe_all_kernel", a.state, seen, a.reward.shape[1])

    def rows(self, count: int) -> Any:
        """Return rows for observations on the device."""
        return self._new((count, self.game.observation_size), np.int8)

    def save(self, a: Arrays) -> dict[str, Any]:
        """Wait, and return the arrays in main memory, with the counters that `check` reads."""
        return {**{k: self._fetch(v) for k, v in vars(a).items()}, "illegal": self._fetch(self._illegal)}

    def load(self, a: Arrays, saved: dict[str, Any]) -> None:
        """Fill the arrays with what `save` returned."""
        for name, array in (*vars(a).items(), ("illegal", self._illegal)):
            array.copy_to_device(saved[name], stream=self._stream)

    def _forget(self) -> None:
        self._illegal.copy_to_device(np.array([0, self.n], np.int32), stream=self._stream)

    def _configured(self) -> dict[str, Any]:
        """Return the kernels, each with its grid and stream."""
        sizes = {name: limits(self.game, name).block for name in (*KERNELS, *KEPT)}
        kernels = kernels_for(self.game, self.cuda)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", ".*Grid size")  # numba-cuda warns about small grids
            return {name: kernels[name][-(-self.n // k), k, self._stream] for name, k in sizes.items()}

    def _launch(self, name: str, *arguments: Any) -> None:
        self._launches[name](*arguments)

    def _new(self, shape: tuple[int, ...], dtype: Any) -> Any:
        array = self.cuda.device_array(shape, dtype, stream=self._stream)
        return speaking(array, self.cuda, self._stream)

    def _send(self, values: Any) -> Any:
        return speaking(self.cuda.to_device(values, stream=self._stream), self.cuda, self._stream)

    def _fetch(self, array: Any) -> Any:
        """Copy to main memory; waits for everything launched."""
        found = array.copy_to_host(stream=self._stream)
        if self._stream:
            self._stream.synchronize()
        return found


def stream_of(given: Any, cuda: Any) -> Any:
    """Return a Numba stream for one of Numba, PyTorch (`cuda_stream`) or CuPy (`ptr`), or for an address."""
    if given is None:
        return 0
    address = getattr(given, "cuda_stream", getattr(given, "ptr", given))
    if isinstance(address, int) and not isinstance(address, bool):
        return cuda.external_stream(address) if address else 0
    if hasattr(given, "synchronize") and (hasattr(given, "handle") or hasattr(given, "__cuda_stream__")):
        return given
    raise BadStream(f"stream must be a CUDA stream or its address, not {short(given)}")


def load_cuda() -> Any:
    """Return `numba.cuda`; raise `NoDevice` with the reason if it cannot be used."""
    # numba-cuda still uses three names that NumPy 2.4 removed.
    for old, new in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
        if not hasattr(np, old):
            setattr(np, old, getattr(np, new))
    try:
        with warnings.catch_warnings():
            # numba-cuda still uses functions that newer NumPy versions warn about; users cannot act on that.
            warnings.simplefilter("ignore", DeprecationWarning)
            from numba import cuda
    except ImportError as error:
        why = f"device='cuda' needs numba-cuda (pip install 'qipai[gpu]': {error})"
        raise NoDevice(f"{why}; device='cpu' works everywhere") from error
    module: Any = cuda
    # Without numba-cuda, Numba's older built-in CUDA target would be used, which cannot link.
    missing = "" if hasattr(module, "PTXSource") else "numba-cuda is not installed (pip install 'qipai[gpu]')"
    try:
        found = module.is_available()
    except Exception as error:  # report a broken driver like a missing one
        why = f"CUDA cannot be used here ({missing or error})"
        raise NoDevice(f"{why}; device='cpu' works everywhere") from error
    missing = missing or ("" if found else "no CUDA device can be used here") or _compiler_missing()
    if missing:
        raise NoDevice(f"{missing}; device='cpu' works everywhere")
    return module


def _compiler_missing() -> str:
    """Return what numba-cuda lacks to build a kernel, or ""."""
    try:
        from numba.cuda.cudadrv import nvrtc, nvvm

        parts: list[Any] = [nvrtc, nvvm]
        parts[0].get_supported_ccs()
        parts[1].NVVM()
    except Exception as error:  # each library raises its own errors
        why = (str(error).splitlines() or [type(error).__name__])[0]
        return f"CUDA's compiler cannot be used here (pip install 'qipai[gpu]': {why})"
    return ""
