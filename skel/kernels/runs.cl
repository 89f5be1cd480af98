// Runs that begin anywhere, on GPUs with warps: the elements are read in whole
// vectors all the same, and then moved to their places.
#ifdef SKEL_WARP

// Functions that read memory in ways of their own, or tell of errors, see no
// element that is in no segment.
#if CHUNK == 1 || defined(SKEL_CHECK)
#define OUTSIDE (off > 0 || lo + RUN > hi)
#else
#define OUTSIDE 0
#endif

// The RUN elements from lo on, of which those at hi and after are of no
// interest; there are total in all.
FUNC void load_run(CTX_P SRC_P i64 lo, i64 hi, i64 total, T *r) {
	i64 base = lo & ~(i64)(CHUNK - 1);
	int off = (int)(lo - base);
	int outside = OUTSIDE;
	if (base + RUN + CHUNK > total || outside) {
		EACH_LOAD
		for (int k = 0; k < RUN; k++)
			if (lo + k < hi)
				r[k] = load(CTX_A SRC_A lo + k);
		return;
	}
	T q[RUN + CHUNK];
	EACH_LOAD
	for (int k = 0; k < RUN; k += CHUNK)
		load_chunk(CTX_A SRC_A base + k, q + k);
	if (off > 0)
		load_chunk(CTX_A SRC_A base + RUN, q + RUN);
#define MOVE(s) \
	if (CHUNK > s) { \
		UNROLL \
		for (int k = 0; k + s < RUN + CHUNK; k++) \
			q[k] = off & s ? q[k + s] : q[k]; \
	}
	MOVE(8) MOVE(4) MOVE(2) MOVE(1)
	UNROLL
	for (int k = 0; k < RUN; k++)
		r[k] = q[k];
}

// The left fold of the first n elements of a run, at least one.
FUNC T fold_few(CTX_P SRC_P const T *r, int n) {
	T a = r[0];
	UNROLL
	for (int k = 1; k < RUN; k++)
		if (k < n)
			a = op(CTX_A SRC_A a, r[k]);
	return a;
}

#ifdef RAGGED
#define TOTAL length
#else
#define TOTAL (nsegments * length)
#endif

// How many elements of [lo, hi) the run that begins at lo has.
FUNC int run_of(i64 lo, i64 hi) { return hi - lo < RUN ? (int)(hi - lo) : RUN; }
#endif
