"""Positions for rare edges and for documentation, and pairs that look the same to a seat."""

from __future__ import annotations

from typing import Any

from qipai.core import Example, Twins

from .state import CENTRE_ACTION

# Spec §14, deal A
DEAL_A: dict[str, Any] = {
    "hands": [[1, 2, 2, 4, 5, 6, 7, 8, 9, 10], [1, 1, 3, 3, 4, 6, 7, 8, 9, 10]],
    "centre": [5, 2, 10, 9, 3, 8, 4, 6, 5, 7],
}
SMALL: dict[str, Any] = {"hands": [[1, 2, 7], [1, 2, 7]], "centre": [1, 2, 7]}
LAST: dict[str, Any] = {"hands": [[1], [1]], "centre": [1]}
CENTRE_0, CENTRE_2 = CENTRE_ACTION, CENTRE_ACTION + 2

EXAMPLES = (
    Example("a trio that does not win: the same seat goes on", SMALL, (0, 2, CENTRE_0)),
    Example("a trio passes the move on", SMALL, (0, 2, CENTRE_0), {"after_success": "pass"}),
    Example("the three sevens win at once", SMALL, (1, 3, CENTRE_2)),
    Example("the second card differs: the attempt fails", DEAL_A, (0, 1)),
    Example("the third card differs: the attempt fails", DEAL_A, (0, 2, CENTRE_0)),
    Example("the cap ends the game after a failure", DEAL_A, (0, 1), {"max_turns": 1}),
    Example(
        "a trio, and the cap ends the game",
        SMALL,
        (0, 2, CENTRE_0),
        {"after_success": "pass", "max_turns": 1},
    ),
    Example("a custom deal without sevens is used up: nobody wins", LAST, (0, 2, CENTRE_0)),
)


def _position(hands: list[list[int]], centre: list[int], **more: Any) -> dict[str, Any]:
    """Return a position of a small table with everything in play."""
    return {
        "phase": "flip-1",
        "current": 0,
        "hands": [
            [{"slot": f"h{k}.{i}", "number": n, "face_up": False} for i, n in enumerate(hand)]
            for k, hand in enumerate(hands)
        ],
        "centre": [{"slot": f"c{i}", "number": n, "face_up": False} for i, n in enumerate(centre)],
        **more,
    }


_ONE_SHOWN = {"known": {"h1.0": 1, "c1": 2}, "turn": 2}
_CHAIN = {"known": {"h1.0": 1}, "phase": "flip-2", "face_up": [{"slot": "h1.0", "number": 1}], "turn": 1}

TWINS = (
    Twins(
        "a fresh deal: the other hand and the centre",
        0,
        DEAL_A,
        {
            "hands": [DEAL_A["hands"][0], [1, 1, 2, 3, 3, 3, 5, 6, 9, 10]],
            "centre": [4, 8, 7, 5, 10, 9, 8, 7, 4, 6],
        },
    ),
    Twins(
        "cards that were shown stay, all others may differ",
        0,
        _position([[1, 2, 7], [1, 1, 7]], [7, 2, 2], **_ONE_SHOWN),
        _position([[1, 2, 7], [1, 2, 7]], [1, 2, 7], **_ONE_SHOWN),
    ),
    Twins(
        "in the middle of a turn, for the other seat",
        1,
        _position([[1, 2, 7], [1, 2, 7]], [1, 2, 7], **_CHAIN),
        _position([[1, 1, 2], [1, 2, 7]], [7, 2, 7], **_CHAIN),
    ),
    Twins(
        "a watcher sees no hand",
        -1,
        _position([[1, 2, 7], [1, 1, 7]], [7, 2, 2], **_ONE_SHOWN),
        _position([[2, 7, 7], [1, 1, 7]], [1, 2, 2], **_ONE_SHOWN),
    ),
)
