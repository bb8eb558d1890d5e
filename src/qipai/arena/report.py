"""The report of a ladder: ratings, pairs and times, as JSON data, as text, and as an HTML page with plots."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from .ladder import Deal, Ladder, ratings_of
from .standings import DIGITS, Estimate, estimate


@dataclass(frozen=True)
class Entry:
    """One agent of a ladder."""

    agent: str
    rating: float | None  # None for one that failed
    low: float | None
    high: float | None
    games: int
    chips: Estimate  # payoff per game
    won: Estimate  # share of games with a payoff above 0
    milliseconds: float  # processor time per move
    separated: bool | None  # from the next entry below, with p < 0.01; None for the last
    fault: str = ""
    also: tuple[str, ...] = ()  # its other names

    @property
    def label(self) -> str:
        """All names."""
        return f"{self.agent} ({', '.join(self.also)})" if self.also else self.agent


@dataclass(frozen=True)
class Meeting:
    """Two agents at the same tables: how often `agent` did better, and by how many chips."""

    agent: str
    other: str
    games: int
    better: Estimate  # share of games, ties count half
    chips: Estimate


@dataclass(frozen=True)
class Report:
    """All figures of a ladder, strongest agent first."""

    head: dict[str, Any]
    deals: int
    games: int
    entries: tuple[Entry, ...]
    meetings: tuple[Meeting, ...]
    sha256: str = ""  # of the file of games

    def to_json(self) -> dict[str, Any]:
        """Return JSON data."""
        return asdict(self)

    def text(self) -> str:
        """Return the ratings as text for a terminal."""
        width = max(8, *(len(entry.label) for entry in self.entries))
        title = f"{self.head['game']}, {self.head['seats']} seats: {self.deals} deals, {self.games} games"
        lines = [
            f"{title}, seed {self.head['seed']}",
            f"{'agent':{width}} {'rating':>7} {'95 %':>13} {'games':>7} {'chips/game':>18} {'won':>8}"
            f" {'ms/move':>9}",
        ]
        for entry in self.entries:
            if entry.fault:
                lines.append(f"{entry.label:{width}} left out: {entry.fault}")
                continue
            assert entry.rating is not None
            span = f"{entry.low:.0f} to {entry.high:.0f}"
            chips = f"{entry.chips.mean:+.3f} ± {entry.chips.half or 0:.3f}"
            lines.append(
                f"{entry.label:{width}} {entry.rating:>7.0f} {span:>13} {entry.games:>7} {chips:>18}"
                f" {100 * entry.won.mean:>6.1f} % {entry.milliseconds:>9.3f}"
                + ("" if entry.separated in (True, None) else "  not separated from the next")
            )
        return "\n".join(lines)


def report_of(
    ladder: Ladder,
    deals: Sequence[Deal],
    *,
    replicates: int = 200,
    head: dict[str, Any] | None = None,
    sha256: str = "",
) -> Report:
    """Return the report of a ladder; `head` and `sha256` are those of its file, if it has one."""
    ratings, agents = ratings_of(ladder, deals, replicates=replicates)
    order = sorted(range(len(agents)), key=lambda k: (-ratings.points[k], k))
    good = [deal for deal in deals if not deal.fault]
    entries = []
    for place, k in enumerate(order):
        following = order[place + 1] if place + 1 < len(order) else None
        entries.append(
            _entry(
                ladder.agents[agents[k]],
                agents[k],
                good,
                (float(ratings.points[k]), float(ratings.low[k]), float(ratings.high[k])),
                None if following is None else ratings.doubt(k, following) < 0.01,
            )
        )
    for deal in deals:
        name = ladder.agents[deal.culprit] if deal.culprit >= 0 else ""
        if name and name not in {entry.agent for entry in entries}:
            none = Estimate(0.0, None)
            entries.append(Entry(name, None, None, None, 0, none, none, 0.0, None, deal.fault))
    entries = [
        replace(entry, also=tuple(more for more, name in ladder.also if name == entry.agent))
        for entry in entries
    ]
    meetings = [
        found
        for place, k in enumerate(order)
        for other in order[place + 1 :]
        if (found := _meeting(ladder, good, agents[k], agents[other])) is not None
    ]
    games = sum(len(deal.seatings) for deal in good)
    return Report(head or ladder.head(), len(good), games, tuple(entries), tuple(meetings), sha256)


def _entry(
    name: str, agent: int, deals: Sequence[Deal], points: tuple[float, float, float], separated: bool | None
) -> Entry:
    """Return the figures of one agent."""
    rows = [deal for deal in deals if agent in deal.group]
    held = [_held(deal, agent) for deal in rows]
    seconds = sum(deal.seconds[deal.group.index(agent)] for deal in rows)
    moves = sum(deal.moves[deal.group.index(agent)] for deal in rows)
    return Entry(
        name,
        round(points[0], 1),
        round(points[1], 1),
        round(points[2], 1),
        games=sum(len(payoffs) for payoffs in held),
        chips=_mean(held),
        won=_mean([[int(payoff > 0) for payoff in payoffs] for payoffs in held]),
        milliseconds=round(1000 * seconds / max(moves, 1), 4),
        separated=separated,
    )


def _held(deal: Deal, agent: int) -> list[int]:
    """Return the payoffs of an agent in all games of a deal, one for every seat that it held."""
    return [
        payoff
        for seating, payoffs in zip(deal.seatings, deal.payoffs, strict=True)
        for held, payoff in zip(seating, payoffs, strict=True)
        if held == agent
    ]


def _mean(rows: Sequence[Sequence[int]]) -> Estimate:
    """Return the mean over deals of the mean of each deal."""
    if not rows:
        return Estimate(0.0, None)
    each = math.lcm(*{len(row) for row in rows})
    return estimate([sum(row) * (each // len(row)) for row in rows], each)


def _meeting(ladder: Ladder, deals: Sequence[Deal], agent: int, other: int) -> Meeting | None:
    """Return how two agents did on the deals that both played, or None if they never met."""
    rows = [deal for deal in deals if agent in deal.group and other in deal.group]
    if not rows:
        return None
    scores, gaps = [], []
    for deal in rows:
        twice = []  # 2 for each time that `agent` did better, 1 for a tie
        for game in deal.games(ladder.seats):
            mine = [p for a, p in zip(game.agents, game.payoffs, strict=True) if a == agent]
            theirs = [p for a, p in zip(game.agents, game.payoffs, strict=True) if a == other]
            twice += [2 if p > q else 1 if p == q else 0 for p in mine for q in theirs]
        scores.append(twice)
        ours, rivals = _held(deal, agent), _held(deal, other)
        gaps.append((sum(ours) * len(rivals) - sum(rivals) * len(ours), len(ours) * len(rivals)))
    each = math.lcm(*{gap[1] for gap in gaps})
    chips = estimate([gap * (each // size) for gap, size in gaps], each)
    double = _mean(scores)
    better = Estimate(
        round(double.mean / 2, DIGITS), None if double.half is None else round(double.half / 2, DIGITS)
    )
    games = sum(len(twice) for twice in scores)
    return Meeting(ladder.agents[agent], ladder.agents[other], games, better, chips)


# --- the page -------------------------------------------------------------------------

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
  color: #222; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid #ddd; }
th:first-child, td:first-child { text-align: left; }
svg { max-width: 100%; height: auto; } text { font: 13px system-ui, sans-serif; fill: currentColor; }
.line { stroke: #2a6f97; stroke-width: 2; } .dot { fill: #2a6f97; } .grid { stroke: #ddd; }
@media (prefers-color-scheme: dark) {
  body { background: #161616; color: #ddd; } th, td { border-color: #333; } .grid { stroke: #333; }
  .line { stroke: #61a5c2; } .dot { fill: #61a5c2; }
}
"""


def page(report: Report) -> str:
    """Return the report as one HTML page; it needs nothing from elsewhere."""
    head = report.head
    title = f"Ladder of {head['game']}, {head['seats']} seats"
    rated = [entry for entry in report.entries if not entry.fault]
    failed = "".join(f"<li>{_safe(e.agent)}: {_safe(e.fault)}</li>" for e in report.entries if e.fault)
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{_safe(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style><h1>{_safe(title)}</h1>'
        f"<p>{report.deals} deals, {report.games} games, seed {head['seed']}, rules version {head['rules']},"
        f" qipai {_safe(str(head['qipai']))}. 400 points are odds of ten to one; the mean is 1,500."
        " Bars are 95 % intervals over resampled deals.</p>"
        f"<h2>Ratings</h2>{_bars(rated)}{_table(rated)}"
        f"<h2>Strength against time</h2>{_scatter(rated)}"
        f"<h2>Pairs</h2><p>Share of games in which the agent of the row did better than the agent of the"
        f" column, ties counted half, with 95 % intervals.</p>{_cross(report, rated)}"
        + (f"<h2>Left out</h2><ul>{failed}</ul>" if failed else "")
        + "</html>\n"
    )


def _safe(text: str) -> str:
    return html.escape(text, quote=True)


def _bars(entries: Sequence[Entry]) -> str:
    """Return a plot of the ratings with their intervals."""
    points = [_points(e) for e in entries]
    low, high = min(p[1] for p in points), max(p[2] for p in points)
    across = _axis(low, high, 190, 830)
    rows = []
    for k, (e, (middle, left, right)) in enumerate(zip(entries, points, strict=True)):
        y = 20 + 26 * k
        rows.append(
            f'<text x="180" y="{y + 4}" text-anchor="end">{_safe(e.label)}</text>'
            f'<line class="line" x1="{across(left):.1f}" x2="{across(right):.1f}" y1="{y}" y2="{y}"/>'
            f'<circle class="dot" cx="{across(middle):.1f}" cy="{y}" r="4"/>'
            f'<text x="{across(right) + 8:.1f}" y="{y + 4}">{middle:.0f}</text>'
        )
    return _svg(900, 26 * len(entries) + 20, "ratings with 95 % intervals", "".join(rows))


def _points(entry: Entry) -> tuple[float, float, float]:
    """Return rating and interval of an agent that has them."""
    assert entry.rating is not None and entry.low is not None and entry.high is not None
    return entry.rating, entry.low, entry.high


def _scatter(entries: Sequence[Entry]) -> str:
    """Return a plot of the ratings over the time per move, on a logarithmic scale."""
    times = [math.log10(max(e.milliseconds, 1e-4)) for e in entries]
    across = _axis(math.floor(min(times)), math.ceil(max(times)), 70, 780)
    points = [_points(e) for e in entries]
    down = _axis(max(p[2] for p in points), min(p[1] for p in points), 20, 320)
    parts = []
    for power in range(math.floor(min(times)), math.ceil(max(times)) + 1):
        x = across(power)
        parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="20" y2="320"/>')
        parts.append(f'<text x="{x:.1f}" y="340" text-anchor="middle">{10.0**power:g} ms</text>')
    for e, time, (middle, low, high) in zip(entries, times, points, strict=True):
        x, y = across(time), down(middle)
        parts.append(
            f'<line class="line" x1="{x:.1f}" x2="{x:.1f}" y1="{down(low):.1f}" y2="{down(high):.1f}"/>'
            f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="4"/>'
            f'<text x="{x + 8:.1f}" y="{y + 4:.1f}">{_safe(e.agent)}</text>'
        )
    return _svg(900, 350, "ratings over processor time per move", "".join(parts))


def _table(entries: Sequence[Entry]) -> str:
    """Return the table of all figures."""
    rows = "".join(
        f"<tr><td>{_safe(e.label)}</td><td>{e.rating:.0f}</td><td>{e.low:.0f} to {e.high:.0f}</td>"
        f"<td>{e.games}</td><td>{e.chips.mean:+.3f} ± {e.chips.half or 0:.3f}</td>"
        f"<td>{100 * e.won.mean:.1f} ± {100 * (e.won.half or 0):.1f} %</td><td>{e.milliseconds:.3f}</td>"
        f"<td>{'' if e.separated is None else 'yes' if e.separated else 'no'}</td></tr>"
        for e in entries
    )
    names = ("agent", "rating", "95 %", "games", "chips per game", "won", "ms per move", "separated")
    return f"<table><tr>{''.join(f'<th>{name}</th>' for name in names)}</tr>{rows}</table>"


def _cross(report: Report, entries: Sequence[Entry]) -> str:
    """Return the cross table."""
    shares = {}
    for meeting in report.meetings:
        shares[meeting.agent, meeting.other] = meeting.better
        shares[meeting.other, meeting.agent] = Estimate(1 - meeting.better.mean, meeting.better.half)
    names = [entry.agent for entry in entries]
    top = "".join(f"<th>{_safe(name)}</th>" for name in names)
    rows = []
    for name in names:
        cells = [_share(shares[name, other]) if (name, other) in shares else "" for other in names]
        rows.append(f"<tr><td>{_safe(name)}</td>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
    return f"<table><tr><th></th>{top}</tr>{''.join(rows)}</table>"


def _share(value: Estimate) -> str:
    """Return a share with its interval."""
    half = "?" if value.half is None else f"{100 * value.half:.0f}"
    return f"{100 * value.mean:.0f} ± {half} %"


class _axis:
    """A straight scale from values to pixels."""

    def __init__(self, first: float, last: float, start: float, end: float) -> None:
        self.first, self.start = first, start
        self.slope = (end - start) / ((last - first) or 1.0)

    def __call__(self, value: float) -> float:
        return self.start + (value - self.first) * self.slope


def _svg(width: int, height: int, title: str, body: str) -> str:
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">'
        f"<title>{_safe(title)}</title>{body}</svg>"
    )
