"""How the weights of `sharp` were made: fitted value iteration on positions from play.

`python -m qipai.games.skill_gomoku.bots.train OUT.json [--games N] [--rounds R]`. Positions come
from games of `sharp` (depth 1, some random moves) against itself and the heuristic; in each
round every position is valued by searching one turn ahead with the current network, and the
network is fitted to those values. No result of a game is used, only the odds of the rules.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core import Game, Sight, compile_rules, copy_state, get
from qipai.core.agent import agent_words

from ..state import CHOOSE, NONE, State
from . import evaluation, search
from .heuristic import HeuristicAgent
from .sharp import SharpAgent
from .weights import load_weights, network

Array = NDArray[np.float64]
Weights = list[Array]  # linear, bias, first, first bias, second
DECKS = ("default", "source-current")
RANDOM = (0.0, 0.05, 0.15)  # shares of random moves
BATCH, EPOCHS, RATE, DECAY = 256, 5, 2e-3, 0.7
NAMES = ("linear", "bias", "first", "first_bias", "second")


def positions(games: int, seed: int, weights: Array) -> list[np.record]:
    """Return states at `choose` from mixed games on both decks."""
    rng = np.random.default_rng(seed)
    found: list[np.record] = []
    for g in range(games):
        options = {"deck": DECKS[g % 2]}
        game = get("skill_gomoku", options)
        agents: list[Any] = [
            SharpAgent(game, agent_words(game, seed, 2 * g + k), depth=1, samples=12, weights=weights)
            for k in range(2)
        ]
        if g % 4 < 2:
            agents[g % 2] = HeuristicAgent(game, agent_words(game, seed, 2 * g))
        found += _played(game, options, agents, float(rng.choice(RANDOM)), rng, (seed, g, 3, 4))
    return found


def _played(
    game: Game, options: dict[str, str], agents: list[Any], share: float, rng: Any, words: Sequence[int]
) -> list[np.record]:
    s = game.new(options, words=words)
    found = []
    while s["seat"] >= 0:
        seat = int(s["seat"])
        if s["phase"] == CHOOSE:
            found.append(copy_state(s))
        if rng.random() < share:
            action = int(rng.choice(game.legal_actions(s)))
        else:
            action = agents[seat].act(Sight(game, seat, s, game.mask(s)))
        game.rules.apply(s, action)
    return found


def value(states: list[np.record], weights: Array, depth: int) -> tuple[Array, Array]:
    """Return inputs and searched values of positions, as they were before the draw."""
    compile_rules(
        [evaluation.read_state, evaluation.count_deck, evaluation.deal_odds, evaluation.set_inputs]
        + [evaluation.lay_windows, search.outlook],
        State,
        "skill_gomoku/train",
    )
    ws, net = np.zeros(evaluation.WORK, np.int32), weights.copy()
    rng = np.array([1, 2, 3, 4], np.uint32)
    evaluation.lay_windows(ws, 15)
    ws[evaluation.BUDGET] = 1 << 30
    ws[evaluation.SAMPLES], ws[evaluation.PLACES], ws[evaluation.TAKES] = 6, 8, 5
    inputs, values = np.zeros((len(states), evaluation.INPUTS)), np.zeros(len(states))
    for i, s in enumerate(states):
        evaluation.read_state(s, ws)
        for card in s["drawn"].tolist():
            if card != NONE:
                ws[evaluation.PILE + card] += 1
                ws[evaluation.WASTE + card] -= 1
        evaluation.count_deck(ws)
        evaluation.deal_odds(ws, net)
        values[i] = search.outlook(ws, net, rng, int(s["mover"]), depth)
        evaluation.set_inputs(ws, net, int(s["mover"]))
        inputs[i] = net[evaluation.X : evaluation.X + evaluation.INPUTS]
    return inputs, values


def fit(x: Array, y: Array, weights: Weights) -> tuple[Weights, float]:
    """Run a few epochs of Adam on the cross entropy; return new weights and their root mean square error."""
    rng = np.random.default_rng(0)
    w = [p.copy() for p in weights]
    mean, square = [np.zeros_like(p) for p in w], [np.zeros_like(p) for p in w]
    sure = np.where(x[:, 8] > 0, x[:, 12], 0.0)  # wins immediately with a Place
    order, t = np.arange(len(x)), 0
    for epoch in range(EPOCHS):
        rng.shuffle(order)
        for k in range(0, len(order), BATCH):
            i = order[k : k + BATCH]
            t += 1
            for j, g in enumerate(_gradient(x[i], y[i], sure[i], w)):
                mean[j] = 0.9 * mean[j] + 0.1 * g
                square[j] = 0.999 * square[j] + 0.001 * g * g
                step = (mean[j] / (1 - 0.9**t)) / (np.sqrt(square[j] / (1 - 0.999**t)) + 1e-8)
                w[j] -= RATE * DECAY**epoch * step
    return w, float(np.sqrt(np.mean((_forward(x, sure, w)[2] - y) ** 2)))


def _forward(x: Array, sure: Array, w: Weights) -> tuple[Array, Array, Array]:
    hidden = x @ w[2].T + w[3]
    raw = 1 / (1 + np.exp(-(w[1][0] + x @ w[0] + np.maximum(hidden, 0) @ w[4])))
    return hidden, raw, sure + (1 - sure) * raw


def _gradient(x: Array, y: Array, sure: Array, w: Weights) -> Weights:
    hidden, raw, p = _forward(x, sure, w)
    p = np.clip(p, 1e-4, 1 - 1e-4)
    dz = (p - y) / (p * (1 - p)) * (1 - sure) * raw * (1 - raw) / len(x)
    dh = np.outer(dz, w[4]) * (hidden > 0)
    return [x.T @ dz, np.array([dz.sum()]), dh.T @ x, dh.sum(0), np.maximum(hidden, 0).T @ dz]


def document(w: Weights) -> dict[str, list[float]]:
    """Return weights as stored in a file."""
    return {name: [round(float(v), 5) for v in np.ravel(p)] for name, p in zip(NAMES, w, strict=True)}


def read(doc: dict[str, list[float]]) -> Weights:
    """Return weights from a file's document."""
    w = [np.array(doc[name]) for name in NAMES]
    w[2] = w[2].reshape(evaluation.HIDDEN, evaluation.INPUTS)
    return w


def fresh(seed: int = 1) -> Weights:
    """Return initial weights: small random ones, own windows good and theirs bad."""
    rng = np.random.default_rng(seed)
    linear = np.zeros(evaluation.INPUTS)
    linear[[1, 2, 3, 5, 6, 7]] = 0.3, 0.6, 0.8, -0.3, -0.5, -0.6
    units = (evaluation.HIDDEN, evaluation.INPUTS)
    return [
        linear, np.zeros(1), rng.normal(0, 0.3, units), np.zeros(evaluation.HIDDEN),
        rng.normal(0, 0.02, evaluation.HIDDEN),
    ]  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    """Play games, value positions, fit the network and write it."""
    parser = argparse.ArgumentParser(
        prog="python -m qipai.games.skill_gomoku.bots.train", description=__doc__
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    states = positions(args.games, args.seed, load_weights())
    w = fresh(args.seed)
    for k in range(args.rounds):
        x, y = value(states, network(document(w)), depth=1)
        w, error = fit(x, y, w)
        print(f"round {k + 1}: {len(states)} positions, error {error:.4f}, spread {y.std():.4f}", flush=True)
        args.out.write_text(json.dumps(document(w)) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
