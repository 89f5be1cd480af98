// The reduction of n > 0 elements. Every group reduces some tiles into
// totals; the last group to arrive, found by counting, reduces these.

// The element type of load is also that of totals, but totals are in memory.
FUNC T total_run(CTX_P SRC_P GLOBAL T *totals, i64 lo, i64 hi) {
	T a = totals[lo];
	if (hi > lo + RUN)
		hi = lo + RUN;
	for (i64 i = lo + 1; i < hi; i++)
		a = op(CTX_A SRC_A a, totals[i]);
	return a;
}

#ifdef SHAPE_CPU
KERNEL reduce(CTX_K SRC_P GLOBAL T *totals, GLOBAL T *out, GLOBAL u32 *counter, i64 n) {
	i64 tiles = (n + TILE - 1) / TILE;
	i64 first = group_id() * tiles / groups();
	i64 last = (group_id() + 1) * tiles / groups();
	for (i64 t = first; t < last; t++)
		totals[t] = fold_tile(CTX_A SRC_A t * TILE, (t + 1) * TILE < n ? (t + 1) * TILE : n);
	if (!arrive_last(counter))
		return;
	while (tiles > 1) {
		i64 next = (tiles + TILE - 1) / TILE;
		for (i64 t = 0; t < next; t++) {
			T r[RUNS];
			int k = 0;
			for (i64 lo = t * TILE; lo < tiles && k < RUNS; lo += RUN)
				r[k++] = total_run(CTX_A SRC_A totals, lo, tiles);
			totals[t] = pair_tree(CTX_A SRC_A r, k);
		}
		tiles = next;
	}
	out[0] = totals[0];
}
#else

// The pair tree over the runs' results s[0 .. runs-1], a lane each; the
// result is in s[0]. A macro, because PoCL mistakes barriers in a function
// that it does not inline.
#define GROUP_TREE(s, runs) \
	for (i64 d = 1; d < RUNS; d *= 2) { \
		BARRIER(); \
		if (lane % (2 * d) == 0 && lane + d < (runs)) \
			s[lane] = op(CTX_A SRC_A s[lane], s[lane + d]); \
	} \
	BARRIER();

KERNEL reduce(CTX_K SRC_P GLOBAL T *totals, GLOBAL T *out, GLOBAL u32 *counter, i64 n) {
	LOCAL T s[RUNS];
	LOCAL int last;
	i64 tiles = (n + TILE - 1) / TILE;
	i64 lane = lane_id();
	for (i64 t = group_id(); t < tiles; t += groups()) {
		i64 lo = t * TILE + lane * RUN, hi = (t + 1) * TILE < n ? (t + 1) * TILE : n;
		if (lo < hi)
			s[lane] = fold_run(CTX_A SRC_A lo, hi);
		GROUP_TREE(s, (hi - t * TILE + RUN - 1) / RUN)
		if (lane == 0)
			totals[t] = s[0];
		BARRIER();
	}
	if (lane == 0)
		last = arrive_last(counter);
	BARRIER();
	if (!last)
		return;
	while (tiles > 1) {
		i64 next = (tiles + TILE - 1) / TILE;
		for (i64 t = 0; t < next; t++) {
			i64 lo = t * TILE + lane * RUN, hi = (t + 1) * TILE < tiles ? (t + 1) * TILE : tiles;
			if (lo < hi)
				s[lane] = total_run(CTX_A SRC_A totals, lo, hi);
			GROUP_TREE(s, (hi - t * TILE + RUN - 1) / RUN)
			if (lane == 0)
				totals[t] = s[0];
			BARRIER();
		}
		tiles = next;
	}
	if (lane == 0)
		out[0] = totals[0];
}
#endif
