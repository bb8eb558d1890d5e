"""Positions for bots, the play that a bot chooses, and scores between bots."""

from __future__ import annotations

from qipai.core import State, copy_state, get, make_agent
from qipai.core.agent import agent_words, sight
from qipai.core.game import Game
from qipai.games.skill_gomoku import game

from ..positions import P, T


def choice(one: Game, s: State, name: str) -> tuple[int, int | None]:
    """Return the slot and, where asked, the target that a bot chooses."""
    agent, words = make_agent(one, name, 1), agent_words(one, 1, 0)
    copy = copy_state(s)
    slot = agent.act(sight(one, copy, int(copy["seat"]), words))
    one.rules.apply(copy, slot)
    if int(copy["seat"]) != int(s["seat"]) or copy["turn"] != s["turn"]:
        return slot, None
    return slot, agent.act(sight(one, copy, int(copy["seat"]), words))


def position(
    cards: list[str], black: str = "", white: str = "", size: int = 9, player: int = 2
) -> tuple[Game, State]:
    one, options = game({"board_size": size}), {"board_size": size}
    cells = [[0] * size for _ in range(size)]
    for stones, colour in ((black, 1), (white, 2)):
        for word in stones.split():
            x, y = (int(c) for c in word.split(","))
            cells[y][x] = colour
    turn = {"state": "choose", "drawn": cards, "number": 9}
    deck = {"drawPile": [P] * 9 + [T] * 4}
    layout = {"board": {"cells": cells}, "currentPlayer": player, "turn": turn, "deck": deck}
    return one, one.new(options, layout=layout)


def action(size: int, x: int, y: int) -> int:
    return 3 + y * size + x


def row(y: int, *xs: int) -> str:
    return " ".join(f"{x},{y}" for x in xs)


def score(
    first: str, second: str, games: int, options: dict[str, object] | None = None, seed: int = 0
) -> float:
    """Return the share of wins of `first`, seats alternating; a draw is half."""
    one = get("skill_gomoku", options)
    one.compile()
    total = 0.0
    for g in range(games):
        agents = [make_agent(one, name, seed, 2 * g + k) for k, name in enumerate((first, second))]
        words = [agent_words(one, seed + 1, 2 * g + k) for k in range(2)]
        s = one.new(options, words=(seed, g // 2, 5, 6))
        while s["seat"] >= 0:
            who = int(s["seat"]) ^ (g & 1)
            one.rules.apply(s, agents[who].act(sight(one, s, int(s["seat"]), words[who])))
        total += (int(s["payoff"][g & 1]) + 1) / 2
    return total / games
