// histogram counts the elements `from` to `to` - 1 in bins (skel/histogram.go), in rows of counts that histsum
// adds. With GLOBAL_COUNTS there is one row, which is zero at first.
//
// On a CPU a work-item counts its part in a row of its own. On a GPU a group counts in local memory, in
// REPLICAS counters for each bin: neighbouring lanes use different replicas, in different banks of the memory,
// so they seldom wait for each other. If local memory has no room for all bins, `parts` groups share the
// elements of a part and count `per` bins each. If the bins are too many even for that, all groups count in
// global memory.

// With UNIT, bin k holds the integer first + k. Otherwise an element is in bin k if edges[k] is at most the
// element and edges[k + 1] is greater; there are `known` edges, and elements do not reach further ones. With
// EVEN the bin is guessed first, in numbers of type GUESS; if the guess is wrong, the bin is searched for.
#ifdef UNIT
#define BINS_P UNSIGNED first,
#define OFFSET(v, lo) ((UNSIGNED)(v) - first - (UNSIGNED)(lo))
#else
#define UNSIGNED u32
#ifdef EVEN
#define BINS_P GLOBAL const VALUE *edges, i32 known, GUESS origin, GUESS scale,
#define GUESS_P , GUESS origin, GUESS scale
#define GUESS_A , origin, scale
#else
#define BINS_P GLOBAL const VALUE *edges, i32 known,
#define GUESS_P
#define GUESS_A
#endif
#define OFFSET(v, lo) ((u32)bin_of(table, known, (i32)bins, (v) GUESS_A) - (u32)(lo))

#ifdef LOCAL_EDGES
#define EDGES_PTR LOCAL_PTR
#else
#define EDGES_PTR GLOBAL
#endif

// bin_of returns the bin of v, or -1 if it has none. No comparison with NaN is true.
FUNC i32 bin_of(EDGES_PTR const VALUE *edges, i32 known, i32 bins, VALUE v GUESS_P) {
	if (known == 0 || !(edges[0] <= v) || (known > bins && !(v < edges[bins])))
		return -1;
	i32 bin = 0;
#ifdef EVEN
	GUESS g = ((GUESS)v - origin) * scale;
	bin = g >= (GUESS)known ? known - 1 : g > 0 ? (i32)g : 0;
	if (bin > known - 1)
		bin = known - 1;
	if (edges[bin] <= v && (bin + 1 == known || v < edges[bin + 1]))
		return bin < bins ? bin : -1;
	bin = 0;
#endif
	for (i32 end = known; bin + 1 < end;) { // edges before bin are at most v, those from `end` on are greater
		i32 mid = bin + (end - bin) / 2;
		if (edges[mid] <= v)
			bin = mid;
		else
			end = mid;
	}
	return bin < bins ? bin : -1;
}
#endif

#ifdef SHAPE_CPU
KERNEL histogram(CTX_K SRC_P BINS_P GLOBAL u32 *rows, i64 from, i64 to, i64 bins) {
#ifndef UNIT
	GLOBAL const VALUE *table = edges;
#endif
	GLOBAL u32 *count = rows + group_id() * bins;
	for (i64 k = 0; k < bins; k++)
		count[k] = 0;
	i64 end = from + (to - from) * (group_id() + 1) / groups();
	for (i64 i = from + (to - from) * group_id() / groups(); i < end; i++) {
		UNSIGNED k = OFFSET(load(CTX_A SRC_A i), 0);
		if (k < (UNSIGNED)bins)
			count[k]++;
	}
}
#else
#ifdef GLOBAL_COUNTS
#define REPLICA(k) (k)
#else
#define REPLICA(k) ((k) * REPLICAS + lane % REPLICAS)
#endif
#define COUNT(v) \
	do { \
		UNSIGNED k = OFFSET(v, lo); \
		if (k < (UNSIGNED)mine) \
			ATOMIC_COUNT(count + REPLICA((u32)k)); \
	} while (0)

KERNEL_OF(LANES, 1) histogram(CTX_K SRC_P BINS_P GLOBAL u32 *rows, i64 from, i64 to, i64 bins, i32 per, i32 parts DYNAMIC_P) {
	int lane = (int)lane_id(), part = (int)(group_id() % parts);
	i64 slot = group_id() / parts, slots = groups() / parts, lo = (i64)part * per;
	int mine = (int)(bins - lo < per ? bins - lo : per);
#if !defined(GLOBAL_COUNTS) || defined(LOCAL_EDGES)
	DYNAMIC(memory);
#endif
#ifdef GLOBAL_COUNTS
	GLOBAL u32 *count = rows;
#else
	LOCAL_PTR u32 *count = (LOCAL_PTR u32 *)memory;
	for (int k = lane; k < mine * REPLICAS; k += LANES)
		count[k] = 0;
#endif
#ifdef LOCAL_EDGES
#ifdef GLOBAL_COUNTS
	LOCAL_PTR VALUE *table = (LOCAL_PTR VALUE *)memory;
#else
	LOCAL_PTR VALUE *table = (LOCAL_PTR VALUE *)(memory + ((i64)per * REPLICAS * 4 + 15) / 16 * 16);
#endif
	for (int k = lane; k < known; k += LANES)
		table[k] = edges[k];
#elif !defined(UNIT)
	GLOBAL const VALUE *table = edges;
#endif
	BARRIER();
	i64 chunks = (to - from) / CHUNK, c = slot * LANES + lane;
	load_vectors in;
	if (c < chunks)
		load_raw(SRC_A from + c * CHUNK, &in);
	for (; c < chunks; c += slots * LANES) {
		VALUE v[CHUNK];
		load_of_raw(CTX_A SRC_A &in, from + c * CHUNK, v);
		if (c + slots * LANES < chunks) // load the next elements while these are counted
			load_raw(SRC_A from + (c + slots * LANES) * CHUNK, &in);
		EACH_LOAD
		for (int j = 0; j < CHUNK; j++)
			COUNT(v[j]);
	}
	for (i64 i = from + chunks * CHUNK + slot * LANES + lane; i < to; i += slots * LANES)
		COUNT(load(CTX_A SRC_A i));
#ifndef GLOBAL_COUNTS
	BARRIER();
	for (int k = lane; k < mine; k += LANES) {
		u32 n = 0;
		for (int j = 0; j < REPLICAS; j++) // lanes begin at different banks
			n += count[k * REPLICAS + (j + lane) % REPLICAS];
		rows[slot * bins + lo + k] = n;
	}
#endif
}
#endif
