"""`Settings`: everything that decides a training run, with tuned defaults for each game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from itertools import pairwise
from typing import Any

from qipai.core import get
from qipai.core.errors import BadTraining


@dataclass(frozen=True)
class Settings:
    """The settings of a run; on the CPU of one machine, equal settings give equal weights."""

    game: str
    seats: tuple[int, ...] = ()  # seat counts that are played side by side; (): only the fewest
    options: Mapping[str, str | int] = field(default_factory=dict)  # those of the game
    seed: int = 1  # of the weights, the deals and the minibatches

    # the net
    net: str = "mlp"  # or "conv", for a game whose observation has boards
    width: int = 512  # of a layer of the mlp
    layers: int = 3  # of the mlp
    channels: int = 64  # of the convolution
    blocks: int = 5  # residual blocks of the convolution
    critic: str = "own"  # or "all": the critic sees every seat's observation in training
    hot: int = 512  # maximum number of columns for the values of one feature
    skip: tuple[str, ...] = ()  # features that the net does not see

    # a segment: what is played between two updates
    lanes: int = 32768  # games side by side
    steps: int = 32  # decisions in each of them
    epochs: int = 2  # passes over a segment in an update
    minibatch: int = 32768  # decisions in a step of the optimiser; divides `lanes` times `steps`

    # PPO
    rate: float = 5e-4  # Adam's learning rate, decaying linearly to `rate_end`
    rate_end: float = 0.0  # the learning rate when the time is up
    discount: float = 1.0  # from one decision of a seat to its next
    trace: float = 0.95  # lambda of the advantage estimate
    clip: float = 0.2  # bound on how far an update changes the probability of an action
    entropy: float = 0.02  # weight of the entropy bonus, decaying geometrically to `entropy_end`
    entropy_end: float = 0.002  # the weight of the entropy bonus when the time is up
    value_weight: float = 0.5  # of the loss of the value
    gradient: float = 0.5  # the norm that gradients are clipped to
    scale: float = 1.0  # the payoff that counts as a reward of 1; 0: root mean square of the first games
    outlier: float = 8.0  # normalised advantages are clipped to this many standard deviations
    kl: float = 0.0  # weight of KL(policy || reference), decaying linearly to `kl_end`
    kl_end: float = 0.0  # the weight of KL when the time is up

    # cloning an agent first (`--from AGENT`)
    clone_decisions: int = 400_000  # decisions of the agent, or as many as it makes in `clone_seconds`
    clone_seconds: float = 45.0  # time limit for these decisions, in seconds
    clone_steps: int = 4000  # minibatches, or as many as fit into `clone_fit`
    clone_fit: float = 20.0  # time limit for these minibatches, in seconds
    clone_rows: int = 8192  # decisions in such a minibatch
    clone_rate: float = 1e-3  # Adam's learning rate
    clone_explore: float = 0.05  # share of random actions, so that more positions are seen
    clone_turned: bool = False  # lessons are turned and mirrored at random, if the rules allow it
    teacher: str = ""  # an agent to clone with a net that `--from` names: it starts from those weights

    # opponents
    league: float = 0.0  # share of the lanes in which one seat learns and a frozen agent plays the others
    rivals: tuple[str, ...] = ()  # agents that share these lanes with the snapshots, equally
    league_every: int = 100  # updates between snapshots
    league_size: int = 6  # snapshots kept

    # how it is computed
    precision: str = "bf16"  # or "f32", as on the CPU
    threads: int = 1  # of PyTorch on the CPU: with small nets a second one waits more than it works
    fuse: bool = True  # compile elementwise parts with torch.compile (CUDA only)

    def check(self) -> None:
        """Raise `BadTraining` if a setting is out of range or two are incompatible."""
        for name in (
            "width",
            "layers",
            "channels",
            "blocks",
            "lanes",
            "steps",
            "epochs",
            "minibatch",
            "threads",
        ):
            if getattr(self, name) < 1:
                raise BadTraining(f"{name} must be a whole number from 1, not {getattr(self, name)}")
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                raise BadTraining(f"{name} must be one of {', '.join(choices)}, not {getattr(self, name)!r}")
        if self.lanes * self.steps % self.minibatch:
            rows = f"{self.lanes} lanes x {self.steps} steps"
            raise BadTraining(f"minibatch {self.minibatch} does not divide {rows}")
        if not 0 <= self.league < 1:
            raise BadTraining(f"league must be a share from 0 up to 1, not {self.league}")
        if self.rivals and (not self.league_shares() or any(lo == hi for lo, hi in self.league_shares())):
            raise BadTraining(
                f"rivals need lanes of the league: {self.league} of {self.lanes} lanes are too few for"
                f" {len(self.rivals)} of them and the snapshots"
            )

    def league_shares(self) -> list[tuple[int, int]]:
        """Return lanes, from and to: those of the snapshots, of each rival, and so on for every table.

        There is a table for every number of seats, and the league has the last lanes of each; empty: none.
        """
        tables, parts = max(1, len(self.seats)), 1 + len(self.rivals)
        size = self.lanes // tables
        count = int(self.league * size)
        shares: list[tuple[int, int]] = []
        for end in range(size, tables * size + 1, size) if count else ():
            shares += pairwise(end - count + count * k // parts for k in range(parts + 1))
        return shares

    def to_json(self) -> dict[str, Any]:
        """Return JSON data that `from_json` reads back."""
        lists = {"seats": list(self.seats), "skip": list(self.skip), "rivals": list(self.rivals)}
        return {**asdict(self), **lists, "options": dict(self.options)}


COUNTS = ("width", "layers", "channels", "blocks", "lanes", "steps", "epochs", "minibatch", "threads")
CHOICES = {"net": ("mlp", "conv"), "critic": ("own", "all"), "precision": ("bf16", "f32")}

# Differences from the defaults above on a GPU, by game. The page "Ledger of training runs" of the
# documentation has the runs made with them.
TUNED: dict[str, dict[str, Any]] = {
    "xianqi": {"scale": 4.0, "steps": 64, "hot": 768},
    "nana": {
        "seats": (2, 4),
        "steps": 64,
        "discount": 0.995,  # sooner is better: games may otherwise cycle
        "entropy": 0.015,
        "kl": 0.03,
        "rate": 4e-4,
        "clone_decisions": 600_000,
        "clone_seconds": 60.0,
    },
    "skill_gomoku": {
        "net": "conv",
        "lanes": 8192,
        "steps": 32,
        "epochs": 1,
        "minibatch": 4096,
        "trace": 0.9,
        "rate": 4e-4,
        "entropy": 0.01,
        "entropy_end": 0.001,
        "league": 0.25,
        "league_every": 20,
        "clone_decisions": 800_000,
        "clone_seconds": 60.0,
        "clone_rows": 2048,
        "clone_fit": 25.0,
    },
    "paipai_rensa": {
        "scale": 10000.0,
        "value_weight": 1.0,
        "steps": 64,
        "trace": 0.98,
        "rate": 3e-4,
        "entropy": 0.0003,  # a game has 400 decisions, and one random placement can ruin it
        "entropy_end": 0.00003,
        "kl": 0.02,
        "skip": ("list",),
        "clone_decisions": 1_500_000,
        "clone_seconds": 150.0,
        "clone_fit": 40.0,
    },
    "wuhan_mahjong": {
        "scale": 1500.0,  # the loss of the value is quadratic up to here, so that rare large wins count fully
        "value_weight": 2.0,
        "steps": 64,
        "rate": 3e-4,
        "entropy": 0.01,
        "entropy_end": 0.001,
        "kl": 0.1,
        "clone_decisions": 1_500_000,
        "clone_seconds": 110.0,
    },
}
# The agent that a run clones first by default, for games that do not get started with random play.
START = {
    "nana": "exact",
    "skill_gomoku": "heuristic",
    "paipai_rensa": "greedy",
    "wuhan_mahjong": "heuristic",
}
# On a CPU the net is small and the segments short, so that it learns something within minutes.
CPU: dict[str, Any] = {
    "width": 128,
    "layers": 2,
    "channels": 16,
    "blocks": 2,
    "lanes": 512,
    "steps": 32,
    "epochs": 2,
    "minibatch": 1024,
    "rate": 1e-3,
    "precision": "f32",
    "fuse": False,
    "clone_decisions": 20_000,
    "clone_steps": 500,
    "clone_fit": 1e9,
    "clone_rows": 512,
    "league_every": 20,
    "league_size": 3,
}


def defaults(game: str, device: str = "cuda", **changes: Any) -> Settings:
    """Return the tuned settings of a game on a device, with `changes` applied."""
    get(game)
    known = {f.name for f in fields(Settings)}
    for name in changes:
        if name not in known:
            raise BadTraining(f"there is no setting {name!r}; known: {', '.join(sorted(known - {'game'}))}")
    made = replace(Settings(game), **TUNED.get(game, {}))
    if device == "cpu":
        made = replace(made, **CPU)
    made = replace(made, **changes)
    made.check()
    return made


def from_json(data: Mapping[str, Any]) -> Settings:
    """Return the settings that `to_json` wrote; raise `BadTraining` for anything else."""
    kinds = {f.name: f for f in fields(Settings)}
    if not isinstance(data, Mapping) or set(data) - set(kinds) or not isinstance(data.get("game"), str):
        raise BadTraining("these are not the settings of a training run")
    made = Settings(**{**data, **{name: tuple(data.get(name, ())) for name in ("seats", "skip", "rivals")}})
    for name, value in asdict(made).items():
        wanted = type(getattr(Settings("x"), name))
        if not isinstance(value, wanted) and not (wanted is float and isinstance(value, int)):
            raise BadTraining(f"setting {name} must be a {wanted.__name__}, not {type(value).__name__}")
    made.check()
    return made
