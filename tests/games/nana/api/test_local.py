"""`LocalGame`: acceptance checks 29-31."""

from __future__ import annotations

import subprocess
import sys

import pytest

from qipai.core import get
from qipai.core.errors import IllegalAction, MatchOver
from qipai.games.nana import LocalGame, get_known_head_value

TRIO = {"hands": [[1, 2, 7], [1, 2, 7]], "centre": [1, 2, 7]}
FLIPS = ("flip-1", "flip-2", "flip-3")


@pytest.mark.parametrize("seed", range(5))
def test_29_a_bot_finishes_its_turn(seed: int) -> None:
    game = LocalGame()
    assert (game.game_stage, game.turn_phase) == ("config", "waiting")
    game.set_bot_count(1)
    game.start_game(seed)
    game.next_turn()
    assert game.is_current_player_bot()
    while game.game_stage == "in-game" and game.turn_phase in FLIPS:
        assert game.execute_bot_turn() is not None
    assert game.turn_phase in ("failed", "success", "game-over")
    if game.turn_phase != "game-over":
        assert game.game_stage == "in-game"
        game.process_turn_result()
        assert game.turn_phase in ("flip-1", "game-over")


def test_30_every_bot_remembers_what_the_human_shows() -> None:
    game = LocalGame()
    game.set_bot_count(2)
    game.start_game(3)
    shown = game.reveal_player_card("me", "min")
    assert shown.number == min(c.number or 0 for c in game.players[0].hand)
    for memory in game.bot_memories.values():
        assert get_known_head_value(memory, "me") == shown.number


def test_31_a_bot_that_collects_goes_on() -> None:
    game = LocalGame()
    game.start_game(deal=TRIO)
    game.next_turn()
    game.reveal_player_card("bot-1", "min")
    game.reveal_player_card("me", "min")
    game.reveal_public_card("c0")
    assert game.turn_phase == "success"
    game.process_turn_result()
    assert (game.turn_phase, game.current_player_index) == ("flip-1", 1)
    assert game.is_current_player_bot()
    memory = game.bot_memories["bot-1"]
    assert memory.collected_sets == {"bot-1": [1]}
    assert memory.removed == {"h1.0": 1, "h0.0": 1, "c0": 1}


@pytest.mark.parametrize("policy", ["seed", "exact"])
@pytest.mark.parametrize("bots", [1, 3])
def test_a_whole_game_is_played_by_one_human_who_asks_heads_and_bots(policy: str, bots: int) -> None:
    game = LocalGame(bots, policy)
    game.start_game(11)
    for _ in range(4000):
        if game.game_stage == "game-over":
            break
        if game.turn_phase not in FLIPS:
            game.process_turn_result()
        elif game.is_current_player_bot():
            game.execute_bot_turn()
        else:
            open_hands = [p.id for p in game.players if any(not c.is_revealed for c in p.hand)]
            game.reveal_player_card(open_hands[0], "max")
    assert game.winner is not None
    assert game.last_decision is not None
    assert game.last_decision.reasoning_zh


@pytest.mark.parametrize("seed", [2, 17, 18])  # a pair was repeated up to the turn limit
def test_a_human_who_repeats_a_turn_does_not_keep_a_bot_from_finishing(seed: int) -> None:
    game = LocalGame()
    game.start_game(seed)
    for _ in range(200):
        if game.game_stage == "game-over":
            break
        if game.turn_phase not in FLIPS:
            game.process_turn_result()
        elif game.is_current_player_bot():
            game.execute_bot_turn()
        else:
            game.reveal_player_card("me", "min")
    assert game.winner == "bot-1"


def test_bot_counts_are_clamped_and_bad_moves_refused() -> None:
    game = LocalGame()
    for asked, got in ((0, 1), (9, 5), (3, 3)):
        game.set_bot_count(asked)
        assert game.bot_count == got
    with pytest.raises(IllegalAction):
        game.reveal_player_card("me", "min")
    game.start_game(1)
    before = repr(game.players)
    for player, end in (("nobody", "min"), ("me", "middle")):
        with pytest.raises(IllegalAction):
            game.reveal_player_card(player, end)
    with pytest.raises(IllegalAction):
        game.reveal_public_card("c99")
    with pytest.raises(IllegalAction):
        game.process_turn_result()
    assert repr(game.players) == before
    assert game.execute_bot_turn() is None  # the human is to move


def test_a_finished_game_takes_no_more_moves() -> None:
    game = LocalGame()
    game.start_game(deal=TRIO)
    game.reveal_player_card("me", "max")
    game.reveal_player_card("bot-1", "max")
    game.reveal_public_card("c2")
    game.process_turn_result()
    assert (game.winner, game.game_stage) == ("me", "game-over")
    with pytest.raises(MatchOver):
        game.reveal_public_card("c0")


def test_no_rule_but_those_of_the_game_is_called_from_outside() -> None:
    """Others are loaded from the cache only as parts, and are closed once another game was compiled here."""
    get("nana").compile()
    code = (
        "from qipai.core import get, goto; goto(get('xianqi').blank({}, 3), 0); goto.disable_compile();"
        "from qipai.games.nana import LocalGame;"
        "g = LocalGame(); g.start_game(1); g.next_turn(); print(g.turn_phase)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "flip-1", done.stderr[-600:]
