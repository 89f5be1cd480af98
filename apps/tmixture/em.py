"""EM iterations with full covariances, by hand in PyTorch or JAX (mixtures of t distributions) or
by scikit-learn's GaussianMixture. Usage: em.py LIBRARY TYPE N DIM G [DEVICE]

LIBRARY is torch, jax or sklearn, TYPE float32 or float64, and DEVICE the number of a CUDA
device. For each line on standard input it measures iterations and prints a line

    em  TYPE  N  median  q1  q3

with tabs between, the times of an iteration in microseconds."""

import os
import sys
import time

os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
library, kind = sys.argv[1:3]
n, p, g = map(int, sys.argv[3:6])
number = int(sys.argv[6]) if len(sys.argv) > 6 else 0
ITERATIONS = 5


def by_torch():
    import torch

    device = torch.device("cuda", number) if torch.cuda.is_available() else torch.device("cpu")
    real = {"device": device, "dtype": getattr(torch, kind)}
    torch.manual_seed(1)
    x = torch.randn(n, p, **real)
    eye = torch.eye(p, **real)

    def step(weights, means, covariances, nu):
        root = torch.linalg.cholesky(covariances)
        inverse = torch.linalg.solve_triangular(root, eye.expand(g, p, p), upper=False)
        shift = inverse @ means[:, :, None]
        y = torch.baddbmm(shift.mT, x.expand(g, n, p), inverse.mT, beta=-1)
        delta = torch.linalg.vecdot(y, y)  # g x n
        constant = torch.lgamma((nu + p) / 2) - torch.lgamma(nu / 2) - p / 2 * torch.log(torch.pi * nu)
        constant = constant + weights.log() - root.diagonal(dim1=1, dim2=2).log().sum(1)
        logs = constant[:, None] - (nu + p) / 2 * torch.log1p(delta / nu)
        rows = logs.logsumexp(0)
        z = (logs - rows).exp_()
        u = (p + nu) / (delta + nu)
        expected = torch.digamma((nu + p) / 2) + torch.log(2 / (delta + nu)) - u
        stat = -torch.linalg.vecdot(z.flatten(), expected.flatten()) / n
        q = z * u
        f = q.sum(1)
        means = q @ x / f[:, None]
        deviation = torch.sub(x, means[:, None, :], out=y).mul_((q / f[:, None]).sqrt_()[:, :, None])
        covariances = deviation.mT @ deviation
        a = stat + stat.log() - 1
        nu = 2 / a + 0.0416 * (1 + torch.erf(0.6594 * torch.log(2.1971 / a)))
        return (z.sum(1) / n, means, covariances, nu), rows.sum()

    theta = (torch.full((g,), 1 / g, **real), x[:g].clone(), eye.repeat(g, 1, 1), torch.tensor(50.0, **real))

    def wait():
        if device.type == "cuda":
            torch.cuda.synchronize(device)

    return step, theta, wait


def by_jax():
    import jax
    import jax.numpy as jnp
    from jax.scipy.linalg import solve_triangular
    from jax.scipy.special import digamma, erf, gammaln, logsumexp

    jax.config.update("jax_enable_x64", True)
    real = getattr(jnp, kind)
    devices = jax.devices()
    x = jax.device_put(jax.random.normal(jax.random.PRNGKey(0), (n, p), real), devices[number % len(devices)])

    @jax.jit
    def step(weights, means, covariances, nu):
        root = jnp.linalg.cholesky(covariances)

        def distances(part):
            mean, lower = part
            y = solve_triangular(lower, (x - mean).T, lower=True)
            return (y * y).sum(0), jnp.log(jnp.diag(lower)).sum()

        delta, log_root = jax.lax.map(distances, (means, root))
        constant = gammaln((nu + p) / 2) - gammaln(nu / 2) - p / 2 * jnp.log(jnp.pi * nu) + jnp.log(weights)
        logs = (constant - log_root)[:, None] - (nu + p) / 2 * jnp.log1p(delta / nu)
        rows = logsumexp(logs, axis=0)
        z = jnp.exp(logs - rows)
        u = (p + nu) / (delta + nu)
        stat = -(z * (digamma((p + nu) / 2) + jnp.log(2 / (delta + nu)) - u)).sum() / n
        q = z * u
        f = q.sum(1)
        means = q @ x / f[:, None]

        def scatter(part):
            weight, mean, total = part
            deviation = jnp.sqrt(weight / total)[:, None] * (x - mean)
            return deviation.T @ deviation

        covariances = jax.lax.map(scatter, (q, means, f))
        a = stat + jnp.log(stat) - 1
        nu = (2 / a + 0.0416 * (1 + erf(0.6594 * jnp.log(2.1971 / a)))).astype(real)
        return (z.sum(1) / n, means, covariances, nu), rows.sum()

    theta = (jnp.full((g,), 1 / g, real), x[:g], jnp.stack([jnp.eye(p, dtype=real)] * g), real(50))
    return step, theta, lambda: jax.block_until_ready(last)


def by_sklearn():
    import numpy as np
    from sklearn.mixture import GaussianMixture

    x = np.random.default_rng(1).standard_normal((n, p)).astype(kind)
    mixture = GaussianMixture(g, reg_covar=0)
    mixture._initialize(x, np.eye(g)[np.arange(n) % g])

    def step(mixture):
        mean, responsibilities = mixture._e_step(x)
        mixture._m_step(x, responsibilities)
        return (mixture,), mean * n

    return step, (mixture,), lambda: None


step, theta, wait = {"torch": by_torch, "jax": by_jax, "sklearn": by_sklearn}[library]()
second, first = step(*theta)
last = step(*second)
if not float(first) < float(last[1]):
    sys.exit(f"em.py: the log-likelihood goes from {float(first)} to {float(last[1])}")


def microseconds():
    global last
    start = time.perf_counter()
    last = theta, None
    for _ in range(ITERATIONS):
        last = step(*last[0])
    wait()
    return (time.perf_counter() - start) / ITERATIONS * 1e6


for _ in sys.stdin:
    times = sorted(microseconds() for _ in range(3))
    print("em", kind, n, times[1], times[0], times[2], sep="\t", flush=True)
