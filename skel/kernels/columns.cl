// out[t * cols + c] = the reduction of column c over the rows of tile t
KERNEL columns(CTX_K SRC_P GLOBAL T *out, i64 rows, i64 cols) {
	i64 item = group_id() * lanes() + lane_id(), t = item / cols, c = item - t * cols;
	if (t * TILE >= rows)
		return;
	T stack[9]; // blocks of the pair tree, each waiting for its neighbour
	int top = 0;
	i64 end = (t + 1) * TILE < rows ? (t + 1) * TILE : rows;
	int run = 0;
	for (i64 lo = t * TILE; lo < end; lo += RUN, run++) {
		T a = load(CTX_A SRC_A lo * cols + c);
		i64 hi = lo + RUN < end ? lo + RUN : end;
		for (i64 r = lo + 1; r < hi; r++)
			a = op(CTX_A SRC_A a, load(CTX_A SRC_A r * cols + c));
		for (int k = run; k & 1; k >>= 1)
			a = op(CTX_A SRC_A stack[--top], a);
		stack[top++] = a;
	}
	T a = stack[--top];
	while (top > 0)
		a = op(CTX_A SRC_A stack[--top], a);
	out[item] = a;
}
