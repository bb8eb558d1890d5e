"""PPO with action masks, in one file: a net learns to beat random play at Xianqi in minutes on a CPU.

    pip install 'qipai[envs,train,plot]'
    python examples/ppo_xianqi.py                          # train, evaluate, save, print
    python examples/ppo_xianqi.py --plot curve.png         # and draw the learning curve
    python examples/ppo_xianqi.py --game nana --updates 50

One seat of each table learns, the others play at random inside the environment, so the
learner only sees its own decisions. docs/training.md explains what a reward is, and which
decision it belongs to.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from qipai.core import QipaiError, get
from qipai.envs import vector


@dataclass
class Settings:
    """All settings of a run."""

    game: str = "xianqi"
    lanes: int = 512  # games side by side
    steps: int = 16  # decisions per lane between updates
    updates: int = 400
    epochs: int = 3
    batch: int = 1024  # decisions per gradient step
    rate: float = 1e-3  # learning rate, decaying to 0
    discount: float = 1.0  # games are short, so no discount is needed
    trace: float = 0.95  # lambda of the advantage estimate
    clip: float = 0.2
    entropy: float = 0.01
    scale: float = 4.0  # chips that count as a reward of 1
    width: int = 128
    seed: int = 1
    every: int = 10  # updates between points of the curve


class Net(nn.Module):
    """Two hidden layers; a score for every action, and the value of the position."""

    def __init__(self, features: int, actions: int, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(features, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.policy = nn.Linear(width, actions)
        self.value = nn.Linear(width, 1)
        nn.init.zeros_(self.policy.weight)  # start as a random player
        nn.init.zeros_(self.policy.bias)

    def forward(self, seen: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return log-probabilities with illegal actions at -infinity, and values."""
        hidden = self.body(seen.float() / 8)
        scores = self.policy(hidden).masked_fill(~mask, -torch.inf)
        return torch.log_softmax(scores, dim=1), self.value(hidden).squeeze(1)


def choose(log_p: Tensor) -> Tensor:
    """Return an action for each row of log-probabilities (the Gumbel trick; -inf never wins)."""
    return (log_p - torch.empty_like(log_p).exponential_().log()).argmax(1)


class Runner:
    """Plays the net at all tables and stores what the update needs."""

    def __init__(self, settings: Settings) -> None:
        # SAME_STEP: a table whose game ended immediately shows the first decision of the next one, so that
        # every row of a rollout is a decision, and `done` cuts the credit.
        self.env = vector(
            settings.game,
            settings.lanes,
            "random",
            seat="rotate",
            seed=settings.seed,
            autoreset="SAME_STEP",
            space="box",
        )
        self.settings = settings
        self.seen, self.info = self.env.reset()

    def rollout(self, net: Net) -> tuple[dict[str, Tensor], float]:
        """Return `steps` decisions per lane with advantages, and the mean result of games that ended."""
        rows: dict[str, list[Tensor]] = {k: [] for k in ("seen", "mask", "action", "log_p", "value")}
        rewards, dones = [], []
        for _ in range(self.settings.steps):
            seen, mask = torch.as_tensor(self.seen), torch.as_tensor(self.info["action_mask"])
            with torch.no_grad():
                log_p, value = net(seen, mask)
                action = choose(log_p)
            self.seen, reward, ended, cut, self.info = self.env.step(action.numpy())
            taken = log_p.gather(1, action[:, None]).squeeze(1)
            for name, row in zip(rows, (seen, mask, action, taken, value), strict=True):
                rows[name].append(row)
            rewards.append(torch.as_tensor(reward, dtype=torch.float32))
            dones.append(torch.as_tensor(ended | cut))
        with torch.no_grad():
            _, last = net(torch.as_tensor(self.seen), torch.as_tensor(self.info["action_mask"]))
        reward_table, done_table = torch.stack(rewards), torch.stack(dones)
        data = {name: torch.stack(row) for name, row in rows.items()}
        scaled = reward_table / self.settings.scale
        data["advantage"] = advantages(scaled, data["value"], done_table, last, self.settings)
        data["target"] = data["advantage"] + data["value"]
        chips = float(reward_table.sum() / max(1, int(done_table.sum())))
        return {name: table.flatten(0, 1) for name, table in data.items()}, chips


def advantages(reward: Tensor, value: Tensor, done: Tensor, last: Tensor, settings: Settings) -> Tensor:
    """Return generalised advantage estimates, from the last decision back; a game's end stops the credit."""
    out = torch.zeros_like(reward)
    running = torch.zeros_like(last)
    following = last
    for t in reversed(range(len(reward))):
        going_on = (~done[t]).float()
        surprise = reward[t] + settings.discount * following * going_on - value[t]
        running = surprise + settings.discount * settings.trace * going_on * running
        out[t], following = running, value[t]
    return out


def update(net: Net, optimizer: torch.optim.Optimizer, data: dict[str, Tensor], settings: Settings) -> None:
    """Optimise PPO's clipped objective over the rollout, `epochs` times in random order."""
    good = data["advantage"]
    data["advantage"] = (good - good.mean()) / (good.std(correction=0) + 1e-8)
    for _ in range(settings.epochs):
        for rows in torch.randperm(len(good)).split(settings.batch):
            part = {name: table[rows] for name, table in data.items()}
            log_p, value = net(part["seen"], part["mask"])
            taken = log_p.gather(1, part["action"][:, None]).squeeze(1)
            ratio = (taken - part["log_p"]).exp()
            clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
            gain = torch.min(ratio * part["advantage"], clipped * part["advantage"]).mean()
            spread = -(log_p.exp() * log_p.masked_fill(~part["mask"], 0)).sum(1).mean()
            miss = nn.functional.smooth_l1_loss(value, part["target"])
            loss = 0.5 * miss - gain - settings.entropy * spread
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimizer.step()


def train(settings: Settings, say: Any = print) -> tuple[Net, list[dict[str, float]]]:
    """Train from scratch; return the net and the points of its learning curve."""
    torch.set_num_threads(1)  # the net is small: a second thread would mostly wait
    torch.manual_seed(settings.seed)
    runner = Runner(settings)
    game = runner.env.game
    net = Net(game.observation_size, game.rules.actions, settings.width)
    optimizer = torch.optim.Adam(net.parameters(), lr=settings.rate)
    started, curve, chips = time.process_time(), [], []
    for k in range(settings.updates):
        for group in optimizer.param_groups:
            group["lr"] = settings.rate * (1 - k / settings.updates)
        data, mean = runner.rollout(net)
        chips.append(mean)
        update(net, optimizer, data, settings)
        if (k + 1) % settings.every == 0 or k + 1 == settings.updates:
            point = {
                "update": k + 1,
                "decisions": (k + 1) * settings.lanes * settings.steps,
                "seconds": time.process_time() - started,
                "chips": float(np.mean(chips)),
            }
            curve.append(point)
            chips = []
            at = f"{point['decisions']:10,.0f} decisions  {point['seconds']:6.1f} s"
            say(f"{k + 1:5d}  {at}  {point['chips']:+.2f} per game")
    return net, curve


def evaluate(net: Net, settings: Settings, games: int, seed: int) -> dict[str, float]:
    """Play the net's best action against random play, on `games` new deals, in every seat equally often.

    Each lane plays exactly one game, so short games count no more than long ones. `half` is
    that of a 95 % interval.
    """
    env = vector(settings.game, games, "random", seat="rotate", seed=seed, space="box")
    seen, info = env.reset()
    results = np.zeros(games)
    running = np.ones(games, bool)
    while running.any():
        with torch.no_grad():
            log_p, _ = net(torch.as_tensor(seen), torch.as_tensor(info["action_mask"]))
        seen, reward, ended, cut, info = env.step(log_p.argmax(1).numpy())
        results += reward * running
        running &= ~(ended | cut)
    won = (results > 0).astype(float)
    half = 1.96 / np.sqrt(games)
    return {
        "games": games,
        "chips": float(results.mean()),
        "chips_half": float(half * results.std()),
        "won": float(won.mean()),
        "won_half": float(half * won.std()),
        "lost": float((results < 0).mean()),
    }


def plot(curve: list[dict[str, float]], settings: Settings, path: str) -> None:
    """Plot the learning curve."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 3.2), layout="constrained")
    axes.plot([p["decisions"] / 1e6 for p in curve], [p["chips"] for p in curve], color="#b3261e")
    axes.axhline(0, color="0.6", linewidth=0.8)
    axes.set_xlabel(
        f"million decisions of the learner ({curve[-1]['seconds'] / 60:.1f} minutes of processor time)"
    )
    axes.set_ylabel("payoff per game, while learning")
    axes.set_title(f"PPO against random opponents: {settings.game}", fontsize=10)
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=80, metadata={"Software": None})
    pyplot.close(figure)


def main(argv: list[str] | None = None) -> dict[str, float]:
    """Train, evaluate, and save what was requested."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    defaults = Settings()
    for name in ("game", "lanes", "steps", "updates", "batch", "scale", "seed"):
        kind = type(getattr(defaults, name))
        parser.add_argument(f"--{name}", type=kind, default=getattr(defaults, name))
    parser.add_argument("--eval", type=int, default=30_000, metavar="GAMES", help="games to evaluate on")
    parser.add_argument("--plot", metavar="FILE", help="draw the learning curve")
    parser.add_argument("--save", metavar="FILE", help="save the net's weights")
    args = vars(parser.parse_args(argv))
    for name, value in args.items():
        if isinstance(value, int) and name != "seed" and value < 1:
            parser.error(f"--{name} must be a whole number from 1")
    try:
        get(args["game"])
    except QipaiError as error:
        parser.error(str(error))
    games, picture, weights = (args.pop(name) for name in ("eval", "plot", "save"))
    settings = Settings(**args)
    net, curve = train(settings)
    found = evaluate(net, settings, games, seed=settings.seed + 1_000_000)
    chips = f"{found['chips']:+.3f} ± {found['chips_half']:.3f} per game"
    won = f"won {found['won']:.1%} ± {found['won_half']:.1%}, lost {found['lost']:.1%}"
    print(f"{settings.game} against random on {games:,} deals: {chips}, {won}")
    if picture:
        plot(curve, settings, picture)
    if weights:
        Path(weights).parent.mkdir(parents=True, exist_ok=True)
        torch.save(net.state_dict(), weights)
    return found


if __name__ == "__main__":
    main()
