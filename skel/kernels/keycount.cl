// keycount counts the digits of the keys in each tile: counts[d * tiles + t] is the number of keys with digit d in
// tile t. A tile is the part of a work-item on a CPU.
#ifdef SHAPE_CPU
KERNEL keycount(CTX_K GLOBAL const i32 *of, GLOBAL const i32 *mixed, GLOBAL POS *counts, i64 n, u32 most, i32 shift, i64 tiles) {
	if (mixed[0] == 0)
		return;
	POS count[RADIX];
	for (int d = 0; d < RADIX; d++)
		count[d] = 0;
	i64 hi = n * (group_id() + 1) / tiles;
	for (i64 i = n * group_id() / tiles; i < hi; i++)
		count[DIGIT(KEY(of[i]))]++;
	for (int d = 0; d < RADIX; d++)
		counts[d * tiles + group_id()] = count[d];
}
#else
// Each warp has counters of its own, so that fewer lanes wait for each other.
#define COPIES (LANES / 32)
KERNEL_OF(LANES, 4) keycount(CTX_K GLOBAL const i32 *of, GLOBAL const i32 *mixed, GLOBAL POS *counts, i64 n, u32 most, i32 shift, i64 tiles) {
	LOCAL u32 count[RADIX * COPIES];
	if (mixed[0] == 0)
		return;
	int lane = (int)lane_id();
	for (int k = lane; k < RADIX * COPIES; k += LANES)
		count[k] = 0;
	BARRIER();
	i64 first = group_id() * TILE + lane;
	UNROLL
	for (int j = 0; j < ITEMS; j++)
		if (first + j * LANES < n)
			ATOMIC_COUNT(count + DIGIT(KEY(of[first + j * LANES])) * COPIES + lane / 32);
	BARRIER();
	for (int d = lane; d < RADIX; d += LANES) {
		POS sum = 0;
		for (int c = 0; c < COPIES; c++)
			sum += count[d * COPIES + c];
		counts[d * tiles + group_id()] = sum;
	}
}
#endif
