// target returns which of the `count` elements that this device holds, from element `first` of all,
// position i names; -1 if it holds none of them.
FUNC i64 target(CTX_P SRC_P i64 i, i64 first, i64 count, i64 all) {
	i64 k = at(CTX_A SRC_A i);
	if (!CHECK_ELEMENT(k, all, i))
		return -1;
	k -= first;
	return k >= 0 && k < count ? k : -1;
}

// EACH_POSITION runs a statement for the work-item's positions below n: on a CPU, a block of `chunk`; on
// a GPU, EACH positions, `lanes` from each other. e counts them.
#ifdef SHAPE_CPU
#define EACH 1
#define EACH_POSITION \
	const i64 begin = group_id() * chunk, end = begin + chunk < n ? begin + chunk : n; \
	for (i64 i = begin; i < end; i++)
#define EACH_AT_ONCE
#else
#define EACH_AT_ONCE \
	UNROLL \
	for (int e = 0; e < EACH; e++)
#define POSITION (group_id() * lanes() * EACH + e * lanes() + lane_id())
#endif
