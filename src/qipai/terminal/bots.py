"""The other players at a table: bots, and people who share the keyboard."""

from __future__ import annotations

from qipai.bots.find import find_agent
from qipai.core import Game, agents_of, bots_of, strongest
from qipai.core.errors import BadSeats, UnknownAgent

from .words import say

HUMAN = "human"  # instead of a bot's name: another person


def bot_names(game: Game, given: str | None, count: int) -> list[str]:
    """Return names for `count` bots from `a,b,...`; the last one named takes all remaining seats.

    `human` is another person; bots fill the seats after the last one. A bot may also be a description
    (`search@500`, `net~t1`), the folder of a training run, or a file. Only sparring partners are refused.
    """
    if given is None:
        return [strongest(game)] * count
    names = [name.strip() for name in given.split(",")]
    for name in names:
        if name == HUMAN:
            continue
        known = agents_of(game).get(name)
        if known is None:
            find_agent(game, name)  # raises if it describes no agent
        elif not known.offered:
            raise UnknownAgent(f"{name} only plays in contests; known: {', '.join([*bots_of(game), HUMAN])}")
    if len(names) > count:
        raise BadSeats(f"{len(names)} bots were named for {count} free seat{'' if count == 1 else 's'}")
    fill = names[-1] if names[-1] != HUMAN else strongest(game)
    return names + [fill] * (count - len(names))


def player_kind(game: Game, name: str, lang: str) -> str:
    """Return what a bot of this name is called in a language, or the word for a person."""
    return say("human", lang) if name == HUMAN else game.agent_name(name, lang)
