// topjoin finds the first k elements of all lists, each of which holds k elements in order (top.cl). One group
// reads of every list only what can be among the first k.
#define DEPTH 4 // entries of a list that are read at a time

KERNEL_OF(LANES, 1) topjoin(CTX_K SRC_P GLOBAL const KEY_U *keys, GLOBAL const i64 *positions, GLOBAL i64 *out,
	i64 k, i64 n) {
	ENTRY_LOCALS
	KEY_U least = NO_KEY;
	for (i64 j = lane_id(); j < n; j += LANES)
		least = keys[j * k] < least ? keys[j * k] : least;
	SET_LIMIT(least)
	// Each lane reads a list, until an element is not among the first k.
	for (i64 base = warp * SKEL_WARP; base < n; base += LANES) {
		int more = base + lane < n;
		for (i64 from = (base + lane) * k, end = from + k; WARP_BALLOT(more) != 0; from += DEPTH) {
			KEY_U x[DEPTH];
			u64 i[DEPTH];
			UNROLL
			for (int e = 0; e < DEPTH; e++) {
				x[e] = more && from + e < end ? keys[from + e] : NO_KEY;
				i[e] = more && from + e < end ? (u64)positions[from + e] : NO_POSITION;
			}
			ROLLED
			for (int e = 0; e < DEPTH; e++) {
				MAKE_ROOM()
				more = x[0] <= limit[0] && COMES_FIRST(x[0], i[0], last_key, last_at);
				ADD(x[0], i[0], more)
				UNROLL
				for (int q = 1; q < DEPTH; q++)
					x[q - 1] = x[q], i[q - 1] = i[q];
			}
		}
	}
	COMBINE()
	PLACE()
	if (place < (int)k && i != NO_POSITION)
		out[place] = (i64)i;
}
