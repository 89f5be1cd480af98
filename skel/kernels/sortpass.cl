// sortpass moves keys, and the values that belong to them, into the order of one digit, in one pass over
// memory: the radix sort of Adinets and Merrill (Onesweep, 2022). A group ranks the keys of a tile in local
// memory, learns from earlier tiles how many of their keys have each value of the digit (decoupled look-back:
// the sums are of integers, so their order does not matter), and writes runs of keys with equal digits.
//
// Passes take turns with two places for the keys and two for the values; sortplan.cl says which passes are left
// out. The last pass writes the values to place 0. It writes keys to place 0 if KEYS_LAST; otherwise nobody needs
// them, it writes none, and the first pass writes to place 1. With INDICES the values are the indices
// of the elements: the first pass makes them, and the last one writes them as 64-bit integers.
#ifdef V
#define VALUES_P , GLOBAL const V *values, GLOBAL V *values0, GLOBAL V *values1
#else
#define VALUES_P
#endif

KERNEL_OF(LANES, GROUPS) sortpass(CTX_K GLOBAL const E *keys, GLOBAL E *keys0, GLOBAL E *keys1 VALUES_P,
	GLOBAL u32 *state, i64 n, u32 tiles, i32 pass DYNAMIC_P) {
	DYNAMIC(room);
	LOCAL u32 drawn, sums[WARPS];
	LOCAL PLACE_T place[BINS];
	int lane = (int)lane_id(), in_warp = lane % SKEL_WARP, warp = lane / SKEL_WARP;
	int turn = (int)state[PLAN + pass] - 1, left = (int)state[PASSES] - 1 - turn;
	GLOBAL LOOK_T *look = (GLOBAL LOOK_T *)(state + LOOK), *cleared = look;
	if (pass & 1)
		look += (i64)tiles * BINS;
	else
		cleared += (i64)tiles * BINS;
	if (turn < 0) { // the next pass finds its look words cleared by the pass before
		i64 words = (i64)tiles * BINS;
		for (i64 k = group_id() * LANES + lane; k < words; k += groups() * LANES)
			cleared[k] = 0;
		return;
	}
	if (lane == 0)
		drawn = ATOMIC_INC(state + TICKETS + pass);
	LOCAL_PTR u32 *all = (LOCAL_PTR u32 *)room, *counts = all + warp * BINS;
	UNROLL
	for (int k = 0; k < BINS; k += SKEL_WARP)
		counts[k + in_warp] = 0;
#ifdef KEYS_LAST
	int to = left & 1, write_keys = 1;
#else
	int to = ~turn & 1, write_keys = left > 0;
#endif
	GLOBAL E *keys_to = to ? keys1 : keys0;
	GLOBAL const E *keys_from = turn == 0 ? keys : to ? keys0 : keys1;
	BARRIER();
	u32 tile = drawn;
	int have = n - (i64)tile * TILE < TILE ? (int)(n - (i64)tile * TILE) : TILE;
	int first = warp * (SKEL_WARP * ITEMS) + in_warp; // the lane's first item in the tile
	E key[ITEMS];
	u32 rank[ITEMS];
	keys_from += (i64)tile * TILE;
	if (have == TILE) {
		UNROLL
		for (int k = 0; k < ITEMS; k++)
			key[k] = keys_from[first + k * SKEL_WARP];
	} else {
		UNROLL
		for (int k = 0; k < ITEMS; k++)
			if (first + k * SKEL_WARP < have)
				key[k] = keys_from[first + k * SKEL_WARP];
	}
	int shift = 8 * pass;
	// Items beyond the end have the greatest digit and are last in the tile, so they stay behind all keys.
#define DIGIT(x) ((u32)(BITS_OF(x) >> shift) & 255)
	if (have == TILE) {
		UNROLL
		for (int k = 0; k < ITEMS; k++) {
			rank[k] = DIGIT(key[k]);
			ATOMIC_ADD(&counts[rank[k]], 1);
		}
	} else {
		UNROLL
		for (int k = 0; k < ITEMS; k++) {
			rank[k] = first + k * SKEL_WARP < have ? DIGIT(key[k]) : 255;
			ATOMIC_ADD(&counts[rank[k]], 1);
		}
	}
	BARRIER();
	u32 total = 0, start = 0;
	GLOBAL volatile LOOK_T *word = look + (i64)tile * BINS + lane;
	if (lane < BINS) {
		UNROLL
		for (int w = 0; w < WARPS; w++) {
			u32 c = all[w * BINS + lane];
			all[w * BINS + lane] = total;
			total += c;
		}
		*word = (tile == 0 ? LOOK_PREFIX : LOOK_TOTAL) | total;
	}
	EXCLUSIVE_SUM(total, sums, start)
	if (lane < BINS) {
		UNROLL
		for (int w = 0; w < WARPS; w++)
			all[w * BINS + lane] += start;
	}
	BARRIER();
	UNROLL
	for (int k = 0; k < ITEMS; k++)
		RANK_ITEM(counts, rank[k], rank[k])
	BARRIER();
	LOCAL_PTR E *sorted = (LOCAL_PTR E *)room;
	UNROLL
	for (int k = 0; k < ITEMS; k++)
		sorted[rank[k]] = key[k];
	if (lane < BINS) {
		LOOK_T before = 0;
		if (tile > 0) {
			GLOBAL volatile LOOK_T *at = word;
			for (;;) {
				at -= BINS;
				LOOK_T w;
				do
					w = *at;
				while (w == 0);
				before += w & LOOK_COUNT;
				if (w & LOOK_PREFIX)
					break;
			}
			*word = LOOK_PREFIX | (before + total);
		}
		place[lane] = (PLACE_T)((GLOBAL const u64 *)(state + STARTS))[pass * BINS + lane] + (PLACE_T)before - start;
		cleared[(i64)tile * BINS + lane] = 0;
	}
	BARRIER();
#ifdef V
	PLACE_T at[ITEMS];
#define KEEP_PLACE(k, p) at[k] = p;
#else
#define KEEP_PLACE(k, p)
#endif
#define PUT_KEY(k) \
	{ \
		E x = sorted[lane + k * LANES]; \
		PLACE_T p = place[DIGIT(x)] + (PLACE_T)(lane + k * LANES); \
		if (write_keys) \
			keys_to[p] = x; \
		KEEP_PLACE(k, p) \
	}
	if (have == TILE) {
		UNROLL
		for (int k = 0; k < ITEMS; k++)
			PUT_KEY(k)
	} else {
		UNROLL
		for (int k = 0; k < ITEMS; k++)
			if (lane + k * LANES < have)
				PUT_KEY(k)
	}
#ifdef V
	V value[ITEMS];
	GLOBAL V *values_to = left & 1 ? values1 : values0;
#ifdef INDICES
	if (turn == 0) {
		UNROLL
		for (int k = 0; k < ITEMS; k++)
			value[k] = (V)((i64)tile * TILE + first + k * SKEL_WARP);
	} else
#endif
	{
		GLOBAL const V *values_from = turn == 0 ? values : left & 1 ? values0 : values1;
		values_from += (i64)tile * TILE;
		UNROLL
		for (int k = 0; k < ITEMS; k++)
			if (have == TILE || first + k * SKEL_WARP < have)
				value[k] = values_from[first + k * SKEL_WARP];
	}
	BARRIER();
	LOCAL_PTR V *moved = (LOCAL_PTR V *)room;
	UNROLL
	for (int k = 0; k < ITEMS; k++)
		moved[rank[k]] = value[k];
	BARRIER();
	UNROLL
	for (int k = 0; k < ITEMS; k++) {
		int i = lane + k * LANES;
		if (have == TILE || i < have) {
#ifdef INDICES
			if (left == 0)
				((GLOBAL i64 *)values_to)[at[k]] = (i64)moved[i];
			else
#endif
				values_to[at[k]] = moved[i];
		}
	}
#endif
}
