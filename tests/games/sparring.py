"""Every bot against the sparring partners: agents that play unlike it (docs/arena.md).

`CLAIMS` has a line for each bot; `test_sparring.py` runs about 1 % of it, `make proof` all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from qipai.arena import Estimate, run
from qipai.core import get, sparring_of


@dataclass(frozen=True)
class Claim:
    """One bot, and each sparring partner in all other seats: it comes out ahead, and games end."""

    game: str
    bot: str
    seats: int
    deals: int  # each played once from every seat
    cut: float = 0.0  # share of games that may end at the turn limit; why is on the bot's page

    @property
    def name(self) -> str:
        """The proof's name."""
        return f"{self.bot}_sparring_{self.seats}"


CLAIMS = (
    Claim("xianqi", "heuristic", 3, 1_000),
    Claim("xianqi", "net", 3, 1_000),
    Claim("nana", "hard", 2, 1_000),
    Claim("nana", "hard", 4, 500),
    Claim("nana", "exact", 2, 1_000),
    Claim("nana", "exact", 4, 500),
    Claim("nana", "net", 2, 1_000, cut=0.05),  # it may repeat itself (docs/training/nana.md)
    Claim("nana", "net", 4, 500, cut=0.05),
    Claim("wuhan_mahjong", "heuristic", 4, 500),
    Claim("wuhan_mahjong", "net", 4, 500),
    Claim("skill_gomoku", "heuristic", 2, 500),
    Claim("skill_gomoku", "net", 2, 200),
    Claim("skill_gomoku", "sharp", 2, 200),
    Claim("xianqi", "search", 3, 200),
    Claim("nana", "search", 2, 200),
    Claim("wuhan_mahjong", "search", 4, 200),
    Claim("skill_gomoku", "search", 2, 100),
    Claim("paipai_rensa", "search", 1, 20),
    Claim("paipai_rensa", "net", 1, 200),
    Claim("paipai_rensa", "greedy", 1, 200),
    Claim("paipai_rensa", "builder", 1, 40),
)


@dataclass(frozen=True)
class Bout:
    """A bot against one partner."""

    games: int
    over: Estimate  # chips per game more than the partner
    won: Estimate
    cut: float  # share of games that a cap ended

    def text(self) -> str:
        """Return the figures as a page shows them."""
        won = f"won {self.won.mean:.1%} ± {self.won.half or 0:.1%}"
        over = f"{self.over.mean:+.3f} ± {self.over.half or 0:.3f} chips per game over it"
        return f"{self.games} games, {won}, {over}, {round(self.cut * self.games)} cut"


def bouts(claim: Claim, deals: int, seed: int = 1) -> dict[str, Bout]:
    """Play a bot against each sparring partner. With one seat, all play the same deals alone."""
    game = get(claim.game)
    partners = list(sparring_of(game))
    lineups = [[claim.bot, *partners]]
    if claim.seats > 1:
        lineups = [[claim.bot] + [partner] * (claim.seats - 1) for partner in partners]
    found = {}
    for lineup in lineups:
        table = run(game, lineup, deals, seed=seed, seats=claim.seats, threads=1)
        row = table.rows[0]
        for pair in table.pairs:
            if pair.agent == claim.bot:
                found[pair.other] = Bout(row.games, pair.chips, row.won, row.cut)
    assert list(found) == partners
    return found


def check(claim: Claim, deals: int, sure: bool) -> dict[str, str]:
    """Assert that no more games are cut than claimed and that a bot is surely ahead of every partner.

    Not `sure`: a few deals cannot show that, so only that it is not surely behind.
    """
    found = bouts(claim, deals)
    for partner, bout in found.items():
        half = bout.over.half or 0.0
        assert bout.cut <= claim.cut, f"{claim.bot} against {partner}: {bout.text()}"
        assert bout.over.mean + (-half if sure else half) > 0, f"{claim.bot} against {partner}: {bout.text()}"
    return {partner: bout.text() for partner, bout in found.items()}


def proofs(game: str) -> list[tuple[str, Callable[[], dict[str, Any]]]]:
    """Return the claims of one game at their full counts."""
    return [(c.name, partial(check, c, c.deals, sure=True)) for c in CLAIMS if c.game == game]
