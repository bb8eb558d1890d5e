"""Skill Gomoku: the JSON that a seat may see (`view`) and what happened, step by step (`narrate`).

Keys and names are those of §10 and §14, so players are 1 and 2 here; `trace` also makes the log of the named
API. Views are built from nothing: what is not copied in stays secret.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from qipai.core import NOBODY, State, copy_state
from qipai.core.rule import plain_function

from . import rules
from .api.book import STANDARD, Rulebook
from .api.clone import clone
from .api.lines import Cells, winning_lines
from .api.log import Entry, log_event
from .layout import REASONS
from .observe import sees_drawn
from .state import (
    BOTH_DRAW,
    CARDS,
    CELL,
    CHOOSE,
    FREEZE,
    IDS,
    NO_LIMIT,
    NO_WINNER,
    NONE,
    OPPONENT,
    POLARITY,
    TAKE,
    Phase,
)

Json = dict[str, Any]
playable = plain_function(rules.playable)  # a third of the cost of five calls from Python to compiled code


# --- the state in the terms of the specification ---------------------------------------


def cells_of(s: State) -> Cells:
    """Return the board, one list per row."""
    size = int(s["board_size"])
    flat: list[int] = s["board"][: size * size].tolist()
    return [flat[y * size : (y + 1) * size] for y in range(size)]


def winner_of(s: State) -> int | str | None:
    """Return null, 1, 2 or "draw"."""
    return (None, 1, 2, "draw")[int(s["winner"])]


def is_over(s: State, book: Rulebook = STANDARD) -> bool:
    """Return whether the last turn has ended. Without a winner the rules need not be called."""
    return s["winner"] != NO_WINNER and bool(book.is_over(s))


def piles_of(s: State, book: Rulebook = STANDARD) -> tuple[list[str], list[str]]:
    """Return draw pile and discard pile, tops last. The first is secret."""
    draw = [book.ids[c] for c in s["pile"][: int(s["piled"])].tolist()]
    return draw, [book.ids[c] for c in s["discard"][: int(s["discarded"])].tolist()]


def drawn_of(s: State, book: Rulebook = STANDARD) -> list[str]:
    """Return the drawn cards. Secret from some viewers until one is chosen."""
    return [book.ids[c] for c in s["drawn"].tolist() if c != NONE]


def skips_of(s: State) -> dict[str, int]:
    """Return for how many turns each player will be frozen."""
    return {"1": int(s["skips"][0]), "2": int(s["skips"][1])}


def last_move_of(s: State) -> Json | None:
    """Return the last stone placed, if it is still there."""
    last = int(s["last"])
    if last == NONE:
        return None
    return {**point(s, last), "player": int(s["board"][last])}


def point(s: State, cell: int) -> dict[str, int]:
    """Return a cell as x and y."""
    y, x = divmod(cell, int(s["board_size"]))
    return {"x": x, "y": y}


def target_of(s: State, player: int, book: Rulebook = STANDARD) -> Any:
    """Return the target chosen in a turn of `player`; a list of them for a card that takes several."""
    action = int(s["target"])
    if action == 0:
        return None
    own = None if book.target is None else book.target(s)
    if own is not None:
        return own
    if action == OPPONENT:
        return {"kind": "player", "player": 3 - player}
    return {"kind": "cell", "point": point(s, action - CELL)}


def turn_of(s: State, book: Rulebook = STANDARD) -> Json:
    """Return the current turn, with its secrets."""
    over = is_over(s, book)
    player = int(s["mover"]) + 1
    slot = int(s["slot"])
    return {
        "number": int(s["turn"]),
        "state": Phase(int(s["phase"])).name,
        "drawn": drawn_of(s, book),
        "chosen": None if slot == NONE else book.ids[int(s["card"])],
        "chosenIndex": None if slot == NONE else slot,
        "target": target_of(s, 3 - player if over else player, book),
    }


def outcome_of(s: State) -> Json:
    """Return winner, reason and winning lines."""
    reason = REASONS[int(s["reason"])]
    lines = winning_lines(cells_of(s)) if reason in ("five", "simultaneousFive") else []
    return {"winner": winner_of(s), "reason": reason, "winningLines": lines}


def settings_of(s: State) -> Json:
    """Return the settings under the names of the specification; the state contains no seed."""
    limit = int(s["max_turns"])
    return {
        "boardSize": int(s["board_size"]),
        "firstPlayer": int(s["first_seat"]) + 1,
        "simultaneousFivePolicy": "draw" if s["five_policy"] == BOTH_DRAW else "attacker",
        "deckCounts": dict(zip(IDS, s["copies"].tolist(), strict=True)),
        "ensurePlaceTop": bool(s["place_top"]),
        "maxTurns": None if limit == NO_LIMIT else limit,
        "drawnVisibility": "public" if s["drawn_public"] else "private",
    }


# --- view -------------------------------------------------------------------------------


def view(s: State, seat: int) -> Json:
    """Return what `seat` (0, 1) or a watcher (-1) may see."""
    over = is_over(s)
    open_draw = bool(sees_drawn(s, seat))
    draw_pile, discards = piles_of(s)
    drawn = drawn_of(s)
    hidden = draw_pile if open_draw else [*draw_pile, *drawn]
    decides = seat >= 0 and int(s["seat"]) == seat
    return {
        "game": "skill_gomoku",
        "viewer": None if seat < 0 else seat + 1,
        "decider": None if over else int(s["seat"]),  # the same as toAct, in the platform's seat numbers
        "toAct": None if over else int(s["seat"]) + 1,
        "settings": settings_of(s),
        "board": {"size": int(s["board_size"]), "cells": cells_of(s)},
        "currentPlayer": int(s["mover"]) + 1,
        # the player whose turn is shown, even after it
        "mover": 2 - int(s["mover"]) if over else int(s["mover"]) + 1,
        "unplayable": unplayable_of(s),
        "deck": {
            "drawCount": len(draw_pile),
            "discardPile": discards,
            "unseenCounts": {card: hidden.count(card) for card in IDS},
        },
        "status": {"skipNextTurns": skips_of(s)},
        "turn": turn_of(s) if open_draw else {**turn_of(s), "drawn": None, "drawnCount": len(drawn)},
        "lastMove": last_move_of(s),
        **outcome_of(s),
        "lastChoice": last_choice_of(s),
        "legalActions": legal_of(s) if decides else [],
    }


def unplayable_of(s: State) -> list[str]:
    """Return, while a card is being chosen, those that would have no effect, which only the board decides."""
    if s["phase"] != CHOOSE:
        return []
    return [IDS[card] for card in range(CARDS) if not playable(s, card)]


def last_choice_of(s: State) -> Json | None:
    """Return the last choice of a card, by either player."""
    seat, slot, card, other = s["choice"].tolist()
    if seat == NONE:
        return None
    discarded = None if other == NONE else IDS[other]
    return {"player": seat + 1, "card": IDS[card], "index": slot, "discarded": discarded}


def legal_of(s: State, book: Rulebook = STANDARD) -> list[int]:
    """Return the legal actions of the seat to move, ascending."""
    if s["seat"] == NOBODY:
        return []
    mask = np.zeros(CELL + int(s["board_size"]) ** 2, np.uint8)
    book.legal(s, mask)
    legal: list[int] = np.flatnonzero(mask).tolist()
    return legal


# --- narrate ----------------------------------------------------------------------------


def narrate(before: State, action: int, seat: int) -> list[Json]:
    """Return the events of §14.2 that `action` leads to, as `seat` may know them."""
    after = copy_state(before)
    events = list(trace(after, action))
    return [redacted(after, event, seat) for event in events]


def redacted(s: State, event: Json, seat: int) -> Json:
    """Return an event or a log entry without the cards of the undecided turn in `s`."""
    if event.get("tag") != "drawTwo" or event["turn"] != int(s["turn"]) or sees_drawn(s, seat):
        return event
    out = clone(event)
    out["message"] = f"drawTwo: [{', '.join('?' for _ in out['data']['cards'])}]"
    out["data"]["cards"] = None
    return out


def trace(s: State, action: int | None = None, book: Rulebook = STANDARD) -> Iterator[Json]:
    """Make `action` (or only continue) in `s` itself, and yield every step with all its secrets."""
    if action is not None:
        yield from make(s, action, book)
    while s["seat"] == NOBODY and not is_over(s, book):
        yield from step(s, book)
    if is_over(s, book):
        yield ended(s)


def make(s: State, action: int, book: Rulebook = STANDARD) -> list[Json]:
    """Make `action` alone, without the automatic steps after it, and return its events."""
    choosing = s["phase"] == CHOOSE
    book.make(s, action)
    if choosing:
        return [log_event(_choose_entry(s, book))]
    return [log_event(_target_entry(s, book)), log_event(_resolve_entry(s, book))]


def step(s: State, book: Rulebook = STANDARD) -> list[Json]:
    """Take one automatic step, and return its events."""
    phase, player = Phase(int(s["phase"])), int(s["mover"]) + 1
    reshuffled = bool(s["piled"] < 2 and s["discarded"] > 0)
    book.advance(s)
    return list(_told(s, phase, player, reshuffled, book))


def ended(s: State) -> Json:
    """Return the event after the last turn."""
    return {"event": "matchEnded", "winner": winner_of(s), "reason": REASONS[int(s["reason"])]}


def _told(s: State, left: Phase, player: int, reshuffled: bool, book: Rulebook) -> Iterator[Json]:
    """Yield what the step out of state `left` has done."""
    entered = Phase(int(s["phase"]))
    if entered == Phase.drawTwo:
        cards = drawn_of(s, book)
        data = {"cards": cards, "reshuffled": reshuffled}
        yield log_event(_entry(s, player, 1, "drawTwo", data, f"[{', '.join(cards)}]"))
    elif entered == Phase.resolve:
        yield log_event(_resolve_entry(s, book))
    elif entered == Phase.checkWin:
        winner = winner_of(s)
        shown = "none" if winner is None else str(winner)
        yield log_event(_entry(s, player, _resolve_at(s) + 1, "checkWin", {"winner": winner}, shown))
    elif entered == Phase.maybeSkip:
        yield {"event": "turnStarted", "turn": int(s["turn"]), "player": player}
    elif entered == Phase.endTurn:
        if left == Phase.maybeSkip:
            data = {"reason": "frozen", "remaining": int(s["skips"][player - 1])}
            yield log_event(_entry(s, player, 1, "skip", data, "consumed 1"))
        yield {"event": "turnEnded", "turn": int(s["turn"])}


def _entry(s: State, player: int, at: int, tag: str, data: Json, text: str, seq: int = 0) -> Entry:
    return {
        "seq": seq or int(s["logged"]),
        "turn": int(s["turn"]),
        "player": player,
        "at": at,
        "tag": tag,
        "message": f"{tag}: {text}",
        "data": data,
    }


def _choose_entry(s: State, book: Rulebook) -> Entry:
    slot, drawn = int(s["slot"]), drawn_of(s, book)
    other = drawn[1 - slot] if len(drawn) == 2 else None
    data = {"card": drawn[slot], "index": slot, "discarded": other}
    return _entry(s, int(s["mover"]) + 1, 2, "choose", data, drawn[slot])


def _target_entry(s: State, book: Rulebook) -> Entry:
    player = int(s["mover"]) + 1
    target = target_of(s, player, book)
    text = json.dumps(target, separators=(",", ":"), sort_keys=True)
    # `make` has logged the effect as well
    return _entry(s, player, 3, "selectTarget", {"target": target}, text, int(s["logged"]) - 1)


def _resolve_at(s: State) -> int:
    return 3 if s["target"] == 0 else 4


def _resolve_entry(s: State, book: Rulebook) -> Entry:
    player, fizzled = int(s["mover"]) + 1, bool(s["fizzled"])
    card = book.ids[int(s["card"])]
    own = None if book.ops is None else book.ops(s)
    ops = ops_of(s, player) if own is None else own
    data = {"card": card, "ops": [] if fizzled else ops, "fizzled": fizzled}
    text = f"{card} {'fizzled' if fizzled else 'applied'}"
    return _entry(s, player, _resolve_at(s), "resolve", data, text)


def ops_of(s: State, player: int) -> list[Json]:
    """Return the operations that the base card in `resolve` has made."""
    card = int(s["card"])
    if card == TAKE:
        return [{"type": "remove", "point": point(s, int(s["target"]) - CELL)}]
    if card == POLARITY:
        return [{"type": "swapAll"}]
    if card == FREEZE:
        return [{"type": "freeze", "target": 3 - player, "amount": 1}]
    placed = s["changed"][: int(s["changes"])].tolist()
    return [{"type": "place", "point": point(s, c), "player": int(s["board"][c])} for c in placed]
