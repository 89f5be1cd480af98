// fill computes out[i] = value, one element per work-item.
KERNEL fill(CTX_K SRC_P GLOBAL T *out, i64 n, T value) {
	i64 i = group_id() * lanes() + lane_id();
	if (i < n)
		out[i] = value;
}
