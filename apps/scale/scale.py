"""The least errors of diagnostic scales, by sorting, cumulative sums and cumulative maxima in JAX or
NumPy. Usage: scale.py LIBRARY CANDIDATES N FEATURES GROUPS [DEVICE]

LIBRARY is jax or numpy, and DEVICE the number of a CUDA device. For each line on standard input it
evaluates the candidates some times and prints a line

    scale  float32  CANDIDATES  median  q1  q3

with tabs between, the times in microseconds."""

import os
import sys
import time

import numpy as np

os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
library = sys.argv[1]
candidates, n, features, groups = map(int, sys.argv[2:6])
number = int(sys.argv[6]) if len(sys.argv) > 6 else 0
never = -(1 << 30)

rng = np.random.default_rng(1)
x = rng.integers(1, 11, (n, features)).astype(np.float32)
y = rng.integers(0, groups, n)
weights = rng.uniform(-1, 1, (candidates, features)).astype(np.float32)


def by_numpy():
    def score():
        f = weights @ x.T
        order = np.argsort(f, axis=1)
        sorted_f, sorted_y = np.take_along_axis(f, order, 1), y[order]
        cut = np.ones(f.shape, bool)
        cut[:, :-1] = sorted_f[:, 1:] != sorted_f[:, :-1]
        best = np.cumsum(sorted_y == 0, axis=1)
        for k in range(1, groups):
            count = np.cumsum(sorted_y == k, axis=1)
            gain = np.where(cut, best - count, never)
            gain = np.maximum.accumulate(gain, axis=1)
            best = count.copy()
            best[:, 1:] += gain[:, :-1]
        return n - best[:, -1]

    return score


def by_jax():
    import jax
    import jax.numpy as jnp

    device = jax.devices()[number % len(jax.devices())]
    data = [jax.device_put(v, device) for v in (x, y, weights)]

    @jax.jit
    def score(x, y, weights):
        f = weights @ x.T
        order = jnp.argsort(f, axis=1)
        sorted_f, sorted_y = jnp.take_along_axis(f, order, 1), y[order]
        cut = jnp.concatenate([sorted_f[:, 1:] != sorted_f[:, :-1], jnp.ones((candidates, 1), bool)], 1)
        best = jnp.cumsum(sorted_y == 0, axis=1)
        for k in range(1, groups):
            count = jnp.cumsum(sorted_y == k, axis=1)
            gain = jnp.where(cut, best - count, never)
            first = jnp.zeros((candidates, 1), gain.dtype)
            best = count + jax.lax.cummax(jnp.concatenate([first, gain[:, :-1]], 1), axis=1)
        return n - best[:, -1]

    return lambda: jax.block_until_ready(score(*data))


score = {"numpy": by_numpy, "jax": by_jax}[library]()
score()


def microseconds():
    start = time.perf_counter()
    score()
    return (time.perf_counter() - start) * 1e6


for _ in sys.stdin:
    times = sorted(microseconds() for _ in range(5))
    print("scale", "float32", candidates, times[2], times[1], times[3], sep="\t", flush=True)
