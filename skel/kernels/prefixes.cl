// Turns the totals of each segment's tiles into the prefixes of the tiles up
// to them: the groups of FAN tiles before from left to right, then the tiles up
// to it of the tile's own group.
#define FAN 32

// A part of a scan over several devices begins with what is before it.
#ifdef SEEDED
#define SEED_P , GLOBAL const T *seed
#else
#define SEED_P
#endif

#ifdef SHAPE_CPU
KERNEL prefixes(CTX_K SRC_P CUT_P GLOBAL T *totals SEED_P) {
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
	for (i64 left = (hi - lo + TILE - 1) / TILE - 1; left > 0; left -= FAN, group += FAN) { // nobody needs the last total
		int n = left < FAN ? (int)left : FAN;
		for (int d = 1; d < n; d *= 2) // inclusive prefixes by the pair tree (Sklansky 1960)
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

KERNEL prefixes(CTX_K SRC_P CUT_P GLOBAL T *totals SEED_P) {
	LOCAL T upto[FAN + 1]; // upto[g]: all before group g of those in hand
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
		for (int d = 1; d < FAN; d *= 2) { // prefixes by the pair tree in every group
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
