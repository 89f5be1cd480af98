// sortscatter moves the keys of every chunk, and their values, to where sortstarts says: the third launch of a
// pass on devices without warps. Of the indices of elements, the first pass makes them (FIRST_INDICES), and
// the last one writes them as 64-bit integers (V_OUT).
//
// A group of a GPU takes a tile of its chunk at a time. Each lane has ITEMS neighbouring keys, which it counts
// by their digits; the prefixes of the counts of all lanes are the places of the keys in the tile.
#ifdef V
#define VALUES_P , GLOBAL const V *values, GLOBAL V_OUT *values_out
#else
#define VALUES_P
#endif
#ifdef FIRST_INDICES
#define VALUE(i) (V_OUT)(i)
#else
#define VALUE(i) (V_OUT)values[i]
#endif
#ifdef V
#define PUT_VALUE(at, i) values_out[at] = VALUE(i);
#else
#define PUT_VALUE(at, i)
#endif
#ifdef NO_KEYS
#define PUT_KEY(at, x)
#else
#define PUT_KEY(at, x) keys_out[at] = x;
#endif

KERNEL sortscatter(CTX_K GLOBAL const E *keys, GLOBAL E *keys_out VALUES_P, GLOBAL const u64 *starts,
	i64 n, i64 chunk, i32 shift) {
	i64 lo = group_id() * chunk, hi = lo + chunk < n ? lo + chunk : n;
#ifdef SHAPE_CPU
	u64 start[DIGIT_VALUES];
	for (int v = 0; v < DIGIT_VALUES; v++)
		start[v] = starts[v * groups() + group_id()];
	for (i64 i = lo; i < hi; i++) {
		E x = keys[i];
		u64 at = start[DIGIT(x)]++;
		PUT_KEY(at, x)
		PUT_VALUE(at, i)
	}
#else
	LOCAL u64 start[DIGIT_VALUES];
	LOCAL u32 counts[DIGIT_VALUES * LANES], sums[2][LANES];
	int lane = (int)lane_id();
	if (lane < DIGIT_VALUES)
		start[lane] = starts[lane * groups() + group_id()];
	for (i64 tile = lo; tile < hi; tile += LANES * ITEMS) {
		E key[ITEMS];
		u32 rank[ITEMS];
		i64 first = tile + lane * ITEMS;
		int here = hi - first < ITEMS ? hi > first ? (int)(hi - first) : 0 : ITEMS;
		for (int v = 0; v < DIGIT_VALUES; v++)
			counts[v * LANES + lane] = 0;
		for (int k = 0; k < ITEMS; k++)
			if (k < here) {
				key[k] = keys[first + k];
				rank[k] = counts[DIGIT(key[k]) * LANES + lane]++;
			}
		BARRIER();
		u32 sum = 0; // of DIGIT_VALUES neighbouring counts
		for (int v = 0; v < DIGIT_VALUES; v++)
			sum += counts[lane * DIGIT_VALUES + v];
		sums[0][lane] = sum;
		int from = 0;
		for (int k = 1; k < LANES; k *= 2) {
			BARRIER();
			sums[from ^ 1][lane] = sums[from][lane] + (lane >= k ? sums[from][lane - k] : 0);
			from ^= 1;
		}
		u32 before = sums[from][lane] - sum;
		for (int v = 0; v < DIGIT_VALUES; v++) {
			u32 c = counts[lane * DIGIT_VALUES + v];
			counts[lane * DIGIT_VALUES + v] = before;
			before += c;
		}
		BARRIER();
		for (int k = 0; k < ITEMS; k++)
			if (k < here) {
				int d = (int)DIGIT(key[k]);
				u64 at = start[d] + (counts[d * LANES + lane] + rank[k] - counts[d * LANES]);
				PUT_KEY(at, key[k])
				PUT_VALUE(at, first + k)
			}
		BARRIER();
		if (lane < DIGIT_VALUES) {
			i64 size = hi - tile < LANES * ITEMS ? hi - tile : LANES * ITEMS;
			start[lane] += (lane + 1 < DIGIT_VALUES ? counts[(lane + 1) * LANES] : (u32)size) - counts[lane * LANES];
		}
		BARRIER();
	}
#endif
}
