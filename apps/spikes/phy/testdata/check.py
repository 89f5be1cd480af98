"""Checks a folder as phylib's TemplateModel does when Phy opens it (phylib/io/model.py), and
as SpikeInterface's extractors read it. Usage: check.py FOLDER"""

import csv
import sys
from pathlib import Path

import numpy as np

folder = Path(sys.argv[1])


def read(name, mmap=False):
    """Reads an array. phylib removes dimensions of length 1."""
    x = np.load(folder / (name + ".npy"), mmap_mode="r" if mmap else None)
    assert x.dtype.isnative and x.flags.c_contiguous, name
    if x.dtype.kind == "f":
        assert np.all(np.isfinite(x)), name
    return x.squeeze()


# params.py
params = {}
exec((folder / "params.py").read_text(), {}, params)
assert isinstance(params["dat_path"], (str, list))
np.dtype(params["dtype"])
assert params["sample_rate"] > 0 and params["offset"] >= 0

# Spikes.
samples = read("spike_times")
assert samples.dtype.kind in "iu" and samples.ndim == 1
assert np.all(np.diff(samples.astype(np.int64)) >= 0) and samples[0] >= 0
n = len(samples)
amplitudes = read("amplitudes")
assert amplitudes.shape == (n,) and amplitudes.dtype.kind == "f"
templates_of = read("spike_templates")
assert templates_of.shape == (n,) and templates_of.dtype in (np.uint32, np.int32, np.int64)
clusters = read("spike_clusters")
assert clusters.shape == (n,) and clusters.dtype.kind in "iu"

# Channels.
channels = np.atleast_1d(read("channel_map"))
assert channels.ndim == 1 and channels.dtype in (np.uint32, np.int32, np.int64)
nc = len(channels)
assert np.all(channels <= params["n_channels_dat"] - 1)
positions = np.atleast_2d(read("channel_positions"))
assert positions.shape == (nc, 2)
assert len({tuple(p) for p in positions}) == nc

# Templates, which are dense, as there is no template_ind.npy.
templates = np.atleast_3d(read("templates", mmap=True))
assert templates.dtype in (np.float32, np.float64) and templates.ndim == 3
nt, ns, nloc = templates.shape
assert nloc == nc, templates.shape
assert templates_of.min() >= 0 and templates_of.max() < nt
assert clusters.min() >= 0 and clusters.max() < nt
ind = np.load(folder / "templates_ind.npy")
assert ind.shape == (nt, nc) and ind.min() >= 0 and ind.max() < nc
for name in ("whitening_mat", "whitening_mat_inv"):
    assert np.atleast_2d(read(name)).shape == (nc, nc), name
similar = np.atleast_2d(read("similar_templates"))
assert similar.shape == (nt, nt) and np.allclose(similar, similar.T)

# Features.
features = read("pc_features", mmap=True)
if features.ndim == 2:
    features = features.reshape(features.shape + (1,))
assert features.ndim == 3 and features.dtype in (np.float32, np.float64)
features = features.transpose((0, 2, 1))
assert features.shape[:2] == (n, nc), features.shape
cols = read("pc_feature_ind", mmap=True)
if cols.ndim == 1:
    cols = cols.reshape(cols.shape + (1,))
assert cols.shape == (nt, nc) and cols.min() >= 0 and cols.max() < nc

# Attributes of spikes.
known = ("clusters", "templates", "samples", "times", "times_reordered", "amplitudes")
for file in folder.glob("spike_*.npy"):
    if file.stem[6:] not in known:
        assert read(file.stem).shape == (n,), file

# The subset of waveforms.
if (folder / "_phy_spikes_subset.waveforms.npy").exists():
    waveforms = read("_phy_spikes_subset.waveforms", mmap=True)
    where = read("_phy_spikes_subset.channels")
    spikes = read("_phy_spikes_subset.spikes")
    assert waveforms.ndim == 3 and waveforms.shape[:2] == (len(spikes), ns)
    assert where.ndim == 2 and where.shape == (len(spikes), waveforms.shape[2])
    assert np.all(np.diff(spikes) > 0) and spikes[0] >= 0 and spikes[-1] < n
    assert where.min() >= -1 and where.max() < nc
    assert set(np.unique(clusters)) == set(np.unique(clusters[spikes]))

# The tables.
infos = [p for p in folder.iterdir() if p.suffix in (".csv", ".tsv") and "cluster_info" in p.name]
assert len(infos) == 1
for file in folder.glob("*.tsv"):
    with open(file) as f:
        rows = list(csv.DictReader(f, delimiter="\t"))
    assert rows and all(None not in r and None not in r.values() for r in rows), file
    ids = [int(r["cluster_id"]) for r in rows]
    assert set(np.unique(clusters)) <= set(ids) and len(set(ids)) == len(ids), file
    if "group" in rows[0]:
        assert all(r["group"] in ("unsorted", "good", "mua", "noise") for r in rows), file
    if "n_spikes" in rows[0]:
        counts = np.bincount(clusters, minlength=len(ids))
        assert all(int(r["n_spikes"]) == counts[int(r["cluster_id"])] for r in rows), file

# KlustaKwik.
for fet in folder.glob("*.fet.1"):
    with open(fet) as f:
        k = int(f.readline())
        rows = np.loadtxt(f, dtype=np.int64, ndmin=2)
    assert rows.shape == (n, k) and np.array_equal(rows[:, -1], samples), fet
    with open(str(fet)[:-6] + ".clu.1") as f:
        g = int(f.readline())
        clu = np.loadtxt(f, dtype=np.int64, ndmin=1)
    assert clu.shape == (n,) and clu.min() >= 1 and clu.max() <= g
    assert np.all((clu == 1) | (clu == clusters + 2))

print(f"{n} spikes, {nt} templates of {ns} samples and {nc} channels")
