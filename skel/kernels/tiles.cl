// totals[slot] = the reduction of the slot's tile
KERNEL tiles(CTX_K SRC_P CUT_P GLOBAL T *totals, i64 slots) {
	i64 items = groups() * lanes();
	for (i64 slot = group_id() * lanes() + lane_id(); slot < slots; slot += items) {
		i64 s, lo, hi, tile;
		if (slot_tile(CUT_A slot, &s, &lo, &hi, &tile))
			totals[slot] = fold_tile(CTX_A SRC_A lo, hi);
	}
}
