// collect sets each of the n elements of `to` that has a mark to the value of the marked position
// (skel/scatter.go).
KERNEL collect(CTX_K SRC_P GLOBAL T *to, i64 lo, i64 n, i64 chunk, GLOBAL const u32 *marks) {
#ifdef SHAPE_CPU
	EACH_POSITION
		if (marks[i] != 0)
			to[i] = load(CTX_A SRC_A lo + marks[i] - 1);
#else
	u32 from[EACH];
	T x[EACH];
	EACH_AT_ONCE from[e] = POSITION < n ? marks[POSITION] : 0;
	EACH_AT_ONCE if (from[e] != 0) x[e] = load(CTX_A SRC_A lo + from[e] - 1);
	EACH_AT_ONCE if (from[e] != 0) to[POSITION] = x[e];
#endif
}
