"""NANA's options (README §11), as the platform and the named API know them."""

from __future__ import annotations

from collections.abc import Mapping

from qipai.core import Option
from qipai.core.errors import BadOption

from .state import CONTINUE, MAX_TURNS, MODE_NANA, MODE_SIMPLE, MODE_SPICY, PASS_ON, SEATS

MODES = {"nana": MODE_NANA, "simple": MODE_SIMPLE, "spicy": MODE_SPICY}
AFTER = {"continue": CONTINUE, "pass": PASS_ON}

OPTIONS = (
    Option(
        "mode",
        MODE_NANA,
        MODES,
        about={
            "en": "what wins: sevens, connected trios or three trios; without connected; without three",
            "zh": "胜利条件：三张7、两组相连或任意三组；simple 不计相连；spicy 不计三组",
        },
    ),
    Option(
        "after_success",
        CONTINUE,
        AFTER,
        about={
            "en": "after a trio the same seat goes on, or the move passes",
            "zh": "收集三条后继续，或轮到下家",
        },
    ),
    Option(
        "first",
        0,
        low=-1,
        high=SEATS - 1,
        about={"en": "the seat that begins; -1 draws it", "zh": "先手座位，-1 为随机"},
    ),
    Option(
        "max_turns",
        1000,
        low=1,
        high=MAX_TURNS,
        about={"en": "turns after which the game ends without a winner", "zh": "回合上限，到达则无胜者"},
    ),
)


def check(options: Mapping[str, int], seats: int) -> None:
    """Refuse a first seat that is not at the table."""
    if options["first"] >= seats:
        raise BadOption(f"option first: seat {options['first']} is not at a table of {seats}")
