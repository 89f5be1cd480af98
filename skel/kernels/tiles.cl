// tiles computes totals[slot] = the reduction of the tile of that slot (cuts.cl), for every slot that
// has a tile. It is the first phase of the reduction of long segments and of the scan in three phases.
// A tile is reduced by a work-item on a CPU, and by a group on a GPU.
#ifdef SHAPE_CPU
KERNEL tiles(CTX_K SRC_P CUT_P OWNER_P GLOBAL T *totals, i64 slots COUNT_P) {
	LIMIT_SEGMENT
	i64 first = group_id() * slots / groups(), last = (group_id() + 1) * slots / groups();
	for (i64 slot = first; slot < last; slot++) {
		i64 s, lo, hi, tile;
		if (slot_tile(CUT_A OWNER_A slot, &s, &lo, &hi, &tile))
			totals[slot] = fold_tile(CTX_A SRC_A lo, hi);
	}
}
#elif defined(SKEL_WARP)
// Groups take turns at blocks of `per` neighbouring slots (at most a warp's width): each lane of a warp
// looks up one slot. A lane loads its run of the next tile before the group combines the current one.
KERNEL_OF(RUNS, 4) tiles(CTX_K SRC_P CUT_P OWNER_P GLOBAL T *totals, i64 slots, i32 per COUNT_P) {
	LIMIT_SEGMENT
	GROUP_LOCALS
	int lane = (int)lane_id(), in_warp = lane % SKEL_WARP, phase = 0;
	i64 next = group_id() * per, first = 0, slot = 0, s, lo, hi, tile;
	u32 todo = 0; // bit k: slot first + k has a tile that is not yet loaded
	int have = 0, elements = 0, runs = 0, n = 0, off = 0;
	T a, q[RUN + CHUNK];
	for (;;) {
		int used = have, had = runs;
		i64 here = slot;
		if (used && n > 0)
			a = fold_few(CTX_A SRC_A q, off, n);
		for (; todo == 0 && next < slots; next += groups() * per) {
			first = next;
			slot = first + in_warp;
			int has = in_warp < per && slot < slots && slot_tile(CUT_A OWNER_A slot, &s, &lo, &hi, &tile);
			elements = has ? (int)(hi - lo) : 0;
			todo = WARP_BALLOT(has);
		}
		have = todo != 0;
		if (have) {
			int k = lowest(todo);
			todo &= todo - 1;
			slot = first + k;
			int of = (int)WARP_WORD(elements, k);
			i64 at = warp_long(lo, k) + lane * RUN;
			runs = (of + RUN - 1) / RUN;
			n = of - lane * RUN < RUN ? of - lane * RUN : RUN;
			off = offset_of(at);
			if (n > 0)
				load_run(CTX_A SRC_A at, n, TOTAL, q);
		}
		if (used) {
			GROUP_TREE(a, had, phase)
			phase ^= 1;
			if (lane == 0)
				totals[here] = a;
		}
		if (!have)
			break;
	}
}
#else
KERNEL tiles(CTX_K SRC_P CUT_P OWNER_P GLOBAL T *totals, i64 slots COUNT_P) {
	LIMIT_SEGMENT
	BLOCK_LOCALS
	int lane = (int)lane_id();
	for (i64 slot = group_id(); slot < slots; slot += groups()) {
		i64 s, lo, hi, tile;
		if (slot_tile(CUT_A OWNER_A slot, &s, &lo, &hi, &tile))
			FOLD_TILE(lo, hi, totals + slot)
	}
}
#endif
