// The reduction of rows by key (bykey.go). Each group has a stack of log + 2
// accumulators of keys x width elements; a lane takes every lanes()-th column.
#define KEY_TILE 1024

FUNC void merge(CTX_P SRC_P GLOBAL T *left, GLOBAL const T *right, i64 keys, i64 width) {
	for (i64 c = lane_id(); c < width; c += lanes())
		for (i64 k = 0; k < keys; k++)
			left[k * width + c] = op(CTX_A SRC_A left[k * width + c], right[k * width + c]);
}

KERNEL bykey(CTX_K SRC_P GLOBAL T *stacks, GLOBAL T *out, GLOBAL u32 *counter, i64 n, i64 keys, i64 width, i64 tiles, i64 log, T identity) {
	LOCAL int last;
	i64 size = keys * width, lane = lane_id();
	GLOBAL T *stack = stacks + group_id() * (log + 2) * size;
	i64 from = group_id() << log, to = (group_id() + 1) << log;
	if (to > tiles)
		to = tiles;
	i64 top = 0;
	for (i64 t = from; t < to; t++) {
		GLOBAL T *acc = stack + top * size;
		for (i64 c = lane; c < width; c += lanes())
			for (i64 k = 0; k < keys; k++)
				acc[k * width + c] = identity;
		i64 hi = (t + 1) * KEY_TILE < n ? (t + 1) * KEY_TILE : n;
		for (i64 r = t * KEY_TILE; r < hi; r++) {
			i64 k = key(CTX_A SRC_A r);
			if (k < 0 || k >= keys)
				continue;
			GLOBAL T *row = acc + k * width;
			for (i64 c = lane; c < width; c += lanes())
				row[c] = op(CTX_A SRC_A row[c], load(CTX_A SRC_A r * width + c));
		}
		top++;
		for (i64 k = t - from; k & 1; k >>= 1, top--)
			merge(CTX_A SRC_A stack + (top - 2) * size, stack + (top - 1) * size, keys, width);
	}
	for (; top > 1; top--)
		merge(CTX_A SRC_A stack + (top - 2) * size, stack + (top - 1) * size, keys, width);
	BARRIER();
	if (lane == 0)
		last = arrive_last(counter);
	BARRIER();
	if (!last)
		return;
	i64 all = groups(), step = (log + 2) * size;
	for (i64 d = 1; d < all; d *= 2)
		for (i64 g = 0; g + d < all; g += 2 * d)
			merge(CTX_A SRC_A stacks + g * step, stacks + (g + d) * step, keys, width);
	for (i64 c = lane; c < width; c += lanes())
		for (i64 k = 0; k < keys; k++)
			out[k * width + c] = stacks[k * width + c];
}
