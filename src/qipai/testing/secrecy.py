"""What a seat may not know: every world that looks the same to it must be shown in the same way.

Worlds come from `determinize` and from `game.checks.twins`, which are set up by hand, so that a
field that view and determinize both forget is still caught. Only running matches keep
secrets: a finished one shows every view.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from qipai.core import State, Twins
from qipai.core.state import same

from . import loops
from .pieces import pieces_of
from .play import Player, blame
from .report import Case, Property
from .run import Run, running
from .told import Move, Words, as_text, check_told

TRIES = 200  # redrawn worlds before determinize is reported as never redrawing
NAMED = 6  # maximum places of a state in one message
NO_TWINS = "the game offers none: a field that view and determinize both forget would not be noticed"


def check_seat(run: Run, player: Player, s: State, seat: int, case: Case, whole: State, begun: Move) -> None:
    """Check that `seat` cannot tell the true world from a redrawn one.

    `whole` is the last position between two moves, `begun` what was done since. Others are told
    of a move when it is complete, so for them worlds are compared from its beginning.
    """
    words = run.words(case.number * 4099 + case.ply * 8 + seat + 1, loops.REDRAW)
    with run.guard(Property.DETERMINIZE, f"determinize for seat {seat}", case):
        other = run.game.redrawn(s, seat, words)
        again = run.game.redrawn(s, seat, words)
    equal = other.tobytes() == again.tobytes()
    run.require(equal, Property.DETERMINIZE, "the same words gave two worlds", case)
    check_world(run, player, s, other, seat, words, case)
    check_faces(run, s, other, seat, case)
    if begun and seat != int(s["seat"]):
        with run.guard(Property.DETERMINIZE, f"determinize for seat {seat}", case):
            check_told(run, [whole, run.game.redrawn(whole, seat, words)], seat, words, case, begun)
    else:
        check_told(run, [s, other], seat, words, case)


def check_faces(run: Run, one: State, other: State, seat: int, case: Case) -> None:
    """Check that `observe`, `view` and `draw` are equal for two worlds."""
    game = run.game
    with run.guard(Property.SECRET_OBSERVE, "observe", case):
        a, b = game.observation_of(one, seat), game.observation_of(other, seat)
    odd = np.flatnonzero(a != b)
    if odd.size:
        feature = next(f for f in game.rules.observation if f.start <= odd[0] < f.start + f.length)
        run.fail(Property.SECRET_OBSERVE, f"seat {seat} learns from {feature.name}", case)
    run.count(Property.SECRET_OBSERVE)
    with run.guard(Property.SECRET_VIEW, "view", case):
        v, w = game.rules.view(one, seat), game.rules.view(other, seat)
    learns = f"seat {seat} learns from {_differing(v, w)}"
    run.require(as_text(v) == as_text(w), Property.SECRET_VIEW, learns, case)
    for lang in game.languages:
        with run.guard(Property.SECRET_DRAW, "draw", case):
            equal = game.drawing(one, seat, lang) == game.drawing(other, seat, lang)
        run.require(equal, Property.SECRET_DRAW, f"seat {seat} learns from the drawing ({lang})", case)


def check_world(
    run: Run, player: Player, s: State, other: State, seat: int, words: Words, case: Case
) -> None:
    """Check that a redrawn world is a real one: same pieces and options, same choice, and playable."""
    game = run.game
    if game.checks.pieces is not None:
        with run.guard(Property.DETERMINIZE, "pieces", case):
            kept = pieces_of(game, s) == pieces_of(game, other)
        run.require(kept, Property.DETERMINIZE, f"for seat {seat} loses or makes pieces", case)
    for name in ("seats", "cut", *(o.name for o in game.rules.options)):
        if s[name] != other[name]:
            run.fail(Property.DETERMINIZE, f"for seat {seat} changed {name}", case)
    if other["ply"] < 0:  # it may count only the actions that the seat knows of
        run.fail(Property.DETERMINIZE, f"for seat {seat} set ply to {other['ply']}", case)
    if int(s["seat"]) == seat:
        if int(other["seat"]) != seat or other["phase"] != s["phase"]:
            run.fail(Property.DETERMINIZE, f"for seat {seat} changed who decides what", case)
        equal = np.array_equal(game.mask(s), game.mask(other))
        run.require(equal, Property.DETERMINIZE, f"for seat {seat} changed its own legal actions", case)
    broken = _played_on(player, other, words)
    if broken is not None:
        own = None if run.watch.lost else _played_on(player, s, words)
        if own is not None or run.watch.lost:  # not caused by the world
            log = player.log[int(s["ply"]) : player.ply].tolist()
            run.fail(*(own or broken), replace(case, actions=[*case.actions, *log]))
        prop, message = broken
        run.fail(Property.DETERMINIZE, f"for seat {seat}: the world breaks {prop}: {message}", case)
    run.count(Property.DETERMINIZE)


def _played_on(player: Player, s: State, words: Words) -> tuple[Property, str] | None:
    """Return what breaks, and how, when `s` is played to its end; None if nothing does."""
    try:
        fault = player.play_on(s, words)
    except Exception as error:
        return blame(error)
    return None if fault == loops.FINE else player.say(fault)


def check_compound(run: Run, before: State, after: State, action: int, case: Case) -> None:
    """Check that nobody else sees anything of an unfinished move."""
    game = run.game
    if not game.unfinished(after):
        return
    actor = int(before["seat"])
    for seat in range(-1, int(before["seats"])):
        if seat == actor:
            continue
        unseen = np.array_equal(game.observation_of(before, seat), game.observation_of(after, seat))
        run.require(unseen, Property.COMPOUND, f"seat {seat} observes an unfinished move of {actor}", case)
        unseen = as_text(game.rules.view(before, seat)) == as_text(game.rules.view(after, seat))
        run.require(unseen, Property.COMPOUND, f"seat {seat} views an unfinished move of {actor}", case)
        events = game.rules.narrate(before, action, seat)
        message = f"seat {seat} is told of an unfinished move of {actor}: {events}"
        run.require(not events, Property.COMPOUND, message, case)


# --- twins ----------------------------------------------------------------------------


def check_twins(run: Run) -> None:
    """Check pairs set up by hand: different worlds that are equal to the seat that cannot see."""
    if not run.game.checks.twins and not run.game.rules.perfect_information:
        run.report.warnings[Property.TWINS] = NO_TWINS
    for twins in run.game.checks.twins:
        one, other = (_twin_case(run, twins, layout) for layout in (twins.one, twins.other))
        with run.guard(Property.TWINS, f"laying out {twins.about}", one):
            a, b = one.replay(run.game), other.replay(run.game)
        differ = not same(a, b, ("rng", *run.game.rules.scratch))
        run.require(differ, Property.TWINS, f"{twins.about}: the two are the same", one)
        if not (running(a) and running(b)):
            run.fail(Property.TWINS, f"{twins.about}: a finished match has no secrets", one)
        check_faces(run, a, b, twins.seat, one)
        check_told(run, [a, b], twins.seat, (3, 1, 4, 1), one)
        _check_redraws(run, a, b, twins, one)


def _twin_case(run: Run, twins: Twins, layout: Any) -> Case:
    seats = run.game.rules.seats[0] if twins.seats is None else twins.seats
    return Case(run.seed, -1, twins.options, seats, (0, 0, 0, 1), layout=layout)


def _check_redraws(run: Run, one: State, other: State, twins: Twins, case: Case) -> None:
    """Check that everything in which the two differ is redrawn, and not handed out as it is.

    The seat cannot tell the two apart, so worlds redrawn from either are alike: a value that
    always stays the first's in the one and the second's in the other was never drawn.
    """
    kept = {name: one[name] != other[name] for name in _hidden_fields(run)}
    changed = False
    for k in range(TRIES):
        for s in (one, other):
            with run.guard(Property.DETERMINIZE, "determinize", case):
                drawn = run.game.redrawn(s, twins.seat, run.words(k, loops.REDRAW))
            for name in kept:
                changes = drawn[name] != s[name]
                changed = changed or bool(np.any(changes))
                kept[name] = kept[name] & ~changes
        if not any(np.any(places) for places in kept.values()):
            run.count(Property.DETERMINIZE)
            return
    if not changed:
        message = f"{twins.about}: {TRIES} redrawn worlds for seat {twins.seat} are all the true one"
        run.fail(Property.DETERMINIZE, message, case)
    places = [_place(name, at) for name, found in kept.items() for at in np.argwhere(found)]
    named = ", ".join(places[:NAMED]) + (" and more" if len(places) > NAMED else "")
    message = f"{twins.about}: seat {twins.seat} cannot know {named}, and {TRIES} redrawn worlds keep it"
    run.fail(Property.DETERMINIZE, f"{message}: redraw it, or clear what is done with, for bots see it", case)


def _hidden_fields(run: Run) -> list[str]:
    """Return the fields in which twins may differ."""
    return [name for name in run.game.rules.State.names or () if name not in ("rng", *run.game.rules.scratch)]


def _place(name: str, at: Any) -> str:
    """Return the name of a field, or of an entry of one."""
    return f"{name}[{', '.join(str(i) for i in at)}]" if len(at) else name


# --- helpers --------------------------------------------------------------------------


def _differing(one: Any, other: Any, path: str = "view") -> str:
    """Return the first place in which two views differ."""
    if isinstance(one, dict) and isinstance(other, dict) and list(one) == list(other):
        for key in one:
            if one[key] != other[key]:
                return _differing(one[key], other[key], f"{path}.{key}")
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for i, (a, b) in enumerate(zip(one, other, strict=True)):
            if a != b:
                return _differing(a, b, f"{path}[{i}]")
    return path
