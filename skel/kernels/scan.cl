// The scan of the tiles of all segments, each from prefix[slot - 1] on if it
// is not the first of its segment. The exclusive form writes each result one
// element later, and the identity first.
#ifdef EXCLUSIVE
#define PUT(i, x) if ((i) + 1 < end) out[(i) + 1] = (x)
#else
#define PUT(i, x) out[i] = (x)
#endif

// Scans the run of elements [lo, hi) from acc on, if has.
FUNC void scan_run(CTX_P SRC_P GLOBAL T *out, i64 lo, i64 hi, i64 end, T acc, int has) {
	T x = load(CTX_A SRC_A lo);
	if (hi > lo + RUN)
		hi = lo + RUN;
	acc = has ? op(CTX_A SRC_A acc, x) : x;
	PUT(lo, acc);
	for (i64 i = lo + 1; i < hi; i++) {
		acc = op(CTX_A SRC_A acc, load(CTX_A SRC_A i));
		PUT(i, acc);
	}
}

#ifdef SHAPE_CPU
// Scans AHEAD whole runs side by side, run k from seed[k] on.
#define SEED(k) T a##k = seed[k];
#define STEP(k) NEXT(k) PUT(lo + k * RUN + i, a##k);
FUNC void scan_runs(CTX_P SRC_P GLOBAL T *out, i64 lo, i64 end, const T *seed) {
	EIGHT(SEED)
	for (int i = 0; i < RUN; i++) {
		EIGHT(STEP)
	}
}

KERNEL scan(CTX_K SRC_P CUT_P GLOBAL T *out, GLOBAL const T *prefix, i64 slots, T identity) {
	i64 first = group_id() * slots / groups(), last = (group_id() + 1) * slots / groups();
	for (i64 slot = first; slot < last; slot++) {
		i64 s, lo, hi, tile, a, end;
		if (!slot_tile(CUT_A slot, &s, &lo, &hi, &tile))
			continue;
		cut(CUT_A s, &a, &end);
		T r[RUNS];
		int n = fold_runs(CTX_A SRC_A lo, hi, r);
		for (int d = 1; d < n; d *= 2) // prefixes by the pair tree
			for (int block = d; block < n; block += 2 * d) {
				T left = r[block - 1];
				for (int k = block; k < n && k < block + d; k++)
					r[k] = op(CTX_A SRC_A left, r[k]);
			}
		for (int k = n - 1; k > 0; k--) // r[k] becomes the seed of run k
			r[k] = tile > 0 ? op(CTX_A SRC_A prefix[slot - 1], r[k - 1]) : r[k - 1];
		if (tile > 0)
			r[0] = prefix[slot - 1];
#ifdef EXCLUSIVE
		else
			out[lo] = identity;
#endif
		int k = 0;
		if (tile == 0) {
			scan_run(CTX_A SRC_A out, lo, hi, end, r[0], 0);
			k = 1;
		}
		for (; lo + (k + AHEAD) * RUN <= hi; k += AHEAD)
			scan_runs(CTX_A SRC_A out, lo + k * RUN, end, r + k);
		for (; k < n; k++)
			scan_run(CTX_A SRC_A out, lo + k * RUN, hi, end, r[k], 1);
	}
}
#else

KERNEL scan(CTX_K SRC_P CUT_P GLOBAL T *out, GLOBAL const T *prefix, i64 slots, T identity) {
	LOCAL T r[RUNS];
	i64 lane = lane_id();
	for (i64 slot = group_id(); slot < slots; slot += groups()) {
		i64 s, lo, hi, tile, a, end;
		int used = slot_tile(CUT_A slot, &s, &lo, &hi, &tile);
		cut(CUT_A s, &a, &end);
		i64 n = used ? (hi - lo + RUN - 1) / RUN : 0;
		if (lane < n)
			r[lane] = fold_run(CTX_A SRC_A lo + lane * RUN, hi);
		for (i64 d = 1; d < RUNS; d *= 2) { // prefixes by the pair tree
			BARRIER();
			if ((lane & d) && lane < n)
				r[lane] = op(CTX_A SRC_A r[(lane & ~(2 * d - 1)) + d - 1], r[lane]);
		}
		BARRIER();
		if (lane < n) {
			int has = tile > 0 || lane > 0;
			T seed = identity;
			if (tile > 0)
				seed = lane > 0 ? op(CTX_A SRC_A prefix[slot - 1], r[lane - 1]) : prefix[slot - 1];
			else if (lane > 0)
				seed = r[lane - 1];
#ifdef EXCLUSIVE
			if (tile == 0 && lane == 0)
				out[lo] = identity;
#endif
			scan_run(CTX_A SRC_A out, lo + lane * RUN, hi, end, seed, has);
		}
		BARRIER();
	}
}
#endif
