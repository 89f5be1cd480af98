// head copies the first k of every `pitch` indices (skel/sort_top.go). It adds `add` to all of them, and
// `step` to those of each row more than to those of the row before.
KERNEL head(CTX_K SRC_P GLOBAL i64 *out, i64 n, i64 chunk, i64 k, i64 pitch, i64 add, i64 step) {
	i64 lo = (group_id() * lanes() + lane_id()) * chunk, hi = lo + chunk < n ? lo + chunk : n;
	for (i64 i = lo; i < hi; i++)
		out[i] = load(CTX_A SRC_A i / k * pitch + i % k) + add + i / k * step;
}
