// Runs of segments, which may begin at any element, on GPUs with warps. They are read as whole aligned
// vectors all the same. Elements stay at their position inside the vectors until they are folded, so
// that nothing waits for the loads earlier.
#ifdef SKEL_WARP

// AROUND is the number of elements of the aligned vectors that contain a run.
#define AROUND (CHUNK > 1 ? RUN + CHUNK : RUN)

// OUTSIDE says whether vectors could contain elements of no segment. Functions that read views, or report
// errors in checked mode, must not see such elements.
#if CHUNK == 1 || defined(SKEL_CHECK)
#define OUTSIDE (off > 0 || n < RUN)
#else
#define OUTSIDE 0
#endif

// offset_of returns the position of element lo inside its vector.
FUNC int offset_of(i64 lo) { return (int)(lo & (CHUNK - 1)); }

// load_run loads the vectors that contain the n elements from lo on, n <= RUN, into q. total is the number
// of all elements.
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

// fold_few returns the left fold of the n elements that load_run stored at q + off.
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
