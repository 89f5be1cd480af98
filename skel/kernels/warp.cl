// Trees over the lanes of a warp, and over a group of RUNS lanes, on GPUs.

#ifdef SKEL_WARP
#define WARPS (RUNS / SKEL_WARP)

// An element as words, which is what the lanes of a warp can exchange.
typedef union {
	T t;
	u32 w[(sizeof(T) + 3) / 4];
} words;

// The x of another lane of the warp.
FUNC T warp_get(T x, int from) {
	words u;
	u.t = x;
	WRITTEN_OUT
	for (int k = 0; k < (int)(sizeof(u.w) / sizeof(u32)); k++)
		u.w[k] = WARP_WORD(u.w[k], from);
	return u.t;
}

FUNC i64 warp_long(i64 x, int from) {
	u32 high = WARP_WORD((u64)x >> 32, from), low = WARP_WORD((u64)x, from);
	return (i64)((u64)high << 32 | low);
}

// The lowest bit that is set, of at least one.
FUNC int lowest(u32 bits) { return 63 - (int)SKEL_CLZ64((u64)(bits & (0 - bits))); }

// How far from a lane are those that it takes into a tree over n lanes.
FUNC int reach(int lane, int n) {
	int low = (lane | SKEL_WARP) & -(lane | SKEL_WARP);
	return low < n - lane ? low : n - lane;
}

// The pair trees over the a of neighbouring lanes, at most eight if narrow; the
// results are those of the first of them.
FUNC T warp_tree(CTX_P SRC_P T a, int narrow, int within) {
	WRITTEN_OUT
	for (int d = 1; d < SKEL_WARP; d *= 2) {
		if (d == 8 && narrow)
			break;
		T other = warp_get(a, (int)lane_id() + d);
		if (d < within)
			a = op(CTX_A SRC_A a, other);
	}
	return a;
}

#define GROUP_LOCALS LOCAL T group_s[2 * WARPS];

// The pair trees over the a of each size lanes, a power of two and not less than
// a warp's; n lanes have one. The result of tree k is left in lane
// k * TREE_LANES(size). phase is 0 and 1 in turn, so that one barrier is enough.
// A macro, because PoCL mistakes barriers in a function that it does not inline.
#define TREE_LANES(size) ((size) / SKEL_WARP)
#define GROUP_TREES(a, n, size, phase) \
	{ \
		int reach = tree_reach(lane, (n)); \
		UNROLL \
		for (int d = 1; d < SKEL_WARP; d *= 2) { \
			T other = warp_get(a, lane + d); \
			if (d < reach) \
				a = op(CTX_A SRC_A a, other); \
		} \
	} \
	if (lane % SKEL_WARP == 0) \
		group_s[(phase) * WARPS + lane / SKEL_WARP] = a; \
	BARRIER(); \
	if (lane < SKEL_WARP) { \
		a = group_s[(phase) * WARPS + lane % WARPS]; \
		int reach = tree_reach(lane, ((n) + SKEL_WARP - 1) / SKEL_WARP); \
		UNROLL \
		for (int d = 1; d < (size) / SKEL_WARP; d *= 2) { \
			T other = warp_get(a, lane + d); \
			if (d < reach) \
				a = op(CTX_A SRC_A a, other); \
		} \
	}

// Of n lanes, how far from a lane its neighbours in the levels of a pair tree
// are, and no farther: those before the next lane with as large a part of it.
FUNC int tree_reach(int lane, int n) {
	int part = lane == 0 ? RUNS : lane & -lane;
	return n - lane < part ? n - lane : part;
}
#else
#define GROUP_LOCALS LOCAL T group_s[RUNS];
#define TREE_LANES(size) (size)
#define GROUP_TREES(a, n, size, phase) \
	(void)(phase); \
	BARRIER(); \
	group_s[lane] = a; \
	for (int d = 1; d < (size); d *= 2) { \
		BARRIER(); \
		if (lane % (2 * d) == 0 && lane + d < (n)) \
			group_s[lane] = op(CTX_A SRC_A group_s[lane], group_s[lane + d]); \
	} \
	BARRIER(); \
	a = group_s[lane];
#endif

// The pair tree over a whole group; the result is lane 0's a.
#define GROUP_TREE(a, n, phase) GROUP_TREES(a, n, RUNS, phase)
