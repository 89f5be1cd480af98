// Prefixes inside a tile, a run a lane, on GPUs with warps.

// Inclusive prefixes over the lanes of a warp (Sklansky 1960); lane n and
// those after it have no elements.
FUNC T warp_prefix(CTX_P SRC_P T x, int lane, int n) {
	UNROLL
	for (int d = 1; d < SKEL_WARP; d *= 2) {
		T left = warp_get(x, (lane & ~(2 * d - 1)) + d - 1);
		if ((lane & d) && lane < n)
			x = op(CTX_A SRC_A left, x);
	}
	return x;
}

// Continues the prefix x inside warp w with the warps before it, in the same
// order. WARPS is 8.
FUNC T over_warps(CTX_P SRC_P LOCAL_PTR const T *total, int w, T x) {
	if (w & 1)
		x = op(CTX_A SRC_A total[w - 1], x);
	if (w & 2)
		x = op(CTX_A SRC_A op(CTX_A SRC_A total[(w & ~3)], total[(w & ~3) + 1]), x);
	if (w & 4)
		x = op(CTX_A SRC_A op(CTX_A SRC_A op(CTX_A SRC_A total[0], total[1]), op(CTX_A SRC_A total[2], total[3])), x);
	return x;
}
