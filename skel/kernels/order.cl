// The canonical order of Reduce and Scan (skel/order.go, docs/adr/0007), and the functions that fold
// runs and tiles in this order.
//
// A run is RUN consecutive elements, folded from left to right; the host defines RUN. A tile is RUNS
// runs. Their results are combined as adjacent pairs, level by level, and an odd last one moves up
// unchanged: this is the pair tree (pairwise summation, Higham 1993). The results of tiles, the
// totals, form an array that is reduced in the same way, but in runs of TOTALS_RUN.
#define RUNS 256
#define TOTALS_RUN 16
#define TOTALS_TILE (TOTALS_RUN * RUNS)
#define TILE (RUN * RUNS)

// Loops over large elements are not unrolled: that took a compiler minutes.
#if RUN > 1
#define WRITTEN_OUT UNROLL
#else
#define WRITTEN_OUT ROLLED
#endif

// fold_run returns the left fold of the run that begins at lo; elements end at hi.
FUNC T fold_run(CTX_P SRC_P i64 lo, i64 hi) {
	T a = load(CTX_A SRC_A lo);
	if (hi > lo + RUN)
		hi = lo + RUN;
	for (i64 i = lo + 1; i < hi; i++)
		a = op(CTX_A SRC_A a, load(CTX_A SRC_A i));
	return a;
}

#ifdef SHAPE_CPU
// NOINLINE marks a function that is called rarely: compiling it at every call would cost build time.
#define NOINLINE static __attribute__((noinline))

// Eight independent runs are folded side by side, to hide the operator's latency. They are unrolled
// by hand because not every compiler for CPUs unrolls loops over small arrays.
#define AHEAD 8
#define EIGHT(F) F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7)
#define FIRST(k) T a##k = load(CTX_A SRC_A lo + k * RUN);
#define NEXT(k) a##k = op(CTX_A SRC_A a##k, load(CTX_A SRC_A lo + k * RUN + i));
#define KEEP(k) r[n + k] = a##k;
#define OP(a, b) op(CTX_A SRC_A a, b)

// pair_tree returns the pair tree over r[0 .. n-1], which it overwrites.
NOINLINE T pair_tree(CTX_P SRC_P T *r, int n) {
	for (; n > 1; n = (n + 1) / 2) {
		for (int k = 0; k < n / 2; k++)
			r[k] = OP(r[2 * k], r[2 * k + 1]);
		if (n % 2)
			r[n / 2] = r[n - 1];
	}
	return r[0];
}

// fold_runs stores the results of the runs of elements [lo, hi), at most a tile, in r and returns
// their number.
FUNC int fold_runs(CTX_P SRC_P i64 lo, i64 hi, T *r) {
	int n = 0;
	for (; lo + AHEAD * RUN <= hi; lo += AHEAD * RUN, n += AHEAD) {
		EIGHT(FIRST)
		for (int i = 1; i < RUN; i++) {
			EIGHT(NEXT)
		}
		EIGHT(KEEP)
	}
	for (; lo < hi; lo += RUN)
		r[n++] = fold_run(CTX_A SRC_A lo, hi);
	return n;
}

// fold_rest returns the result of fewer than AHEAD whole runs.
NOINLINE T fold_rest(CTX_P SRC_P i64 lo, i64 hi) {
	T r[AHEAD];
	int n = 0;
	for (; lo < hi; lo += RUN)
		r[n++] = fold_run(CTX_A SRC_A lo, hi);
	return pair_tree(CTX_A SRC_A r, n);
}

// fold_tile returns the result of one tile, the elements [lo, hi), computed by one work-item.
FUNC T fold_tile(CTX_P SRC_P i64 lo, i64 hi) {
	T r[RUNS / AHEAD];
	int n = 0;
	for (; lo + AHEAD * RUN <= hi; lo += AHEAD * RUN) {
		EIGHT(FIRST)
		for (int i = 1; i < RUN; i++) {
			EIGHT(NEXT)
		}
		T b0 = OP(a0, a1), b1 = OP(a2, a3), b2 = OP(a4, a5), b3 = OP(a6, a7);
		T c0 = OP(b0, b1), c1 = OP(b2, b3);
		r[n++] = OP(c0, c1);
	}
	if (lo < hi) {
		T rest = fold_rest(CTX_A SRC_A lo, hi);
		if (n == 0)
			return rest;
		r[n++] = rest;
	}
	return pair_tree(CTX_A SRC_A r, n);
}
#else

// fold_tile returns the result of one tile, computed by one work-item in little memory: partial
// results of the pair tree wait on a stack for their right neighbours. Run k completes as many
// subtrees as k has trailing 1 bits.
FUNC T fold_tile(CTX_P SRC_P i64 lo, i64 hi) {
	T stack[9];
	int top = 0;
	for (int run = 0; lo < hi; lo += RUN, run++) {
		T a = fold_run(CTX_A SRC_A lo, hi);
		for (int k = run; k & 1; k >>= 1)
			a = op(CTX_A SRC_A stack[--top], a);
		stack[top++] = a;
	}
	T a = stack[--top];
	while (top > 0)
		a = op(CTX_A SRC_A stack[--top], a);
	return a;
}
#endif
