// columns computes out[t * cols + c] = the reduction of column c over the rows of tile t; further
// launches reduce the rows of out until one is left. Each column follows the canonical order
// (order.cl): partial results of its pair tree wait on a stack for their right neighbours.
// On a CPU a work-item takes COLUMNS columns of a tile, so that it reads rows in order. On a GPU a
// group takes `wide` columns of a tile.
#ifdef SHAPE_CPU
#define COLUMNS 16

KERNEL columns(CTX_K SRC_P GLOBAL T *out, i64 rows, i64 cols) {
	T stack[10 * COLUMNS];
	i64 across = (cols + COLUMNS - 1) / COLUMNS, t = group_id() / across, c = group_id() % across * COLUMNS;
	i64 end = (t + 1) * TILE < rows ? (t + 1) * TILE : rows, lo = t * TILE;
	int n = cols - c < COLUMNS ? (int)(cols - c) : COLUMNS, top = 0;
	for (int run = 0; lo < end; lo += RUN, run++) {
		T *a = stack + top++ * COLUMNS;
		i64 hi = lo + RUN < end ? lo + RUN : end;
		for (int x = 0; x < n; x++)
			a[x] = load(CTX_A SRC_A lo * cols + c + x);
		for (i64 r = lo + 1; r < hi; r++)
			for (int x = 0; x < n; x++)
				a[x] = op(CTX_A SRC_A a[x], load(CTX_A SRC_A r * cols + c + x));
		for (int k = run; k & 1; k >>= 1, top--, a -= COLUMNS)
			for (int x = 0; x < n; x++)
				a[x - COLUMNS] = op(CTX_A SRC_A a[x - COLUMNS], a[x]);
	}
	for (T *a = stack + (top - 1) * COLUMNS; top > 1; top--, a -= COLUMNS)
		for (int x = 0; x < n; x++)
			a[x - COLUMNS] = op(CTX_A SRC_A a[x - COLUMNS], a[x]);
	for (int x = 0; x < n; x++)
		out[t * cols + c + x] = stack[x];
}
#else

// fold_column returns the reduction of rows [lo, hi), at most a tile, of column c.
FUNC T fold_column(CTX_P SRC_P i64 lo, i64 hi, i64 cols, i64 c) {
	T stack[9], a;
	int top = 0;
	for (int run = 0; lo < hi; lo += RUN, run++) {
		if (lo + RUN <= hi) { // issue all loads of the run before the first use
			T r[RUN];
			EACH_LOAD
			for (int i = 0; i < RUN; i++)
				r[i] = load(CTX_A SRC_A (lo + i) * cols + c);
			a = r[0];
			UNROLL
			for (int i = 1; i < RUN; i++)
				a = op(CTX_A SRC_A a, r[i]);
		} else {
			a = load(CTX_A SRC_A lo * cols + c);
			for (i64 r = lo + 1; r < hi; r++)
				a = op(CTX_A SRC_A a, load(CTX_A SRC_A r * cols + c));
		}
		for (int k = run; k & 1; k >>= 1)
			a = op(CTX_A SRC_A stack[--top], a);
		stack[top++] = a;
	}
	a = stack[--top];
	while (top > 0)
		a = op(CTX_A SRC_A stack[--top], a);
	return a;
}

// The group's lanes form a grid of `deep` rows and `wide` columns. The lanes of a column each reduce an
// aligned subtree of the pair tree, and then combine their results.
KERNEL_OF(LANES, 1) columns(CTX_K SRC_P GLOBAL T *out, i64 rows, i64 cols, i32 wide, i32 deep) {
	LOCAL T part[LANES];
	i64 across = (cols + wide - 1) / wide, t = group_id() / across;
	int lane = (int)lane_id(), y = lane / wide;
	i64 c = group_id() % across * wide + lane % wide;
	i64 lo = t * TILE, hi = lo + TILE < rows ? lo + TILE : rows;
	int runs = (int)((hi - lo + RUN - 1) / RUN), each = 1;
	while (each * deep < runs)
		each *= 2;
	int used = (runs + each - 1) / each, has = y < used && c < cols;
	T a;
	if (has) {
		i64 from = lo + (i64)y * each * RUN, to = from + each * RUN < hi ? from + each * RUN : hi;
		part[lane] = a = fold_column(CTX_A SRC_A from, to, cols, c);
	}
	for (int d = 1; d < used; d *= 2) {
		BARRIER();
		if (has && y % (2 * d) == 0 && y + d < used)
			part[lane] = a = op(CTX_A SRC_A a, part[lane + d * wide]);
	}
	if (has && y == 0)
		out[t * cols + c] = a;
}
#endif
