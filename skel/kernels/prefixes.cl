// Turns the totals of each segment's tiles into the prefixes of the tiles up
// to them: the super-groups before from left to right, then the groups before
// of the tile's own super-group, then the tiles up to it of its own group.
#define FAN 32
#define DEEP (FAN * FAN)

// Inclusive prefixes by the pair tree (Sklansky 1960) of r[0 .. n-1].
#define TREE_PREFIXES(r, n) \
	for (int d = 1; d < n; d *= 2) \
		for (int block = d; block < n; block += 2 * d) { \
			T left = r[block - 1]; \
			for (int k = block; k < n && k < block + d; k++) \
				r[k] = op(CTX_A SRC_A left, r[k]); \
		}

KERNEL prefixes(CTX_K SRC_P CUT_P GLOBAL T *totals) {
	i64 s = group_id() * lanes() + lane_id(), lo, hi;
	if (s >= nsegments)
		return;
	cut(CUT_A s, &lo, &hi);
	GLOBAL T *super = totals + first_slot(CUT_A s, lo);
	T before, groups_upto[FAN];
	int has = 0;
	for (i64 left = (hi - lo + TILE - 1) / TILE - 1; left > 0; left -= DEEP, super += DEEP) { // nobody needs the last total
		int n = left < DEEP ? (int)left : DEEP, ngroups = (n + FAN - 1) / FAN;
		for (int g = 0; g < ngroups; g++) {
			GLOBAL T *tiles = super + g * FAN;
			int m = n - g * FAN < FAN ? n - g * FAN : FAN;
			TREE_PREFIXES(tiles, m)
			groups_upto[g] = tiles[m - 1];
		}
		TREE_PREFIXES(groups_upto, ngroups)
		for (int k = 0; k < n; k++) {
			T p = k % FAN == FAN - 1 ? groups_upto[k / FAN] : super[k];
			if (k % FAN < FAN - 1 && k >= FAN)
				p = op(CTX_A SRC_A groups_upto[k / FAN - 1], p);
			super[k] = has ? op(CTX_A SRC_A before, p) : p;
		}
		before = super[n - 1];
		has = 1;
	}
}
