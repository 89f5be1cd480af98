// lengths computes the lengths of the runs of Unique.Runs: the distances between the indices at which
// they begin. The last run ends at base + n.
KERNEL lengths(CTX_K SRC_P GLOBAL i64 *out, GLOBAL const i64 *kept, i64 base, i64 n, i64 chunk COUNT_P) {
	LIMIT(n);
	i64 k = kept[0];
	for (i64 lo = (group_id() * lanes() + lane_id()) * chunk; lo < k; lo += groups() * lanes() * chunk)
		for (i64 i = lo; i < lo + chunk && i < k; i++)
			out[i] = (i + 1 < k ? at(CTX_A SRC_A i + 1) : base + n) - at(CTX_A SRC_A i);
}
