// bykeyany folds the elements of each key, in any order, into rows of totals that a reduction of columns
// combines (skel/reduce_bykey_any.go, docs/adr/0028), by foldany.cl. It has no form for CPUs. NEUTRAL changes
// no other element.
//
// As in the kernel histogram, a group folds into totals in local memory. It has REPLICAS of them for each
// key, so that neighbouring lanes seldom wait for each other. If local memory has no room for all keys,
// `parts` groups share the elements and fold `per` keys each.
#define PLACE(k) ((k) * REPLICAS + lane % REPLICAS)
#define FOLD(k, x) \
	do { \
		u32 at = (u32)(k) - (u32)lo; \
		if (at < mine) \
			fold_in(total + PLACE(at), (WORD)(x)); \
	} while (0)

KERNEL_OF(LANES, 1) bykeyany(CTX_K SRC_P GLOBAL T *totals, i64 n, i64 keys, i64 per, i32 parts DYNAMIC_P) {
	int lane = (int)lane_id(), part = (int)(group_id() % parts);
	i64 slot = group_id() / parts, slots = groups() / parts, lo = part * per;
	u32 mine = lo >= keys ? 0 : (u32)(keys - lo < per ? keys - lo : per); // keys of the group
	DYNAMIC(memory);
	LOCAL_PTR WORD *total = (LOCAL_PTR WORD *)memory;
	for (u32 k = (u32)lane; k < mine * REPLICAS; k += LANES)
		total[k] = NEUTRAL;
	BARRIER();
	i64 chunks = n / CHUNK, c = slot * LANES + lane;
	load_vectors in;
	key_vectors of;
	if (c < chunks) {
		load_raw(SRC_A c * CHUNK, &in);
		key_raw(SRC_A c * CHUNK, &of);
	}
	for (; c < chunks; c += slots * LANES) {
		T x[CHUNK];
		i32 k[CHUNK];
		load_of_raw(CTX_A SRC_A &in, c * CHUNK, x);
		key_of_raw(CTX_A SRC_A &of, c * CHUNK, k);
		if (c + slots * LANES < chunks) { // load the next elements while these are folded
			load_raw(SRC_A (c + slots * LANES) * CHUNK, &in);
			key_raw(SRC_A (c + slots * LANES) * CHUNK, &of);
		}
		EACH_LOAD
		for (int j = 0; j < CHUNK; j++)
			FOLD(k[j], x[j]);
	}
	for (i64 i = chunks * CHUNK + slot * LANES + lane; i < n; i += slots * LANES)
		FOLD(key(CTX_A SRC_A i), load(CTX_A SRC_A i));
	BARRIER();
	for (u32 k = (u32)lane; k < mine; k += LANES) {
		WORD all = NEUTRAL;
		for (int j = 0; j < REPLICAS; j++) { // lanes begin at different banks
			WORD x = total[k * REPLICAS + (j + lane) % REPLICAS];
#if defined(FOLD_ADD)
			all = (WORD)((UNSIGNED)all + (UNSIGNED)x);
#elif defined(FOLD_AND)
			all &= x;
#elif defined(FOLD_OR)
			all |= x;
#elif defined(FOLD_XOR)
			all ^= x;
#elif defined(FOLD_MIN)
			all = x < all ? x : all;
#else
			all = x > all ? x : all;
#endif
		}
		totals[slot * keys + lo + k] = (T)all;
	}
}
