// Pair trees (order.cl) over the lanes of a warp, and over a group of RUNS lanes, on GPUs. With warps,
// lanes exchange elements by shuffles, and warps through local memory; without, all go through local
// memory.

#ifdef SKEL_WARP
#define WARPS (RUNS / SKEL_WARP)

// words is an element as 32-bit words, the unit that the lanes of a warp exchange.
typedef union {
	T t;
	u32 w[(sizeof(T) + 3) / 4];
} words;

// warp_get returns the x of lane `from` of the warp; warp_long does so for 64-bit integers.
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

// lowest returns the number of the lowest bit that is set; bits is not 0.
FUNC int lowest(u32 bits) { return 63 - (int)SKEL_CLZ64((u64)(bits & (0 - bits))); }

// reach returns how far the lanes that a lane combines with extend, in a tree over the first n lanes
// of a warp: the lane combines with lane + d for d = 1, 2, 4, ... while d < reach.
FUNC int reach(int lane, int n) {
	int low = (lane | SKEL_WARP) & -(lane | SKEL_WARP);
	return low < n - lane ? low : n - lane;
}

// warp_tree combines the a of neighbouring lanes by pair trees, of at most eight lanes each if `narrow`;
// `within` is the lane's reach. The first lane of a tree returns its result.
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

// GROUP_TREES combines the a of every `size` lanes of the group by a pair tree; size is a power of two
// and at least a warp. Only the first n lanes have elements. The result of tree k is left in the a of
// lane k * TREE_LANES(size). Calls alternate between phase 0 and 1, so that one barrier is enough.
// It is a macro because PoCL compiles barriers wrongly in a function that it does not inline.
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

// tree_reach is reach for a tree over the first n lanes of a group: the lane combines with lane + d
// for d = 1, 2, 4, ... while d < tree_reach.
FUNC int tree_reach(int lane, int n) {
	int part = lane == 0 ? RUNS : lane & -lane;
	return n - lane < part ? n - lane : part;
}
#else
#define TREE_LANES(size) (size)
#ifdef LARGE_ELEMENTS
// The elements of all lanes do not fit into local memory, so the lanes take turns.
#define SLOTS (16384 / (int)sizeof(T))
#define GROUP_LOCALS LOCAL T group_s[SLOTS];

// GROUP_GET declares `other`, the a of lane + d.
#define GROUP_GET(other, a, d) \
	T other = a; \
	for (int from = 0; from < RUNS; from += SLOTS) { \
		BARRIER(); \
		if (lane >= from && lane < from + SLOTS) \
			group_s[lane - from] = a; \
		BARRIER(); \
		int at = (lane + (d)) % RUNS - from; \
		if (at >= 0 && at < SLOTS) \
			other = group_s[at]; \
	}

#define GROUP_TREES(a, n, size, phase) \
	(void)(phase); \
	for (int d = 1; d < (size); d *= 2) { \
		GROUP_GET(other, a, d) \
		if (lane % (2 * d) == 0 && lane + d < (n)) \
			a = op(CTX_A SRC_A a, other); \
	}
#else
#define GROUP_LOCALS LOCAL T group_s[RUNS];
#define GROUP_GET(other, a, d) \
	BARRIER(); \
	group_s[lane] = a; \
	BARRIER(); \
	T other = group_s[(lane + (d)) % RUNS];

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
#endif

// GROUP_TREE combines the a of the group's first n lanes by one pair tree; lane 0 has the result.
#define GROUP_TREE(a, n, phase) GROUP_TREES(a, n, RUNS, phase)
