"""JAX's segment_sum of float32 by sorted keys. skelgo bench starts it. For each
line "segment-sum N KEYS" on standard input it prints a line

    segment-sum  float32  N  median  q1  q3

with tabs between, the times in microseconds a call."""

import os
import sys
import time

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # the others need memory, too

import jax
import jax.numpy as jnp

CALLS = 10
last = (None, None, None)


def inputs(n, keys):
    """Random values and sorted keys; those of the last request are kept."""
    global last
    if last[0] != (n, keys):
        last = (None, None, None)
        x = jax.random.uniform(jax.random.PRNGKey(1), (n,), dtype=jnp.float32)
        # int32 cannot hold i * keys.
        of = (jnp.arange(n, dtype=jnp.float32) * (keys / n)).astype(jnp.int32)
        last = ((n, keys), x, jnp.minimum(of, keys - 1))
    return last[1:]


def microseconds(sums, x, of):
    start = time.perf_counter()
    for _ in range(CALLS):
        out = sums(x, of)
    out.block_until_ready()
    return (time.perf_counter() - start) / CALLS * 1e6


def segment_sum(keys):
    return jax.jit(lambda x, of: jax.ops.segment_sum(x, of, num_segments=keys, indices_are_sorted=True))


for line in sys.stdin:
    try:
        _, n, keys = line.split()
        x, of = inputs(int(n), int(keys))
        sums = segment_sum(int(keys))
        sums(x, of).block_until_ready()  # the first call compiles
        times = sorted(microseconds(sums, x, of) for _ in range(3))
        print("segment-sum", "float32", n, times[1], times[0], times[2], sep="\t", flush=True)
    except Exception as error:
        print("error", " ".join(str(error).split()), sep="\t", flush=True)
