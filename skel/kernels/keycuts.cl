// keycuts stores in offsets[k] the number of elements with keys less than k, for k from 0 to segments, and for keys
// out of range as if they came after all others.
FUNC i64 cut_of(GLOBAL const i32 *of, i64 n, u32 most, i64 k) {
	u32 wanted = k < (i64)most ? (u32)k : most;
	i64 lo = 0, hi = n; // keys before lo are less, keys from hi on are not
	while (lo < hi) {
		i64 mid = lo + (hi - lo) / 2;
		if (KEY(of[mid]) < wanted)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

KERNEL keycuts(CTX_K GLOBAL const i32 *given, GLOBAL const i32 *sorted, GLOBAL const i32 *mixed, GLOBAL i64 *offsets,
	i64 segments, i64 n, u32 most) {
	GLOBAL const i32 *of = mixed[0] ? sorted : given;
#ifdef SHAPE_CPU
	i64 hi = (segments + 1) * (group_id() + 1) / groups();
	for (i64 k = (segments + 1) * group_id() / groups(); k < hi; k++)
		offsets[k] = cut_of(of, n, most, k);
#else
	i64 k = group_id() * lanes() + lane_id();
	if (k <= segments)
		offsets[k] = cut_of(of, n, most, k);
#endif
}
