"""A whole dataset: written, read file by file, replayed without a batch, and refused when a file is spoiled.

A sampled game is dealt again by its rules and played as a match on disk: the deal as a layout, every move a
line of a record file, which is read and replayed. A match draws chance in play from its own seed, so where a
game shuffles again (Skill Gomoku, when its pile is empty) the record ends, and the rules alone are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from qipai.core import NOBODY, Game, State, copy_state, get
from qipai.core.errors import BadData, IncompleteMove
from qipai.data import Dataset, load, write
from qipai.data.play import BLOCK, Rows, block_seed
from qipai.games.nana.layout import state_json
from qipai.games.paipai_rensa.tiles import values
from qipai.games.skill_gomoku.state import IDS
from qipai.games.wuhan_mahjong.layout import dump
from qipai.games.xianqi.state import CARDS
from qipai.match import Match, RecordWriter, check_record, read_record, replay
from qipai.sim.loops import CHANCE, MAX_REDEALS

AGENTS = {  # whose games are quick to play; random ones of NANA take 1,300 decisions
    "xianqi": "random",
    "nana": "net",
    "wuhan_mahjong": "random",
    "skill_gomoku": "random",
    "paipai_rensa": "random",
}


def check(game: str, games: int, sampled: int, workers: int, folder: Path) -> dict[str, Any]:
    """Write, read, verify, replay and spoil a dataset; return its figures."""
    card = write(game, folder / "set", games, [AGENTS[game]], seed=1, workers=workers)
    found = load(folder / "set")
    assert found.verify() == card["decisions"], "verify counts other decisions"
    chosen = np.sort(np.random.default_rng(1).choice(games, sampled, replace=False))
    rows = recorded = seen = 0
    for block, part in enumerate(found.blocks()):
        seen += len(part["game"])
        for number in chosen[chosen // BLOCK == block].tolist():
            mine = {name: array[part["game"] == number] for name, array in part.items()}
            rows += len(mine["game"])
            recorded += same_game(found, number, mine, folder / "game.jsonl")
    assert seen == card["decisions"], "the files hold other decisions"
    spoil_three(found)
    return {
        "agents": AGENTS[game],
        "games": f"{games:,}",
        "decisions": f"{card['decisions']:,}",
        "files": len(card["files"]),
        "bytes": f"{sum(one['bytes'] for one in card['files']):,}",
        "digest": card["digest"],
        "games replayed without a batch": f"{sampled} ({rows:,} decisions, {recorded:,} from record files)",
        "differences": 0,
        "files refused by name": "one truncated, one with a changed bit, one missing",
    }


def same_game(found: Dataset, number: int, rows: Rows, path: Path) -> int:
    """Compare all rows of a game with the rules and with a record file; return the rows of the latter."""
    game = get(found.card["game"], found.card["options"])
    first = dealt(game, found, number)
    s, certain = copy_state(first), 0  # decisions before which nothing was drawn in play
    for ply, action in enumerate(rows["action"].tolist()):
        if s["rng"].tolist() == first["rng"].tolist():
            certain = ply + 1
        assert rows["ply"][ply] == ply
        same_row(game, s, rows, ply)
        assert rows["agent"][ply] == (number + int(s["seat"])) % len(found.card["agents"])
        game.rules.apply(s, action)
    assert s["seat"] == NOBODY, "the game is not over after its last row"
    assert (rows["payoff"] == s["payoff"][: int(s["seats"])]).all(), "the payoffs differ"
    seed = sha256(f"{number}".encode()).digest()
    match = Match(game, found.card["options"], found.card["seats"], seed, LAYOUTS[game.name](first))
    return same_record(match, rows, certain, path)


def dealt(game: Game, found: Dataset, number: int) -> State:
    """Return the first state of a game of the dataset, from its seed, block and lane."""
    block, lane = divmod(number, BLOCK)
    seed = block_seed(found.card["seed"], block)
    s = game.new(found.card["options"], found.card["seats"], (seed & 0xFFFFFFFF, seed >> 32, lane, CHANCE))
    for _ in range(MAX_REDEALS - 1):
        if s["seat"] == NOBODY:
            game.rules.deal(s)
    return s


def same_row(game: Game, s: State, rows: Rows, ply: int) -> None:
    """Raise `AssertionError` unless a row is what the seat to move sees and may do in a state."""
    seat = int(s["seat"])
    mask = game.mask(s)[: game.rules.actions]
    assert rows["seat"][ply] == seat, "the seat differs"
    assert np.array_equal(rows["mask"][ply], mask) and mask[rows["action"][ply]], "the mask differs"
    assert np.array_equal(rows["observation"][ply], game.observation_of(s, seat)), "the observation differs"


def same_record(match: Match, rows: Rows, count: int, path: Path) -> int:
    """Write the first `count` decisions as a record file, read it, and compare the rows; return how many."""
    writer = RecordWriter(path, match, sync=False)
    move: list[int] = []
    for action in rows["action"][:count].tolist():
        move.append(action)
        try:
            writer.act(match.seat, move)
        except IncompleteMove:
            continue
        move = []
    writer.close()
    record = read_record(path)
    path.unlink()
    again, wrong = check_record(record)
    assert not wrong, wrong
    steps = 0
    for steps, step in enumerate(replay(record), 1):
        assert step.seat == rows["seat"][steps - 1] and step.action == rows["action"][steps - 1]
        same_row(match.game, step.before, rows, steps - 1)
    if steps == len(rows["action"]):
        assert again.payoff == rows["payoff"][0].tolist(), "the payoffs differ"
    return steps


def spoil_three(found: Dataset) -> None:
    """Truncate one file, flip a bit of another and delete a third: each is refused by name."""
    paths = found.paths()
    places = (len(paths) // 3, len(paths) // 2, len(paths) - 1)
    for how, at in zip(("truncated", "altered", "missing"), places, strict=True):
        data = paths[at].read_bytes()
        if how == "missing":
            paths[at].unlink()
        elif how == "truncated":
            paths[at].write_bytes(data[:-100])
        else:
            middle = len(data) // 2
            paths[at].write_bytes(data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :])
        try:
            load(found.folder)
        except BadData as error:
            assert paths[at].name in str(error) and how in str(error), str(error)
        else:
            raise AssertionError(f"a file that is {how} was loaded")
        paths[at].write_bytes(data)


# --- a deal as a layout, by game ------------------------------------------------------------


def _xianqi(s: State) -> Mapping[str, Any]:
    hands = [{CARDS[t]: n for t, n in enumerate(hand) if n} for hand in s["hand"].tolist()]
    return {"hands": hands, "first": int(s["first"])}


def _gomoku(s: State) -> Mapping[str, Any]:
    cards = [*s["pile"][: int(s["piled"])].tolist(), *s["drawn"].tolist()[::-1]]  # the turn draws them again
    return {"deck": {"drawPile": [IDS[card] for card in cards]}, "topped": bool(s["topped"])}


def _paipai(s: State) -> Mapping[str, Any]:
    deck = values(s["deck"][int(s["at"]) : int(s["total"])])
    return {"phase": "place", "pair": values(s["pair"]), "deck": deck}


LAYOUTS: dict[str, Callable[[State], Mapping[str, Any]]] = {
    "xianqi": _xianqi,
    "nana": state_json,
    "wuhan_mahjong": dump,
    "skill_gomoku": _gomoku,
    "paipai_rensa": _paipai,
}
