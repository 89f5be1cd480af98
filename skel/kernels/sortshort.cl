// sortshort sorts the segments of at most a tile, each in the local memory of one group. For longer ragged
// segments (OWNED) it records the owners of their slots; sorttiles.cl and sortmerge.cl sort them.
//
// On a GPU a segment takes as many consecutive lanes as it has runs of ITEMS elements. The lanes of the
// segments before are not counted but bounded: segment s begins at lane start_lane(s) of all groups, which
// needs no sums over segments. A group takes the segments that begin in a window of lanes, as many at a time
// as fit into its own lanes.

// note_owner records the slots of the segments in [lo, hi): of segment s, if it is longer than a tile, and
// of shorter ones otherwise. A lane records every `lanes`-th slot. active[p] is set if a pass p is needed.
#ifdef OWNED
#define LAST_P , STATE_P
FUNC void note_owner(GLOBAL i64 *owner, GLOBAL i64 *active, i64 s, i64 lo, i64 hi, int lane, int lanes) {
	for (i64 u = owned_slot(lo) + lane; u * HALF < hi; u += lanes)
		owner[u] = owns(u, lo, hi) ? s : -1;
	for (int p = lane; p < passes_of(hi - lo); p += lanes)
		active[p] = 1;
}
#else
#define LAST_P
#endif

// copy_outside copies the elements outside all segments to the results.
FUNC void copy_outside(CTX_P SRC_P CUT_P OUT_P i64 from, i64 step) {
#ifdef RAGGED
	i64 a = offsets[0], b = offsets[nsegments];
	a = a < 0 ? 0 : a > length ? length : a;
	b = b < 0 ? 0 : b > length ? length : b;
	for (i64 k = from; k < a + length - b; k += step) {
		i64 i = k < a ? k : b + (k - a);
		E e;
		MAKE(e, i);
		PUT(i, e, 0);
	}
#endif
}

#ifdef SHAPE_CPU
KERNEL sortshort(CTX_K SRC_P CUT_P OWNER_P OUT_P BUFFERS_P i64 window LAST_P) {
	i64 first = group_id() * nsegments / groups(), last = (group_id() + 1) * nsegments / groups();
	for (i64 s = first; s < last; s++) {
		i64 lo, hi;
		cut(CUT_A s, &lo, &hi);
		if (hi - lo <= TILE)
			sort_tile(CTX_A SRC_A OUT_A BUFFERS_A lo, hi, ORIGIN(lo), 0);
#ifdef OWNED
		note_owner(owner, ACTIVE, s, lo, hi, 0, 1);
#endif
	}
	copy_outside(CTX_A SRC_A CUT_A OUT_A group_id(), groups());
}
#else

// start_lane returns the lane with which segment s begins.
FUNC i64 start_lane(CUT_P i64 s) {
#ifdef RAGGED
	i64 lo = offsets[s];
	lo = lo < 0 ? 0 : lo > length ? length : lo;
	return lo / ITEMS + s;
#else
	return s * ((length + ITEMS - 1) / ITEMS);
#endif
}

// find_start returns the first segment in [least, most) that begins at or after a lane, or most.
FUNC i64 find_start(CUT_P i64 least, i64 most, i64 lane) {
	while (least < most) {
		i64 mid = least + (most - least) / 2;
		if (start_lane(CUT_A mid) >= lane)
			most = mid;
		else
			least = mid + 1;
	}
	return least;
}

KERNEL_OF(LANES, RESIDENT) sortshort(CTX_K SRC_P CUT_P OWNER_P OUT_P BUFFERS_P i64 window LAST_P DYNAMIC_P) {
	ROOM_LOCALS
	LOCAL int overlap; // offsets decrease, so segments may share elements
	int lane = (int)lane_id();
#ifdef RAGGED
	i64 from = find_start(CUT_A 0, nsegments, group_id() * window);
	i64 last = find_start(CUT_A 0, nsegments, (group_id() + 1) * window);
#else
	i64 width = (length + ITEMS - 1) / ITEMS, from = group_id() * (window / width), last = from + window / width;
	last = last < nsegments ? last : nsegments;
#endif
	while (from < last) {
		i64 begin = start_lane(CUT_A from), to = last, foot, top, lo, hi;
#ifdef RAGGED
		i64 most = from + LANES < last ? from + LANES : last;
		to = most;
		if (lane == 0)
			overlap = 0;
		BARRIER();
		for (i64 k = from + lane; k < most; k += LANES)
			if (offsets[k + 1] < offsets[k])
				overlap = 1;
		BARRIER();
		to = find_start(CUT_A from + 1, most + 1, begin + LANES + 1) - 1; // the first that does not fit
		if (overlap || to <= from)
			to = from + 1;
		i64 mine = find_start(CUT_A from + 1, to, begin + lane + 1) - 1;
#else
		i64 mine = from + lane / width < to ? from + lane / width : to - 1;
#endif
		cut(CUT_A from, &foot, &hi);
		cut(CUT_A to - 1, &lo, &top);
		int total = top - foot <= TILE ? (int)(top - foot) : 0;
#ifdef OWNED
		note_owner(owner, ACTIVE, from, foot, top, lane, LANES);
#endif
		cut(CUT_A mine, &lo, &hi);
		int at = (int)(lo - foot), run = lane - (int)(start_lane(CUT_A mine) - begin);
		int n = total > 0 ? (int)(hi - lo) : 0;
		for (int k = lane; k < total; k += LANES) {
			E e;
			MAKE(e, foot + k);
			s[k] = e;
		}
		if (lane == 0)
			disorder = 0;
		BARRIER();
#ifdef RAGGED
		int runs = (total + ITEMS - 1) / ITEMS;
#else
		int runs = (int)width;
#endif
		if (!sort_local(CTX_A SRC_A s + at, begins, n, run, runs))
			disorder = 1;
		BARRIER();
		int ordered = !disorder;
		for (int k = lane; k < total; k += LANES) {
			E e = s[k];
			i64 start = 0;
			if (!ordered)
				MAKE(e, foot + k);
#ifdef COLUMNS
			start = (foot + k) / length * length;
#endif
			PUT(foot + k, e, start);
		}
		BARRIER();
		from = to;
	}
	copy_outside(CTX_A SRC_A CUT_A OUT_A group_id() * LANES + lane, groups() * LANES);
}
#endif
