// sortmerge is a pass: it merges a tile at a time from the parts of two runs that sortcuts.cl found.

// merge_parts_of sets *a and *b to the first elements of the parts that are merged into the tile [lo, hi),
// and returns how many are of the first part. The tile stays as it is if the parts are not in order: then
// *a is lo and all elements are of the first part.
FUNC int merge_parts_of(STATE_P, i64 slot, int pass, run_pair pair, i64 lo, i64 hi, i64 *a,
                        i64 *b) {
	int n = (int)(hi - lo);
	if (BROKEN[FIRST_SLOT(pair)] != 1 + pass) {
		i64 here = state[slot], next = hi < pair.hi ? state[slot + 1] : pair.mid - pair.lo;
		*a = pair.lo + here;
		*b = pair.mid + (lo - pair.lo) - here;
		i64 na = next - here;
		// Cuts are of other pairs where offsets decrease.
		if (here >= 0 && *b >= pair.mid && na >= 0 && na <= n && *a + na <= pair.mid && *b + n - na <= pair.hi)
			return (int)na;
	}
	*a = lo;
	*b = hi;
	return n;
}

#ifdef SHAPE_CPU
KERNEL sortmerge(CTX_K SRC_P CUT_P OWNER_P OUT_P BUFFERS_P STATE_P, i32 pass) {
	i64 first = group_id() * slots / groups(), last = (group_id() + 1) * slots / groups();
	for (i64 slot = first; NEEDED(pass) && slot < last; slot++) {
		i64 segment, lo, hi, tile, start, end, a, b;
		if (!slot_tile(CUT_A OWNER_A slot, &segment, &lo, &hi, &tile))
			continue;
		cut(CUT_A segment, &start, &end);
		int left = passes_of(end - start) - pass;
		if (left <= 0)
			continue;
		int n = (int)(hi - lo), na = merge_parts_of(state, slots, slot, pass, pair_of(start, end, lo, pass), lo, hi, &a, &b);
		GLOBAL E *to = BUFFER(left - 1);
		merge_parts(CTX_A SRC_A BUFFER(left), a, a + na, b, b + n - na, to + lo);
		if (left == 1)
			for (i64 i = lo; i < hi; i++)
				PUT(i, to[i], ORIGIN(start));
	}
}
#else
KERNEL_OF(LANES, RESIDENT) sortmerge(CTX_K SRC_P CUT_P OWNER_P OUT_P BUFFERS_P STATE_P, i32 pass DYNAMIC_P) {
	ROOM_LOCALS
	int lane = (int)lane_id(), first = lane * ITEMS;
	for (i64 slot = group_id(); NEEDED(pass) && slot < slots; slot += groups()) {
		i64 segment, lo, hi, tile, start, end, a, b;
		if (!slot_tile(CUT_A OWNER_A slot, &segment, &lo, &hi, &tile))
			continue;
		cut(CUT_A segment, &start, &end);
		int left = passes_of(end - start) - pass;
		if (left <= 0)
			continue;
		GLOBAL const E *from = BUFFER(left);
		int n = (int)(hi - lo), na = merge_parts_of(state, slots, slot, pass, pair_of(start, end, lo, pass), lo, hi, &a, &b);
		for (int k = lane; k < n; k += LANES)
			s[k] = from[k < na ? a + k : b + (k - na)];
		if (lane == 0)
			disorder = 0;
		BARRIER();
		E r[ITEMS];
		int at = 0, upto = 0;
		if (first < n) {
			at = split(CTX_A SRC_A s, na, n - na, first);
			begins[lane] = at;
			upto = merge_run(CTX_A SRC_A s, at, na, na + first - at, n, r);
		}
		BARRIER();
		if (first < n && upto != (first + ITEMS < n ? begins[lane + 1] : na))
			disorder = 1;
		put_run(s, n, lane, r);
		BARRIER();
		int ordered = !disorder;
		GLOBAL E *to = BUFFER(left - 1);
		for (int k = lane; k < n; k += LANES) {
			E e = s[k];
			if (!ordered)
				e = from[k < na ? a + k : b + (k - na)];
			if (left == 1)
				PUT(lo + k, e, ORIGIN(start));
			else
				to[lo + k] = e;
		}
		BARRIER();
	}
}
#endif
