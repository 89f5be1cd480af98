// The entries of a group that looks for the first k elements (top.cl, topjoin.cl). Each warp keeps at most
// ENTRIES elements in local memory: their keys, and their positions, by which equal keys are ordered. When
// there is no room for another 32, the warp sorts its entries and keeps the first k.
#define WARPS (LANES / SKEL_WARP)
#define NO_KEY ((KEY_U)~(KEY_U)0)
#define NO_POSITION (~(u64)0)
#define COMES_FIRST(a, at_a, b, at_b) ((a) < (b) || ((a) == (b) && (at_a) < (at_b)))

// ENTRY_LOCALS declares the entries, and the variables of a warp. No element with a key greater than
// limit[0] is among the first k. Once the warp has sorted its entries, no element after last_key and last_at
// is.
#define ENTRY_LOCALS \
	LOCAL KEY_U all_keys[WARPS * ENTRIES]; \
	LOCAL u64 all_at[WARPS * ENTRIES]; \
	LOCAL int counts[WARPS]; \
	LOCAL volatile KEY_U limit[1]; \
	int lane = (int)lane_id() % SKEL_WARP, warp = (int)lane_id() / SKEL_WARP, count = 0; \
	LOCAL_PTR KEY_U *key = all_keys + warp * ENTRIES; \
	LOCAL_PTR u64 *at = all_at + warp * ENTRIES; \
	KEY_U last_key = NO_KEY; \
	u64 last_at = NO_POSITION;

// limit_of returns the k-th of the keys in `least`, one for each lane of the group. If each is the least key of
// other elements, at least k elements have no greater key. It finds the bits of the result from the highest to
// the lowest. A warp calls it.
FUNC KEY_U limit_of(LOCAL_PTR const KEY_U *least, int k, int lane) {
	KEY_U x[WARPS], most = NO_KEY;
	UNROLL
	for (int w = 0; w < WARPS; w++)
		x[w] = least[w * SKEL_WARP + lane];
	ROLLED
	for (int b = (int)sizeof(KEY_U) * 8 - 1; b >= 0; b--) {
		KEY_U less = (KEY_U)(most ^ (KEY_U)1 << b);
		int have = 0;
		UNROLL
		for (int w = 0; w < WARPS; w++)
			have += (int)SKEL_POPCOUNT(WARP_BALLOT(x[w] <= less));
		if (have >= k)
			most = less;
	}
	return most;
}

// SET_LIMIT sets limit[0] from one key of each lane; see limit_of.
#define SET_LIMIT(least) \
	all_keys[lane_id()] = (least); \
	BARRIER(); \
	if (warp == 0) { \
		KEY_U most = limit_of(all_keys, (int)k, lane); \
		if (lane == 0) \
			limit[0] = most; \
	} \
	BARRIER();

// arrange sorts the entries of a warp and returns how many are left, at most k. It is a bitonic sort.
FUNC int arrange(LOCAL_PTR KEY_U *key, LOCAL_PTR u64 *at, int count, int k, int lane) {
	int size = SKEL_WARP;
	while (size < count)
		size *= 2;
	for (int j = count + lane; j < size; j += SKEL_WARP)
		key[j] = NO_KEY, at[j] = NO_POSITION;
	WARP_SYNC();
	ROLLED
	for (int part = 2; part <= size; part *= 2)
		ROLLED
		for (int step = part / 2; step > 0; step /= 2) {
			for (int j = lane; j < size / 2; j += SKEL_WARP) {
				int a = 2 * j - (j & (step - 1)), b = a + step;
				KEY_U ka = key[a], kb = key[b];
				u64 pa = at[a], pb = at[b];
				if (COMES_FIRST(kb, pb, ka, pa) == ((a & part) == 0))
					key[a] = kb, key[b] = ka, at[a] = pb, at[b] = pa;
			}
			WARP_SYNC();
		}
	return count < k ? count : k;
}

// MAKE_ROOM makes room for an entry from each lane of the warp.
#define MAKE_ROOM() \
	if (count > ENTRIES - SKEL_WARP) { \
		count = arrange(key, at, count, (int)k, lane); \
		if (count == (int)k) { \
			last_key = key[k - 1]; \
			last_at = at[k - 1]; \
			if (lane == 0 && last_key < limit[0]) \
				limit[0] = last_key; \
		} \
		WARP_SYNC(); \
	}

// ADD adds the element with key x at position i to the entries, in lanes where `if_so` is set.
#define ADD(x, i, if_so) { \
		u32 those = WARP_BALLOT(if_so); \
		if (if_so) { \
			int j = count + (int)SKEL_POPCOUNT(those & ((1u << lane) - 1)); \
			key[j] = (x); \
			at[j] = (i); \
		} \
		count += (int)SKEL_POPCOUNT(those); \
	}

// COMBINE leaves at most LANES entries, in the first `lists` warps: `total`, of which the warps have `counts`.
#define COMBINE() \
	if (count > (int)k) \
		count = arrange(key, at, count, (int)k, lane); \
	if (lane == 0) \
		counts[warp] = count; \
	BARRIER(); \
	int lists = WARPS, total = 0; \
	for (int w = 0; w < WARPS; w++) \
		total += counts[w]; \
	if (total > LANES) { \
		ROLLED \
		for (lists /= 2; lists > 0; lists /= 2) { \
			if (warp < lists) { \
				int more = counts[warp + lists]; \
				for (int j = lane; j < more; j += SKEL_WARP) { \
					key[count + j] = key[lists * ENTRIES + j]; \
					at[count + j] = at[lists * ENTRIES + j]; \
				} \
				WARP_SYNC(); \
				if ((count += more) > (int)k) \
					count = arrange(key, at, count, (int)k, lane); \
				if (lane == 0) \
					counts[warp] = count; \
			} \
			BARRIER(); \
		} \
		lists = 1; \
		total = counts[0]; \
	}

// PLACE gives each of the first `total` lanes an entry, with key x at position i, whose rank among all is
// `place`.
#define PLACE() \
	KEY_U x = NO_KEY; \
	u64 i = NO_POSITION; \
	int place = (int)lane_id(); \
	if (place < total) { \
		int from = 0, j = place; \
		while (j >= counts[from]) \
			j -= counts[from++]; \
		x = all_keys[from * ENTRIES + j]; \
		i = all_at[from * ENTRIES + j]; \
		place = 0; \
		for (int w = 0; w < lists; w++) { \
			int have = counts[w]; \
			for (int q = w * ENTRIES; q < w * ENTRIES + have; q++) /* without branches, which would diverge */ \
				place += (all_keys[q] < x) | ((all_keys[q] == x) & (all_at[q] < i)); \
		} \
	}
