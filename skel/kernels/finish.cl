// out[s] = the reduction of the totals of segment s, which it overwrites.
FUNC T total_tile(CTX_P SRC_P GLOBAL T *totals, i64 lo, i64 hi) {
	T stack[9]; // blocks of the pair tree, each waiting for its neighbour
	int top = 0;
	for (int run = 0; lo < hi; run++) {
		T a = totals[lo++];
		for (i64 end = lo + TOTALS_RUN - 1 < hi ? lo + TOTALS_RUN - 1 : hi; lo < end; lo++)
			a = op(CTX_A SRC_A a, totals[lo]);
		for (int k = run; k & 1; k >>= 1)
			a = op(CTX_A SRC_A stack[--top], a);
		stack[top++] = a;
	}
	T a = stack[--top];
	while (top > 0)
		a = op(CTX_A SRC_A stack[--top], a);
	return a;
}

KERNEL finish(CTX_K SRC_P CUT_P GLOBAL T *totals, GLOBAL T *out, T identity) {
	i64 s = group_id() * lanes() + lane_id(), lo, hi;
	if (s >= nsegments)
		return;
	cut(CUT_A s, &lo, &hi);
	totals += first_slot(CUT_A s, lo);
	i64 n = (hi - lo + TILE - 1) / TILE;
	for (; n > 1; n = (n + TOTALS_TILE - 1) / TOTALS_TILE)
		for (i64 t = 0; t * TOTALS_TILE < n; t++)
			totals[t] = total_tile(CTX_A SRC_A totals, t * TOTALS_TILE, (t + 1) * TOTALS_TILE < n ? (t + 1) * TOTALS_TILE : n);
	out[s] = n > 0 ? totals[0] : identity;
}
