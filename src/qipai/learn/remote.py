"""Training on a Ray cluster: players on many cores, one learner, weights through the object store.

Every update, each `Player` plays its share of the lanes with the newest weights, the `Teacher` learns from
all of them together, and its new weights are put into the object store once, where every node fetches them
once. Segments go from players to teacher without passing through the process that drives the run.
A lost player is replaced by one with fresh games; a lost teacher ends the run, which `--resume` continues.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

import torch
from numpy.typing import NDArray

from qipai.bots.net import Encoding
from qipai.cluster.crew import Crew
from qipai.cluster.remote import connect, cores
from qipai.core.errors import BadTraining, LostWorker, QipaiError

from .clone import Fit
from .lessons import Lessons
from .rivals import Rival, seated
from .settings import Settings
from .trainer import Trainer

PLAYED = ("obs", "mask", "seat", "action", "log_p", "value", "reward", "done", "own", "all_obs")
PLACE = "cluster"  # in a checkpoint: without unfinished games
TRIES = 3  # times that a segment is played again because a part of it was lost

Part = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Plan:
    """What players and teacher are made from."""

    settings: Settings
    device: str  # of the teacher; players use the CPU
    columns: Encoding
    rival: Rival | None = None
    start: dict[str, Any] | None = None
    reference: bool = False
    rivals: tuple[Rival, ...] = ()  # those of the settings


def share_of(settings: Settings, count: int) -> Settings:
    """Return the settings of one of `count` players; raise `BadTraining` if lanes cannot be shared evenly."""
    tables = max(1, len(settings.seats))
    if settings.lanes % (count * tables):
        raise BadTraining(f"{settings.lanes} lanes cannot be shared by {count} workers evenly")
    lanes = settings.lanes // count
    made = replace(settings, lanes=lanes, minibatch=lanes * settings.steps)
    made = replace(made, precision="f32", fuse=False, threads=1)
    made.check()
    return made


def most_players(settings: Settings, limit: int) -> int:
    """Return the largest number of players up to `limit` that share the lanes evenly, at least 1."""
    tables = max(1, len(settings.seats))
    return max(k for k in range(1, max(1, limit) + 1) if settings.lanes % (k * tables) == 0)


def seed_of(seed: int, player: int, life: int) -> int:
    """Return the seed of a player's games; one that replaces another does not play its games again."""
    return int.from_bytes(sha256(f"qipai/1/player/{seed}/{player}/{life}".encode()).digest()[:4], "little")


class Player:
    """Plays segments; an actor."""

    def __init__(self, plan: Plan, count: int, number: int, life: int) -> None:
        settings = replace(share_of(plan.settings, count), seed=seed_of(plan.settings.seed, number, life))
        opponents = seated([] if plan.rival is None else [plan.rival], settings)
        self.trainer = Trainer(
            settings,
            "cpu",
            columns=plan.columns,
            opponent=opponents[0] if opponents else None,
            rivals=seated(plan.rivals, settings),
        )

    def place(self) -> tuple[tuple[str, int], None]:
        """Return where it runs: the node's name and the process."""
        return (socket.gethostname(), os.getpid()), None

    def play(self, news: Mapping[str, Any]) -> tuple[int, Part]:
        """Play a segment with these weights; return how many decisions it has, and itself."""
        made = self.trainer
        with torch.no_grad():
            made.learner.weights.copy_(torch.from_numpy(news["weights"].copy()))
        made.rollout.scale.fill_(news["scale"])
        if made.slot is not None and news["slot"] is not None:
            made.slot.net.load(news["slot"])
        made.collect()
        return made.segment.rows, {name: getattr(made.segment, name).numpy() for name in PLAYED}


class Teacher:
    """Learns from the segments of all players; an actor."""

    def __init__(self, plan: Plan) -> None:
        settings = replace(plan.settings, rivals=())  # they sit at the players'
        if plan.rival is not None:
            settings = replace(settings, league=0.0)
        self.trainer = Trainer(
            settings, plan.device, columns=plan.columns, start=plan.start, reference=plan.reference
        )
        self.trainer.prepare()

    def news(self) -> dict[str, Any]:
        """Return what players need: weights, the payoff that counts as 1, the league's member in play."""
        made = self.trainer
        made.wait()
        return {
            "weights": made.learner.weights.detach().cpu().numpy(),
            "scale": float(made.rollout.scale),
            "slot": None if made.slot is None else made.slot.net.arrays(),
        }

    def learn(self, share: float, *parts: Part) -> dict[str, Any]:
        """Learn from these segments, side by side, when `share` of the run is over; return the news."""
        made = self.trainer
        made.set_progress(share)
        at = 0
        for part in parts:
            count = part["seat"].shape[1]
            for name in PLAYED:
                whole = getattr(made.segment, name)
                if whole.numel():
                    whole[:, at : at + count].copy_(torch.from_numpy(part[name].copy()))
            at += count
        made.learn()
        return self.news()

    def ask(self, method: str, *given: Any) -> Any:
        """Return what a method of the loop returns."""
        return getattr(self.trainer, method)(*given)

    def facts(self) -> tuple[int, int]:
        """Return how many updates were made, and how many decisions one has."""
        return self.trainer.updates, self.trainer.segment.rows


class Remote:
    """The loop on a cluster, as `run.Run` uses it in place of a `Trainer`."""

    def __init__(self, address: str, plan: Plan, players: int | None, say: Callable[[str], None]) -> None:
        self.ray, self._own = connect(address)
        self.plan, self.say, self.share = plan, say, 0.0
        self.players = players or most_players(plan.settings, cores(self.ray))
        share_of(plan.settings, self.players)
        options = {"num_cpus": 0, "num_gpus": 1 if plan.device == "cuda" else 0}
        self.teacher = self.ray.remote(Teacher).options(**options).remote(plan)
        plan_ref = self.ray.put(plan)  # read by each player from its node's store
        self.crew = Crew(self.ray, Player, self.players, lambda k, life: (plan_ref, self.players, k, life))
        self.updates, self.rows = self._get(self.teacher.facts.remote())
        self.lost = 0
        self._publish(self.teacher.news.remote())

    def _get(self, reference: Any) -> Any:
        failures = self.ray.exceptions
        try:
            return self.ray.get(reference)
        except failures.RayActorError as error:
            raise LostWorker("the learner is lost: go on from its last checkpoint with --resume") from error
        except failures.RayTaskError as error:
            if isinstance(error.cause, QipaiError):
                raise error.cause from error
            raise

    def iterate(self) -> None:
        """Let every player play a segment, and the teacher learn from all of them."""
        failures = self.ray.exceptions
        for attempt in range(TRIES):
            parts = [reference for _, reference in self.crew.call("play", self.news)]
            self._tell_losses()
            learned = self.teacher.learn.remote(self.share, *parts)
            try:
                self._publish(learned)
                break
            except (failures.ObjectLostError, failures.OwnerDiedError):
                if attempt == TRIES - 1:
                    raise
        self.updates += 1

    def _publish(self, news: Any) -> None:
        """Put what the teacher returned into the object store, for all players."""
        self.news = self.ray.put(self._get(news))

    def _tell_losses(self) -> None:
        lost = sum(self.crew.lives)
        if lost > self.lost:
            self.say(f"{lost - self.lost} lost worker(s) replaced after {self.updates} updates")
            self.lost = lost

    def set_progress(self, share: float) -> None:
        """Note the share of the run that is over, for the next update."""
        self.share = share

    def prepare(self) -> None:
        """Do nothing: the teacher prepared itself."""

    def wait(self) -> None:
        """Do nothing: an update has ended when `iterate` returns."""

    def check(self) -> None:
        """Raise `IllegalAction` if the teacher's device met an illegal action."""
        self._get(self.teacher.ask.remote("check"))

    def log(self) -> dict[str, float]:
        """Return the means of the losses since the last call."""
        found: dict[str, float] = self._get(self.teacher.ask.remote("log"))
        return found

    def games(self) -> dict[str, float]:
        """Return figures of the last segment's games."""
        found: dict[str, float] = self._get(self.teacher.ask.remote("games"))
        return found

    def arrays(self) -> dict[str, Any]:
        """Return the net's weights under the names of the file format."""
        found: dict[str, Any] = self._get(self.teacher.ask.remote("arrays"))
        return found

    def clone(self, lessons: Lessons) -> tuple[Fit, float]:
        """Start from a net that was taught these lessons."""
        found: tuple[Fit, float] = self._get(self.teacher.ask.remote("clone", lessons))
        self._publish(self.teacher.news.remote())
        return found

    def pack(self, about: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return header and arrays of a checkpoint; the players' games are not part of it."""
        header, arrays = self._get(self.teacher.ask.remote("pack", dict(about)))
        kept = {name: array for name, array in arrays.items() if not name.startswith("games")}
        return {**header, "device": PLACE}, kept

    def restore(self, header: Mapping[str, Any], arrays: dict[str, Any]) -> None:
        """Continue from a checkpoint, with fresh games."""
        self._get(self.teacher.ask.remote("restore", {**header, "device": PLACE}, arrays))
        self.updates, self.rows = self._get(self.teacher.facts.remote())
        self._publish(self.teacher.news.remote())

    @property
    def decisions(self) -> int:
        """Number of decisions made so far."""
        return self.updates * self.rows

    def close(self) -> None:
        """End players and teacher, and leave the cluster."""
        self.crew.close()
        self.ray.kill(self.teacher)
        if self._own:
            self.ray.shutdown()
