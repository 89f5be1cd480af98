"""Lloyd's iteration as one writes it in PyTorch: a matrix product, argmin and
index_add. skelgo bench starts it with the number of a CUDA device. For each
line "lloyd N DIM K" on standard input it prints a line

    lloyd  float32  N  median  q1  q3

with tabs between, the times in microseconds an iteration."""

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


def microseconds(x, k):
    centres = x[:k].clone()
    torch.cuda.synchronize(device)
    start = time.perf_counter()
    for _ in range(ITERATIONS):
        centres = iterate(x, centres)
    torch.cuda.synchronize(device)
    return (time.perf_counter() - start) / ITERATIONS * 1e6


for line in sys.stdin:
    try:
        _, n, dim, k = line.split()
        x = points(int(n), int(dim))
        iterate(x, x[: int(k)].clone())  # the first one chooses algorithms
        times = sorted(microseconds(x, int(k)) for _ in range(3))
        print("lloyd", "float32", n, times[1], times[0], times[2], sep="\t", flush=True)
        torch.cuda.empty_cache()  # the others need memory, too
    except Exception as error:
        print("error", " ".join(str(error).split()), sep="\t", flush=True)
