// out[s] = the reduction of segment s, if it is at most a tile; of others, the
// owner of their slots is noted.

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

// 1 << bits neighbouring lanes of a warp share a segment. Each folds a run, a
// tree is made over these, and trees wait on a stack until their neighbour is
// there.
KERNEL_OF(RUNS, 4) segments(CTX_K SRC_P CUT_P OWNER_P GLOBAL T *out, T identity, i32 bits) {
	int lane = (int)lane_id(), w = 1 << bits, mine = lane & (w - 1), top = 0;
	i64 s = group_id() * (RUNS >> bits) + (lane >> bits), lo = 0, hi = 0;
	int used = s < nsegments;
	if (used)
		cut(CUT_A s, &lo, &hi);
#ifdef OWNED
	if (used)
		for (i64 u = owned_slot(lo) + mine; u * HALF < hi; u += w)
			owner[u] = owns(u, lo, hi) ? s : -1;
	if (hi - lo > TILE) {
		used = 0;
		hi = lo;
	}
#endif
	int left = (int)((hi - lo + RUN - 1) / RUN); // runs
	T a, stack[9];
	for (int block = 0; block == 0 || WARP_BALLOT(left > 0); block++, left -= w) {
		i64 at = lo + ((i64)block * w + mine) * RUN;
		if (mine < left) {
			T r[RUN];
			load_run(CTX_A SRC_A at, hi, TOTAL, r);
			a = fold_few(CTX_A SRC_A r, run_of(at, hi));
		}
		for (int d = 1; d < w; d *= 2) {
			T other = warp_get(a, lane + d);
			if ((mine & (2 * d - 1)) == 0 && mine + d < left)
				a = op(CTX_A SRC_A a, other);
		}
		if (mine == 0 && left > 0) {
			for (int k = block; k & 1; k >>= 1)
				a = op(CTX_A SRC_A stack[--top], a);
			stack[top++] = a;
		}
	}
	if (mine > 0 || !used)
		return;
	if (top == 0) {
		out[s] = identity;
		return;
	}
	a = stack[--top];
	while (top > 0)
		a = op(CTX_A SRC_A stack[--top], a);
	out[s] = a;
}
#else

// A group takes per segments, as many together as fit in a block; w lanes
// take one of them.
KERNEL segments(CTX_K SRC_P CUT_P OWNER_P GLOBAL T *out, T identity, i64 per, i64 w) {
	BLOCK_LOCALS
	i64 first = group_id() * per;
	int lane = (int)lane_id(), count = nsegments - first < per ? (int)(nsegments - first) : (int)per, from = 0;
#ifdef RAGGED
	LOCAL i64 cuts[LANES + 1];
	LOCAL int overlap; // offsets decrease: segments may have elements in common
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
		if (n > BLOCK || overlap) { // those together that are in order
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
			// Volatile, or PoCL takes lane 0's answer for that of all behind the barriers.
			volatile int mine = k < to && lane % (int)w == 0;
			if (k < to) {
				i64 x = CUT(k) - lo, y = CUT(k + 1) - lo;
				a = x < 0 ? 0 : x > whole ? whole : (int)x; // decreasing offsets do no harm
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
