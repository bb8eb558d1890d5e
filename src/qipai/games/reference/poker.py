"""What Kuhn and Leduc poker share: chips in the pot, a winner, words for players."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from qipai.core import NOBODY, Messages, Words, rule
from qipai.core.errors import BadText

RANKS = ("jack", "queen", "king")


@rule
def finish(s, winner):
    """Pay the winner what the other seat has put in, and end the hand; -1: the pot is split."""
    s.payoff[0] = 0
    s.payoff[1] = 0
    if winner >= 0:
        amount = int(s.paid[1 - winner])
        s.payoff[winner] = amount
        s.payoff[1 - winner] = -amount
    s.seat = NOBODY


def words_of(title: str, actions: Sequence[str]) -> Words:
    """Return the words of a game with these actions."""
    log = {f"log.{name}": "{seat}: " + name for name in actions}
    return Words(
        messages=Messages({"en": {"title": title, **log}}), say=actions.__getitem__, parse=_parser(actions)
    )


def _parser(actions: Sequence[str]) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if text not in actions:
            raise BadText(f"an action is {' or '.join(actions)}")
        return list(actions).index(text)

    return parse
