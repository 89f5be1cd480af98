// out[s] = the reduction of segment s, at most a tile
KERNEL segments(CTX_K SRC_P CUT_P GLOBAL T *out, T identity) {
	i64 s = group_id() * lanes() + lane_id(), lo, hi;
	if (s >= nsegments)
		return;
	cut(CUT_A s, &lo, &hi);
	out[s] = lo < hi ? fold_tile(CTX_A SRC_A lo, hi) : identity;
}
