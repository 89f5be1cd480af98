// out[i] = load(i)
KERNEL map(CTX_K SRC_P GLOBAL T *out, i64 n) {
	i64 i = group_id() * lanes() + lane_id();
	if (i < n)
		out[i] = load(CTX_A SRC_A i);
}
