// onetile scans n elements, at most a tile, with one group on a GPU with warps. No group waits for
// another, and every element is read once. Elements pass through local memory, so that neighbouring
// lanes read and write neighbouring elements; each lane scans its run in registers, and upto.cl
// combines the runs.
#ifdef EXCLUSIVE
#define SHIFT 1 // each result is written one place later
#else
#define SHIFT 0
#endif

KERNEL_OF(RUNS, 1) onetile(CTX_K SRC_P GLOBAL T *out, i32 n, T identity COUNT_P) {
	LIMIT(n);
	BLOCK_LOCALS
	LOCAL T warp_total[WARPS];
	int lane = (int)lane_id(), in_warp = lane % SKEL_WARP, warp = lane / SKEL_WARP;
	int lo = lane * RUN, have = n - lo >= RUN ? RUN : n > lo ? n - lo : 0;
	LOAD_BLOCK((i64)0, n)
	T q[RUN], x;
	UNROLL
	for (int k = 0; k < RUN; k++)
		if (k < have)
			q[k] = block_s[AT(lo + k)];
	x = q[0];
	UNROLL
	for (int k = 1; k < RUN; k++)
		if (k < have)
			x = op(CTX_A SRC_A x, q[k]);
	x = warp_prefix(CTX_A SRC_A x, in_warp, (n + RUN - 1) / RUN - warp * SKEL_WARP);
	if (in_warp == SKEL_WARP - 1)
		warp_total[warp] = x;
	T before = warp_get(x, in_warp - 1); // the runs before this one, so far only those of the warp
	BARRIER();
	if (have > 0) {
		if (in_warp > 0)
			before = over_warps(CTX_A SRC_A warp_total, warp, before);
		else if (warp > 0)
			before = over_warps(CTX_A SRC_A warp_total, warp - 1, warp_total[warp - 1]);
		x = lane > 0 ? op(CTX_A SRC_A before, q[0]) : q[0];
		block_s[AT(lo)] = x;
		UNROLL
		for (int k = 1; k < RUN; k++)
			if (k < have) {
				x = op(CTX_A SRC_A x, q[k]);
				block_s[AT(lo + k)] = x;
			}
	}
	BARRIER();
	if (SHIFT && lane == 0)
		out[0] = identity;
	UNROLL
	for (int k = 0; k < RUN; k++)
		if (k * LANES + lane + SHIFT < n)
			out[k * LANES + lane + SHIFT] = block_s[AT(k * LANES + lane)];
}
