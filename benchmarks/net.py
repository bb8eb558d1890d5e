"""How long a net takes for one move: `OPENBLAS_NUM_THREADS=1 python benchmarks/net.py [GAME=FILE ...]`.

Without arguments every game has a net of random weights of the size that training uses; `xianqi=net` uses
the agent of that name, `xianqi=runs/xianqi` the net of a training run. Times are processor time, of all
threads together.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from qipai.bots.find import find_agent
from qipai.bots.net import Encoding, Net, cells_of, export_net
from qipai.bots.net.agent import NetAgent
from qipai.bots.net.shapes import MATRIX, parts_of
from qipai.core import Game, get
from qipai.core.agent import agent_words
from qipai.core.registry import OURS
from qipai.sim import Batch

MLP: dict[str, Any] = {"kind": "mlp", "width": 512, "layers": 3}
CONV: dict[str, Any] = {"kind": "conv", "channels": 64, "blocks": 5}
LANES = 64


def random_file(game: Game, folder: Path) -> str:
    """Write a net of random weights."""
    net = CONV if game.rules.first_cell is not None else MLP
    code, rng = Encoding.of(game), np.random.default_rng(0)
    weights = {}
    for key, part in parts_of(net, code, cells_of(game)).items():
        fan = int(np.prod(part.shape[1:])) if part.kind == MATRIX else 1
        weights[key] = (rng.normal(size=part.shape) / np.sqrt(fan)).astype(np.float32)
    path = folder / f"{game.name}.qnet"
    export_net(path, game, net, weights, code)
    return str(path)


def measure(net: Net, repeats: int) -> tuple[float, float]:
    """Return milliseconds of processor time for one move, alone and in a batch of 64."""
    batch = Batch(net.game, LANES, seed=1)
    batch.rollout(20)
    batch.observe()
    seen, masks = batch.obs.copy(), batch.mask.copy()
    net.act(seen[0], masks[0])
    start = time.process_time()
    for i in range(repeats):
        net.act(seen[i % LANES], masks[i % LANES])
    alone = (time.process_time() - start) / repeats
    start = time.process_time()
    net.act_many(seen, masks)
    return 1e3 * alone, 1e3 * (time.process_time() - start) / LANES


def main() -> None:
    given = dict(pair.split("=", 1) for pair in sys.argv[1:])
    print(f"{'game':16}{'net':>6}{'columns':>9}{'bytes':>10}{'ms alone':>10}{'ms in 64':>10}")
    with tempfile.TemporaryDirectory() as folder:
        for name in given or OURS:
            game = get(name)
            text = given.get(name) or random_file(game, Path(folder))
            agent = find_agent(game, text).make(game, agent_words(game, 0, 0))
            assert isinstance(agent, NetAgent), f"{text} does not use a net"
            net = agent.net
            alone, many = measure(net, 2000 if net.shape["kind"] == "mlp" else 40)
            size = sum(array.nbytes for array in net.arrays.values())
            kind = net.shape["kind"]
            print(f"{name:16}{kind:>6}{net.encoding.size:>9}{size:>10}{alone:>10.3f}{many:>10.3f}")


if __name__ == "__main__":
    main()
