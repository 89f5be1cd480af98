"""The arg-min of the two-dimensional Schwefel function on a grid, by JAX or NumPy. Usage:
grid.py LIBRARY SIDE [DEVICE]

LIBRARY is jax or numpy, and DEVICE the number of a CUDA device. For each line on standard input it
measures searches of SIDE^2 nodes and prints a line

    grid  float64  SIDE^2  median  q1  q3

with tabs between, the times of a search in microseconds."""

import os
import sys
import time

os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
library, side = sys.argv[1], int(sys.argv[2])
number = int(sys.argv[3]) if len(sys.argv) > 3 else 0
begin, step = -500.0, 1000 / (side - 1)


def by_jax():
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    devices = jax.devices()

    @jax.jit
    def search(begin, step):
        i = jax.lax.iota(jnp.int64, side * side)
        x, y = begin + step * (i // side), begin + step * (i % side)
        f = 2 * 418.9829 - x * jnp.sin(jnp.sqrt(jnp.abs(x))) - y * jnp.sin(jnp.sqrt(jnp.abs(y)))
        return jnp.argmin(f)

    at = [jax.device_put(v, devices[number % len(devices)]) for v in (begin, step)]
    return lambda: int(search(*at))


def by_numpy():
    import numpy as np

    def search():
        x = begin + step * np.arange(side)
        term = x * np.sin(np.sqrt(np.abs(x)))
        best, where = np.inf, 0
        for i in range(side):  # a row at a time, because the values would not fit into the cache
            f = 2 * 418.9829 - term[i] - term
            k = int(f.argmin())
            if f[k] < best:
                best, where = f[k], i * side + k
        return where

    return search


search = {"jax": by_jax, "numpy": by_numpy}[library]()
where = search()
if abs(begin + step * (where % side) - 420.9687) > step:
    sys.exit(f"grid.py: the minimum is at {where}")


def microseconds():
    start = time.perf_counter()
    search()
    return (time.perf_counter() - start) * 1e6


for _ in sys.stdin:
    times = sorted(microseconds() for _ in range(3))
    print("grid", "float64", side * side, times[1], times[0], times[2], sep="\t", flush=True)
