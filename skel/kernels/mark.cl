// mark sets the mark of each element that the n positions from lo on name to the greatest such position,
// counted from 1 (skel/scatter.go). The marks were 0; if CLEAR is defined, mark sets them to 0. If DISTINCT
// is defined, no two positions may name the same element.
#ifdef CLEAR
#define MARK(k, position) marks[k] = 0
#elif defined(DISTINCT)
#define MARK(k, position) \
	{ \
		u32 other = (u32)SKEL_CAS((GLOBAL i32 *)marks + (k), 0, (i32)((u32)(position) + 1)); \
		if (other != 0) \
			report_equal(CTX_A first + (k), lo + (position), lo + other - 1); \
	}
FUNC void report_equal(CTX_P i64 element, i64 a, i64 b) { REPORT_EQUAL(element, a > b ? a : b, a > b ? b : a); }
#else
#define MARK(k, position) ATOMIC_MAX(marks + (k), (u32)(position) + 1)
#endif

KERNEL mark(CTX_K SRC_P GLOBAL u32 *marks, i64 lo, i64 n, i64 chunk, i64 first, i64 count, i64 all) {
#ifdef SHAPE_CPU
	EACH_POSITION {
		i64 k = target(CTX_A SRC_A lo + i, first, count, all);
		if (k >= 0)
			MARK(k, i);
	}
#else
	i64 k[EACH];
	EACH_AT_ONCE k[e] = POSITION < n ? target(CTX_A SRC_A lo + POSITION, first, count, all) : -1;
	EACH_AT_ONCE if (k[e] >= 0) MARK(k[e], POSITION);
#endif
}
