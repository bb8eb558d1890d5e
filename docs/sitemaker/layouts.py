"""The layout pages: what an observation, an action and a reward of each game mean, from its `Game`."""

from __future__ import annotations

from qipai.core import FLAG, Game, get
from qipai.core.parts import UNLIMITED, always_zero_sum
from qipai.core.registry import OURS

from .markdown import notice, table

INTRO = """`{name}` has {actions} actions and an observation of {size} bytes (int8). A state is one record of {bytes} bytes.
`qipai games {name}` lists its options and bots; the [rules](../../../src/qipai/games/{name}/README.md) define the words.
"""

SHAPES = """| array | shape and type | holds |
|---|---|---|
| `batch.obs` | `(n, {size})` int8 | the observation of the seat that decides |
| `batch.mask` | `(n, {width})` uint8 | 1 where an action is legal; {actions} actions, padded to {width} |
| `batch.seat` | `(n,)` int8 | the seat that decides |
| `batch.reward` | `(n, seats)` int32 | the change of every seat's payoff in the last step |
| `batch.done`, `batch.cut` | `(n,)` uint8 | 1 if the hand ended in the last step; 1 if a cap ended it |
"""


def page(name: str) -> str:
    """Return the layout page of one game as Markdown."""
    game = get(name)
    rules = game.rules
    facts = {
        "name": name,
        "actions": rules.actions,
        "size": game.observation_size,
        "bytes": rules.State.itemsize,
        "width": rules.width,
    }
    low, high = rules.seats
    seats = str(low) if low == high else f"{low} to {high}"
    length = "no fixed limit" if rules.length >= UNLIMITED else f"at most {rules.length:,} actions"
    parts = [
        notice(f"the registered game `{name}`"),
        "",
        f"# {game.title('en')}: observation, actions, reward",
        "",
        INTRO.format(**facts),
        table(
            ("", ""),
            [
                ("seats", seats),
                ("rules version", rules.version),
                ("observation version", rules.observation_version),
                ("observation digest", f"`{game.observation_digest[:16]}`"),
                ("length of a hand", length),
                ("information", "perfect" if rules.perfect_information else "imperfect"),
            ],
        ),
        "",
        "## Arrays",
        "",
        SHAPES.format(**facts),
        "## Observation",
        "",
        "The observer's seat comes first: seats are rotated so that the observer is number 0. A watcher (-1) sees them unrotated.",
        "",
        table(("bytes", "feature", "length", "values", "meaning"), _features(game)),
        "",
        "## Actions",
        "",
        table(("numbers", "text"), _actions(game)),
        "",
        "`game.words.say(action)` returns the text of an action, `game.words.parse(text)` the action.",
        "",
        "## Reward",
        "",
        _reward(game),
        "",
        "## Options",
        "",
        table(("option", "default", "values", "meaning"), _options(game)) if rules.options else "None.",
        "",
        "## Phases",
        "",
        _phases(game),
        "",
    ]
    return "\n".join(parts)


def pages() -> dict[str, str]:
    """Return the layout pages of all games, by path."""
    return {f"docs/research/layouts/{name}.md": page(name) for name in OURS}


def _features(game: Game) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    for f in game.rules.observation:
        last = f.start + f.length - 1
        where = f.start if f.length == 1 else f"{f.start}-{last}"
        values = f.kind if f.kind == FLAG else f"{f.kind}, {f.low} to {f.high}"
        if f.shape:
            values += f"; {' × '.join(map(str, f.shape))}"
        rows.append((where, f"`{f.name}`", f.length, values, f.about))
    return rows


def _actions(game: Game) -> list[tuple[str, str]]:
    """Return the texts of all actions; long runs that differ in one part are shown by their ends."""
    texts = [game.words.say(action) for action in range(game.rules.actions)]
    rows: list[tuple[str, str]] = []
    start = 0
    for action in range(1, len(texts) + 1):
        if action == len(texts) or _shape(texts[action]) != _shape(texts[start]) or action - start == 13:
            if action < len(texts) and _shape(texts[action]) == _shape(texts[start]):
                continue
            rows.append(_run(texts, start, action - 1))
            start = action
    return rows


def _run(texts: list[str], first: int, last: int) -> tuple[str, str]:
    numbers = str(first) if first == last else f"{first}-{last}"
    shown = [f"`{text}`" for text in texts[first : last + 1]]
    if len(shown) > 13:
        shown = [*shown[:6], "...", *shown[-3:]]
    return numbers, ", ".join(shown)


def _shape(text: str) -> str:
    """Return the words of an action that name no piece, place or number."""
    words = text.split()
    return words[0] if len(words) > 1 else ("" if any(c.isdigit() or c.isupper() for c in text) else text)


def _reward(game: Game) -> str:
    unit, payoffs = game.checks.unit, game.checks.payoffs
    if game.rules.seats[1] == 1:
        total = "There is one seat."
    elif game.checks.zero_sum is always_zero_sum:
        total = "The seats' payoffs add up to 0."
    else:
        total = "The seats' payoffs need not add up to 0."
    reach = (
        f"By the default options, the payoff of a seat is between {payoffs[0]} and {payoffs[1]}."
        if payoffs
        else "No range is declared."
    )
    return (
        f"Payoffs are whole numbers of {unit}. {total} {reach} The reward of a step is the change of a seat's payoff in that step, so "
        "the rewards of a hand add up to its result. `batch.reward` holds all seats; the environments give each agent its "
        "own ([Whose reward, when](../../training.md#whose-reward-when))."
    )


def _options(game: Game) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    for o in game.rules.options:
        values = ", ".join(f"`{c}`" for c in o.choices) if o.choices else f"{o.low} to {o.high}"
        if game.names_lowest(o):
            values += f"; `{o.low}`: {game.choice_name(o.name, str(o.low), 'en')}"
        rows.append((f"`{o.name}`", f"`{o.show(o.default)}`", values, game.option_about(o.name)))
    return rows


def _phases(game: Game) -> str:
    names = dict.fromkeys(game.rules.phases(p).name for edge in game.rules.edges for p in edge)
    listed = ", ".join(f"`{name}`" for name in names) or "not declared"
    return f"{listed}. `qipai rules {game.name} --diagram` prints the edges between them."
