"""`qipai games`: the registered games, or everything about one."""

from __future__ import annotations

import argparse

from qipai.core import FLAG, Feature, Game, Option, QipaiError, agents_of, get, names
from qipai.core.errors import BadText
from qipai.core.outside import broken_entries

ABOUT = "list the registered games"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments. Without a name: one line per game. With a name: its options and agents too."""
    parser.add_argument("game", nargs="?", help="show the options and agents of this game")
    parser.add_argument("--observation", action="store_true", help="print the layout of an observation")
    parser.add_argument("--actions", action="store_true", help="print every action by number and as text")
    parser.add_argument("--markdown", action="store_true", help="print the reference part of its page")


def run(args: argparse.Namespace) -> int:
    """Print every game, or one."""
    if args.game:
        game = get(args.game)
        parts = [reference(game)] if args.markdown else []
        parts += [_observation(game)] if args.observation else []
        parts += [_actions(game)] if args.actions else []
        print("\n\n".join(parts) or _one(game))
        return 0
    if args.observation or args.actions or args.markdown:
        raise BadText("name a game: qipai games GAME --observation")
    for name in names():
        try:
            game = get(name)
        except QipaiError as error:
            print(f"{name:16} cannot be loaded: {error}")
            continue
        low, high = game.rules.seats
        seats = str(low) if low == high else f"{low}-{high}"
        title = _titles(game)
        size = game.rules.State.itemsize
        print(f"{name:16} {seats:>4} seats {game.rules.actions:>5} actions {size:>6} bytes   {title}")
    return 0


def _one(game: Game) -> str:
    lines = [f"{_titles(game)} (rules version {game.rules.version})"]
    for option in game.rules.options:
        about = game.option_about(option.name)
        lines.append(f"  option {option.name} = {option.show(option.default)}   ({_values(option)})  {about}")
    for spec in agents_of(game).values():
        kind = f"place {spec.place}" if spec.offered else "contests only"
        lines.append(f"  agent {spec.name} ({kind})  {game.agent_about(spec.name)}".rstrip())
    lines += [f"  agent {name} is left out: {why}" for name, why in broken_entries(game).items()]
    return "\n".join(lines)


def _titles(game: Game) -> str:
    return " ".join(dict.fromkeys(game.title(lang) for lang in game.languages))


def reference(game: Game) -> str:
    """Return the part of a game's page that is generated from its `Game`."""
    lines = ["| option | default | values | meaning |", "|---|---|---|---|"]
    for o in game.rules.options:
        lines.append(
            f"| `{o.name}` | {o.show(o.default)} | {_values(o, ', ')} | {game.option_about(o.name)} |"
        )
    phases = dict.fromkeys(game.rules.phases(p).name for edge in game.rules.edges for p in edge)
    lines += ["", "Phases: " + ", ".join(f"`{name}`" for name in phases) + ".", ""]
    lines += [f"An observation has {game.observation_size} bytes.", ""]
    lines += ["| bytes | feature | meaning | values |", "|---|---|---|---|"]
    for f in game.rules.observation:
        lines.append(f"| {_where(f)} | `{f.name}` | {f.about} | {_type(f)} |")
    return "\n".join(lines)


def _observation(game: Game) -> str:
    """Return the layout of an observation as text."""
    rules = game.rules
    version = f"version {rules.observation_version}, digest {game.observation_digest[:16]}"
    lines = [f"An observation of {game.name} has {game.observation_size} int8 entries ({version})."]
    rows = [(_where(f), f.name, _type(f), f.about) for f in rules.observation]
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    lines += ["  ".join([*(row[i].ljust(widths[i]) for i in range(3)), row[3]]) for row in rows]
    return "\n".join(lines)


def _actions(game: Game) -> str:
    """Return every action by number and as text."""
    lines = [
        f"An action of {game.name} is a number below {game.rules.actions}; a mask has {game.width} bytes."
    ]
    lines += [f"{action:>5}  {game.words.say(action)}" for action in range(game.rules.actions)]
    return "\n".join(lines)


def _where(f: Feature) -> str:
    return str(f.start) if f.length == 1 else f"{f.start}-{f.start + f.length - 1}"


def _type(f: Feature) -> str:
    """Return kind, range and shape of a feature."""
    said = f.kind if f.kind == FLAG else f"{f.kind} {f.low}..{f.high}"
    return f"{said}, {' x '.join(map(str, f.shape))}" if f.shape else said


def _values(option: Option, between: str = " | ") -> str:
    return between.join(option.choices) if option.choices else f"{option.low}..{option.high}"
