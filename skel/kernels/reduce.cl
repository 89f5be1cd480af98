// The reduction of n > 0 elements. Every group reduces some tiles into
// totals; the last group to arrive, found by counting, reduces these.

// The left fold of the run of totals that begins at lo.
FUNC T total_run(CTX_P SRC_P GLOBAL T *totals, i64 lo, i64 hi) {
	T a = totals[lo];
	if (hi > lo + TOTALS_RUN)
		hi = lo + TOTALS_RUN;
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
		i64 next = (tiles + TOTALS_TILE - 1) / TOTALS_TILE;
		for (i64 t = 0; t < next; t++) {
			T r[RUNS];
			int k = 0;
			for (i64 lo = t * TOTALS_TILE; lo < tiles && k < RUNS; lo += TOTALS_RUN)
				r[k++] = total_run(CTX_A SRC_A totals, lo, tiles);
			totals[t] = pair_tree(CTX_A SRC_A r, k);
		}
		tiles = next;
	}
	out[0] = totals[0];
}
#else

// The left fold of a run's first chunk r, and of the rest of the run at lo.
FUNC T fold_chunks(CTX_P SRC_P i64 lo, const T *r) {
	T a = r[0];
	UNROLL
	for (int k = 1; k < CHUNK; k++)
		a = op(CTX_A SRC_A a, r[k]);
	EACH_LOAD
	for (int c = CHUNK; c < RUN; c += CHUNK) {
		T q[CHUNK];
		load_chunk(CTX_A SRC_A lo + c, q);
		UNROLL
		for (int k = 0; k < CHUNK; k++)
			a = op(CTX_A SRC_A a, q[k]);
	}
	return a;
}

// The left fold of a run that may be cut off. All loads are under way at once.
FUNC T fold_last(CTX_P SRC_P i64 lo, i64 hi) {
	if (CHUNK == 1)
		return fold_run(CTX_A SRC_A lo, hi);
	T r[RUN];
	EACH_LOAD
	for (int k = 0; k < RUN; k++)
		if (lo + k < hi)
			r[k] = load(CTX_A SRC_A lo + k);
	T a = r[0];
	UNROLL
	for (int k = 1; k < RUN; k++)
		if (lo + k < hi)
			a = op(CTX_A SRC_A a, r[k]);
	return a;
}

// A lane of the last group takes AT_ONCE neighbouring runs of totals, so that
// the group takes TREES trees at once.
#define AT_ONCE TOTALS_RUN
#define LANES_A_TREE (RUNS / AT_ONCE)
#define TREES AT_ONCE

// The trees over the runs' results src[base], src[base + 1], ... of which there
// are count; their results are left in a, in each tree's first lane.
#ifdef SKEL_WARP
#define NEIGHBOUR(a) T other = warp_get(a, lane + d);
#else
#define NEIGHBOUR(a) \
	BARRIER(); \
	group_s[lane] = a; \
	BARRIER(); \
	T other = group_s[(lane + d) % RUNS];
#endif
#define TREES_OF(src, base, count, a) \
	i64 first = (base) + lane * AT_ONCE; \
	int have = first + AT_ONCE < (count) ? AT_ONCE : (int)((count) - first); \
	T r[AT_ONCE]; \
	WRITTEN_OUT \
	for (int k = 0; k < AT_ONCE; k++) \
		if (k < have) \
			r[k] = (src)[first + k]; \
	WRITTEN_OUT \
	for (int d = 1; d < AT_ONCE; d *= 2) { \
		WRITTEN_OUT \
		for (int k = 0; k < AT_ONCE; k += 2 * d) \
			if (k + d < have) \
				r[k] = op(CTX_A SRC_A r[k], r[k + d]); \
	} \
	T a = r[0]; \
	WRITTEN_OUT \
	for (int d = 1; d < LANES_A_TREE; d *= 2) { \
		NEIGHBOUR(a) \
		if ((lane & (2 * d - 1)) == 0 && first + d * AT_ONCE < (count)) \
			a = op(CTX_A SRC_A a, other); \
	}

// Where a tile is little to read, because its elements are computed from
// smaller ones, the trees cost more than the reading. Then a group makes the
// trees of BATCH tiles at once.
#define TILE_BYTES (READS * TILE)
#if !defined(SKEL_WARP) || TILE_BYTES >= 16384 || RUN == 1
#define BATCH 1
#elif TILE_BYTES >= 8192 || RUN == 2
#define BATCH 4
#else
#define BATCH 8
#endif

// The trees of BATCH tiles over the lanes of a warp. At each level a lane gives
// the half of its tiles to a neighbour from whom it gets the other half, until
// it has one: the tile whose number is its own, the bits in reverse.
#define HALVE(m) \
	if (BATCH > m) { \
		int d = BATCH / (2 * m), odd = lane & d; \
		UNROLL \
		for (int k = 0; k < m; k++) { \
			T other = warp_get(odd ? a[k] : a[k + m], lane ^ d); \
			a[k] = odd ? op(CTX_A SRC_A other, a[k + m]) : op(CTX_A SRC_A a[k], other); \
		} \
	}

// Each group reduces per tiles. Where that is a run of them it folds their
// totals.
KERNEL_OF(RUNS, 4) reduce(CTX_K SRC_P GLOBAL T *totals, GLOBAL T *out, GLOBAL u32 *counter, i64 n, i64 per) {
	GROUP_LOCALS
#ifdef SKEL_WARP
	LOCAL T few[TREES];
#endif
	LOCAL int last;
	i64 tiles = (n + TILE - 1) / TILE, from = group_id() * per, to = from + per < tiles ? from + per : tiles;
	int lane = (int)lane_id(), phase = 0, folded = per >= TOTALS_RUN;
	T acc, r[CHUNK];
	i64 t = from;
#if BATCH > 1
	LOCAL T tops[2 * BATCH * WARPS];
	int in_warp = lane % SKEL_WARP, tile = 0;
	for (int b = 1; b < BATCH; b *= 2)
		tile = 2 * tile + (in_warp & b ? 1 : 0);
	for (; t + BATCH <= to && (t + BATCH) * TILE <= n; t += BATCH, phase ^= 1) {
		T a[BATCH];
		EACH_LOAD
		for (int b = 0; b < BATCH; b++) {
			T q[CHUNK];
			load_chunk(CTX_A SRC_A (t + b) * TILE + lane * RUN, q);
			a[b] = fold_chunks(CTX_A SRC_A (t + b) * TILE + lane * RUN, q);
		}
		HALVE(4)
		HALVE(2)
		HALVE(1)
		UNROLL
		for (int d = BATCH; d < SKEL_WARP; d *= 2) {
			T other = warp_get(a[0], lane + d);
			if ((in_warp & (2 * d - 1)) < BATCH)
				a[0] = op(CTX_A SRC_A a[0], other);
		}
		if (in_warp < BATCH)
			tops[(phase * BATCH + tile) * WARPS + lane / SKEL_WARP] = a[0];
		BARRIER();
		if (lane >= SKEL_WARP)
			continue;
		T w[WARPS];
		UNROLL
		for (int k = 0; k < WARPS; k++)
			w[k] = tops[(phase * BATCH + lane % BATCH) * WARPS + k];
		UNROLL
		for (int d = 1; d < WARPS; d *= 2) {
			UNROLL
			for (int k = 0; k < WARPS; k += 2 * d)
				w[k] = op(CTX_A SRC_A w[k], w[k + d]);
		}
		if (!folded) {
			if (lane < BATCH)
				totals[t + lane] = w[0];
			continue;
		}
		for (int k = 0; k < BATCH; k++) {
			T x = warp_get(w[0], k);
			acc = (t + k) % TOTALS_RUN > 0 ? op(CTX_A SRC_A acc, x) : x;
			if (lane == 0 && (t + k + 1 == to || (t + k) % TOTALS_RUN == TOTALS_RUN - 1))
				totals[(t + k) / TOTALS_RUN] = acc;
		}
	}
#endif
	if (t < to && (t + 1) * TILE <= n)
		load_chunk(CTX_A SRC_A t * TILE + lane * RUN, r);
	for (; t < to; t++) {
		phase ^= 1;
		i64 lo = t * TILE + lane * RUN;
		int runs = RUNS;
		T a;
		if ((t + 1) * TILE <= n)
			a = fold_chunks(CTX_A SRC_A lo, r);
		else {
			runs = (int)((n - t * TILE + RUN - 1) / RUN);
			if (lo < n)
				a = fold_last(CTX_A SRC_A lo, n);
		}
		if (t + 1 < to && (t + 2) * TILE <= n) // on its way while the lanes wait for each other
			load_chunk(CTX_A SRC_A lo + TILE, r);
		GROUP_TREE(a, runs, phase)
		if (lane == 0) {
			acc = folded && t % TOTALS_RUN > 0 ? op(CTX_A SRC_A acc, a) : a;
			if (tiles == 1)
				out[0] = acc;
			else if (!folded)
				totals[t] = acc;
			else if (t + 1 == to || t % TOTALS_RUN == TOTALS_RUN - 1)
				totals[t / TOTALS_RUN] = acc;
		}
	}
#if BATCH > 1
	BARRIER(); // totals were stored by several lanes
#endif
	if (lane == 0)
		last = tiles > 1 && arrive_last(counter);
	BARRIER();
	if (!last)
		return;
	i64 count = folded ? (tiles + TOTALS_RUN - 1) / TOTALS_RUN : tiles;
#ifdef SKEL_WARP // PoCL mistakes barriers in several branches
	if (!folded && count <= RUNS * TOTALS_RUN) { // one tree over their runs
		T a;
		if (lane * TOTALS_RUN < count)
			a = total_run(CTX_A SRC_A totals, lane * TOTALS_RUN, count);
		GROUP_TREE(a, (count + TOTALS_RUN - 1) / TOTALS_RUN, phase)
		if (lane == 0)
			out[0] = a;
	} else if (folded && count <= RUNS * TREES) { // trees whose results are one run
		TREES_OF(totals, 0, count, a)
		if (lane % LANES_A_TREE == 0 && have > 0)
			few[lane / LANES_A_TREE] = a;
		BARRIER();
		if (lane == 0) {
			a = few[0];
			for (int k = 1; k * RUNS < count; k++)
				a = op(CTX_A SRC_A a, few[k]);
			out[0] = a;
		}
	} else
#endif
	{
		GLOBAL T *src = totals, *dst = totals + count, *swap;
		for (; count > 1; folded = 0) {
			for (i64 k = folded ? count : lane; k * TOTALS_RUN < count; k += RUNS)
				dst[k] = total_run(CTX_A SRC_A src, k * TOTALS_RUN, count);
			BARRIER();
			if (!folded) {
				count = (count + TOTALS_RUN - 1) / TOTALS_RUN;
				swap = src, src = dst, dst = swap;
			}
			for (i64 base = 0; base < count; base += RUNS * AT_ONCE) {
				TREES_OF(src, base, count, a)
				if (lane % LANES_A_TREE == 0 && have > 0)
					dst[first / RUNS] = a;
			}
			BARRIER();
			count = (count + RUNS - 1) / RUNS;
			swap = src, src = dst, dst = swap;
		}
		if (lane == 0)
			out[0] = src[0];
	}
}
#endif
