// bykeyrows folds the rows of each key, element by element and in any order, into rows of totals that a
// reduction of columns combines (skel/reduce_bykey_any.go, docs/adr/0028), by foldany.cl. It has no form for
// CPUs. NEUTRAL changes no other element.
//
// A group takes LANES * ITEMS rows at a time, and lists those that have a key. Then its lanes share the
// elements of the listed rows. So rows without a key cost little, and it does not matter how many rows
// have the same key.
#define BATCH (LANES * ITEMS)

KERNEL_OF(LANES, 1) bykeyrows(CTX_K SRC_P GLOBAL T *totals, i64 n, i64 keys, i64 width DYNAMIC_P) {
	LOCAL u32 list[BATCH]; // the key of a row, and its place
	LOCAL u32 listed[1];
	DYNAMIC(memory);
	LOCAL_PTR WORD *total = (LOCAL_PTR WORD *)memory;
#ifdef WIDTH
	width = WIDTH;
#endif
	u32 lane = (u32)lane_id(), cols = (u32)width, size = (u32)keys * cols;
	for (u32 i = lane; i < size; i += LANES)
		total[i] = NEUTRAL;
	for (i64 lo = group_id() * BATCH; lo < n; lo += groups() * BATCH) {
		i32 k[ITEMS];
		UNROLL
		for (u32 j = 0; j < ITEMS; j++) {
			i64 r = lo + j * LANES + lane;
			k[j] = r < n ? key(CTX_A SRC_A r) : -1;
		}
		BARRIER();
		if (lane == 0)
			listed[0] = 0;
		BARRIER();
		UNROLL
		for (u32 j = 0; j < ITEMS; j++)
			if (k[j] >= 0 && k[j] < keys)
				list[ATOMIC_ADD(listed, 1)] = (u32)k[j] * BATCH + (j * LANES + lane);
		BARRIER();
		u32 elements = listed[0] * cols;
		for (u32 e = lane; e < elements; e += LANES) {
			u32 row = list[e / cols], c = e % cols;
			WORD x = (WORD)load(CTX_A SRC_A (lo + row % BATCH) * width + c);
			fold_in(total + (row / BATCH) * cols + c, x);
		}
	}
	BARRIER();
	for (u32 i = lane; i < size; i += LANES)
		totals[group_id() * size + i] = (T)total[i];
}
