"""What a seat is told: the same in two worlds that it cannot tell apart.

A move is what the others are told of as one thing: one action, or all actions of a compound move.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from qipai.core import State, copy_state, seed_words
from qipai.core.state import same

from .report import Case, Property
from .run import Run, running

Words = tuple[int, int, int, int]
Move = tuple[int, ...]

OTHER_MOVES = 3  # moves compared in addition to the first
LONG = 200  # actions after which a move is abandoned
HOW = "though its view and observation afterwards are equal: show it there, or do not tell it"


def check_told(run: Run, worlds: list[State], seat: int, words: Words, case: Case, begun: Move = ()) -> None:
    """Check that states which look identical to `seat` produce identical events for it.

    Over several worlds and moves that begin with `begun`: if the seat's observation and
    view afterwards are equal and the states are not, it must have been told the same. (This catches a hidden
    card that is named in the log, and the name of a hidden action.) A move is compared
    with itself, and with moves that end differently: two that diverge earlier may leave different
    copies of one tile somewhere without a visible difference. The seat knows what it did itself: its own
    actions are each compared with themselves. The end of a match shows everything and is left out.
    """
    game = run.game
    leave_out = ("rng", *game.rules.scratch)
    starts = [copy_state(world) for world in worlds]
    for start in starts:
        game.key(start, words)  # the same random numbers in all worlds
    own = int(starts[0]["seat"]) == seat
    moves = {move: None for start in starts for move in _moves(run, start, begun, own, words, case)}
    told: dict[tuple[bytes, str], list[tuple[Move, str, State]]] = {}
    for start in starts:
        for move in moves:
            found = _play(run, start, move, seat, own, case)
            if found is None:
                continue
            events, after = found
            seen = game.observation_of(after, seat).tobytes(), as_text(game.rules.view(after, seat))
            for other, expected, state in told.setdefault(seen, []):
                if other != move and (own or other[:-1] != move[:-1]):
                    continue
                if events != expected and not same(state, after, leave_out):
                    which = f"of {_name(move)}" if move != other else "in another world"
                    message = f"seat {seat} is told {expected} of {_name(other)} and {events} {which}, {HOW}"
                    run.fail(Property.SECRET_NARRATE, message, case)
                run.count(Property.SECRET_NARRATE)
            told[seen].append((move, events, after))


def _moves(run: Run, start: State, begun: Move, own: bool, words: Words, case: Case) -> list[Move]:
    """Return some moves of this world: single actions for the seat that moves, whole moves for others."""
    s = _after(run, start, begun)
    if s is None:
        return []
    rng = np.zeros(4, np.uint32)
    seed_words(rng, *words)
    actions = run.game.legal_actions(s)
    skip = max(1, len(actions) // (OTHER_MOVES + 1))
    found = []
    for action in actions[case.ply % skip :: skip]:
        move = [*begun, action]
        after = copy_state(s)
        run.game.rules.apply(after, action)
        while not own and run.game.unfinished(after) and len(move) < LONG:
            move.append(run.choose(after, rng, case))
            run.game.rules.apply(after, move[-1])
        found.append(tuple(move))
    return found


def _after(run: Run, start: State, begun: Move) -> State | None:
    """Return the state after the beginning of a move; None if it cannot be made."""
    s = copy_state(start)
    for action in begun:
        if not running(s) or not run.game.mask(s)[action]:
            return None
        run.game.rules.apply(s, action)
    return s if running(s) else None


def _play(run: Run, start: State, move: Move, seat: int, own: bool, case: Case) -> tuple[str, State] | None:
    """Return what `seat` is told of a move, and the state after it; None unless the move is whole."""
    game = run.game
    s = copy_state(start)
    events: list[Any] = []
    for i, action in enumerate(move):
        if not game.mask(s)[action]:
            return None
        before = copy_state(s)
        game.rules.apply(s, action)
        unfinished = not own and game.unfinished(s)
        if not running(s) or unfinished == (i == len(move) - 1):
            return None
        saved = before.tobytes()
        with run.guard(Property.SECRET_NARRATE, f"narrate of {action}", case):
            found = game.rules.narrate(before, action, seat)
            as_text(found)
        if before.tobytes() != saved:
            run.fail(Property.PURE, "narrate changed the state", case)
        events += found if isinstance(found, list) else [found]
    return as_text(events), s


def _name(move: Move) -> str:
    return f"action {move[0]}" if len(move) == 1 else f"the actions {list(move)}"


def as_text(value: Any) -> str:
    """Return JSON text in its own order, because the order of keys could reveal something too."""
    return json.dumps(value, ensure_ascii=False)
