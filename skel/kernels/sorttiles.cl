// sorttiles sorts the tiles of segments: the first of several phases, which sortcuts.cl and sortmerge.cl
// continue. sortshort.cl sorts segments of at most a tile.
#ifdef SHAPE_CPU
KERNEL sorttiles(CTX_K SRC_P CUT_P OWNER_P OUT_P BUFFERS_P STATE_P) {
	i64 first = group_id() * slots / groups(), last = (group_id() + 1) * slots / groups();
	for (i64 slot = first; NEEDED(0) && slot < last; slot++) {
		i64 segment, lo, hi, tile, start, end;
		if (!slot_tile(CUT_A OWNER_A slot, &segment, &lo, &hi, &tile))
			continue;
		cut(CUT_A segment, &start, &end);
		int passes = passes_of(end - start);
		if (passes > 0)
			sort_tile(CTX_A SRC_A OUT_A BUFFERS_A lo, hi, 0, passes);
	}
}
#else
KERNEL_OF(LANES, RESIDENT) sorttiles(CTX_K SRC_P CUT_P OWNER_P OUT_P BUFFERS_P STATE_P DYNAMIC_P) {
	ROOM_LOCALS
	int lane = (int)lane_id();
	for (i64 slot = group_id(); NEEDED(0) && slot < slots; slot += groups()) {
		i64 segment, lo, hi, tile, start, end;
		if (!slot_tile(CUT_A OWNER_A slot, &segment, &lo, &hi, &tile))
			continue;
		cut(CUT_A segment, &start, &end);
		int passes = passes_of(end - start), n = (int)(hi - lo);
		if (passes == 0)
			continue;
		for (int k = lane; k < n; k += LANES) {
			E e;
			MAKE(e, lo + k);
			s[k] = e;
		}
		if (lane == 0)
			disorder = 0;
		BARRIER();
		if (!sort_local(CTX_A SRC_A s, begins, n, lane, (n + ITEMS - 1) / ITEMS))
			disorder = 1;
		BARRIER();
		int ordered = !disorder;
		GLOBAL E *to = BUFFER(passes);
		for (int k = lane; k < n; k += LANES) {
			E e = s[k];
			if (!ordered)
				MAKE(e, lo + k);
			to[lo + k] = e;
		}
		BARRIER();
	}
}
#endif
