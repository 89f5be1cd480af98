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
#elif defined(SKEL_WARP)
// The slots that a group looks for tiles in, together.
typedef struct {
	i64 base, begin, end; // the next ones; the elements of all segments
	u32 todo;             // which of those before base are left
} search;

// The next slot with a tile; slots when there is none. All lanes find the same.
FUNC i64 next_slot(CUT_P OWNER_P i64 slots, search *f) {
	while (f->todo == 0 && f->base < slots) {
		i64 slot = f->base + lane_id() % SKEL_WARP;
		f->base += groups() * SKEL_WARP;
		int has = slot < slots;
#ifdef OWNED // of slots outside of all segments nothing is known
		has = has && slot * HALF >= f->begin && slot * HALF < f->end && owner[slot] >= 0;
#endif
		f->todo = WARP_BALLOT(has);
	}
	if (f->todo == 0)
		return slots;
	u32 first = f->todo & (0 - f->todo);
	f->todo ^= first;
	return f->base - groups() * SKEL_WARP + 63 - SKEL_CLZ64((u64)first);
}

// A group takes tiles in turn. The next one is on its way while the lanes wait
// for each other.
KERNEL_OF(RUNS, 4) tiles(CTX_K SRC_P CUT_P OWNER_P GLOBAL T *totals, i64 slots) {
	GROUP_LOCALS
	int lane = (int)lane_id(), phase = 0;
	i64 s, lo, hi, tile;
	search f;
	f.base = group_id() * SKEL_WARP;
	f.todo = 0;
	cut(CUT_A 0, &f.begin, &hi);
	cut(CUT_A nsegments - 1, &lo, &f.end);
	i64 slot = next_slot(CUT_A OWNER_A slots, &f);
	int next = slot < slots && slot_tile(CUT_A OWNER_A slot, &s, &lo, &hi, &tile);
	T a, r[RUN];
	if (next && lo + lane * RUN < hi)
		load_run(CTX_A SRC_A lo + lane * RUN, hi, TOTAL, r);
	while (slot < slots) {
		i64 here = slot;
		int used = next, runs = 0;
		if (used) {
			runs = (int)((hi - lo + RUN - 1) / RUN);
			if (lane < runs)
				a = fold_few(CTX_A SRC_A r, run_of(lo + lane * RUN, hi));
		}
		slot = next_slot(CUT_A OWNER_A slots, &f);
		next = slot < slots && slot_tile(CUT_A OWNER_A slot, &s, &lo, &hi, &tile);
		if (next && lo + lane * RUN < hi)
			load_run(CTX_A SRC_A lo + lane * RUN, hi, TOTAL, r);
		if (used) {
			GROUP_TREE(a, runs, phase)
			phase ^= 1;
			if (lane == 0)
				totals[here] = a;
		}
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
