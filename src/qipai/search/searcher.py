"""`Searcher`: the search of one game, with its memory and its threads.

    searcher = Searcher(get("xianqi"))
    found = searcher.search(state, seat=0, simulations=2000, words=(1, 2, 3, 4))
    found.best, found.visits, found.means()

`state` is a state that is possible as far as the seat knows, such as `Sight.state`; what is hidden from the
seat is drawn again in every simulation. The result depends on the position as the seat knows it, on the
words, the simulations and the number of threads.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core import NOBODY, Game, Search, State, new_states
from qipai.core.errors import BadCount, BadGame, MatchOver, NotYourTurn, short
from qipai.core.rng import seed_words

from . import flat, tree
from .loops import OWN, Policies, loops_for
from .scratch import lend_scratch

MOST = 100_000_000  # simulations of one search
MOST_THREADS = 256
NODES = 1 << 18  # of one tree; more simulations go on without adding nodes
EDGES = 1 << 21
EDGES_EACH = 24  # of a node, on average, before a pool counts as full
CHUNK = 64  # simulations between two looks at the clock

Words = Sequence[int] | NDArray[np.uint32]


@dataclass(frozen=True)
class Found:
    """What a search found out about the actions of one decision. Arrays have one entry per legal action."""

    seat: int
    actions: tuple[int, ...]
    visits: NDArray[np.int64]
    totals: NDArray[np.float64]  # of the payoffs
    squares: NDArray[np.float64]
    best: int  # the action to take
    simulations: int
    line: tuple[tuple[int, int], ...] = ()  # what is expected: seats and their actions
    full: bool = field(default=False)  # whether a pool of nodes was too small

    def means(self) -> NDArray[np.float64]:
        """Return the mean payoff of each action; not a number where an action was never tried."""
        with np.errstate(invalid="ignore", divide="ignore"):
            means: NDArray[np.float64] = self.totals / self.visits
        return means

    def errors(self) -> NDArray[np.float64]:
        """Return the standard error of each mean; not a number below two visits."""
        n = self.visits.astype(np.float64)
        with np.errstate(invalid="ignore", divide="ignore"):
            variance = (self.squares - self.totals**2 / n) / (n - 1)
            errors: NDArray[np.float64] = np.sqrt(np.maximum(variance, 0.0) / n)
        errors[self.visits < 2] = np.nan
        return errors


class Tree:
    """The arrays of one tree, of fixed size, and the scratch of one thread."""

    def __init__(self, game: Game, seats: int, simulations: int) -> None:
        actions = game.rules.actions
        nodes = min(simulations + 1, NODES)
        edges = min(nodes * min(actions, EDGES_EACH) + actions, EDGES)
        self.room = simulations
        self.states = new_states(game.rules.State, 3)  # at most, in flat.py
        self.mask = np.zeros(game.width, np.uint8)
        size = -(-game.observation_size // 8) * 8
        self.words = np.zeros(size // 8, np.int64)
        self.obs = self.words.view(np.int8)[: game.observation_size]
        self.work = np.zeros(0, np.int64)  # lent for each search
        self.values = np.zeros(seats)
        self.weights = np.zeros(actions)
        self.nodes = np.zeros((nodes, tree.NODE_FIELDS), np.int32)
        self.edges = np.zeros((edges, tree.EDGE_FIELDS), np.int32)
        self.sums = np.zeros((edges, tree.SUM_FIELDS))
        self.table = np.zeros((1 << (2 * nodes).bit_length(), tree.TABLE_FIELDS), np.int64)
        self.path = np.zeros(1 + 2 * tree.PATH, np.int32)
        self.count = np.zeros(tree.COUNTS, np.int64)
        self.totals = np.zeros(tree.TOTALS)
        self.rng = np.zeros(4, np.uint32)
        self.choice = np.zeros(4, np.uint32)
        self.alive = np.zeros(actions, np.int64)
        self.figures = np.zeros((actions, flat.FIGURES))

    def reset(self, s: State, words: Words, thread: int) -> None:
        """Forget everything, and take a new position and generator."""
        self.states[tree.ROOT] = s
        w0, w1, w2, w3 = (int(w) for w in words)
        seed_words(self.rng, w0, w1, w2, w3 ^ thread)
        used = self.nodes[1 : int(self.count[tree.NODES]), tree.SLOT]
        self.table[used, tree.NODE] = 0  # all that the last search has written: a small part
        self.nodes[0] = (tree.NOTHING, 0, tree.NOTHING, tree.NOTHING, 0, 0)
        self.count[:] = 0
        self.count[tree.NODES] = 1
        self.totals[:] = 0

    def edges_of(self, node: int) -> list[int]:
        """Return the edges of a node."""
        found: list[int] = []
        edge = int(self.nodes[node, tree.FIRST])
        while edge != tree.NOTHING:
            found.append(edge)
            edge = int(self.edges[edge, tree.NEXT])
        return found

    def line(self, seat_of_root: int, action: int) -> list[tuple[int, int]]:
        """Return the actions that were taken most, from the root on, with their seats."""
        edge = next((e for e in self.edges_of(0) if self.edges[e, tree.ACTION] == action), tree.NOTHING)
        found: list[tuple[int, int]] = []
        node = 0
        used = int(self.count[tree.NODES])
        while edge != tree.NOTHING and len(found) < tree.PATH:
            found.append((self.seat_of(node, seat_of_root), int(self.edges[edge, tree.ACTION])))
            parents = self.nodes[:used, tree.PARENT]
            children = np.flatnonzero((parents == 2 * edge + 1) | (parents == 2 * node))
            children = children[children > node]
            if not len(children):
                break
            node = int(children[self.nodes[children, tree.VISITS].argmax()])
            edges = [e for e in self.edges_of(node) if self.edges[e, tree.TIMES] > 0]
            edge = max(edges, key=lambda e: self.edges[e, tree.TIMES], default=tree.NOTHING)
        return found

    def seat_of(self, node: int, seat_of_root: int) -> int:
        """Return who decides at a node."""
        return seat_of_root if node == 0 else int(self.nodes[node, tree.SEAT_AT])


ROOT_WORDS = 0x9E3779B9  # the words of the root's own world differ by these bits


class Searcher:
    """Searches positions of one game."""

    def __init__(
        self,
        game: Game,
        settings: Search | None = None,
        *,
        threads: int = 1,
        policies: Policies = OWN,
        variant: str = "compiled",
    ) -> None:
        self.game = game
        self.settings = game.search if settings is None else settings
        self.settings.check_shape()
        self.threads = _whole("threads", threads, MOST_THREADS)
        self._loops = loops_for(game, policies, variant)
        self._tables = policies.tables
        self._trees: list[Tree] = []
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def search(
        self, s: State, seat: int, simulations: int, words: Words, milliseconds: float | None = None
    ) -> Found:
        """Return what `simulations` simulations say about the actions of `seat`, which decides in `s`.

        With `milliseconds` it stops early when they are over; the result then depends on the machine.
        Raise `BadCount` for a budget that is no such number, `MatchOver` or `NotYourTurn` if `seat` does not
        decide.
        """
        simulations = _whole("simulations", simulations, MOST)
        check_decides(s, seat)
        actions = self.game.legal_actions(s)
        if not actions:
            raise BadGame(f"{self.game.name}: seat {seat} decides and has no legal action")
        shares = [simulations * (k + 1) // self.threads - simulations * k // self.threads
                  for k in range(self.threads)]  # fmt: skip
        # priors are read at the root, so it is redrawn too, with words that no simulation uses
        root = self.game.redrawn(s, seat, [int(w) ^ ROOT_WORDS for w in words])
        trees = self._ready(root, max(shares), words)
        until = None if milliseconds is None else time.perf_counter() + milliseconds / 1000
        if self._pool is None:
            self._work(trees[0], seat, shares[0], until)
        else:
            jobs = [
                self._pool.submit(self._work, t, seat, n, until) for t, n in zip(trees, shares, strict=True)
            ]
            for job in jobs:
                job.result()
        return self._merged(trees, seat, actions)

    def _ready(self, s: State, simulations: int, words: Words) -> list[Tree]:
        seats = int(s["seats"])
        old = self._trees
        if not old or old[0].room < simulations or len(old[0].values) != seats:
            self._trees = [Tree(self.game, seats, simulations) for _ in range(self.threads)]
        for k, t in enumerate(self._trees):
            t.reset(s, words, k)
        return self._trees

    # --- the two searches -------------------------------------------------------------

    def _work(self, t: Tree, seat: int, simulations: int, until: float | None) -> None:
        """Run one thread's share."""
        with lend_scratch(self.game, self._tables) as t.work:
            (self._flat if self.settings.flat else self._grow)(t, seat, simulations, until)

    def _grow(self, t: Tree, seat: int, simulations: int, until: float | None) -> None:
        knobs = np.array(
            [seat, int(self.settings.others), self.settings.horizon, self.settings.expand], np.int64
        )
        reals = np.array([self.settings.explore, self.settings.lean], np.float64)
        left = simulations
        while left > 0 and (until is None or time.perf_counter() < until):
            times = left if until is None else min(left, CHUNK)
            self._loops["simulate"](
                t.states, times, knobs, reals, t.rng, t.mask, t.obs, t.words, t.work, t.values, t.weights,
                t.nodes, t.edges, t.sums, t.table, t.path, t.count, t.totals,
            )  # fmt: skip
            left -= times

    def _flat(self, t: Tree, seat: int, simulations: int, until: float | None) -> None:
        lined_up = int(
            self._loops["line_up"](
                t.states, self.settings.width, t.mask, t.work, t.weights, t.alive, t.figures
            )
        )
        n = min(lined_up, simulations)
        t.count[tree.EDGES] = n  # how many of `alive` were in the last round
        left = simulations
        while n > 1 and left >= n:
            rounds = (n - 1).bit_length()
            worlds = max(1, left // (rounds * n))
            t.count[tree.EDGES] = n
            left -= n * self._try_out(t, seat, n, worlds, until)
            if until is not None and time.perf_counter() >= until:
                break
            self._loops["rank"](n, t.alive, t.figures)
            if n == 2 and left < n:
                break
            n = max(2, (n + 1) // 2)

    def _try_out(self, t: Tree, seat: int, n: int, worlds: int, until: float | None) -> int:
        """Try `n` actions out in `worlds` worlds, or as many as there is time for; return in how many."""
        done = 0
        while done < worlds and (until is None or time.perf_counter() < until):
            times = worlds if until is None else 1
            self._loops["try_out"](
                t.states, seat, times, n, self.settings.horizon, self.settings.cut, t.rng, t.choice, t.mask,
                t.work, t.values, t.alive, t.figures,
            )  # fmt: skip
            done += times
        return done

    # --- what they found ----------------------------------------------------------------

    def _merged(self, trees: list[Tree], seat: int, actions: list[int]) -> Found:
        figures = _flat_figures(trees) if self.settings.flat else _tree_figures(trees)
        chosen = figures[actions]
        visits, totals, squares = chosen[:, flat.TIMES].astype(np.int64), chosen[:, 1], chosen[:, 2]
        if self.settings.flat:
            best = _beats_favourite(trees, figures, self.settings.doubt, self.settings.caution)
            line = [(seat, best)]
        else:
            best = actions[_most(visits, totals)]
            line = trees[0].line(seat, best)
        return Found(
            seat=seat,
            actions=tuple(actions),
            visits=visits,
            totals=totals,
            squares=squares,
            best=best,
            simulations=int(visits.sum()),
            line=tuple(line),
            full=any(bool(t.count[tree.FULL]) for t in trees),
        )


def _flat_figures(trees: list[Tree]) -> NDArray[np.float64]:
    """Return the figures of all threads together, a row for each action."""
    total: NDArray[np.float64] = np.sum([t.figures for t in trees], axis=0)
    return total


def _tree_figures(trees: list[Tree]) -> NDArray[np.float64]:
    """Return visits, payoffs and squares at the roots of all threads together, a row for each action."""
    total = np.zeros((len(trees[0].weights), flat.FIGURES))
    for t in trees:
        for edge in t.edges_of(0):
            row = total[t.edges[edge, tree.ACTION]]
            row[flat.TIMES] += t.edges[edge, tree.TIMES]
            row[flat.TOTAL] += t.sums[edge, tree.SUM]
            row[flat.SQUARES] += t.sums[edge, tree.SQUARES]
    return total


def _beats_favourite(trees: list[Tree], figures: NDArray[np.float64], doubt: float, caution: float) -> int:
    """Return the finalist that is better than the favourite beyond doubt and caution, or the favourite."""
    favourite = int(trees[0].alive[flat.FAVOURITE])
    finalists = sorted({int(a) for t in trees for a in t.alive[1 : int(t.count[tree.EDGES])]} - {favourite})
    spread = _deviation(*figures[favourite, : flat.SQUARES + 1])
    best, most = favourite, 0.0
    for a in finalists:
        n, more, squares = figures[a, flat.TIMES], figures[a, flat.MORE], figures[a, flat.MORE_SQUARES]
        if n < 2:
            continue
        error = np.sqrt(max(squares / n - (more / n) ** 2, 0.0) / (n - 1))
        gain = float(more / n - doubt * error)
        if spread > 0.0:
            gain -= float(caution * error * error / spread)
        if gain > most:
            best, most = a, gain
    return best


def _deviation(n: float, total: float, squares: float) -> float:
    """Return the standard deviation of `n` payoffs."""
    return float(np.sqrt(max(squares / n - (total / n) ** 2, 0.0))) if n > 0 else 0.0


def _mean(visits: NDArray[np.int64], totals: NDArray[np.float64], i: int) -> float:
    return float(totals[i] / visits[i]) if visits[i] else -np.inf


def _most(visits: NDArray[np.int64], totals: NDArray[np.float64]) -> int:
    """Return the place of the action that was taken most; of equal ones that of the best mean."""
    most = np.flatnonzero(visits == visits.max())
    return max(most.tolist(), key=lambda i: (_mean(visits, totals, i), -i))


def check_decides(s: State, seat: int) -> None:
    """Raise `MatchOver` or `NotYourTurn` unless `seat` decides in `s`."""
    decides = int(s["seat"])
    if decides == NOBODY:
        raise MatchOver("the hand is over: nobody decides")
    if seat != decides:
        raise NotYourTurn(f"seat {short(seat)} does not decide here: seat {decides} does")


def _whole(name: str, value: Any, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not 1 <= value <= most:
        raise BadCount(f"{name} must be a whole number from 1 to {most}, not {short(value)}")
    return int(value)
