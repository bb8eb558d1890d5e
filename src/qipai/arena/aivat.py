"""Estimates of a hand's result with less luck than its payoff, for games with few deals, such as Kuhn poker.

N. Burch and others, "AIVAT: a new variance reduction technique for agent evaluation in imperfect information
games", 2018. A deal, and a choice of an agent whose policy is known, are draws with known chances. `worths`
estimates the value of each position. The luck of a draw is the value of its outcome minus the mean value over
all outcomes. It is zero on average, so it may be subtracted from the payoff. Then the mean is taken over all
hands that the known agents could hold as far as the others can tell, each as likely as their policies make
it. Neither changes the mean of the estimates, however bad the values are.

Here this is done for all hands of a game at once (`hands`), so that means and variances are exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, prod

from qipai.core import NOBODY, Game, State, copy_state
from qipai.core.errors import BadContest

Policy = Mapping[str, Mapping[int, float]]  # chances of actions, by what the seat knows


@dataclass(eq=False)
class Node:
    """A position: who decides, what each seat knows, what follows each action; or the payoff at the end."""

    seat: int
    known: tuple[str, ...]
    payoff: float  # of the first seat
    after: dict[int, Node] = field(default_factory=dict)


@dataclass(frozen=True)
class Tree:
    """All positions of a game: its deals, with their chances."""

    deals: tuple[tuple[float, Node], ...]


@dataclass(frozen=True)
class Hand:
    """One way in which a hand can go: deal and actions, how likely it is, its payoff, and the estimate."""

    deal: int
    actions: tuple[int, ...]
    chance: float
    payoff: float  # of the first seat
    estimate: float


def tree_of(game: Game) -> Tree:
    """Return all positions of a game of two seats that lists its deals; raise `BadContest` for another."""
    rules = game.rules
    if rules.chance is None or rules.information is None or rules.seats != (2, 2):
        raise BadContest(f"{game.name} does not list its deals, or is not a game of two seats")
    deals = rules.chance(game.blank())
    total = sum(weight for weight, _ in deals)
    return Tree(tuple((weight / total, _node(game, game.new(layout=layout))) for weight, layout in deals))


def _node(game: Game, s: State) -> Node:
    """Return the position `s` and all that follow it."""
    if (seat := int(s["seat"])) == NOBODY:
        return Node(NOBODY, (), float(s["payoff"][0]))
    assert game.rules.information is not None
    node = Node(seat, tuple(game.rules.information(s, k) for k in (0, 1)), 0.0)
    for action in game.mask(s).nonzero()[0].tolist():
        after = copy_state(s)
        game.rules.apply(after, action)
        node.after[action] = _node(game, after)
    return node


# --- policies -------------------------------------------------------------------------


def uniform(tree: Tree) -> Policy:
    """Return the policy that plays every action with equal probability, for both seats."""
    return {
        node.known[node.seat]: dict.fromkeys(node.after, 1 / len(node.after))
        for _, root in tree.deals
        for node in _nodes(root)
    }


def reply(tree: Tree, policy: Policy, temperature: float) -> Policy:
    """Return a policy that prefers actions that do well if both seats play by `policy` otherwise.

    Its chances are proportional to exp(mean payoff / temperature): a reply of an agent that errs.
    """
    worth = worths(tree, policy)
    sums: dict[str, dict[int, float]] = {}
    weights: dict[str, float] = {}
    for chance, root in tree.deals:
        for node, reach in _reached(root, policy, chance):
            sign = 1 if node.seat == 0 else -1
            own = sums.setdefault(node.known[node.seat], dict.fromkeys(node.after, 0.0))
            weights[node.known[node.seat]] = weights.get(node.known[node.seat], 0.0) + reach
            for action, after in node.after.items():
                own[action] += reach * sign * worth[after]
    found = {}
    for known, own in sums.items():
        raised = {action: exp(value / weights[known] / temperature) for action, value in own.items()}
        found[known] = {action: value / sum(raised.values()) for action, value in raised.items()}
    return found


def _nodes(node: Node) -> Iterator[Node]:
    if node.seat != NOBODY:
        yield node
        for after in node.after.values():
            yield from _nodes(after)


def _reached(node: Node, policy: Policy, chance: float) -> Iterator[tuple[Node, float]]:
    """Yield every decision with its probability."""
    if node.seat != NOBODY:
        yield node, chance
        for action, after in node.after.items():
            yield from _reached(after, policy, chance * policy[node.known[node.seat]][action])


def worths(tree: Tree, policy: Policy) -> dict[Node, float]:
    """Return the mean payoff of the first seat from every position, if both seats play by `policy`."""
    found: dict[Node, float] = {}

    def of(node: Node) -> float:
        found[node] = (
            node.payoff
            if node.seat == NOBODY
            else sum(
                policy[node.known[node.seat]][action] * of(after) for action, after in node.after.items()
            )
        )
        return found[node]

    for _, root in tree.deals:
        of(root)
    return found


# --- estimates ------------------------------------------------------------------------


def hands(
    tree: Tree, policies: Sequence[Policy], known: Sequence[bool], worth: Mapping[Node, float]
) -> list[Hand]:
    """Return all hands between two policies, by seat, with estimates that use those of them that are `known`.

    Without any known policy an estimate is the payoff without the luck of the deal. `worth` may be any guess;
    it must not depend on the hand that is estimated.
    """
    ways = [
        way
        for deal, (chance, root) in enumerate(tree.deals)
        for way in _ways(root, policies, known, worth, deal, chance)
    ]
    mean = sum(chance * worth[root] for chance, root in tree.deals)
    groups: dict[tuple[object, ...], list[_Way]] = {}
    for way in ways:
        groups.setdefault((way.actions, way.seen), []).append(way)
    found = []
    for group in groups.values():
        total = sum(way.likely for way in group)
        luckless = sum(
            way.likely * (way.payoff - way.luck - (worth[tree.deals[way.deal][1]] - mean)) for way in group
        )
        found += [
            Hand(way.deal, way.actions, way.chance, way.payoff, luckless / total) for way in group if total
        ]
    return found


@dataclass(frozen=True)
class _Way:
    """A hand while its estimate is made."""

    deal: int
    actions: tuple[int, ...]
    seen: tuple[str, ...]  # by the seats whose policy is not known
    chance: float
    likely: float  # the chance as far as it is known: of the deal, and of the known policies
    luck: float  # in the choices of the known policies
    payoff: float


def _ways(
    node: Node,
    policies: Sequence[Policy],
    known: Sequence[bool],
    worth: Mapping[Node, float],
    deal: int,
    chance: float,
) -> Iterator[_Way]:
    """Yield all ways in which a deal can be played."""

    def go(node: Node, way: _Way) -> Iterator[_Way]:
        if node.seat == NOBODY:
            yield _Way(way.deal, way.actions, way.seen, way.chance, way.likely, way.luck, node.payoff)
            return
        chances = policies[node.seat][node.known[node.seat]]
        seen = way.seen + tuple(node.known[k] for k in (0, 1) if not known[k])
        mean = sum(chances[action] * worth[after] for action, after in node.after.items())
        for action, after in node.after.items():
            p = chances[action]
            if p > 0:
                own = known[node.seat]
                yield from go(
                    after,
                    _Way(
                        way.deal,
                        (*way.actions, action),
                        seen,
                        way.chance * p,
                        way.likely * p if own else way.likely,
                        way.luck + worth[after] - mean if own else way.luck,
                        0.0,
                    ),
                )

    yield from go(node, _Way(deal, (), (), chance, chance, 0.0, 0.0))


# --- figures --------------------------------------------------------------------------


def mean_and_variance(found: Sequence[Hand], estimate: bool = True) -> tuple[float, float]:
    """Return the exact mean and variance of the estimates of all hands, or of their payoffs."""
    values = [(hand.chance, hand.estimate if estimate else hand.payoff) for hand in found]
    mean = sum(prod(pair) for pair in values)
    return mean, sum(chance * (value - mean) ** 2 for chance, value in values)


def duplicate_variance(first: Sequence[Hand], second: Sequence[Hand], estimate: bool = False) -> float:
    """Return the exact variance of a deal's mean over both seatings, times two: the variance per game.

    `first` are all hands with an agent at the first seat, `second` those with it at the second.
    """
    by_deal: dict[int, list[tuple[float, float, float]]] = {}
    for sign, found in ((1, first), (-1, second)):
        parts: dict[int, list[tuple[float, float]]] = {}
        for hand in found:
            value = sign * (hand.estimate if estimate else hand.payoff)
            parts.setdefault(hand.deal, []).append((hand.chance, value))
        for deal, pairs in parts.items():
            total = sum(chance for chance, _ in pairs)
            mean = sum(prod(pair) for pair in pairs) / total
            spread = sum(chance * (value - mean) ** 2 for chance, value in pairs) / total
            by_deal.setdefault(deal, []).append((total, mean, spread))
    rows = [(a[0], (a[1] + b[1]) / 2, (a[2] + b[2]) / 4) for a, b in by_deal.values()]
    middle = sum(chance * mean for chance, mean, _ in rows)
    return 2 * sum(chance * ((mean - middle) ** 2 + spread) for chance, mean, spread in rows)
