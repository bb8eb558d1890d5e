"""`qipai rules`: the rules of a game in words, or its phases as a diagram."""

from __future__ import annotations

import argparse
import sys

from qipai.core import LANGUAGES, diagram, get

ABOUT = "print the rules of a game, or a diagram of its phases"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments: the game, the language, rules or diagram."""
    parser.add_argument("game", help="a game of `qipai games`")
    parser.add_argument("--diagram", action="store_true", help="print the phases as a Mermaid diagram")
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="English, Chinese or Japanese")


def run(args: argparse.Namespace) -> int:
    """Print the rules; in colour if `rich` is installed and the output is a terminal."""
    from qipai.terminal.manual import rules_page, rules_text

    game = get(args.game)
    if args.diagram:
        print(diagram(game))
        return 0
    if sys.stdout.isatty():
        try:
            from rich.console import Console
        except ImportError:
            pass
        else:
            console = Console(highlight=False, emoji=False)
            console.print(rules_page(game, args.lang), width=min(console.width, 110))
            return 0
    print(rules_text(game, args.lang))
    return 0
