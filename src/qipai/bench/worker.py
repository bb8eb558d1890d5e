"""A contender in its own process, pinned to one core: `python -m qipai.bench.worker`.

It reads one line of JSON that names the contender and answers {"ready": true} or
{"failed": reason}. Then, for every line with a number of seconds, it plays about that long
and answers {"decisions": n, "seconds": t}; it ends if it has failed. Nothing else goes to standard output.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any, TextIO

CORE = 0  # index among the cores that this process may use


def hold_to_one_core() -> bool:
    """Pin all threads of this process to one core; return False if the system cannot."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"
    try:
        allowed = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {allowed[CORE]})
    except (AttributeError, OSError):
        return False
    return True


def serve(lines: TextIO, answers: TextIO) -> int:
    """Answer one line after another until there are no more."""
    from .peers import Contender

    def answer(data: dict[str, Any]) -> None:
        answers.write(json.dumps(data) + "\n")
        answers.flush()

    told = json.loads(lines.readline())
    try:
        play = Contender(**{**told, "like": tuple(told["like"])}).load()
        play(0.01)
        answer({"ready": True})
        for line in lines:
            decisions, seconds = play(float(line))
            answer({"decisions": decisions, "seconds": seconds})
    except Exception as error:  # another library may fail in any way
        first = (str(error).splitlines() or [""])[0]
        answer({"failed": f"{type(error).__name__}: {first}"[:120]})
        return 1
    return 0


def main() -> int:
    """Serve on standard input and output; output of libraries goes to standard error."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    hold_to_one_core()
    return serve(sys.stdin, answers)


if __name__ == "__main__":
    sys.exit(main())
