"""The convolution: shapes, masks, gradients, and the same play in whole numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (pip install 'qipai[train]')")

from qipai.bots.net import Encoding, cells_of, export_net, load_net  # noqa: E402
from qipai.core import Game, get  # noqa: E402
from qipai.core.errors import BadTraining  # noqa: E402
from qipai.learn import checkpoint  # noqa: E402
from qipai.learn.fused import Fused, log_policy  # noqa: E402
from qipai.learn.nets import Conv, flat_weights  # noqa: E402
from qipai.learn.settings import Settings  # noqa: E402
from tests.bots.net.nets import game_of, in_floats, make_net, positions, random_weights  # noqa: E402
from tests.learn.parts import tiny  # noqa: E402

SIZES: dict[str, Any] = {"channels": 6, "blocks": 2}
SHAPE = {"kind": "conv", **SIZES}


def settings(**changes: Any) -> Settings:
    return tiny("skill_gomoku", net="conv", **{**SIZES, **changes})


def conv(game: Game, seed: int = 0) -> Conv:
    """Return a convolution whose heads are not 0."""
    code = Encoding.of(game)
    made = Conv(game, code, cells_of(game), settings(), Fused())
    made.load(random_weights(game, SHAPE, code, seed))
    return made


def given(made: Conv, count: int = 24) -> tuple[Any, Any, Any]:
    """Return observations with their padding, masks, and observations as the game writes them."""
    seen, masks = positions("skill_gomoku", count)
    obs = torch.zeros(count, -(-made.length // 16) * 16, dtype=torch.int8)
    obs[:, : made.length] = torch.from_numpy(seen.copy())
    return obs, torch.from_numpy(masks.copy()), seen


def doubled(made: Conv) -> Conv:
    """Return the same net in float64, for comparisons without rounding."""
    made.dtype = torch.float64
    made.double()
    return made


def test_it_computes_the_formula_of_the_file_format(tmp_path: Path) -> None:
    """Against the twin in NumPy, which adds tap by tap: scores of cells and of other actions, and values."""
    game = game_of("skill_gomoku")
    made = doubled(conv(game))
    net, weights = make_net(tmp_path, game, SHAPE)
    obs, _, seen = given(made)
    scores, values = made(obs)
    assert scores.shape == (24, game.rules.actions) and values.shape == (24,)
    cells = cells_of(game)
    assert (cells >= 0).sum() == 81 and (cells < 0).any()
    wanted, worth = in_floats(net, weights, seen)
    np.testing.assert_allclose(scores.detach(), wanted, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(values.detach(), worth, rtol=1e-6, atol=1e-6)


def test_a_fresh_one_is_the_random_player() -> None:
    game = game_of("skill_gomoku")
    made = Conv(game, Encoding.of(game), cells_of(game), settings(), Fused())
    obs, _, _ = given(made, 4)
    scores, values = made(obs)
    assert (scores == 0).all() and (values == 0).all()


def test_a_row_does_not_depend_on_the_others_nor_on_padding() -> None:
    made = doubled(conv(game_of("skill_gomoku")))
    obs, _, _ = given(made)
    scores, values = made(obs)
    if obs.shape[1] > made.length:
        obs[:, made.length :] = 99
    for i in (0, 7, 23):
        alone, worth = made(obs[i : i + 1])
        assert torch.allclose(alone[0], scores[i]) and torch.allclose(worth[0], values[i])


def test_masked_actions_get_no_probability_and_no_gradient() -> None:
    made = conv(game_of("skill_gomoku"))
    obs, mask, _ = given(made)
    legal = mask[:, : made.actions] != 0
    assert legal.any(1).all() and not legal.all(1).any()
    scores, _ = made(obs)
    scores.retain_grad()
    log_p = log_policy(scores, mask)
    assert (log_p.exp()[~legal] == 0).all() and torch.allclose(log_p.exp().sum(1), torch.ones(24))
    torch.where(legal, log_p, 0.0).square().sum().backward()
    assert scores.grad is not None and (scores.grad[~legal] == 0).all()
    assert (scores.grad[legal] != 0).any()
    assert all(p.grad is not None and torch.isfinite(p.grad).all() for p in (made.cin, made.cp, made.wo))


def test_gradients_are_the_slopes_of_the_loss() -> None:
    """Along one random direction per parameter, by a difference quotient in float64."""
    made = doubled(conv(game_of("skill_gomoku")))
    obs, mask, _ = given(made, 8)
    legal = mask[:, : made.actions] != 0

    def loss() -> Any:
        scores, values = made(obs)
        chosen = torch.log_softmax(scores.masked_fill(~legal, -torch.inf), 1)
        return torch.where(legal, chosen, 0.0).square().mean() + (values - 1).square().mean()

    loss().backward()
    torch.manual_seed(5)
    for name, p in made.named_parameters():
        way, step = torch.randn_like(p), 1e-6
        ends = []
        for sign in (1, -1):
            with torch.no_grad():
                p += sign * step * way
                ends.append(float(loss()))
                p -= sign * step * way
        slope = (ends[0] - ends[1]) / (2 * step)
        assert p.grad is not None and (p.grad != 0).any(), name
        assert float((p.grad * way).sum()) == pytest.approx(slope, rel=1e-3, abs=1e-7), name


def test_an_exported_one_plays_the_same_in_whole_numbers(tmp_path: Path) -> None:
    """What training computes in floats, what `load_net` computes in integers, and what a run starts from."""
    game = game_of("skill_gomoku")
    made, code = conv(game, seed=4), Encoding.of(game)
    obs, mask, seen = given(made, 64)
    with torch.no_grad():
        scores, values = made(obs)
    export_net(tmp_path / "net.qnet", game, SHAPE, made.arrays(), code)
    net = load_net(tmp_path / "net.qnet", game)
    assert np.abs(net.logits_many(seen) - scores.numpy()).max() < 0.01
    assert np.abs(net.values_many(seen) - values.numpy()).max() < 0.01
    legal = mask[:, : made.actions] != 0
    best = scores.masked_fill(~legal, -torch.inf)
    chosen = torch.from_numpy(net.act_many(seen, mask.numpy()).astype(np.int64))
    lost = best.max(1).values - best.gather(1, chosen[:, None]).squeeze(1)
    assert (lost < 0.02).all() and (chosen == best.argmax(1)).float().mean() > 0.95
    kind, arrays, _ = checkpoint.read_net(tmp_path / "net.qnet", game)
    other = conv(game, seed=9)
    other.load(arrays)
    assert kind == SHAPE
    with torch.no_grad():
        assert (other(obs)[0] - scores).abs().max() < 0.01


def test_its_weights_are_one_vector_and_load_into_an_equal_net() -> None:
    game = game_of("skill_gomoku")
    one, other = conv(game), conv(game, seed=2)
    obs, _, _ = given(one, 4)
    before = one(obs)[0].clone()
    assert not torch.equal(other(obs)[0], before)
    flat = flat_weights(one)
    other.load(one.arrays())
    assert torch.equal(one(obs)[0], before) and torch.equal(other(obs)[0], before)
    with torch.no_grad():
        flat.zero_()
    assert (one(obs)[0] == 0).all()


def test_arrays_of_another_shape_and_games_without_a_board_are_refused() -> None:
    game = game_of("skill_gomoku")
    made = conv(game)
    arrays = made.arrays()
    with pytest.raises(BadTraining, match="c1a"):
        made.load({**arrays, "c1a": arrays["c1a"][:, :3]})
    with pytest.raises(BadTraining, match="wv2"):
        made.load({name: array for name, array in arrays.items() if name != "wv2"})
    cards = get("xianqi")
    with pytest.raises(BadTraining, match="no board"):
        Conv(cards, Encoding.of(cards), cells_of(cards), settings(), Fused())
