"""Records games of bots as one seat sees them, for the bench.

python front/dev/fixtures.py GAME [--seats N] [--seat N] [--seed N] [--agent A] [--tag T]
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from qipai.core import agents_of, get
from qipai.core.agent import Player
from qipai.match import Match

NAMES = ["You", "Lan", "Bo", "Mei", "Jun", "Hua"]


def record(name: str, seats: int | None, seed: int, agent: str | None, seat: int) -> dict[str, Any]:
    """Return every message that `seat` would have received, one step per move."""
    game = get(name, {})
    match = Match(game, {}, seats, seed.to_bytes(32, "big"))
    chosen = agent or list(agents_of(game))[-1]
    players = [Player(game, chosen, seed, lane) for lane in range(match.seats)]
    told = 0
    steps = []
    while True:
        now = match.version(seat)
        opened = {str(n): match.view(n) for n in range(match.seats)} if match.over else None
        steps.append(
            {"view": match.view(seat), "events": match.events(seat, told), "legal": match.legal(seat),
             "opened": opened, "over": match.over, "payoff": match.payoff}
        )  # fmt: skip
        told = now
        if match.over:
            return {"seat": seat, "names": NAMES[: match.seats], "steps": steps}
        match.act(match.seat, players[match.seat].move(match.state))


def main() -> None:
    """Write front/dev/fixtures/GAME.json."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--seat", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--agent")
    parser.add_argument("--tag", default="")
    args = parser.parse_args()
    folder = Path(__file__).parent / "fixtures"
    folder.mkdir(exist_ok=True)
    found = record(args.game, args.seats, args.seed, args.agent, args.seat)
    (folder / f"{args.game}{args.tag}.json").write_text(json.dumps(found, ensure_ascii=False), "utf-8")
    print(len(found["steps"]), "steps")


if __name__ == "__main__":
    main()
