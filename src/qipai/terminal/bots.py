"""The other players at a table: bots, and people who share the keyboard."""

from __future__ import annotations

from qipai.bots.find import find_agent
from qipai.core import Game, bots_of, strongest
from qipai.core.errors import BadSeats, UnknownAgent

HUMAN = "human"  # instead of a bot's name: another person


def bot_names(game: Game, given: str | None, count: int) -> list[str]:
    """Return names for `count` bots from `a,b,...`; the last one named takes all remaining seats.

    `human` is another person; bots fill the seats after the last one. A bot may also be the folder of a
    training run.
    """
    if given is None:
        return [strongest(game)] * count
    names = [name.strip() for name in given.split(",")]
    for name in names:
        if name != HUMAN and not find_agent(game, name).offered:
            raise UnknownAgent(f"{name} only plays in contests; known: {', '.join([*bots_of(game), HUMAN])}")
    if len(names) > count:
        raise BadSeats(f"{len(names)} bots were named for {count} free seat{'' if count == 1 else 's'}")
    fill = names[-1] if names[-1] != HUMAN else strongest(game)
    return names + [fill] * (count - len(names))
