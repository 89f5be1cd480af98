// keycopy stores the elements if the keys are sorted.
#ifdef SHAPE_CPU
KERNEL keycopy(CTX_K SRC_P GLOBAL const i32 *mixed, GLOBAL T *out, i64 n) {
	if (mixed[0] != 0)
		return;
	i64 hi = n * (group_id() + 1) / groups();
	for (i64 i = n * group_id() / groups(); i < hi; i++)
		out[i] = load(CTX_A SRC_A i);
}
#else
#define EACH 8
KERNEL_OF(LANES, 4) keycopy(CTX_K SRC_P GLOBAL const i32 *mixed, GLOBAL T *out, i64 n) {
	if (mixed[0] != 0)
		return;
	i64 first = group_id() * LANES * EACH + lane_id();
	EACH_LOAD
	for (int j = 0; j < EACH; j++)
		if (first + j * LANES < n)
			out[first + j * LANES] = load(CTX_A SRC_A first + j * LANES);
}
#endif
