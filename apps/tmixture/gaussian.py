"""Mixtures of normal distributions by scikit-learn, the limit of t distributions with many
degrees of freedom. Usage: gaussian.py DATA LABELS COVARIANCE...

DATA is a .npy file, LABELS one with the component of each row, from 0. The first parameters
are the shares, means and covariances of the rows of each component. For each form of
covariances it prints a line of JSON: the log-likelihood before each of the first iterations
and at the end, and the weights and means at the end."""

import json
import sys
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture
from sklearn.mixture._gaussian_mixture import (
    _compute_precision_cholesky,
    _estimate_gaussian_parameters,
)

x, labels = np.load(sys.argv[1]), np.load(sys.argv[2]).astype(int)
n, p = x.shape
warnings.simplefilter("ignore", ConvergenceWarning)


def fit(form, iterations):
    responsibilities = np.eye(labels.max() + 1)[labels]
    sizes, means, covariances = _estimate_gaussian_parameters(x, responsibilities, 0, form)
    root = _compute_precision_cholesky(covariances, form)
    if form == "full":
        precisions = np.array([r @ r.T for r in root])
    elif form == "tied":
        precisions = root @ root.T
    else:
        precisions = root**2
    return GaussianMixture(
        len(sizes),
        covariance_type=form,
        tol=1e-15,
        reg_covar=0,
        max_iter=iterations,
        weights_init=sizes / n,
        means_init=means,
        precisions_init=precisions,
    ).fit(x)


for form in sys.argv[3:]:
    last = fit(form, 20000)
    print(
        json.dumps(
            {
                "first": [fit(form, k).lower_bound_ * n for k in (1, 2, 3)],
                "loglik": last.score_samples(x).sum(),
                "weights": last.weights_.tolist(),
                "means": last.means_.tolist(),
            }
        )
    )
