// Prefixes of the runs of a tile, on GPUs with warps: a lane has one run, and passes its result
// on by shuffles inside a warp and through local memory between warps.

// warp_prefix returns the inclusive prefix of each lane's x over the lanes of its warp
// (Sklansky 1960). Only lanes below n have elements.
FUNC T warp_prefix(CTX_P SRC_P T x, int lane, int n) {
	UNROLL
	for (int d = 1; d < SKEL_WARP; d *= 2) {
		T left = warp_get(x, (lane & ~(2 * d - 1)) + d - 1);
		if ((lane & d) && lane < n)
			x = op(CTX_A SRC_A left, x);
	}
	return x;
}

// over_warps puts the totals of the warps before warp w in front of the prefix x inside it: the
// last three levels of the same tree. WARPS is 8.
FUNC T over_warps(CTX_P SRC_P LOCAL_PTR const T *total, int w, T x) {
	if (w & 1)
		x = op(CTX_A SRC_A total[w - 1], x);
	if (w & 2)
		x = op(CTX_A SRC_A op(CTX_A SRC_A total[(w & ~3)], total[(w & ~3) + 1]), x);
	if (w & 4)
		x = op(CTX_A SRC_A op(CTX_A SRC_A op(CTX_A SRC_A total[0], total[1]), op(CTX_A SRC_A total[2], total[3])), x);
	return x;
}
