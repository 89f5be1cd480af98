// totals[slot] = the reduction of the slot's tile
#ifdef SHAPE_CPU
KERNEL tiles(CTX_K SRC_P CUT_P OWNER_P GLOBAL T *totals, i64 slots) {
	i64 first = group_id() * slots / groups(), last = (group_id() + 1) * slots / groups();
	for (i64 slot = first; slot < last; slot++) {
		i64 s, lo, hi, tile;
		if (slot_tile(CUT_A OWNER_A slot, &s, &lo, &hi, &tile))
			totals[slot] = fold_tile(CTX_A SRC_A lo, hi);
	}
}
#else
KERNEL tiles(CTX_K SRC_P CUT_P OWNER_P GLOBAL T *totals, i64 slots) {
	BLOCK_LOCALS
	int lane = (int)lane_id();
	for (i64 slot = group_id(); slot < slots; slot += groups()) {
		i64 s, lo, hi, tile;
		if (slot_tile(CUT_A OWNER_A slot, &s, &lo, &hi, &tile))
			FOLD_TILE(lo, hi, totals + slot)
	}
}
#endif
