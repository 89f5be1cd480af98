// sortcount counts the values of a digit in every chunk of the keys: the first of three launches of a pass on
// devices without warps. counts has a number for each value and chunk, in this order.
KERNEL sortcount(CTX_K GLOBAL const E *keys, GLOBAL u64 *counts, i64 n, i64 chunk, i32 shift) {
	i64 lo = group_id() * chunk, hi = lo + chunk < n ? lo + chunk : n;
#ifdef SHAPE_CPU
	u32 count[DIGIT_VALUES];
	for (int v = 0; v < DIGIT_VALUES; v++)
		count[v] = 0;
	for (i64 i = lo; i < hi; i++)
		count[DIGIT(keys[i])]++;
	for (int v = 0; v < DIGIT_VALUES; v++)
		counts[v * groups() + group_id()] = count[v];
#else
	LOCAL u32 count[DIGIT_VALUES];
	int lane = (int)lane_id();
	if (lane < DIGIT_VALUES)
		count[lane] = 0;
	BARRIER();
	for (i64 i = lo + lane; i < hi; i += LANES)
		ATOMIC_ADD(&count[DIGIT(keys[i])], 1);
	BARRIER();
	if (lane < DIGIT_VALUES)
		counts[lane * groups() + group_id()] = count[lane];
#endif
}
