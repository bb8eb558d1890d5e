"""Play a net against an agent on duplicate deals for a given time, on all cores.

    python benchmarks/duel.py skill_gomoku runs/skill_gomoku sharp --seconds 100 --json duel.json

`qipai arena` plays a given number of deals; this plays as many as the time allows and counts them in their
order, so which ones count does not depend on their results. `--warm` seconds are for loading and compiling
and are not counted. The net may be an agent's name, a file `*.qnet` or a run folder.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from dataclasses import asdict
from pathlib import Path

from qipai.learn.evaluate import Question, examine, play_deals, processes


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game")
    parser.add_argument("net")
    parser.add_argument("opponent")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--warm", type=float, default=120.0, help="maximum seconds for loading")
    parser.add_argument("--deals", type=int, default=100_000, help="maximum number of deals")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=77)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    pool = processes(args.jobs)
    arguments = (args.game, args.net, args.opponent, 1, args.seed + 1, args.seats, ())
    begun = time.monotonic()
    for job in [pool.submit(play_deals, arguments, 0, 1) for _ in range(args.jobs)]:
        job.result(max(1.0, args.warm - (time.monotonic() - begun)))
    found = examine(
        args.game,
        args.net,
        Question(args.opponent, args.seats, args.deals),
        seconds=args.seconds,
        seed=args.seed,
        pool=pool,
        processes=args.jobs,
        grace=10.0,
    )
    pool.shutdown(wait=False, cancel_futures=True)
    if found is None:
        print(f"no deal was finished in {args.seconds:.0f} s")
        return 1
    print(f"{args.net}, seed {args.seed}: {found.text()}", flush=True)
    if args.json:
        args.json.write_text(json.dumps(asdict(found), indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
