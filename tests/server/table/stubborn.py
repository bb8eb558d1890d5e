"""A bot process for tests: it compiles anything at once, answers `random`, and hangs for every other bot."""

from __future__ import annotations

import json
import sys
import time

from qipai.server.table.thinker import requests

for header, _state, mask in requests(sys.stdin.buffer):
    if header.get("agent", "random") != "random":
        time.sleep(600)
    answer = {} if header.get("warm") else {"action": mask.index(1)}
    print(json.dumps(answer), flush=True)
