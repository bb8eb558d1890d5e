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


def words_of(name: str, actions: Sequence[str]) -> Words:
    """Return the words of the game of this name with these actions; both games share one message folder."""
    read = Messages.of_package("qipai.games.reference")
    texts = {}
    for lang in read.languages:
        known = read.texts(lang)
        log = {key: known[key] for key in (f"log.{action}" for action in actions)}
        texts[lang] = {"title": known[f"title.{name}"], **log}
    return Words(messages=Messages(texts), say=actions.__getitem__, parse=_parser(actions))


def _parser(actions: Sequence[str]) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if text not in actions:
            raise BadText(f"an action is {' or '.join(actions)}")
        return list(actions).index(text)

    return parse
