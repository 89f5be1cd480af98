// sortcuts prepares a pass: state[slot] becomes the number of elements of a pair's first run that precede the
// tile of the slot in the merged run. If these numbers are not in order, because less is not one, the pair
// is marked as broken.

// find_cut sets *at to the cut of a slot and returns whether the tile of the slot takes part in the pass.
FUNC int find_cut(CTX_P SRC_P CUT_P OWNER_P BUFFERS_P i64 slot, int pass, i64 *lo, run_pair *pair, i64 *at) {
	i64 segment, hi, tile, start, end;
	if (!slot_tile(CUT_A OWNER_A slot, &segment, lo, &hi, &tile))
		return 0;
	cut(CUT_A segment, &start, &end);
	int left = passes_of(end - start) - pass;
	if (left <= 0)
		return 0;
	*pair = pair_of(start, end, *lo, pass);
	GLOBAL const E *a = BUFFER(left) + pair->lo;
	GLOBAL const E *b = BUFFER(left) + pair->mid;
	i64 diagonal = *lo - pair->lo, na = pair->mid - pair->lo, nb = pair->hi - pair->mid;
	i64 least = diagonal > nb ? diagonal - nb : 0, most = diagonal < na ? diagonal : na;
	while (least < most) {
		i64 mid = (least + most) / 2;
		if (comes_first(CTX_A SRC_A b[diagonal - 1 - mid], a[mid]))
			most = mid;
		else
			least = mid + 1;
	}
	*at = least;
	return 1;
}

#ifdef SHAPE_CPU
KERNEL sortcuts(CTX_K SRC_P CUT_P OWNER_P BUFFERS_P STATE_P, i32 pass) {
	i64 first = group_id() * slots / groups(), last = (group_id() + 1) * slots / groups();
	i64 at = 0, lo;
	run_pair pair;
	if (!NEEDED(pass) || first == last)
		return;
	if (first > 0)
		find_cut(CTX_A SRC_A CUT_A OWNER_A BUFFERS_A first - 1, pass, &lo, &pair, &at);
	for (i64 slot = first; slot < last; slot++) {
		i64 before = at;
		if (!find_cut(CTX_A SRC_A CUT_A OWNER_A BUFFERS_A slot, pass, &lo, &pair, &at))
			continue;
		state[slot] = at;
		if (lo > pair.lo && (at < before || at > before + TILE))
			BROKEN[FIRST_SLOT(pair)] = 1 + pass;
	}
}
#else
KERNEL_OF(LANES, 1) sortcuts(CTX_K SRC_P CUT_P OWNER_P BUFFERS_P STATE_P, i32 pass) {
	LOCAL i64 found[LANES];
	int lane = (int)lane_id();
	i64 slot = group_id() * (LANES - 1) + lane - 1; // lane 0 repeats the last slot of the group before
	i64 at = 0, lo = 0;
	run_pair pair;
	pair.lo = 0;
	if (!NEEDED(pass))
		return;
	int used = slot >= 0 && slot < slots && find_cut(CTX_A SRC_A CUT_A OWNER_A BUFFERS_A slot, pass, &lo, &pair, &at);
	found[lane] = at;
	BARRIER();
	if (!used || lane == 0)
		return;
	state[slot] = at;
	i64 step = at - found[lane - 1];
	if (lo > pair.lo && (step < 0 || step > TILE))
		BROKEN[FIRST_SLOT(pair)] = 1 + pass;
}
#endif
