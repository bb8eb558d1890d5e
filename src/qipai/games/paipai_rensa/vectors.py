"""Conformance vectors: every kind is answered by the named API and the same rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from qipai.core.errors import BadText, BadVectors

from .api.board import Board, resolve_state
from .api.game import PaipaiGame
from .api.hands import solve14, try_win
from .board import settle
from .config import read_config
from .hold import evaluate
from .layout import read_board
from .state import CHAIN, HAND_MAX, OVER, PLACE, SUPPLY
from .tiles import Box, codes, copies_of

Answer = dict[str, Any]


class Loose(Box):
    """A box that reuses tiles when the set has no more: boards of codes need not be real deals."""

    def take(self, what: Any) -> int:
        """Return a tile like `Box.take`, without its limit."""
        try:
            return super().take(what)
        except BadText:
            return copies_of(what)[-1]


def run_vector(kind: str, input: Mapping[str, Any], rules: Any = None) -> Answer:
    """Return the result of one vector; raise `BadVectors` for a bad kind, a named error for bad input."""
    if not isinstance(kind, str) or kind not in KINDS:
        raise BadVectors(f"paipai_rensa has no vectors of kind {str(kind)[:40]!r}; known: {', '.join(KINDS)}")
    if not isinstance(input, Mapping):
        raise BadVectors("the input of a vector is an object")
    config = read_config(rules)
    try:
        return KINDS[kind](input, config)
    except KeyError as error:
        raise BadVectors(f"{kind}: the input has no {error.args[0]!r}") from error


def _board(given: Any) -> Board:
    """Return a board of codes, which may have more tiles than the set."""
    made = Board()
    made._cells = read_board(given, Loose())
    return made


def _text(board: Board) -> list[str]:
    return board.text().splitlines()


def _settle(given: Mapping[str, Any], config: dict[str, Any]) -> Answer:
    s = _board(given["board"]).state()
    settle(s)
    return {"board": _text(Board.of(s))}


def _chain(s: Any) -> Answer:
    found = resolve_state(s)
    return {
        "board": _text(found["board"]),
        "chain": found["chain"],
        "step_counts": found["step_counts"],
        "score": found["score"],
        "collected_in_order": codes(found["collected"]),
    }


def _resolve(given: Mapping[str, Any], config: dict[str, Any]) -> Answer:
    return _chain(_board(given["board"]).state())


def _falling(given: Mapping[str, Any], pair: Any = ("m1", "m1")) -> PaipaiGame:
    """Return a game with the pair of the input (or any) about to fall on the given board."""
    game = PaipaiGame(deck=["zE", "zS"])
    s = _board(given["board"]).state()
    settle(s)
    box = Loose()
    listed = pair.split() if isinstance(pair, str) else pair
    s["pair"][:] = [t + 1 for t in box.take_all(listed, "pair", 2)]
    s["phase"] = PLACE
    game.record = s
    return game


def _legal_placements(given: Mapping[str, Any], config: dict[str, Any]) -> Answer:
    found = _falling(given).placements()
    return {"actions": found, "count": len(found)}


def _placement(given: Mapping[str, Any], config: dict[str, Any]) -> Answer:
    game = _falling(given, given["pair"])
    for move in game.path(given["col"], given["rot"]):
        game.act(move)
    while game.phase == PLACE:
        axis, rotor = game.cells()
        game.act("TICK")
    landed = _text(game.board)
    return {
        "axis_cell": list(axis),
        "rotor_cell": list(rotor),
        "lost": game.lost,
        "board_at_landing": landed,
        **_chain(game.record),
    }


def _fine_control(given: Mapping[str, Any], config: dict[str, Any]) -> Answer:
    game = _falling(given)
    trace = []
    for action in given["actions"]:
        game.act(action)
        axis, rotor = game.cells()
        trace.append({"action": action, "axis": list(axis), "rotor": list(rotor)})
    return {"trace": trace}


def _hand14(given: Mapping[str, Any], config: dict[str, Any]) -> Answer:
    found = solve14(given["hand"])
    if not found["won"]:
        return {"won": False, "reds": 0, "score": 0, "reason": found["reason"]}
    return {"won": True, "reds": found["reds"], "score": found["score"], "reason": None}


def _cpu_pool(given: Mapping[str, Any], config: dict[str, Any]) -> Answer:
    found = try_win(given["board"], given["discards"])
    return {"reason": None, **found}


def _allocation(given: Mapping[str, Any], config: dict[str, Any]) -> Answer:
    """Close an allocation; `keep` are places in the list, codes of its tiles, or one flag per tile."""
    game = PaipaiGame(config=config, deck=["zE", "zS"])
    layout = {
        "phase": "alloc",
        "hand": given["hand"],
        "collected": given["gained"],
        "discards": given["discards"],
    }
    game.load(layout, Loose())
    keep = _places(given["keep"], codes(game.alloc_tiles))
    for i in range(len(game.assigned)):
        game.act("ALLOC_ASSIGN", i, "hand" if i in keep else "discard")
    accepted = game.act("ALLOC_CONFIRM")
    return {"accepted": accepted, "hand": game.hand, "discards": game.discards, "state": game.state}


def _places(keep: Any, listed: list[str]) -> list[int]:
    if isinstance(keep, str):
        keep = keep.split()
    if not isinstance(keep, list | tuple):
        raise BadVectors("'keep' must be a list")
    if len(keep) == len(listed) and all(isinstance(k, bool) for k in keep):
        return [i for i, kept in enumerate(keep) if kept]
    found: list[int] = []
    for k in keep:
        if isinstance(k, str):
            k = next((i for i, code in enumerate(listed) if code == k and i not in found), -1)
        if not isinstance(k, int) or isinstance(k, bool) or not 0 <= k < len(listed):
            raise BadVectors("'keep' names a tile that is not in the list")
        if k in found:
            raise BadVectors(f"'keep' names place {k} twice")
        found.append(k)
    return found


def _table(given: Mapping[str, Any], config: dict[str, Any], phase: str) -> PaipaiGame:
    game = PaipaiGame(config=config, deck=["zE", "zS"])
    scores = {k: given[k] for k in ("score", "cpu_score") if k in given}
    game.load({"phase": phase, "board": given["board"], "discards": given["discards"], **scores}, Loose())
    s = game.record
    hand = Box().take_all(given["hand"], "hand", HAND_MAX)  # AC-11 has six m4 on the table
    s["hand"][: len(hand)] = [t + 1 for t in hand]
    s["n_hand"] = len(hand)
    if phase == "hold":
        evaluate(s)
    return game


def _hold_close(given: Mapping[str, Any], config: dict[str, Any]) -> Answer:
    if "CPU_CLEAR_POLICY" in given:
        config = read_config({**config, "CPU_CLEAR_POLICY": given["CPU_CLEAR_POLICY"]})
    game = _table(given, config, "hold")
    won = game.holds
    assert won is not None
    game.act("CONTINUE")
    answer = {
        "player_won": won["player"]["won"],
        "player_points": won["player"].get("score", 0),
        "cpu_won": won["cpu"]["won"],
        "cpu_points": won["cpu"].get("score", 0),
        "score": game.score,
        "cpu_score": game.cpu_score,
        "hand": game.hand,
        "discards": game.discards,
        "board_after_settle": _text(game.board),
    }
    answer["rechain"] = _chain(game.record)
    return answer


def _final_judgement(given: Mapping[str, Any], config: dict[str, Any]) -> Answer:
    game = _table(given, config, "supply")
    game.act("TICK")
    return {
        "state": game.state,
        **(game.result() or {}),
        "board": _text(game.board),
        "hand": game.hand,
        "discards": game.discards,
    }


def _episode(given: Mapping[str, Any], config: dict[str, Any]) -> Answer:
    """Play an episode (AC-61): placements by a formula, allocations by a named policy."""
    a, b, how = given["a"], given["b"], given["alloc"]
    if how not in ("first14", "even") or not all(isinstance(n, int) for n in (a, b)):
        raise BadVectors("an episode has whole numbers a and b and the allocation first14 or even")
    game = PaipaiGame(config=config, deck=given["deck"])
    s = game.record
    placed: list[int] = []
    sizes: list[int] = []
    game.act("START")
    while game.phase != OVER:
        if game.phase == PLACE:
            found = game.placements()
            action = found[(a * len(placed) + b) % len(found)]
            placed.append(action)
            game.place(action >> 2, action & 3)
            continue
        sizes.append(int(s["n_tiles"]))
        kept = 0
        for i in range(sizes[-1]):
            keep = kept < HAND_MAX and (how == "first14" or i % 2 == 0)
            kept += keep
            game.act("ALLOC_ASSIGN", i, "hand" if keep else "discard")
        game.act("ALLOC_CONFIRM")
        game.act("CONTINUE")
        while game.phase in (CHAIN, SUPPLY):
            game.act("TICK")
    return {
        **(game.result() or {}),
        "holds": int(s["holds"]),
        "player_wins": int(s["player_wins"]),
        "cpu_wins": int(s["cpu_wins"]),
        "lost_tiles": int(s["n_lost"]),
        "placements": placed,
        "alloc_list_sizes": sizes,
        "final_board": _text(game.board),
        "final_hand": game.hand,
        "final_discards": game.discards,
    }


KINDS: dict[str, Callable[[Mapping[str, Any], dict[str, Any]], Answer]] = {
    "settle": _settle,
    "resolve": _resolve,
    "legal_placements": _legal_placements,
    "placement": _placement,
    "fine_control": _fine_control,
    "hand14": _hand14,
    "cpu_pool": _cpu_pool,
    "allocation": _allocation,
    "hold_close": _hold_close,
    "final_judgement": _final_judgement,
    "episode": _episode,
}
