"""Stands in for JAX, so that a test runs em.py's jobs for JAX where only NumPy is installed. It has
the functions that em.py calls, with their arguments, and computes one element after the other."""

import sys
import types

import numpy

sys.modules["jax.numpy"] = numpy
settings = {}


def update(name, value):
    assert name in ("jax_enable_x64", "jax_default_device"), name
    settings[name] = value


def devices():
    return ["cpu:0"]


def jit(f):
    return f


def block_until_ready(x):
    return x


def stack(results):
    if isinstance(results[0], tuple):
        return tuple(stack(list(r)) for r in zip(*results))
    return numpy.stack(results)


def vmap(f):
    return lambda *arguments: stack([f(*a) for a in zip(*arguments)])


def fori_loop(lower, upper, body, value):
    for i in range(lower, upper):
        value = same(body(i, value), value)
    return value


def while_loop(going, body, value):
    while going(value):
        value = same(body(value), value)
    return value


def same(value, old):
    """Checks that a loop does not change the types of its values, which JAX refuses."""
    if isinstance(old, tuple):
        assert isinstance(value, tuple) and len(value) == len(old)
        return tuple(same(v, o) for v, o in zip(value, old))
    v, o = numpy.asarray(value), numpy.asarray(old)
    assert v.dtype == o.dtype and v.shape == o.shape, (v, o)
    return value


def logsumexp(x, axis):
    top = x.max(axis, keepdims=True)
    return numpy.log(numpy.exp(x - top).sum(axis)) + top.squeeze(axis)


config = types.SimpleNamespace(update=update)
lax = types.SimpleNamespace(fori_loop=fori_loop, while_loop=while_loop)
nn = types.SimpleNamespace(logsumexp=logsumexp)
