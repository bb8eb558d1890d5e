"""The PPO of `qipai.learn` on Pgx, as one jitted JAX loop: for comparison in `benchmarks/learn.py`.

The same net (MLP 3 x 512 with residuals and LayerNorm, bfloat16 products), the same credit per lane and
player, the same loss, two epochs, Adam. n lanes, T steps, P players, A actions.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

WIDTH, LAYERS, EPOCHS = 512, 3, 2
CLIP, TRACE, ENTROPY, VALUE, RATE, LIMIT = 0.2, 0.95, 0.01, 0.5, 5e-4, 0.5


def measure_all(
    name: str,
    shapes: list[tuple[int, int, int]],
    seconds: float,
    say: Callable[[dict[str, Any]], None],
    wait: Callable[[], None],
) -> None:
    """Compile every setting, wait for the device, and report decisions per second of each."""
    built = []
    for shape in shapes:
        try:
            built.append((shape, *build(name, *shape)))
        except Exception as error:
            say({"error": f"{type(error).__name__}: {str(error)[:600]}", "shape": str(shape)})
    wait()
    jax = import_module("jax")
    for (lanes, steps, rows), run, carry in built:
        carry, _ = run(carry)
        jax.block_until_ready(carry)
        count, started = 0, time.perf_counter()
        while True:
            for _ in range(2):
                carry, loss = run(carry)
            jax.block_until_ready((carry, loss))
            count += 2
            took = time.perf_counter() - started
            if took >= seconds:
                break
        each = took / count * 1000
        say(
            {
                "shape": f"{lanes} x {steps}, minibatch {rows}",
                "rate": count * lanes * steps / took,
                "rollout_ms": 0.0,
                "update_ms": each,
                "finite": bool(math.isfinite(float(loss))),
            }
        )


def build(name: str, lanes: int, steps: int, rows: int) -> tuple[Any, Any]:
    """Return the compiled iteration, carry -> (carry, loss), and the first carry."""
    jax, pgx = import_module("jax"), import_module("pgx")
    np = import_module("jax.numpy")
    again = import_module("pgx.experimental").auto_reset
    env = pgx.make(name)
    init, step = jax.vmap(env.init), jax.vmap(again(env.step, env.init))
    size, actions, players = math.prod(env.observation_shape), env.num_actions, env.num_players

    def net(w: Any, obs: Any) -> tuple[Any, Any]:
        """Return scores (n, A) and values (n,) of observations (n, ...)."""
        h = obs.reshape(obs.shape[0], -1).astype(np.bfloat16)
        for k in range(LAYERS):
            z = (h @ w[f"w{k}"].astype(np.bfloat16)).astype(np.float32) + w[f"b{k}"]
            mean = z.mean(1, keepdims=True)
            spread = ((z - mean) ** 2).mean(1, keepdims=True)
            z = (z - mean) * jax.lax.rsqrt(spread + 1e-5) * w[f"g{k}"] + w[f"s{k}"]
            y = jax.nn.relu(z).astype(np.bfloat16)
            h = y if k == 0 else h + y
        out = (h @ w["wp"].astype(np.bfloat16)).astype(np.float32) + w["bp"]
        return out[:, :actions], out[:, actions]

    def policy(scores: Any, mask: Any) -> Any:
        return jax.nn.log_softmax(np.where(mask, scores, -np.inf), axis=1)

    def act(carry: Any, _: Any) -> tuple[Any, Any]:
        w, state, key = carry
        key, choice, chance = jax.random.split(key, 3)
        scores, value = net(w, state.observation)
        log_p = policy(scores, state.legal_action_mask)
        noise = jax.random.exponential(choice, log_p.shape)
        action = np.argmax(log_p - np.log(noise), axis=1)
        taken = np.take_along_axis(log_p, action[:, None], 1)[:, 0]
        after = step(state, action, jax.random.split(chance, lanes))
        done = after.terminated | after.truncated
        seen = (state.observation, state.legal_action_mask, state.current_player)
        return (w, after, key), (*seen, action, taken, value, after.rewards, done)

    def credit(carry: Any, row: Any) -> tuple[Any, Any]:
        since, following, running, closed = carry  # (n, P) each
        player, value, reward, done = row
        over = done[:, None]
        since, following, running = (np.where(over, 0.0, x) for x in (since, following, running))
        since, closed = since + reward, closed | over
        own = player[:, None] == np.arange(players)
        estimate = since + following + TRACE * running - value[:, None]
        advantage = np.where(own & closed, estimate, 0.0).sum(1)
        known = (own & closed).any(1)
        since = np.where(own, 0.0, since)
        following = np.where(own, value[:, None], following)
        running = np.where(own, advantage[:, None], running)
        return (since, following, running, closed | own), (advantage, known)

    def loss_of(w: Any, part: Any) -> Any:
        obs, mask, action, old, advantage, target, weight = part
        scores, value = net(w, obs)
        now = policy(scores, mask)
        taken = np.take_along_axis(now, action[:, None], 1)[:, 0]
        ratio = np.exp(taken - old)
        gain = np.minimum(ratio * advantage, np.clip(ratio, 1 - CLIP, 1 + CLIP) * advantage)
        entropy = -(np.exp(now) * np.where(mask, now, 0.0)).sum(1)
        gap = np.abs(value - target)
        miss = np.where(gap < 1, 0.5 * gap * gap, gap - 0.5)
        share = weight / np.maximum(weight.sum(), 1)
        return (share * (-gain + VALUE * miss - ENTROPY * entropy)).sum()

    def follow(carry: Any, part: Any) -> tuple[Any, Any]:
        w, mean, square, count = carry
        loss, grads = jax.value_and_grad(loss_of)(w, part)
        tree = jax.tree_util
        norm = np.sqrt(sum((g * g).sum() for g in tree.tree_leaves(grads)))
        grads = tree.tree_map(lambda g: g * np.minimum(1.0, LIMIT / (norm + 1e-6)), grads)
        count = count + 1
        mean = tree.tree_map(lambda m, g: 0.9 * m + 0.1 * g, mean, grads)
        square = tree.tree_map(lambda v, g: 0.999 * v + 0.001 * g * g, square, grads)
        first, second = 1 - 0.9**count, 1 - 0.999**count
        w = tree.tree_map(
            lambda x, m, v: x - RATE * (m / first) / (np.sqrt(v / second) + 1e-8), w, mean, square
        )
        return (w, mean, square, count), loss

    def iterate(carry: Any) -> tuple[Any, Any]:
        weights, state, key = carry
        (_, state, key), kept = jax.lax.scan(act, (weights[0], state, key), None, length=steps)
        obs, mask, player, action, taken, value, reward, done = kept
        last = net(weights[0], state.observation)[1]
        at_cut = state.current_player[:, None] == np.arange(players)
        zero = np.zeros((lanes, players))
        start = (zero, np.where(at_cut, last[:, None], 0.0), zero, at_cut)
        _, (advantage, known) = jax.lax.scan(credit, start, (player, value, reward, done), reverse=True)
        weight = known.astype(np.float32)
        total = np.maximum(weight.sum(), 1)
        mean = (weight * advantage).sum() / total
        spread = np.sqrt((weight * (advantage - mean) ** 2).sum() / total)
        target, advantage = advantage + value, (advantage - mean) / (spread + 1e-8)
        table = (obs, mask, action, taken, advantage, target, weight)
        flat = tuple(x.reshape(steps * lanes, *x.shape[2:]) for x in table)

        def epoch(carry: Any, key: Any) -> tuple[Any, Any]:
            order = jax.random.permutation(key, steps * lanes).reshape(-1, rows)
            return jax.lax.scan(lambda c, r: follow(c, tuple(x[r] for x in flat)), carry, order)

        key, *keys = jax.random.split(key, EPOCHS + 1)
        weights, losses = jax.lax.scan(epoch, weights, np.stack(keys))
        return (weights, state, key), losses.mean()

    key = jax.random.PRNGKey(0)
    w: dict[str, Any] = {}
    for k in range(LAYERS):
        key, sub = jax.random.split(key)
        inputs = size if k == 0 else WIDTH
        w[f"w{k}"] = jax.random.normal(sub, (inputs, WIDTH)) / math.sqrt(inputs)
        w |= {f"b{k}": np.zeros(WIDTH), f"g{k}": np.ones(WIDTH), f"s{k}": np.zeros(WIDTH)}
    w |= {"wp": np.zeros((WIDTH, actions + 1)), "bp": np.zeros(actions + 1)}
    state = jax.jit(init)(jax.random.split(key, lanes))
    mean, square = (jax.tree_util.tree_map(np.zeros_like, w) for _ in range(2))
    carry = ((w, mean, square, np.zeros(())), state, key)
    run = jax.jit(iterate).lower(carry).compile()
    return run, carry
