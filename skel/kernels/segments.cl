// segments computes out[s] = the reduction of segment s if it has at most a tile of elements. For longer
// ragged segments (OWNED) it records the owner of their slots, and tiles.cl and finish.cl reduce them.
//
// A work-item takes consecutive segments on a CPU. On GPUs with warps a warp takes up to 32 neighbouring
// segments and packs short ones side by side into its lanes; on other GPUs a group takes as many as fit
// into a block of local memory. Larsen and Henriksen (2017) compare such divisions of work.

#ifdef SHAPE_CPU
KERNEL segments(CTX_K SRC_P CUT_P OWNER_P GLOBAL T *out, T identity) {
	i64 first = group_id() * nsegments / groups(), last = (group_id() + 1) * nsegments / groups();
	for (i64 s = first; s < last; s++) {
		i64 lo, hi;
		cut(CUT_A s, &lo, &hi);
#ifdef OWNED
		for (i64 u = owned_slot(lo); u * HALF < hi; u++)
			owner[u] = owns(u, lo, hi) ? s : -1;
		if (hi - lo > TILE)
			continue;
#endif
		out[s] = lo < hi ? fold_tile(CTX_A SRC_A lo, hi) : identity;
	}
}
#elif defined(SKEL_WARP)
#define SPAN (SKEL_WARP * RUN) // elements that a warp takes at a time

// join_blocks adds the result a of block number block, 32 runs, to the pair tree of a segment of up to 8
// blocks. Results are kept in `waiting` until their right neighbours arrive; with the last block it
// returns the result of the segment.
#define WAITERS 3
FUNC T join_blocks(CTX_P SRC_P T *waiting, int block, int last, T a) {
	WRITTEN_OUT
	for (int k = 0; k < WAITERS; k++) {
		int below = (1 << k) - 1;
		if (!last && (block & below) != below)
			continue;
		if (block >> k & 1)
			a = op(CTX_A SRC_A waiting[k], a);
		else if (!last)
			waiting[k] = a;
	}
	return a;
}

// A warp takes 1 << each neighbouring segments. Where `each` is negative, 1 << -each warps take a segment:
// they share the recording of its owner. In each step the warp takes either several short segments or a
// block of one long segment, and loads the elements of the next step before it combines these.
KERNEL_OF(RUNS, 4) segments(CTX_K SRC_P CUT_P OWNER_P GLOBAL T *out, T identity, i32 each) {
	int lane = (int)lane_id() % SKEL_WARP, count = each > 0 ? 1 << each : 1;
	i64 warp = group_id() * WARPS + lane_id() / SKEL_WARP;
	i64 first = each < 0 ? warp >> -each : warp << each, lo = 0, hi = 0;
	int used = lane < count && first + lane < nsegments;
	if (used)
		cut(CUT_A first + lane, &lo, &hi);
#ifdef OWNED
	int part = each < 0 ? (int)(warp & ((1 << -each) - 1)) : 0, parts = each < 0 ? 1 << -each : 1;
	int longer = hi - lo > TILE;
	if (part == 0 && !longer)
		for (i64 u = owned_slot(lo); u * HALF < hi; u++)
			owner[u] = -1;
	for (u32 todo = WARP_BALLOT(longer); todo != 0; todo &= todo - 1) {
		int k = lowest(todo);
		i64 a = warp_long(lo, k), b = warp_long(hi, k);
		for (i64 u = owned_slot(a) + part * SKEL_WARP + lane; u * HALF < b; u += parts * SKEL_WARP)
			owner[u] = owns(u, a, b) ? first + k : -1;
	}
	if (part > 0)
		return;
	if (longer) {
		used = 0;
		hi = lo;
	}
#endif
	// Segments of at most 1 << bits runs are packed, with as many lanes each; the warp takes longer ones
	// one at a time. bits is chosen for the fewest steps.
	int n = (int)(hi - lo), runs = (n + RUN - 1) / RUN, bits = 5, fewest = count;
	for (int b = 4; b >= 0; b--) {
		int steps = ((count << b) + SKEL_WARP - 1) / SKEL_WARP + (int)SKEL_POPCOUNT(WARP_BALLOT(runs > 1 << b));
		if (steps <= fewest) {
			fewest = steps;
			bits = b;
		}
	}
	int packs = bits < 5 ? ((count << bits) + SKEL_WARP - 1) / SKEL_WARP : 0;
	u32 wide = WARP_BALLOT(runs > (bits < 5 ? 1 << bits : 0)); // segments that the whole warp takes

	T a, q[RUN + CHUNK], waiting[WAITERS], result = identity; // result is that of the lane's segment
	int pack = -1, whose = 0, block = 0, last = 1; // the step: pack number pack, or a block of segment whose
	int have = 0, within = 0, left = 0, mine_n = 0, off = 0;
	i64 at = 0;
	for (;;) {
		if (mine_n > 0)
			a = fold_few(CTX_A SRC_A q, off, mine_n);
		int had = have, had_pack = pack, had_whose = whose, had_block = block, had_last = last, had_within = within;
		int mine = lane;
		have = 1;
		if (pack + 1 < packs) {
			pack++;
			int s = (pack << (5 - bits)) + (lane >> bits);
			mine = lane & ((1 << bits) - 1);
			at = warp_long(lo, s);
			left = (int)WARP_WORD(n, s);
			if (left > RUN << bits) // the whole warp takes this segment later
				left = 0;
		} else {
			pack = packs;
			if (!last) {
				block++;
				at += SPAN;
				left -= SPAN;
			} else if (wide != 0) {
				whose = lowest(wide);
				wide &= wide - 1;
				block = 0;
				at = warp_long(lo, whose);
				left = (int)WARP_WORD(n, whose);
			} else
				have = 0;
			last = left <= SPAN;
		}
		mine_n = 0;
		if (have) {
			within = reach(mine, (int)((u32)(left + RUN - 1) / RUN));
			mine_n = left - mine * RUN < RUN ? left - mine * RUN : RUN;
			off = offset_of(at + mine * RUN);
			if (mine_n > 0)
				load_run(CTX_A SRC_A at + mine * RUN, mine_n, TOTAL, q);
		}
		if (had) {
			a = warp_tree(CTX_A SRC_A a, had_pack < packs && bits <= 3, had_within);
			if (had_pack < packs) {
				T got = warp_get(a, lane << bits);
				if (lane >> (5 - bits) == had_pack)
					result = got;
			} else {
				if (lane == 0)
					a = join_blocks(CTX_A SRC_A waiting, had_block, had_last, a);
				if (had_last) {
					T got = warp_get(a, 0);
					if (lane == had_whose)
						result = got;
				}
			}
		}
		if (!have)
			break;
	}
	if (used)
		out[first + lane] = n > 0 ? result : identity;
}
#else

// A group takes `per` segments, as many at a time as fit into a block of local memory (blocks.cl), with
// w lanes each.
KERNEL segments(CTX_K SRC_P CUT_P OWNER_P GLOBAL T *out, T identity, i64 per, i64 w) {
	BLOCK_LOCALS
	i64 first = group_id() * per;
	int lane = (int)lane_id(), count = nsegments - first < per ? (int)(nsegments - first) : (int)per, from = 0;
#ifdef RAGGED
	LOCAL i64 cuts[LANES + 1];
	LOCAL int overlap; // offsets decrease, so segments may share elements
	for (int k = lane; k <= count; k += LANES) {
		i64 a = offsets[first + k];
		cuts[k] = a < 0 ? 0 : a > length ? length : a;
	}
	if (lane == 0)
		overlap = 0;
	BARRIER();
	for (int k = lane; k < count; k += LANES)
		if (cuts[k] > cuts[k + 1])
			overlap = 1;
	BARRIER();
#define CUT(k) cuts[k]
#else
#define CUT(k) ((first + (k)) * length)
#endif
	while (from < count) {
		int to = count;
		i64 lo = CUT(from), n = CUT(to) - lo;
#ifdef RAGGED
		if (n > BLOCK || overlap) { // take the next segments that fit and are in order
			to = from + 1;
			while (to < count && CUT(to - 1) <= CUT(to) && CUT(to) <= CUT(to + 1) && CUT(to + 1) - lo <= BLOCK)
				to++;
			n = CUT(to) - lo;
		}
#endif
		int whole = n > 0 ? (int)(n < BLOCK ? n : BLOCK) : 0;
		if (n <= BLOCK) {
			LOAD_BLOCK(lo, whole)
			int k = from + lane / (int)w, a = 0, b = 0;
			// Without volatile PoCL uses lane 0's value for all lanes after the barriers.
			volatile int mine = k < to && lane % (int)w == 0;
			if (k < to) {
				i64 x = CUT(k) - lo, y = CUT(k + 1) - lo;
				a = x < 0 ? 0 : x > whole ? whole : (int)x; // clamped, as offsets may decrease
				b = y < a ? a : y > whole ? whole : (int)y;
			}
			FOLD_PART(a, b - a, lane % (int)w, (int)w, (whole + RUN - 1) / RUN)
			if (mine) {
				if (a < b)
					out[first + k] = block_s[AT(a)];
				else
					out[first + k] = identity;
#ifdef OWNED
				for (i64 u = owned_slot(lo + a); u * HALF < lo + b; u++)
					owner[u] = -1;
#endif
			}
			BARRIER();
		} else {
			i64 hi = lo + n;
#ifdef OWNED
			for (i64 u = owned_slot(lo) + lane; u * HALF < hi; u += LANES)
				owner[u] = owns(u, lo, hi) ? first + from : -1;
			if (n <= TILE)
#endif
				FOLD_TILE(lo, hi, out + first + from)
		}
		from = to;
	}
}
#endif
