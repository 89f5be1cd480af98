// Runs that begin anywhere, on GPUs with warps: the elements are read in whole
// vectors all the same. They are left where they are in these until they are
// folded, so that nobody waits for them before.
#ifdef SKEL_WARP

// The elements of the vectors in which the RUN elements of a run lie.
#define AROUND (CHUNK > 1 ? RUN + CHUNK : RUN)

// Functions that read memory in ways of their own, or tell of errors, see no
// element that is in no segment.
#if CHUNK == 1 || defined(SKEL_CHECK)
#define OUTSIDE (off > 0 || n < RUN)
#else
#define OUTSIDE 0
#endif

// Where in the vectors element lo lies.
FUNC int offset_of(i64 lo) { return (int)(lo & (CHUNK - 1)); }

// The n elements from lo on, at most RUN, with what is around them. There are
// total in all.
FUNC void load_run(CTX_P SRC_P i64 lo, int n, i64 total, T *q) {
	int off = offset_of(lo), outside = OUTSIDE;
	i64 base = lo - off;
	if (lo + n + CHUNK > total || outside) {
		EACH_LOAD
		for (int k = 0; k < AROUND; k++)
			if (k >= off && k < off + n)
				q[k] = load(CTX_A SRC_A base + k);
		return;
	}
	EACH_LOAD
	for (int k = 0; k < RUN + CHUNK; k += CHUNK)
		if (k == 0 || k < off + n)
			load_chunk(CTX_A SRC_A base + k, q + k);
}

// The left fold of the n elements that load_run put at off.
FUNC T fold_few(CTX_P SRC_P const T *q, int off, int n) {
	T a = q[0];
	UNROLL
	for (int k = 1; k < AROUND; k++) {
		if (k < CHUNK && k <= off)
			a = q[k];
		else if (k < off + n)
			a = op(CTX_A SRC_A a, q[k]);
	}
	return a;
}

#ifdef RAGGED
#define TOTAL length
#else
#define TOTAL (nsegments * length)
#endif
#endif
