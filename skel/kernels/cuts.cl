// Segments: all of one length, or cut at offsets (cuts.go). At level l the
// elements are the totals of the tiles of level l-1.
#ifdef RAGGED
#define CUT_P GLOBAL const i64 *offsets, i64 length, i64 nsegments, i64 level,
#define CUT_A offsets, length, nsegments, level,
#else
#define CUT_P i64 length, i64 nsegments, i64 level,
#define CUT_A length, nsegments, level,
#endif

// The elements [*lo, *hi) of segment s at the given level.
FUNC void cut(CUT_P i64 s, i64 *lo, i64 *hi) {
#ifdef RAGGED
	i64 a = offsets[s], b = offsets[s + 1];
	a = a < 0 ? 0 : a > length ? length : a;
	b = b < a ? a : b > length ? length : b;
#else
	i64 a = s * length, b = a + length;
#endif
	for (i64 l = 0; l < level; l++) {
		i64 tiles = (b - a + TILE - 1) / TILE;
		a = a / TILE + s;
		b = a + tiles;
	}
	*lo = a;
	*hi = b;
}

// The tile of a slot: its segment, its elements, and its place in the
// segment; 0 when the slot is not used: those before the first segment, and
// the one that most segments have to spare.
FUNC int slot_tile(CUT_P i64 slot, i64 *s, i64 *lo, i64 *hi, i64 *tile) {
	i64 least = 0, most = nsegments - 1, a, b;
	while (least < most) { // the last segment whose slots begin at or before this one
		i64 mid = (least + most + 1) / 2;
		cut(CUT_A mid, &a, &b);
		if (a / TILE + mid <= slot)
			least = mid;
		else
			most = mid - 1;
	}
	cut(CUT_A least, &a, &b);
	*s = least;
	*tile = slot - (a / TILE + least);
	*lo = a + *tile * TILE;
	*hi = *lo + TILE < b ? *lo + TILE : b;
	return *tile >= 0 && *lo < b;
}
