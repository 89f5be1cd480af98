// sortgather copies elements in the order of their indices.
KERNEL sortgather(CTX_K GLOBAL V *out, GLOBAL const V *values, GLOBAL const i64 *order, i64 n) {
#ifdef SHAPE_CPU
	i64 lo = group_id() * n / groups(), hi = (group_id() + 1) * n / groups();
	for (i64 i = lo; i < hi; i++)
		out[i] = values[order[i]];
#else
	i64 i = group_id() * lanes() + lane_id();
	if (i < n)
		out[i] = values[order[i]];
#endif
}
