// finish computes out[s] = the reduction of the totals of segment s (tiles.cl), and overwrites the
// totals. It is the second phase of the reduction of segments longer than a tile.
//
// Segments of one length: a work-item takes a segment on a CPU; on a GPU a warp takes one with at most
// FEW totals, and a group a longer one. Ragged segments (OWNED): a work-item or lane looks up a slot,
// and if this is the first of a segment, the segment is reduced by the lane, by its warp or by its group,
// depending on the number of totals.

// total_tile returns the reduction of a tile of totals, [lo, hi), computed by one work-item.
FUNC T total_tile(CTX_P SRC_P GLOBAL T *totals, i64 lo, i64 hi) {
	T stack[9]; // partial results of the pair tree that wait for their right neighbours
	int top = 0;
	for (int run = 0; lo < hi; run++) {
		T a = totals[lo++];
		for (i64 end = lo + TOTALS_RUN - 1 < hi ? lo + TOTALS_RUN - 1 : hi; lo < end; lo++)
			a = op(CTX_A SRC_A a, totals[lo]);
		for (int k = run; k & 1; k >>= 1)
			a = op(CTX_A SRC_A stack[--top], a);
		stack[top++] = a;
	}
	T a = stack[--top];
	while (top > 0)
		a = op(CTX_A SRC_A stack[--top], a);
	return a;
}

// total_all returns the reduction of n totals, computed by one work-item.
FUNC T total_all(CTX_P SRC_P GLOBAL T *totals, i64 n) {
	for (; n > 1; n = (n + TOTALS_TILE - 1) / TOTALS_TILE)
		for (i64 t = 0; t * TOTALS_TILE < n; t++)
			totals[t] = total_tile(CTX_A SRC_A totals, t * TOTALS_TILE, (t + 1) * TOTALS_TILE < n ? (t + 1) * TOTALS_TILE : n);
	return totals[0];
}

#if defined(OWNED)
// owned_tiles stores in *s the segment whose first tile has this slot, and returns the number of its
// tiles; 0 when the slot is not the first of a segment.
FUNC i64 owned_tiles(CUT_P OWNER_P i64 slot, i64 slots, i64 *s) {
	i64 lo, hi, tile;
	if (slot >= slots || !slot_tile(CUT_A OWNER_A slot, s, &lo, &hi, &tile) || tile > 0)
		return 0;
	cut(CUT_A *s, &lo, &hi);
	return (hi - lo + TILE - 1) / TILE;
}
#endif

#ifdef SHAPE_CPU
KERNEL finish(CTX_K SRC_P CUT_P OWNER_P GLOBAL T *totals, GLOBAL T *out, i64 slots) {
	i64 at = group_id() * lanes() + lane_id();
#ifdef OWNED
	i64 s, n = owned_tiles(CUT_A OWNER_A at, slots, &s);
	if (n > 0)
		out[s] = total_all(CTX_A SRC_A totals + at, n);
#else
	i64 n = (length + TILE - 1) / TILE;
	if (at < nsegments)
		out[at] = total_all(CTX_A SRC_A totals + at * n, n);
#endif
}
#elif defined(SKEL_WARP)
#define FEW (SKEL_WARP * TOTALS_RUN) // most totals that a warp reduces alone

// fold_totals returns the left fold of the lane's run of n totals. All loads are issued before the
// first use.
FUNC T fold_totals(CTX_P SRC_P GLOBAL const T *totals, int lane, int n) {
	int have = n - lane * TOTALS_RUN;
	T a, r[TOTALS_RUN];
	WRITTEN_OUT
	for (int k = 0; k < TOTALS_RUN; k++)
		if (k < have)
			r[k] = totals[lane * TOTALS_RUN + k];
	if (have > 0)
		a = r[0];
	WRITTEN_OUT
	for (int k = 1; k < TOTALS_RUN; k++)
		if (k < have)
			a = op(CTX_A SRC_A a, r[k]);
	return a;
}

// total_warp reduces n totals, at most FEW, with a warp; lane 0 returns the result.
FUNC T total_warp(CTX_P SRC_P GLOBAL const T *totals, int lane, int n) {
	T a = fold_totals(CTX_A SRC_A totals, lane, n);
	return warp_tree(CTX_A SRC_A a, 0, reach(lane, (n + TOTALS_RUN - 1) / TOTALS_RUN));
}

KERNEL_OF(RUNS, 4) finish(CTX_K SRC_P CUT_P OWNER_P GLOBAL T *totals, GLOBAL T *out, i64 slots) {
	GROUP_LOCALS
	int lane = (int)lane_id(), in_warp = lane % SKEL_WARP, phase = 0;
#ifdef OWNED
	// A lane looks up a slot. It reduces a segment with one run of totals itself; its warp reduces one
	// with at most FEW. At most one segment that begins in the group's slots can have more than FEW
	// tiles: the whole group reduces it.
	LOCAL int big;
	i64 at = group_id() * RUNS + lane, s = 0, n = owned_tiles(CUT_A OWNER_A at, slots, &s);
	int few = n > TOTALS_RUN && n <= FEW ? (int)n : 0;
	if (n > 0 && n <= TOTALS_RUN)
		out[s] = fold_totals(CTX_A SRC_A totals + at, 0, (int)n);
	if (lane == 0)
		big = -1;
	BARRIER();
	if (n > FEW)
		big = lane;
	for (u32 todo = WARP_BALLOT(few > 0); todo != 0; todo &= todo - 1) {
		int k = lowest(todo);
		i64 to = warp_long(s, k);
		T a = total_warp(CTX_A SRC_A totals + at - in_warp + k, in_warp, (int)WARP_WORD(few, k));
		if (in_warp == 0)
			out[to] = a;
	}
	BARRIER();
	if (big < 0)
		return;
	at = group_id() * RUNS + big;
	n = owned_tiles(CUT_A OWNER_A at, slots, &s);
	GLOBAL T *t = totals + at;
#else
	i64 n = (length + TILE - 1) / TILE, s = group_id();
	if (n <= FEW) { // a warp per segment
		s = s * WARPS + lane / SKEL_WARP;
		if (s >= nsegments)
			return;
		T a = total_warp(CTX_A SRC_A totals + s * n, in_warp, (int)n);
		if (in_warp == 0)
			out[s] = a;
		return;
	}
	GLOBAL T *t = totals + s * n;
#endif
	for (; n > 1; n = (n + TOTALS_TILE - 1) / TOTALS_TILE) {
		for (i64 base = 0; base < n; base += TOTALS_TILE, phase ^= 1) {
			int m = n - base < TOTALS_TILE ? (int)(n - base) : TOTALS_TILE;
			T a = fold_totals(CTX_A SRC_A t + base, lane, m);
			GROUP_TREE(a, (m + TOTALS_RUN - 1) / TOTALS_RUN, phase)
			if (lane == 0)
				t[base / TOTALS_TILE] = a;
		}
		BARRIER();
	}
	if (lane == 0)
		out[s] = t[0];
}
#else

// TOTAL_ALL reduces count totals with a group; lane 0 stores the result in *to.
#define TOTAL_ALL(t, count, to) \
	{ \
		i64 n = count; \
		while (n > 1) { \
			for (i64 base = 0; base < n; base += TOTALS_TILE) { \
				GLOBAL T *r = (t) + base; \
				int m = n - base < TOTALS_TILE ? (int)(n - base) : TOTALS_TILE; \
				for (int e = lane * TOTALS_RUN; e < m; e += LANES * TOTALS_RUN) { \
					T a = r[e]; \
					for (int k = e + 1; k < m && k < e + TOTALS_RUN; k++) \
						a = op(CTX_A SRC_A a, r[k]); \
					r[e] = a; \
				} \
				BARRIER(); \
				for (int d = TOTALS_RUN; d < m; d *= 2) { \
					for (int e = lane * 2 * d; e + d < m; e += LANES * 2 * d) \
						r[e] = op(CTX_A SRC_A r[e], r[e + d]); \
					BARRIER(); \
				} \
				if (lane == 0) \
					(t)[base / TOTALS_TILE] = r[0]; \
				BARRIER(); \
			} \
			n = (n + TOTALS_TILE - 1) / TOTALS_TILE; \
		} \
		if (lane == 0) \
			*(to) = (t)[0]; \
	}

#ifdef OWNED
#define FEW (4 * TOTALS_RUN) // most totals that a work-item reduces alone

KERNEL finish(CTX_K SRC_P CUT_P OWNER_P GLOBAL T *totals, GLOBAL T *out, i64 slots) {
	LOCAL i64 tiles[LANES], segment[LANES];
	int lane = (int)lane_id();
	i64 first = group_id() * LANES, s = 0, many = owned_tiles(CUT_A OWNER_A first + lane, slots, &s);
	if (many > 0 && many <= FEW) {
		out[s] = total_all(CTX_A SRC_A totals + first + lane, many);
		many = 0;
	}
	tiles[lane] = many;
	segment[lane] = s;
	BARRIER();
	for (int k = 0; k < LANES; k++)
		if (tiles[k] > 0)
			TOTAL_ALL(totals + first + k, tiles[k], out + segment[k])
}
#else
KERNEL finish(CTX_K SRC_P CUT_P OWNER_P GLOBAL T *totals, GLOBAL T *out, i64 slots) {
	int lane = (int)lane_id();
	i64 tiles = (length + TILE - 1) / TILE;
	GLOBAL T *t = totals + group_id() * tiles;
	TOTAL_ALL(t, tiles, out + group_id())
}
#endif
#endif
