"""Minima of functions on grids by NumPy and by scipy.optimize.brute, for TestNumPy. Usage:
brute.py < CASES

A line of standard input is a JSON object with the name of a function below, its axes, each
a list of begin, step, count and whether it is geometric, and top, a number of nodes. The answer
is a line with the position and the value of the minimum, the positions of the top nodes, the
numbers of NaNs and infinities, and the position of scipy.optimize.brute if SciPy is installed,
or else -1. Positions are -1 if no value is finite, and that of brute for more than 2^14 nodes,
because it calls a function of Python for each."""

import json
import sys

import numpy as np

try:
    from scipy.optimize import brute
except ImportError:
    brute = None

np.seterr(all="ignore")


def schwefel(*x):
    return sum(418.9829 - v * np.sin(np.sqrt(np.abs(v))) for v in x)


def rastrigin(*x):
    return sum(10 + v**2 - 10 * np.cos(2 * np.pi * v) for v in x)


def rosenbrock(*x):
    return sum(100 * (b - a * a) ** 2 + (1 - a) ** 2 for a, b in zip(x, x[1:]))


def ackley(*x):
    n = len(x)
    squares, cosines = sum(v * v for v in x), sum(np.cos(2 * np.pi * v) for v in x)
    return 20 + np.e - 20 * np.exp(-0.2 * np.sqrt(squares / n)) - np.exp(cosines / n)


def griewank(*x):
    product = np.prod([np.cos(v / np.sqrt(k + 1)) for k, v in enumerate(x)], axis=0)
    return 1 + sum(v * v for v in x) / 4000 - product


functions = {
    "schwefel": schwefel,
    "rastrigin": rastrigin,
    "rosenbrock": rosenbrock,
    "ackley": ackley,
    "griewank": griewank,
    "himmelblau": lambda x, y: (x * x + y - 11) ** 2 + (x + y * y - 7) ** 2,
    "steps": lambda x, y: np.floor(x) + np.floor(np.abs(y)),
    "poles": lambda x, y: 1 / x + y / (y - 1),
    "roots": lambda x, y, z: np.log(x * y) + np.sqrt(z),
    "logarithm": lambda x, y: np.log(x) ** 2 + np.minimum(y, 3),
    "valley": lambda x: (x - 1) ** 2 * (x + 2) ** 2 + x,
    "nowhere": lambda x, y: np.log(-1 - x * x) + y,
}


def coordinates(begin, step, count, geometric):
    if geometric:
        return begin * step ** np.arange(count)
    return begin + step * np.arange(count)


def by_scipy(f, axes):
    """The position that brute finds. It works on positions, because it has ranges of its own, and
    its minimum is the first NaN, if there is one."""

    def at(indices):
        v = f(*(a[int(i)] for a, i in zip(axes, indices)))
        return v if np.isfinite(v) else np.inf

    best = brute(at, [slice(0, len(a), 1) for a in axes], finish=None)
    return int(np.ravel_multi_index(np.atleast_1d(best).astype(int), [len(a) for a in axes]))


for line in sys.stdin:
    case = json.loads(line)
    f, axes = functions[case["name"]], [coordinates(*a) for a in case["axes"]]
    values = np.broadcast_to(f(*np.meshgrid(*axes, indexing="ij")), [len(a) for a in axes]).ravel()
    finite = np.where(np.isfinite(values), values, np.inf)
    order = np.argsort(finite, kind="stable")[: case["top"]]
    some = np.isfinite(finite).any()
    print(json.dumps({
        "position": int(finite.argmin()) if some else -1,
        "value": float(finite.min()) if some else 0,
        "top": [int(i) for i in order if np.isfinite(finite[i])],
        "nans": int(np.isnan(values).sum()),
        "infinities": int(np.isinf(values).sum()),
        "brute": by_scipy(f, axes) if brute and some and len(values) <= 1 << 14 else -1,
    }), flush=True)
