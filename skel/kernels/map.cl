// out[i] = load(i), chunk elements a work-item where a CPU runs it
#ifdef SHAPE_CPU
#pragma clang diagnostic ignored "-Wpass-failed" // not all that is computed can be vectorised
KERNEL map(CTX_K SRC_P GLOBAL T *out, i64 n, i64 chunk) {
	i64 lo = group_id() * chunk, hi = lo + chunk < n ? lo + chunk : n;
	// Element i is stored when everything that is read for it has been read.
#pragma clang loop vectorize(assume_safety)
	for (i64 i = lo; i < hi; i++)
		out[i] = load(CTX_A SRC_A i);
}
#else
KERNEL map(CTX_K SRC_P GLOBAL T *out, i64 n, i64 chunk) {
	i64 i = group_id() * lanes() + lane_id();
	if (i < n)
		out[i] = load(CTX_A SRC_A i);
}
#endif
