// Tiles in local memory, for the scan in one pass (lookback.cl). Warps copy a tile with coalesced reads
// and writes; each lane reads and writes its own run as whole vectors. SWIZZLE permutes the vectors of
// 16 bytes, so that neither access has bank conflicts: k is the index of a vector, q the number of
// vectors of a run.
#define SWIZZLE(k, q) ((q) == 1 || ((q) & ((q)-1)) ? (k) : ((k) ^ (((k) / ((q) > 8 ? (q) : 8)) & ((q) > 8 ? 7 : (q)-1))))

// SWIZZLE_BEYOND is SWIZZLE(k + far, q) for a far that is a multiple of SKEL_WARP, cheaper where it can be.
#define SWIZZLE_BEYOND(k, far, q) ((q) <= 4 ? SWIZZLE(k, q) + (far) : SWIZZLE((k) + (far), q))

// stage_vectors starts an asynchronous copy of a tile's vectors to local memory: each warp copies the runs
// of its own lanes.
FUNC void stage_vectors(LOCAL_PTR u8 *to, GLOBAL const u8 *from, int vectors, int q, int lane) {
	int per = vectors / WARPS;
	u32 in_warp = lane % SKEL_WARP, first = lane / SKEL_WARP * per + in_warp;
	from += 16 * first;
	UNROLL
	for (int j = 0; j < (per + SKEL_WARP - 1) / SKEL_WARP; j++)
		if (per % SKEL_WARP == 0 || in_warp + j * SKEL_WARP < per)
			COPY16(to + 16 * SWIZZLE_BEYOND(first, j * SKEL_WARP, q), from + 16 * SKEL_WARP * j);
}

typedef union {
	T e[RUN];
	TV v[TN];
} run_vectors;

#define WHOLE_VECTORS (sizeof(TV) == 16)
#define RUN_AT(slot, i) ((LOCAL_PTR TV *)(slot) + (WHOLE_VECTORS ? SWIZZLE(lane * TN + i, TN) : lane * TN + i))

// put_run stores the lane's run r in the slot; get_run loads it.
FUNC void put_run(LOCAL_PTR u8 *slot, int lane, const T *r) {
	run_vectors u;
	UNROLL
	for (int k = 0; k < RUN; k++)
		u.e[k] = r[k];
	UNROLL
	for (int i = 0; i < TN; i++)
		*RUN_AT(slot, i) = u.v[i];
}

FUNC void get_run(LOCAL_PTR const u8 *slot, int lane, T *r) {
	run_vectors u;
	UNROLL
	for (int i = 0; i < TN; i++)
		u.v[i] = *RUN_AT(slot, i);
	UNROLL
	for (int k = 0; k < RUN; k++)
		r[k] = u.e[k];
}

// store_warp stores the runs of a warp from the slot to out, without the first run of the tile if skip.
FUNC void store_warp(LOCAL_PTR const u8 *slot, GLOBAL T *out, int warp, int lane, int skip) {
	u32 first = warp * TN * SKEL_WARP + lane;
	GLOBAL TV *to = (GLOBAL TV *)out + first;
	UNROLL
	for (int i = 0; i < TN; i++)
		if (!skip || first + i * SKEL_WARP >= TN)
			to[i * SKEL_WARP] = ((LOCAL_PTR const TV *)slot)[SWIZZLE_BEYOND(first, i * SKEL_WARP, TN)];
}
