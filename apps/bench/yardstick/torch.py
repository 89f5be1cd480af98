"""Algorithms of the applications as one writes them in PyTorch. skelgo bench starts it with
the number of a CUDA device. For each of these lines on standard input

    lloyd N DIM K          an iteration of k-means: a matrix product, argmin and index_add
    pca-covariance N DIM   principal components: eigenvectors of the covariance
    pca-tsqr N DIM         the same: QR, and the singular values of R

it prints a line

    lloyd  float32  N  median  q1  q3

with tabs between, the times in microseconds."""

import sys
import time

import torch

ITERATIONS = 10
device = torch.device("cuda", int(sys.argv[1]) if len(sys.argv) > 1 else 0)
last = (None, None)


def points(n, dim):
    """Random points; those of the last request are kept."""
    global last
    if last[0] != (n, dim):
        last = (None, None)
        torch.cuda.empty_cache()
        torch.manual_seed(1)
        last = ((n, dim), torch.randn(n, dim, device=device))
    return last[1]


def iterate(x, centres):
    distance = (centres * centres).sum(1) - 2 * (x @ centres.T)
    label = distance.argmin(1)
    sums = torch.zeros_like(centres).index_add_(0, label, x)
    ones = torch.ones(len(x), device=device)
    count = torch.zeros(len(centres), device=device).index_add_(0, label, ones)
    return sums / count.clamp(min=1)[:, None]


def lloyd(x, k):
    centres = x[: int(k)].clone()
    for _ in range(ITERATIONS):
        centres = iterate(x, centres)


def covariance(x):
    y = x - x.mean(0)
    return torch.linalg.eigh(y.T @ y)


def tsqr(x):
    y = x - x.mean(0)
    return torch.linalg.svd(torch.linalg.qr(y).R)


def microseconds(call, x, rest, calls):
    torch.cuda.synchronize(device)
    start = time.perf_counter()
    call(x, *rest)
    torch.cuda.synchronize(device)
    return (time.perf_counter() - start) / calls * 1e6


for line in sys.stdin:
    try:
        name, n, dim, *rest = line.split()
        call, calls = {
            "lloyd": (lloyd, ITERATIONS),
            "pca-covariance": (covariance, 1),
            "pca-tsqr": (tsqr, 1),
        }[name]
        x = points(int(n), int(dim))
        microseconds(call, x, rest, calls)  # the first one chooses algorithms
        times = sorted(microseconds(call, x, rest, calls) for _ in range(3))
        print(name, "float32", n, times[1], times[0], times[2], sep="\t", flush=True)
        torch.cuda.empty_cache()  # the others need memory, too
    except Exception as error:
        print("error", " ".join(str(error).split()), sep="\t", flush=True)
