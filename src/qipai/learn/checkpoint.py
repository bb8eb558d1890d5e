"""Everything a run needs to continue where it stopped, and the weights of a trained net as a start.

A checkpoint is a container of arrays (`qipai.bots.net.weights`): weights, optimizer, league, generator and,
on the CPU, the unfinished games and the generators of bots. Nothing in it is ever unpickled.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from qipai.bots.net import Encoding, cells_of, read_container, write_container
from qipai.bots.net.infer import check_header
from qipai.bots.net.quantize import FORMAT as NET_FORMAT
from qipai.bots.net.shapes import BIAS, EXPONENT, HEAD_BITS, MATRIX, NORM_BITS, UNIT_BITS, parts_of
from qipai.bots.net.weights import check_made_for, made_for
from qipai.core import Game
from qipai.core.errors import BadTraining, BadWeights

from .league import Bots, Member, digest_of
from .nets import Net

if TYPE_CHECKING:
    from .trainer import Trainer

FORMAT = "qipai-checkpoint-1"
MOST = 2 << 30  # bytes

Arrays = dict[str, NDArray[Any]]


def save(path: Path, trainer: Trainer, about: Mapping[str, Any]) -> None:
    """Write a checkpoint. Waits for the device."""
    write_container(path, *pack(trainer, about))


def pack(trainer: Trainer, about: Mapping[str, Any]) -> tuple[dict[str, Any], Arrays]:
    """Return header and arrays of a checkpoint. Waits for the device."""
    trainer.device.wait()
    game = trainer.game
    header = {
        **made_for(game, FORMAT),
        "settings": trainer.settings.to_json(),
        "device": place_of(trainer),
        "updates": trainer.updates,
        "league": [[member.name, member.digest] for member in trainer.league.members],
        **about,
    }
    return header, _arrays(trainer)


def read(path: Path, game: Game) -> tuple[dict[str, Any], Arrays]:
    """Return header and arrays of a checkpoint.

    Raise `BadWeights` if the file is damaged, and `ForeignWeights` if it belongs to something else.
    """
    header, arrays = read_container(path, MOST)
    check_made_for(header, game, FORMAT, "checkpoint")
    return header, arrays


def restore(trainer: Trainer, header: Mapping[str, Any], arrays: Arrays) -> None:
    """Continue from a checkpoint; raise `BadTraining` if it does not match the run's settings."""
    with trainer.device.active():
        for name, target in _tensors(trainer).items():
            target.copy_(_like(arrays, name, target))
        for name, net in _nets(trainer).items():
            net.load({key.removeprefix(name): a for key, a in arrays.items() if key.startswith(name)})
    trainer.league.members[:] = _members(header, arrays)
    updates = header.get("updates")
    if not isinstance(updates, int) or updates < 0:
        raise BadTraining("the checkpoint does not contain its number of updates")
    trainer.updates = updates
    same = header.get("device") == place_of(trainer)
    if trainer.ranks.size > 1:  # only the first rank's generator is there: all get new ones
        trainer.device.seed(trainer.seed + (updates << 20))
    elif same:
        kept = trainer.device.generator_state()
        trainer.device.set_generator_state(_like(arrays, "generator", kept))
    if same and place_of(trainer) == "cpu":
        for k, batch in enumerate(trainer.tables.batches):
            found = arrays.get(f"games{k}")
            if found is None or found.nbytes != batch.state.nbytes:
                raise BadTraining("the games of the checkpoint do not match these settings")
            batch.state[:] = found.view(batch.state.dtype).reshape(batch.state.shape)
            batch.observe()
        for name, bots in _bots(trainer).items():
            words = arrays.get(name)
            if words is None or words.shape != bots.words.shape or words.dtype != bots.words.dtype:
                raise BadTraining("the rivals of the checkpoint do not match these settings")
            bots.restore(words)


def place_of(trainer: Trainer) -> str:
    """Return where a trainer computes: "cpu" or "cuda", or "cpu x 2" for two ranks."""
    kind, size = trainer.device.kind, trainer.ranks.size
    return kind if size == 1 else f"{kind} x {size}"


def _arrays(trainer: Trainer) -> Arrays:
    found: Arrays = {name: t.detach().cpu().numpy() for name, t in _tensors(trainer).items()}
    found = {name: np.atleast_1d(a) for name, a in found.items()}
    for name, net in _nets(trainer).items():
        found |= {name + key: array for key, array in net.arrays().items()}
    for k, member in enumerate(trainer.league.members):
        found |= {f"league{k}.{key}": array for key, array in member.arrays.items()}
    found["generator"] = trainer.device.generator_state().numpy()
    if place_of(trainer) == "cpu":
        for k, batch in enumerate(trainer.tables.batches):
            found[f"games{k}"] = np.ascontiguousarray(batch.state).view(np.uint8).ravel()
        found |= {name: bots.words.copy() for name, bots in _bots(trainer).items()}
    return found


def _tensors(trainer: Trainer) -> dict[str, Tensor]:
    learner = trainer.learner
    return {"weights": learner.weights, **learner.adam.tensors(), "scale": trainer.rollout.scale}


def _nets(trainer: Trainer) -> dict[str, Net]:
    """Return all nets except the one that learns, by the prefix of their arrays."""
    slot = trainer.slot.net if trainer.slot is not None else None
    found = {"slot.": slot, "reference.": trainer.reference}
    return {name: net for name, net in found.items() if net is not None}


def _bots(trainer: Trainer) -> dict[str, Bots]:
    """Return the opponents with generators, by the name of their array."""
    opponents = enumerate(trainer.rollout.opponents)
    return {f"bots{k}": opponent for k, opponent in opponents if isinstance(opponent, Bots)}


def _like(arrays: Arrays, name: str, target: Tensor) -> Tensor:
    found = arrays.get(name)
    if found is None or found.size != target.numel():
        raise BadTraining(f"the checkpoint's {name} does not match these settings")
    return torch.from_numpy(found.copy()).view(target.shape)


def _members(header: Mapping[str, Any], arrays: Arrays) -> list[Member]:
    members = []
    listed = header.get("league")
    for k, entry in enumerate(listed if isinstance(listed, list) else []):
        prefix = f"league{k}."
        kept = {key.removeprefix(prefix): a for key, a in arrays.items() if key.startswith(prefix)}
        if not isinstance(entry, list) or len(entry) != 2 or digest_of(kept) != entry[1]:
            raise BadTraining(f"member {k} of the checkpoint's league has changed")
        members.append(Member(str(entry[0]), kept, str(entry[1])))
    return members


def read_net(path: Path, game: Game) -> tuple[dict[str, Any], dict[str, NDArray[np.float32]], Encoding]:
    """Return which net a file contains, its weights as float32, and its columns."""
    header, arrays = read_container(path)
    check_header(header, game)
    encoding = Encoding.from_arrays(arrays, game.observation_size)
    net = header.get("net")
    if header.get("format") != NET_FORMAT or not isinstance(net, dict):
        raise BadWeights("the file contains no net")
    found: dict[str, NDArray[np.float32]] = {}
    for name, part in parts_of(net, encoding, cells_of(game)).items():
        if name not in arrays or arrays[name].shape != part.shape:
            raise BadWeights(f"array {name} has the wrong shape")
        array = arrays[name].astype(np.float64)
        if part.kind == MATRIX:
            exponent = arrays[name + EXPONENT].astype(np.float64).reshape(-1, *[1] * (array.ndim - 1))
            array = array / 2.0**exponent
        else:
            array = array / 2.0 ** (HEAD_BITS if part.head else {BIAS: UNIT_BITS}.get(part.kind, NORM_BITS))
        found[name] = array.astype(np.float32)
    return net, found, encoding
