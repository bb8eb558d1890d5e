"""Who sits around a table: bots, and other people at the same keyboard."""

from __future__ import annotations

from qipai.bots.find import find_agent
from qipai.core import Game, bots_of, strongest
from qipai.core.errors import BadSeats, UnknownAgent

HUMAN = "human"  # in the place of a bot's name: another person


def bot_names(game: Game, given: str | None, count: int) -> list[str]:
    """A name for each of `count` bots from `a,b,...`: the last one named sits on all further seats.

    `human` is another person; bots fill up behind the last. A bot may also be the folder of a training run.
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
