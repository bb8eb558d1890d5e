"""Nets: encoding, shapes, export."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (pip install 'qipai[train]')")

from qipai.core import get  # noqa: E402
from qipai.core.errors import BadTraining  # noqa: E402
from qipai.learn.fused import Fused  # noqa: E402
from qipai.learn.nets import Critic, Encoder, Mlp, Raw, flat_weights  # noqa: E402
from tests.learn.parts import tiny  # noqa: E402


def net(game: str = "xianqi") -> Mlp:
    torch.manual_seed(3)
    made = Mlp(get(game), Raw.of(get(game)), tiny(game), Fused())
    torch.nn.init.normal_(made.head)
    return made


def seen(made: Mlp, n: int = 6) -> Any:
    obs = torch.zeros(n, -(-made.length // 16) * 16, dtype=torch.int8)
    obs[:, : made.length] = torch.randint(-5, 100, (n, made.length), dtype=torch.int8)
    return obs


def test_ranges_compare_and_scaled_ones_multiply() -> None:
    low, high = (np.array(ends, np.float32) for ends in ([3, 4, 0.25], [3, 127, 0]))
    columns = Raw(np.array([0, 0, 2], np.int32), np.array([1, 1, 0], np.uint8), low, high)
    encoder = Encoder(columns, 3)
    obs = torch.tensor([[3, 9, 8], [99, 9, -2]], dtype=torch.int8)
    out = encoder(obs, torch.float32) * encoder.factor
    assert out[:, :3].tolist() == [[1, 0, 2.0], [0, 1, -0.5]]
    assert (out[:, 3:] == 0).all()


def test_a_direct_encoding_equals_a_gathered_one() -> None:
    game = get("xianqi")
    raw = Raw.of(game)
    direct, gathered = Encoder(raw, game.observation_size), Encoder(raw, game.observation_size + 1)
    assert direct.direct and not gathered.direct
    obs = seen(net())
    one, other = direct(obs, torch.float32) * direct.factor, gathered(obs, torch.float32) * gathered.factor
    assert torch.equal(one[:, : raw.source.size], other[:, : raw.source.size])


def test_the_mlp_computes_what_the_format_says() -> None:
    """In plain NumPy, from the exported arrays alone: what inference does without PyTorch."""
    made = net()
    obs = seen(made)
    logits, value = made(obs)
    a = made.arrays()
    x = obs[:, : made.length].numpy() * np.float32(0.125)
    h = np.zeros((len(x), 0), np.float32)
    for k in range(2):
        z = (x if k == 0 else h) @ a[f"w{k}"].T + a[f"b{k}"]
        z = (z - z.mean(1, keepdims=True)) / np.sqrt(z.var(1, keepdims=True) + 1e-5) * a[f"g{k}"] + a[f"s{k}"]
        h = np.maximum(z, 0) + (0 if k == 0 else h)
    np.testing.assert_allclose(logits.detach(), h @ a["wp"].T + a["bp"], rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(value.detach(), (h @ a["wv"].T + a["bv"])[:, 0], rtol=1e-4, atol=1e-4)


def test_exported_weights_load_into_an_equal_net() -> None:
    one, other = net(), net()
    with torch.no_grad():
        for p in other.parameters():
            p.normal_()
    other.load(one.arrays())
    obs = seen(one)
    assert torch.equal(one(obs)[0], other(obs)[0])


@pytest.mark.parametrize("change", ["missing", "shape", "actions"])
def test_weights_of_another_shape_are_refused(change: str) -> None:
    made = net()
    arrays = made.arrays()
    if change == "missing":
        del arrays["w1"]
    elif change == "shape":
        arrays["w1"] = np.zeros((32, 99), np.float32)
    else:
        arrays["wp"] = arrays["wp"][:-1]
    with pytest.raises(BadTraining):
        made.load(arrays)


def test_a_fresh_net_is_the_random_player() -> None:
    made = Mlp(get("xianqi"), Raw.of(get("xianqi")), tiny(), Fused())
    logits, value = made(seen(made))
    assert (logits == 0).all() and (value == 0).all()


def test_flat_weights_are_the_parameters() -> None:
    made = net()
    obs = seen(made)
    before = made(obs)[0].clone()
    flat = flat_weights(made)
    assert torch.equal(made(obs)[0], before)
    with torch.no_grad():
        flat.zero_()
    assert all((p == 0).all() for p in made.parameters())


def test_the_critic_sees_every_seat() -> None:
    made = net()
    critic = Critic(made, Raw.of(get("xianqi")), 3, tiny(), Fused())
    torch.nn.init.normal_(critic.head)
    obs = seen(made, 6).view(2, 3, -1)
    value = critic(obs)
    other = obs.clone()
    other[0, 2, 5] += 9
    changed = critic(other)
    assert value.shape == (2,)
    assert value[0] != changed[0] and value[1] == changed[1]
