// Segments (skel/segments.go), and the slots of their tiles. All segments have one length, like the rows
// of a matrix, or they are RAGGED: segment s has the elements offsets[s] ... offsets[s + 1] - 1, and
// length is the number of all elements. A tile's slot is the index of its total in memory. Lookups
// need no prefix sums over the segments: a slot may be unused.
#ifdef RAGGED
#define CUT_P GLOBAL const i64 *offsets, i64 length, i64 nsegments,
#define CUT_A offsets, length, nsegments,
#else
#define CUT_P i64 length, i64 nsegments,
#define CUT_A length, nsegments,
#endif

// LIMIT_SEGMENT limits the only segment to the count if only the device knows that (COUNTED).
#ifdef COUNTED
#define LIMIT_SEGMENT \
	LIMIT(length); \
	slots = (length + TILE - 1) / TILE;
#else
#define LIMIT_SEGMENT
#endif

// In a reduction of ragged segments (OWNED) only segments longer than a tile have slots. There is a slot
// at every half tile of all elements, so a segment of t > 1 tiles contains at least t slots and uses the
// first t. owner[slot] is the segment that uses the slot, or -1.
#ifdef OWNED
#define OWNER_P GLOBAL i64 *owner,
#define OWNER_A owner,
#define HALF (TILE / 2)

// owned_slot returns the first slot at or after element lo.
FUNC i64 owned_slot(i64 lo) { return (lo + HALF - 1) / HALF; }

// owns reports whether slot u is that of a tile of the segment [lo, hi).
FUNC int owns(i64 u, i64 lo, i64 hi) { return hi - lo > TILE && (u - owned_slot(lo)) * TILE < hi - lo; }
#else
#define OWNER_P
#define OWNER_A
#endif

// cut stores the bounds of segment s: its elements are [*lo, *hi). Offsets outside the elements, and
// offsets that decrease, are clamped.
FUNC void cut(CUT_P i64 s, i64 *lo, i64 *hi) {
#ifdef RAGGED
	i64 a = offsets[s], b = offsets[s + 1];
	a = a < 0 ? 0 : a > length ? length : a;
	b = b < a ? a : b > length ? length : b;
#else
	i64 a = s * length, b = a + length;
#endif
	*lo = a;
	*hi = b;
}

// first_slot returns the slot of the first tile of segment s, whose first element is lo.
FUNC i64 first_slot(CUT_P i64 s, i64 lo) {
#ifdef RAGGED
	return lo / TILE + s;
#else
	return s * ((length + TILE - 1) / TILE);
#endif
}

// slot_tile looks up the tile of a slot: its segment *s, its elements [*lo, *hi), and its number *tile
// in the segment. It returns 0 when the slot is not used.
FUNC int slot_tile(CUT_P OWNER_P i64 slot, i64 *s, i64 *lo, i64 *hi, i64 *tile) {
	i64 a, b;
#if defined(OWNED)
	i64 begin, end; // owner is not set for slots outside all segments
	cut(CUT_A 0, &begin, &b);
	cut(CUT_A nsegments - 1, &a, &end);
	if (slot * HALF < begin || slot * HALF >= end)
		return 0;
	*s = owner[slot];
	if (*s < 0 || *s >= nsegments) // owner may not be set either where offsets decrease
		return 0;
	cut(CUT_A *s, &a, &b);
	*tile = slot - owned_slot(a);
#elif defined(RAGGED)
	i64 least = 0, most = nsegments - 1;
	while (least < most) { // search for the last segment whose slots begin at or before this one
		i64 mid = (least + most + 1) / 2;
		cut(CUT_A mid, &a, &b);
		if (first_slot(CUT_A mid, a) <= slot)
			least = mid;
		else
			most = mid - 1;
	}
	*s = least;
	cut(CUT_A *s, &a, &b);
	*tile = slot - first_slot(CUT_A *s, a);
#else
	*s = slot / ((length + TILE - 1) / TILE);
	cut(CUT_A *s, &a, &b);
	*tile = slot - first_slot(CUT_A *s, a);
#endif
	*lo = a + *tile * TILE;
	*hi = *lo + TILE < b ? *lo + TILE : b;
	return *tile >= 0 && *lo < b;
}
