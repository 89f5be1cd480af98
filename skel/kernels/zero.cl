// zero sets n words to 0, one per work-item.
KERNEL zero(CTX_K GLOBAL u32 *out, i64 n) {
	i64 i = group_id() * lanes() + lane_id();
	if (i < n)
		out[i] = 0;
}
