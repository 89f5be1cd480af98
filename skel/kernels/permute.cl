// permute writes to[at(i)] = load(i) for the n positions from lo on (skel/scatter.go). If MARKED is
// defined, it writes only for the positions that mark has marked.
#ifdef MARKED
#define MARKS_P , GLOBAL const u32 *marks
#define CHOSEN(k, position) (marks[k] == (u32)(position) + 1)
#else
#define MARKS_P
#define CHOSEN(k, position) 1
#endif

KERNEL permute(CTX_K SRC_P GLOBAL T *to, i64 lo, i64 n, i64 chunk, i64 first, i64 count, i64 all MARKS_P) {
#ifdef SHAPE_CPU
	EACH_POSITION {
		i64 k = target(CTX_A SRC_A lo + i, first, count, all);
		if (k >= 0 && CHOSEN(k, i))
			to[k] = load(CTX_A SRC_A lo + i);
	}
#else
	i64 k[EACH]; // in separate loops, so that the lane waits for memory once for all its elements
	T x[EACH];
	EACH_AT_ONCE k[e] = POSITION < n ? target(CTX_A SRC_A lo + POSITION, first, count, all) : -1;
	EACH_AT_ONCE if (k[e] >= 0 && !CHOSEN(k[e], POSITION)) k[e] = -1;
	EACH_AT_ONCE if (k[e] >= 0) x[e] = load(CTX_A SRC_A lo + POSITION);
	EACH_AT_ONCE if (k[e] >= 0) to[k[e]] = x[e];
#endif
}
