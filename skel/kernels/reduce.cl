// reduce computes out[0] = the reduction of n > 0 elements in the canonical order (order.cl), in one
// launch. Each group reduces its tiles to totals; the last group to arrive (arrive.cl) reduces the
// totals.
//
// On a CPU a work-item reduces one tile after the other. On a GPU a group of RUNS lanes reduces `per`
// consecutive tiles: a lane folds SPAN runs in registers, warps combine lanes by shuffles, and the
// loads of the next tile are issued before the lanes wait for each other.
//
// With PARTIAL the elements are one device's part. Then no group reduces the totals: the kernel stores
// one value for every `per` tiles, and a later launch combines the values of all devices. `per` is 1,
// or the tiles of one or more runs of totals.

// total_run returns the left fold of the run of totals that begins at lo; the totals end at hi.
FUNC T total_run(CTX_P SRC_P GLOBAL T *totals, int lo, int hi) {
	T a = totals[lo];
	if (hi > lo + TOTALS_RUN)
		hi = lo + TOTALS_RUN;
	for (int i = lo + 1; i < hi; i++)
		a = op(CTX_A SRC_A a, totals[i]);
	return a;
}

#ifdef PARTIAL
#define REST_P i64 n
#else
#define REST_P GLOBAL T *out, GLOBAL u32 *counter, i64 n
#endif

// If only the device knows n (COUNTED), n may be 0, and groups may have nothing to do.
#ifdef COUNTED
#define IDENTITY_P , T identity
#else
#define IDENTITY_P
#endif

#ifdef SHAPE_CPU
#ifdef PARTIAL
KERNEL reduce(CTX_K SRC_P GLOBAL T *totals, REST_P, i64 per) {
	i64 tiles = (n + TILE - 1) / TILE, values = (tiles + per - 1) / per;
	i64 first = group_id() * values / groups();
	i64 last = (group_id() + 1) * values / groups();
	for (i64 v = first; v < last; v++) {
		T a;
		for (i64 t = v * per; t < (v + 1) * per && t < tiles; t++) {
			T tile = fold_tile(CTX_A SRC_A t * TILE, (t + 1) * TILE < n ? (t + 1) * TILE : n);
			a = t == v * per ? tile : op(CTX_A SRC_A a, tile);
		}
		totals[v] = a;
	}
}
#else
// reduce_totals reduces the totals to totals[0].
NOINLINE void reduce_totals(CTX_P SRC_P GLOBAL T *totals, i64 tiles) {
	while (tiles > 1) {
		i64 next = (tiles + TOTALS_TILE - 1) / TOTALS_TILE;
		for (i64 t = 0; t < next; t++) {
			T r[RUNS];
			int k = 0;
			for (i64 lo = t * TOTALS_TILE; lo < tiles && k < RUNS; lo += TOTALS_RUN)
				r[k++] = total_run(CTX_A SRC_A totals, lo, tiles);
			totals[t] = pair_tree(CTX_A SRC_A r, k);
		}
		tiles = next;
	}
}

KERNEL reduce(CTX_K SRC_P GLOBAL T *totals, GLOBAL T *out, GLOBAL u32 *counter, i64 n IDENTITY_P COUNT_P) {
	LIMIT(n);
	i64 tiles = (n + TILE - 1) / TILE;
	i64 first = group_id() * tiles / groups();
	i64 last = (group_id() + 1) * tiles / groups();
	for (i64 t = first; t < last; t++)
		totals[t] = fold_tile(CTX_A SRC_A t * TILE, (t + 1) * TILE < n ? (t + 1) * TILE : n);
	if (!arrive_last(counter))
		return;
#ifdef COUNTED
	if (tiles == 0) {
		out[0] = identity;
		return;
	}
#endif
	reduce_totals(CTX_A SRC_A totals, tiles);
	out[0] = totals[0];
}
#endif
#else

// fold_chunks returns the left fold of the whole run at lo, whose first chunk has been read into in.
FUNC T fold_chunks(CTX_P SRC_P i64 lo, const load_vectors *in) {
	T r[CHUNK];
	load_of_raw(CTX_A SRC_A in, lo, r);
	T a = r[0];
	UNROLL
	for (int k = 1; k < CHUNK; k++)
		a = op(CTX_A SRC_A a, r[k]);
	EACH_LOAD
	for (int c = CHUNK; c < RUN; c += CHUNK) {
		T q[CHUNK];
		load_chunk(CTX_A SRC_A lo + c, q);
		UNROLL
		for (int k = 0; k < CHUNK; k++)
			a = op(CTX_A SRC_A a, q[k]);
	}
	return a;
}

// fold_last returns the left fold of the run at lo, which may end early, at hi. All loads are issued
// before the first use.
FUNC T fold_last(CTX_P SRC_P i64 lo, i64 hi) {
	if (CHUNK == 1)
		return fold_run(CTX_A SRC_A lo, hi);
	T r[RUN];
	EACH_LOAD
	for (int k = 0; k < RUN; k++)
		if (lo + k < hi)
			r[k] = load(CTX_A SRC_A lo + k);
	T a = r[0];
	UNROLL
	for (int k = 1; k < RUN; k++)
		if (lo + k < hi)
			a = op(CTX_A SRC_A a, r[k]);
	return a;
}

// A lane takes SPAN neighbouring runs of a tile: more than one where the elements of a run are computed
// from few bytes. Then a lane still reads enough bytes at a time, and more of the pair tree stays in
// its registers. A group takes SPAN tiles together.
#define LANE_ELEMENTS (SPAN * RUN)
#define LANES_A_TILE (RUNS / SPAN)

// read_lane loads the first chunks of the lane's runs.
FUNC void read_lane(CTX_P SRC_P i64 lo, load_vectors *in) {
	UNROLL
	for (int s = 0; s < SPAN; s++)
		load_raw(SRC_A lo + s * RUN, in + s);
}

// fold_lane returns the pair tree over the lane's runs.
FUNC T fold_lane(CTX_P SRC_P i64 lo, const load_vectors *in) {
	T a[SPAN];
	UNROLL
	for (int s = 0; s < SPAN; s++)
		a[s] = fold_chunks(CTX_A SRC_A lo + s * RUN, in + s);
	UNROLL
	for (int d = 1; d < SPAN; d *= 2) {
		UNROLL
		for (int s = 0; s < SPAN; s += 2 * d)
			a[s] = op(CTX_A SRC_A a[s], a[s + d]);
	}
	return a[0];
}

// fold_rest is fold_lane where the elements end at hi.
FUNC T fold_rest(CTX_P SRC_P i64 lo, i64 hi) {
	T a[SPAN];
	UNROLL
	for (int s = 0; s < SPAN; s++)
		if (lo + s * RUN < hi)
			a[s] = fold_last(CTX_A SRC_A lo + s * RUN, hi);
	UNROLL
	for (int d = 1; d < SPAN; d *= 2) {
		UNROLL
		for (int s = 0; s < SPAN; s += 2 * d)
			if (lo + (s + d) * RUN < hi)
				a[s] = op(CTX_A SRC_A a[s], a[s + d]);
	}
	return a[0];
}

// A lane of the last group takes AT_ONCE neighbouring values at a time: as many as are 64 bytes, which its
// registers hold, but at most 16, and 8 where elements are larger.
#define AT_ONCE (RUN > 8 ? 16 : 8)

// TREES_OF combines every `width` neighbours of src[base], src[base + 1], ..., src[count - 1] by pair
// trees. It declares a; the first lane of each tree has its result there.
#ifdef SKEL_WARP
#define NEIGHBOUR(a) T other = warp_get(a, lane + d);
#else
#define NEIGHBOUR(a) GROUP_GET(other, a, d)
#endif
#define TREES_OF(src, base, width, count, a) \
	int first = (base) + lane * AT_ONCE; \
	int have = first + AT_ONCE < (count) ? AT_ONCE : (count) - first; \
	T r[AT_ONCE]; \
	WRITTEN_OUT \
	for (int k = 0; k < AT_ONCE; k++) \
		if (k < have) \
			r[k] = (src)[first + k]; \
	WRITTEN_OUT \
	for (int d = 1; d < AT_ONCE; d *= 2) { \
		WRITTEN_OUT \
		for (int k = 0; k < AT_ONCE; k += 2 * d) \
			if (k + d < have) \
				r[k] = op(CTX_A SRC_A r[k], r[k + d]); \
	} \
	T a = r[0]; \
	WRITTEN_OUT \
	for (int d = 1; d < RUNS / AT_ONCE; d *= 2) { \
		NEIGHBOUR(a) \
		if ((lane & (2 * d - 1)) == 0 && d * AT_ONCE < (width) && first + d * AT_ONCE < (count)) \
			a = op(CTX_A SRC_A a, other); \
	}

// MOST is the largest number of tiles per group: local memory holds their totals.
#define MOST ((RUN > 1 ? 2 * SPAN : 1) * TOTALS_RUN)

// GROUPS is how many groups a compute unit has registers for.
#define GROUPS (CHUNK * SPAN * READS > 64 ? 3 : 4)

// With warps, the partial results of a tile's warps, PARTS of them, are kept in local memory and combined
// after the group has read all its tiles.
#if defined(SKEL_WARP) && RUN > 1
#define PARTS (WARPS / SPAN)
#endif

// `per` is a multiple of SPAN. If it is at least TOTALS_RUN, it is a power of two, and the group combines the
// totals of its tiles to one value (folded).
KERNEL_OF(RUNS, GROUPS) reduce(CTX_K SRC_P GLOBAL T *totals, REST_P, i64 per IDENTITY_P COUNT_P) {
	GROUP_LOCALS
	LOCAL T kept[MOST]; // a group's totals
#ifdef PARTS
	LOCAL T part[MOST * PARTS];
#endif
	LOCAL int last;
	LIMIT(n);
	i64 tiles = (n + TILE - 1) / TILE, from = group_id() * per, to = from + per < tiles ? from + per : tiles;
	i64 end = to * TILE < n ? to * TILE : n;
	int lane = (int)lane_id(), phase = 0, folded = per >= TOTALS_RUN;
#ifdef COUNTED
	if (tiles == 0 && group_id() == 0 && lane == 0)
		out[0] = identity;
	if (from >= tiles)
		return;
#endif
	// whole steps, and the elements after them
	int whole = (int)((end - from * TILE) / (SPAN * TILE)), rest = (int)((end - from * TILE) % (SPAN * TILE));
	T a;
	load_vectors in[SPAN];
	i64 lo = from * TILE + lane * LANE_ELEMENTS;
	if (whole > 0)
		read_lane(CTX_A SRC_A lo, in);
#ifdef PARTS
	// The barrier in this loop is for speed only: warps that stay together read memory sequentially.
	int warp = lane / SKEL_WARP, reach = tree_reach(lane % SKEL_WARP, SKEL_WARP), at = warp;
	for (int step = 0; step < whole; step++, at += WARPS) {
		a = fold_lane(CTX_A SRC_A lo, in);
		lo += SPAN * TILE;
		if (step + 1 < whole) // load the next tile while the lanes wait for each other
			read_lane(CTX_A SRC_A lo, in);
		BARRIER();
		a = warp_tree(CTX_A SRC_A a, 0, reach);
		if (lane % SKEL_WARP == 0)
			part[at] = a;
	}
	if (rest > 0) {
		if (lo < n)
			a = fold_rest(CTX_A SRC_A lo, n);
		a = warp_tree(CTX_A SRC_A a, 0, tree_reach(lane % SKEL_WARP, (rest + LANE_ELEMENTS - 1) / LANE_ELEMENTS - warp * SKEL_WARP));
		if (lane % SKEL_WARP == 0 && lo < n)
			part[at] = a;
	}
	BARRIER();
	int parts = (int)((end - from * TILE + SKEL_WARP * LANE_ELEMENTS - 1) / (SKEL_WARP * LANE_ELEMENTS));
	if (lane < parts)
		a = part[lane];
	reach = tree_reach(lane, parts);
	UNROLL
	for (int d = 1; d < PARTS; d *= 2) {
		T other = warp_get(a, lane + d);
		if (d < reach)
			a = op(CTX_A SRC_A a, other);
	}
	if (lane % PARTS == 0 && lane < parts) {
		if (folded)
			kept[lane / PARTS] = a;
#ifndef PARTIAL
		else if (tiles == 1)
			out[0] = a;
#endif
		else
			totals[from + lane / PARTS] = a;
	}
	BARRIER();
	if (folded && warp == 0) {
		int have = (int)(to - from), first = lane * TOTALS_RUN;
		if (first < have)
			a = kept[first];
		if (first + TOTALS_RUN <= have) {
			UNROLL
			for (int k = 1; k < TOTALS_RUN; k++)
				a = op(CTX_A SRC_A a, kept[first + k]);
		} else
			for (int k = 1; first + k < have; k++)
				a = op(CTX_A SRC_A a, kept[first + k]);
		reach = tree_reach(lane, (have + TOTALS_RUN - 1) / TOTALS_RUN);
		UNROLL
		for (int d = 1; d < MOST / TOTALS_RUN; d *= 2) {
			T other = warp_get(a, lane + d);
			if (d < reach)
				a = op(CTX_A SRC_A a, other);
		}
	}
#else
	for (int step = 0; step * SPAN < (int)(to - from); step++, phase ^= 1) {
		int have = RUNS; // lanes with elements
		if (step < whole)
			a = fold_lane(CTX_A SRC_A lo, in);
		else {
			have = (rest + LANE_ELEMENTS - 1) / LANE_ELEMENTS;
			if (lo < n)
				a = fold_rest(CTX_A SRC_A lo, n);
		}
		lo += SPAN * TILE;
		if (step + 1 < whole) // load the next tile while the lanes wait for each other
			read_lane(CTX_A SRC_A lo, in);
		GROUP_TREES(a, have, LANES_A_TILE, phase)
		int mine = step * SPAN + lane / TREE_LANES(LANES_A_TILE);
		if (lane % TREE_LANES(LANES_A_TILE) == 0 && lane < SPAN * TREE_LANES(LANES_A_TILE) && mine < to - from) {
			if (folded)
				kept[mine] = a;
#ifndef PARTIAL
			else if (tiles == 1)
				out[0] = a;
#endif
			else
				totals[from + mine] = a;
		}
	}
	BARRIER();
	int have = folded ? (int)(to - from) : 0;
	if (lane * TOTALS_RUN < have) {
		T a = kept[lane * TOTALS_RUN];
		for (int k = 1; k < TOTALS_RUN && lane * TOTALS_RUN + k < have; k++)
			a = op(CTX_A SRC_A a, kept[lane * TOTALS_RUN + k]);
		kept[lane * TOTALS_RUN] = a;
	}
	for (int d = TOTALS_RUN; d < MOST; d *= 2) {
		BARRIER();
		int at = 2 * d * lane;
		if (at + d < have)
			kept[at] = op(CTX_A SRC_A kept[at], kept[at + d]);
	}
	if (lane == 0 && folded)
		a = kept[0];
#endif
	if (lane == 0) {
		if (folded)
			totals[group_id()] = a;
#ifndef PARTIAL
#ifdef COUNTED
		last = (tiles > 1 || folded) && arrive_last_of(counter, (tiles + per - 1) / per);
#else
		last = tiles > 1 && arrive_last(counter);
#endif
#endif
	}
#ifndef PARTIAL
	BARRIER();
	if (!last)
		return;
	int count = (int)(folded ? (tiles + per - 1) / per : tiles);
	int width = folded ? (int)(RUNS * TOTALS_RUN / per) : RUNS; // values per tree
#ifdef SKEL_WARP // PoCL compiles barriers in several branches wrongly
	if (!folded && count <= RUNS * TOTALS_RUN) { // one tree over the runs of totals
		T a;
		if (lane * TOTALS_RUN < count)
			a = total_run(CTX_A SRC_A totals, lane * TOTALS_RUN, count);
		GROUP_TREE(a, (count + TOTALS_RUN - 1) / TOTALS_RUN, phase)
		if (lane == 0)
			out[0] = a;
	} else if (folded && count <= RUNS * AT_ONCE && count <= width * TOTALS_RUN) { // trees whose results are a run
		TREES_OF(totals, 0, width, count, a)
		if (first % width == 0 && have > 0)
			kept[first / width] = a;
		BARRIER();
		if (lane == 0) {
			a = kept[0];
			for (int k = 1; k * width < count; k++)
				a = op(CTX_A SRC_A a, kept[k]);
			out[0] = a;
		}
	} else
#endif
	{
		GLOBAL T *src = totals, *dst = totals + count, *swap;
		for (; count > 1; folded = 0, width = RUNS) {
			for (int k = folded ? count : lane; k * TOTALS_RUN < count; k += RUNS)
				dst[k] = total_run(CTX_A SRC_A src, k * TOTALS_RUN, count);
			BARRIER();
			if (!folded) {
				count = (count + TOTALS_RUN - 1) / TOTALS_RUN;
				swap = src, src = dst, dst = swap;
			}
			for (int base = 0; base < count; base += RUNS * AT_ONCE) {
				TREES_OF(src, base, width, count, a)
				if (first % width == 0 && have > 0)
					dst[first / width] = a;
			}
			BARRIER();
			count = (count + width - 1) / width;
			swap = src, src = dst, dst = swap;
		}
		if (lane == 0)
			out[0] = src[0];
	}
#endif
}
#endif
