"""Lloyd iterations of scikit-learn, as its KMeans runs them after all checks
of the input. bench starts it with the file of the points (float32), their
number, dimension, k and the most iterations; the first k points are the start.
For each line on standard input it runs once, and prints the seconds and the
number of iterations and the sizes of the clusters."""

import os
import sys
import time

import numpy as np
from sklearn.cluster._kmeans import lloyd_iter_chunked_dense as lloyd
from threadpoolctl import threadpool_limits

n, dim, k, most = map(int, sys.argv[2:])
points = np.fromfile(sys.argv[1], dtype=np.float32).reshape(n, dim)
weights = np.ones(n, dtype=np.float32)
threads = len(os.sched_getaffinity(0))

for _ in sys.stdin:
    centers = points[:k].copy()
    new = np.zeros_like(centers)
    mass, shift = np.zeros(k, dtype=np.float32), np.zeros(k, dtype=np.float32)
    labels, before = np.full(n, -1, dtype=np.int32), np.full(n, -1, dtype=np.int32)
    iterations = 0
    start = time.perf_counter()
    with threadpool_limits(limits=1, user_api="blas"):
        moving = True
        while moving and iterations < most:
            lloyd(points, weights, centers, new, mass, labels, shift, threads)
            centers, new = new, centers
            iterations += 1
            moving = not np.array_equal(labels, before)
            before[:] = labels
        seconds = time.perf_counter() - start
        if moving:  # KMeans ends with the labels of the last centres
            lloyd(points, weights, centers, centers, mass, labels, shift, threads, update_centers=False)
    print(seconds, iterations, *np.bincount(labels, minlength=k), flush=True)
