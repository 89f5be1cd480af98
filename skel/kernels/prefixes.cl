// prefixes replaces the total of each tile (tiles.cl) by the inclusive prefix of the tiles of its
// segment: the second phase of the scan in three phases. The order is that of skel/order.go: groups of
// FAN tiles are folded from left to right, and inside a group prefixes follow the pair tree
// (Sklansky 1960). On a CPU a work-item takes a segment. On a GPU a group takes one, FAN * FAN totals
// at a time.
#define FAN 32

// With SEEDED the segment is a device's part of a larger scan; seed is the prefix of the parts before.
#ifdef SEEDED
#define SEED_P , GLOBAL const T *seed
#else
#define SEED_P
#endif

#ifdef SHAPE_CPU
KERNEL prefixes(CTX_K SRC_P CUT_P GLOBAL T *totals SEED_P COUNT_P) {
	LIMIT(length);
	i64 s = group_id() * lanes() + lane_id(), lo, hi;
	if (s >= nsegments)
		return;
	cut(CUT_A s, &lo, &hi);
	GLOBAL T *group = totals + first_slot(CUT_A s, lo);
	T before;
	int has = 0;
#ifdef SEEDED
	before = seed[0];
	has = 1;
#endif
	for (i64 left = (hi - lo + TILE - 1) / TILE - 1; left > 0; left -= FAN, group += FAN) { // all but the last
		int n = left < FAN ? (int)left : FAN;
		for (int d = 1; d < n; d *= 2) // inclusive prefixes by the pair tree
			for (int block = d; block < n; block += 2 * d) {
				T first = group[block - 1];
				for (int k = block; k < n && k < block + d; k++)
					group[k] = op(CTX_A SRC_A first, group[k]);
			}
		for (int k = 0; has && k < n; k++)
			group[k] = op(CTX_A SRC_A before, group[k]);
		before = group[n - 1];
		has = 1;
	}
}
#else

KERNEL prefixes(CTX_K SRC_P CUT_P GLOBAL T *totals SEED_P COUNT_P) {
	LIMIT(length);
	LOCAL T upto[FAN + 1]; // upto[g] is the prefix of everything before group g of this step
	int lane = (int)lane_id(), has = 0;
	i64 lo, hi;
#ifdef SEEDED
	if (lane == 0)
		upto[FAN] = seed[0];
	has = 1;
#endif
	cut(CUT_A group_id(), &lo, &hi);
	GLOBAL T *at = totals + first_slot(CUT_A group_id(), lo);
	for (i64 left = (hi - lo + TILE - 1) / TILE - 1; left > 0; left -= FAN * FAN, at += FAN * FAN) {
		int n = left < FAN * FAN ? (int)left : FAN * FAN, ngroups = (n + FAN - 1) / FAN;
		for (int d = 1; d < FAN; d *= 2) { // prefixes by the pair tree inside every group
			for (int k = lane; k < n; k += LANES)
				if (k & d)
					at[k] = op(CTX_A SRC_A at[(k & ~(2 * d - 1)) + d - 1], at[k]);
			BARRIER();
		}
		if (lane == 0) {
			if (has)
				upto[0] = upto[FAN];
			for (int g = 0; g < ngroups; g++) {
				T x = at[g * FAN + FAN <= n ? g * FAN + FAN - 1 : n - 1];
				upto[g + 1] = has || g > 0 ? op(CTX_A SRC_A upto[g], x) : x;
			}
		}
		BARRIER();
		for (int k = lane; k < n; k += LANES)
			if (has || k >= FAN)
				at[k] = op(CTX_A SRC_A upto[k / FAN], at[k]);
		BARRIER();
		has = 1;
	}
}
#endif
