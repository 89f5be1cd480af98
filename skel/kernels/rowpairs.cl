// rowpairs computes rows [lo, hi) of an AllPairs whose function takes two rows: out[i * m + j] =
// finish(between(a, b)), where a is row i of the left matrix, and b is column j of the right matrix with
// BY_COLUMNS, row j otherwise. A group computes SIDE x SIDE elements. With STAGED their rows are in local
// memory, stride elements apart.
#define SIDE 16

#ifdef STAGED
KERNEL rowpairs(CTX_K SRC_P GLOBAL OUT *out, i64 lo, i64 hi, i64 m, i64 d, i32 stride, i32 behind DYNAMIC_P) {
	DYNAMIC(staged);
	LOCAL_PTR TA *sa = (LOCAL_PTR TA *)staged;
	LOCAL_PTR TB *sb = (LOCAL_PTR TB *)(staged + behind);
#else
KERNEL rowpairs(CTX_K SRC_P GLOBAL OUT *out, i64 lo, i64 hi, i64 m, i64 d, GLOBAL const TA *all_a, GLOBAL const TB *all_b) {
#endif
	i64 across = (m + SIDE - 1) / SIDE, row = lo + group_id() / across * SIDE, col = group_id() % across * SIDE;
	int h = hi - row < SIDE ? (int)(hi - row) : SIDE, w = m - col < SIDE ? (int)(m - col) : SIDE, lane = (int)lane_id();
#ifdef STAGED
	int n = (int)d;
	for (int at = lane; at < h * n; at += (int)lanes())
		sa[at / n * stride + at % n] = load_a(CTX_A SRC_A row * d + at);
#ifdef BY_COLUMNS
	for (int at = lane; at < w * n; at += (int)lanes())
		sb[at % w * stride + at / w] = load_b(CTX_A SRC_A at / w * m + col + at % w);
#else
	for (int at = lane; at < w * n; at += (int)lanes())
		sb[at / n * stride + at % n] = load_b(CTX_A SRC_A col * d + at);
#endif
	BARRIER();
#endif
	// Of every 32 lanes, four share a row of the right matrix, and eight share a row of the left one.
	for (int e = lane; e < SIDE * SIDE; e += (int)lanes()) {
		int x = e / 32 % 2 * 8 + e % 8, y = e / 64 * 4 + e / 8 % 4;
		if (y < h && x < w) {
			ROW_A a;
			ROW_B b;
			a.n = b.n = d;
			a.step = b.step = 1;
#ifdef STAGED
			a.p = sa + y * stride;
			b.p = sb + x * stride;
#else
			a.p = all_a + (row + y) * d;
#ifdef BY_COLUMNS
			b.p = all_b + col + x;
			b.step = m;
#else
			b.p = all_b + (col + x) * d;
#endif
#endif
			i64 i = (row + y) * m + col + x;
			out[i] = finish(CTX_A SRC_A i, row + y, col + x, between(CTX_A SRC_A a, b));
		}
	}
}
