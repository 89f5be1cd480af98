"""EM for many mixtures of inverse Gaussian distributions at once, in JAX or NumPy.
Usage: em.py LIBRARY TYPE JOB SETS STARTS N M [DEVICE]

LIBRARY is jax or numpy, TYPE float32 or float64, and DEVICE the number of a CUDA device. JOB is
fixed, 100 iterations of fits to SETS data sets of N values from STARTS starts, or ragged (jax
only), fits to sets of 20 to N values until all have converged. For each line on standard input it
measures the job and prints a line

    em  TYPE  SETS  median  q1  q3

with tabs between, the times in microseconds."""

import math
import os
import sys
import time

os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
library, kind, job = sys.argv[1:4]
sets, starts, n, m = map(int, sys.argv[4:8])
number = int(sys.argv[8]) if len(sys.argv) > 8 else 0
ITERATIONS, TOLERANCE, MOST = 100, 1e-8, 1000

import numpy as np

random = np.random.default_rng(1)


def draw(shape):
    return np.where(random.random(shape) < 0.5, random.wald(1, 5, shape), random.wald(3, 20, shape)).astype(kind)


def first(xp, count):
    mu = xp.asarray(random.uniform(0.5, 4, (count, starts, m)), kind)
    return mu, xp.full_like(mu, 5), xp.full_like(mu, 1 / m)


def by_numpy():
    x = draw((sets, n))
    theta = first(np, sets)

    def fit(x, mu, la, al):  # one data set, one start
        x = x[:, None]
        for _ in range(ITERATIONS):
            lp = np.log(al) + 0.5 * (np.log(la) - np.log(2 * np.pi * x**3)) - la * (x - mu) ** 2 / (2 * mu**2 * x)
            top = lp.max(1, keepdims=True)
            p = np.exp(lp - top)
            total = p.sum(1, keepdims=True)
            z = top + np.log(total)
            p /= total
            s0, s1, sm = p.sum(0), (p * x).sum(0), (p / x).sum(0)
            mu = s1 / s0
            la = 1 / (sm / s0 - 1 / mu)
            al = s0 / len(x)
        return z.sum()

    def run():
        return [fit(x[d], *(t[d, s] for t in theta)) for d in range(sets) for s in range(starts)]

    return run


def by_jax():
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    devices = jax.devices()
    jax.config.update("jax_default_device", devices[number % len(devices)])

    def step(x, there, count, mu, la, al):
        x = x[:, None]
        lp = jnp.log(al) + 0.5 * (jnp.log(la) - jnp.log(2 * jnp.pi * x**3)) - la * (x - mu) ** 2 / (2 * mu**2 * x)
        z = jax.nn.logsumexp(lp, axis=1)
        p = jnp.exp(lp - z[:, None])
        if there is not None:
            p, z = p * there[:, None], z * there
        s0, s1, sm = p.sum(0), (p * x).sum(0), (p / x).sum(0)
        mean = s1 / s0
        return mean, 1 / (sm / s0 - 1 / mean), s0 / count, z.sum()

    def fixed(x, mu, la, al):
        zero = jnp.zeros((), x.dtype)
        return jax.lax.fori_loop(0, ITERATIONS, lambda _, s: step(x, None, n, *s[:3]), (mu, la, al, zero))

    def ragged(x, count, mu, la, al):
        there = (jnp.arange(n) < count).astype(x.dtype)

        def body(s):
            i, theta, old, _ = s
            new = step(x, there, count.astype(x.dtype), *theta)
            return i + 1, new[:3], new[3], new[3] - old <= TOLERANCE * abs(new[3])

        def going(s):
            return (s[0] < MOST) & jnp.logical_not(s[3])

        return jax.lax.while_loop(going, body, (0, (mu, la, al), jnp.asarray(-jnp.inf, x.dtype), False))[1:3]

    if job == "fixed":
        x, theta = jnp.asarray(draw((sets, n))), first(jnp, sets)
        f = jax.jit(jax.vmap(lambda x, *t: jax.vmap(lambda *t: fixed(x, *t))(*t)))
        return lambda: jax.block_until_ready(f(x, *theta))
    # As many sets at a time as keep the device busy, and fit its memory.
    chunks = math.ceil(sets / 1000)
    chunk = math.ceil(sets / chunks)
    x, theta = draw((chunk, n)), first(jnp, chunk)
    counts = [jnp.asarray(random.integers(20, n + 1, chunk)) for _ in range(chunks)]
    x = jnp.asarray(x)
    f = jax.jit(jax.vmap(lambda x, c, *t: jax.vmap(lambda *t: ragged(x, c, *t))(*t)))
    return lambda: jax.block_until_ready([f(x, c, *theta) for c in counts])


run = {"numpy": by_numpy, "jax": by_jax}[library]()
if library == "jax":
    run()


def microseconds():
    start = time.perf_counter()
    run()
    return (time.perf_counter() - start) * 1e6


for _ in sys.stdin:
    times = sorted(microseconds() for _ in range(1 if library == "numpy" else 3))
    print("em", kind, sets, times[len(times) // 2], times[0], times[-1], sep="\t", flush=True)
