// colruns computes out[r * cols + c] = the left fold of column c over the rows of run r: the
// partial results of a device whose rows end inside a tile, when several devices reduce columns.
// A work-item takes `chunk` consecutive results: one on a GPU, where neighbouring work-items read
// neighbouring columns.
KERNEL colruns(CTX_K SRC_P GLOBAL T *out, i64 rows, i64 cols, i64 chunk) {
	i64 n = (rows + RUN - 1) / RUN * cols, first = (group_id() * lanes() + lane_id()) * chunk;
	for (i64 k = first; k < first + chunk && k < n; k++) {
		i64 r = k / cols * RUN, c = k % cols, end = r + RUN < rows ? r + RUN : rows;
		T a = load(CTX_A SRC_A r * cols + c);
		for (r++; r < end; r++)
			a = op(CTX_A SRC_A a, load(CTX_A SRC_A r * cols + c));
		out[k] = a;
	}
}
