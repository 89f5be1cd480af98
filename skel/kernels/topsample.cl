// topsample stores the least key of one set of elements for each group (skel/sort_top.go). What a group reads
// is spread evenly over all elements, so that a sample of sorted elements is nearly as good as one of others.
// SIDE_BY_SIDE lanes read neighbouring chunks, as much as memory transfers at once. From these to the
// next of any group there are `apart` elements.
#define SIDE_BY_SIDE 4

KERNEL_OF(LANES, 4) topsample(CTX_K SRC_P GLOBAL KEY_U *out, i64 apart) {
	LOCAL KEY_U all[LANES];
	int lane = (int)lane_id();
	load_vectors in[AT_ONCE];
	KEY_U least = NO_KEY;
#define CHUNK_AT(q) \
	((((q) * LANES + lane) / SIDE_BY_SIDE * groups() + group_id()) * apart + lane % SIDE_BY_SIDE * CHUNK)
	UNROLL
	for (int q = 0; q < AT_ONCE; q++)
		load_raw(SRC_A CHUNK_AT(q), in + q);
	UNROLL
	for (int q = 0; q < AT_ONCE; q++) {
		T x[CHUNK];
		load_of_raw(CTX_A SRC_A in + q, CHUNK_AT(q), x);
		UNROLL
		for (int e = 0; e < CHUNK; e++) {
			KEY_U key = KEY_OF(x[e]);
			least = key < least ? key : least;
		}
	}
	all[lane] = least;
	for (int d = LANES / 2; d > 0; d /= 2) {
		BARRIER();
		if (lane < d && all[lane + d] < all[lane])
			all[lane] = all[lane + d];
	}
	if (lane == 0)
		out[group_id()] = all[0];
}
