// sortsmall sorts at most one tile of elements in one launch of one group, on devices with warps. It sorts the
// bits of the keys together with the numbers of the elements, digit by digit in local memory, and then reads
// the elements in their order.
#ifdef OUT
#define OUT_P , GLOBAL T *out
#else
#define OUT_P
#endif
#ifdef INDICES
#define ORDER_P , GLOBAL i64 *order
#else
#define ORDER_P
#endif
#ifdef V
#define VALUES_P , GLOBAL const V *values, GLOBAL V *values_out
#else
#define VALUES_P
#endif

KERNEL_OF(LANES, 1) sortsmall(CTX_K SRC_P i32 n OUT_P ORDER_P VALUES_P DYNAMIC_P) {
	DYNAMIC(room);
	LOCAL u32 sums[WARPS];
	LOCAL KEY_U differ[WARPS], some;
	int lane = (int)lane_id(), in_warp = lane % SKEL_WARP, warp = lane / SKEL_WARP;
	LOCAL_PTR u32 *all = (LOCAL_PTR u32 *)room, *counts = all + warp * BINS;
	LOCAL_PTR KEY_U *sorted = (LOCAL_PTR KEY_U *)room;
	LOCAL_PTR u16 *places = (LOCAL_PTR u16 *)(sorted + TILE);
	int first = warp * (SKEL_WARP * ITEMS) + in_warp;
	KEY_U key[ITEMS];
	u16 number[ITEMS];
	u32 rank[ITEMS];
	UNROLL
	for (int k = 0; k < ITEMS; k++) {
		int i = first + k * SKEL_WARP;
		number[k] = (u16)i;
		key[k] = (KEY_U)~(KEY_U)0; // beyond the end: these items are last, so they stay last
		if (i < n)
			key[k] = KEY_OF(load(CTX_A SRC_A (i64)i));
	}
	if (lane == 0)
		some = key[0];
	BARRIER();
	KEY_U d = 0; // the bits in which keys differ
	UNROLL
	for (int k = 0; k < ITEMS; k++)
		if (first + k * SKEL_WARP < n)
			d |= key[k] ^ some;
	UNROLL
	for (int s = 1; s < SKEL_WARP; s *= 2) {
		u64 other = WARP_WORD(d, in_warp ^ s);
		if (sizeof(KEY_U) > 4)
			other |= (u64)WARP_WORD((u64)d >> 32, in_warp ^ s) << 32;
		d |= (KEY_U)other;
	}
	if (in_warp == 0)
		differ[warp] = d;
	BARRIER();
	d = 0;
	for (int w = 0; w < WARPS; w++)
		d |= differ[w];
	for (int shift = 0; shift < KEY_WIDTH; shift += 8) {
		if ((d >> shift & 255) == 0)
			continue;
		UNROLL
		for (int k = 0; k < BINS; k += SKEL_WARP)
			counts[k + in_warp] = 0;
		WARP_SYNC();
		UNROLL
		for (int k = 0; k < ITEMS; k++) {
			rank[k] = (u32)(key[k] >> shift) & 255;
			ATOMIC_ADD(&counts[rank[k]], 1);
		}
		BARRIER();
		u32 total = 0, start = 0;
		if (lane < BINS) {
			UNROLL
			for (int w = 0; w < WARPS; w++) {
				u32 c = all[w * BINS + lane];
				all[w * BINS + lane] = total;
				total += c;
			}
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
		UNROLL
		for (int k = 0; k < ITEMS; k++) {
			sorted[rank[k]] = key[k];
			places[rank[k]] = number[k];
		}
		BARRIER();
		UNROLL
		for (int k = 0; k < ITEMS; k++) {
			key[k] = sorted[first + k * SKEL_WARP];
			number[k] = places[first + k * SKEL_WARP];
		}
		BARRIER();
	}
#ifdef OUT
	T x[ITEMS];
	UNROLL
	for (int k = 0; k < ITEMS; k++)
		if (first + k * SKEL_WARP < n)
			x[k] = load(CTX_A SRC_A (i64)number[k]);
	BARRIER(); // out may be the memory of the elements
	UNROLL
	for (int k = 0; k < ITEMS; k++)
		if (first + k * SKEL_WARP < n)
			out[first + k * SKEL_WARP] = x[k];
#endif
	UNROLL
	for (int k = 0; k < ITEMS; k++)
		if (first + k * SKEL_WARP < n) {
#ifdef INDICES
			order[first + k * SKEL_WARP] = number[k];
#endif
#ifdef V
			values_out[first + k * SKEL_WARP] = values[number[k]];
#endif
		}
}
