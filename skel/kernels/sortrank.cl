// Ranking in a tile: every warp has SKEL_WARP * ITEMS neighbouring keys, and item k of a lane is the key k *
// SKEL_WARP + the lane's number of these, so that the order of the items of a warp is that of k, then of the
// lanes. counts has a counter for each warp and each value of the digit.
#define WARPS (LANES / SKEL_WARP)
#define TILE (LANES * ITEMS)

// same_digit returns the lanes of the warp whose digit is that of the lane. On an H200 the eight ballots take half
// the time of an instruction that matches values.
FUNC u32 same_digit(u32 digit) {
	u32 same = 0xffffffffu;
	UNROLL
	for (int b = 0; b < 8; b++) {
		u32 one = digit >> b & 1, with = WARP_BALLOT(one);
		same &= with ^ (one - 1);
	}
	return same;
}

// RANK_ITEM sets r to the place of an item in the tile, and counts the item. The counters of the warp hold the
// places of its next item with each value.
#define RANK_ITEM(counts, digit, r) \
	{ \
		u32 same = same_digit(digit), below = same & ((1u << in_warp) - 1); \
		u32 base = (counts)[digit]; \
		WARP_SYNC(); \
		if (below == 0) \
			(counts)[digit] = base + (u32)SKEL_POPCOUNT(same); \
		WARP_SYNC(); \
		r = base + (u32)SKEL_POPCOUNT(below); \
	}

// EXCLUSIVE_SUM sets result to the sum of the x of the lanes of the group before the lane. sums has WARPS words.
#define EXCLUSIVE_SUM(x, sums, result) \
	{ \
		u32 upto = (x); \
		UNROLL \
		for (int d = 1; d < SKEL_WARP; d *= 2) { \
			u32 other = WARP_WORD(upto, in_warp >= d ? in_warp - d : in_warp); \
			if (in_warp >= d) \
				upto += other; \
		} \
		if (in_warp == SKEL_WARP - 1) \
			sums[warp] = upto; \
		BARRIER(); \
		u32 before = 0; \
		UNROLL \
		for (int w = 0; w < WARPS; w++) \
			before += w < warp ? sums[w] : 0; \
		result = before + upto - (x); \
	}
