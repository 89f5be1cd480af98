// sortcopy computes elements into memory.
KERNEL sortcopy(CTX_K SRC_P GLOBAL T *out, i64 n, i64 chunk) {
#ifdef SHAPE_CPU
	i64 lo = group_id() * chunk, hi = lo + chunk < n ? lo + chunk : n;
	for (i64 i = lo; i < hi; i++)
		out[i] = load(CTX_A SRC_A i);
#else
	i64 i = group_id() * lanes() + lane_id();
	if (i < n)
		out[i] = load(CTX_A SRC_A i);
#endif
}
