"""`check_game`: all stages of the check, in order, and one verdict."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing
from typing import Any

from qipai.core import Game, get
from qipai.core.errors import BadSeed
from qipai.core.progress import Progress

from .doors import check_doors
from .edges import check_edges
from .lanes import check_lanes
from .parity import check_parity
from .pieces import check_pieces
from .play import check_compile, check_play
from .report import ConformanceError, Failure, Property, Report
from .run import Run
from .secrecy import check_twins
from .walk import check_walks
from .words import check_words
from .worlds import check_worlds

P = Property
Stage = tuple[Callable[[Run], None], frozenset[Property]]

# Each stage stops at its first failure. The others depend on the first two and are skipped if one of these
# fails.
STAGES: tuple[Stage, ...] = (
    (check_compile, frozenset({P.COMPILE})),
    (
        check_play,
        frozenset(
            {P.LENGTH, P.MASK, P.HEADER, P.BOUNDS, P.PURE, P.OBSERVATION, P.COMPOUND, P.DEAL, P.ZERO_SUM}
            | {P.PIECES}
        ),
    ),
    (check_pieces, frozenset({P.PIECES})),
    (check_words, frozenset({P.TEXT})),
    (check_edges, frozenset({P.EDGES, P.EXAMPLES})),
    (check_parity, frozenset({P.PARITY, P.BOUNDS, P.OBSERVATION})),
    (
        check_twins,
        frozenset({P.TWINS, P.DETERMINIZE, P.SECRET_OBSERVE, P.SECRET_VIEW, P.SECRET_DRAW, P.SECRET_NARRATE}),
    ),
    (
        check_walks,
        frozenset(
            {P.PIECES, P.PURE, P.COMPOUND, P.SUCCESSOR, P.JSON, P.TEXT, P.EXAMPLES, P.DETERMINIZE}
            | {P.SECRET_OBSERVE, P.SECRET_VIEW, P.SECRET_DRAW, P.SECRET_NARRATE}
        ),
    ),
    (check_worlds, frozenset({P.WORLDS, P.SIGHT})),
    (check_lanes, frozenset({P.BATCH})),
    (check_doors, frozenset({P.REFUSAL, P.RECORD})),
)

# The loops of a batch check nothing: if one of these properties does not hold, they could run out of bounds.
UNSAFE = frozenset({P.COMPILE, P.LENGTH, P.MASK, P.HEADER, P.BOUNDS})


def check_game(
    game: Game | str,
    games: int = 200,
    seed: int = 0,
    options: Sequence[Mapping[str, Any]] | None = None,
    seats: Sequence[int] | None = None,
    variant: str = "checked",
    parity_games: int = 20,
    progress: Progress | None = None,
    only: Collection[Property | str] | None = None,
) -> Report:
    """Check `game` against the whole contract; raise `ConformanceError` with what it breaks, and where.

    `games` random games are played in a compiled loop of the given `variant` ("checked": with
    bounds checks), a sample of them action by action, `parity_games` in all three ways.
    `options` are option sets (default: the defaults, and every other value of each option);
    `seats` the seat counts (default: all). `only` runs the stages that check these properties.
    """
    found = get(game) if isinstance(game, str) else game
    if not 0 <= seed < 1 << 64:
        raise BadSeed("the seed of a check must be a whole number from 0 to 2^64 - 1")
    wanted = frozenset(Property) if only is None else frozenset(Property(p) for p in only)
    run = Run(found, max(1, games), seed, options, seats, variant, parity_games, progress)
    started = time.perf_counter()
    with closing(run.watch):
        for stage, properties in STAGES:
            if properties & wanted and not _run_stage(run, stage):
                break
    run.tick(1, 1, "")
    run.report.seconds = time.perf_counter() - started
    if run.report.failures:
        raise ConformanceError(run.report)
    return run.report


def _run_stage(run: Run, stage: Callable[[Run], None]) -> bool:
    """Run one stage and store what it finds; return whether the others can continue."""
    unsafe = [f.property for f in run.report.failures if f.property in UNSAFE]
    if stage is check_lanes and unsafe:
        run.report.skipped[P.BATCH] = f"skipped, for {unsafe[0]} failed"
        return True
    try:
        stage(run)
    except Failure as failure:
        run.report.failures.append(failure)
        return stage not in (check_compile, check_play) and not run.watch.lost
    return True
