// keymove moves the keys and elements of each tile to the positions that keyscan computed. Elements with equal
// digits keep their order.
#ifdef SHAPE_CPU
KERNEL keymove(CTX_K SRC_P GLOBAL const i32 *of, GLOBAL const i32 *mixed, GLOBAL const POS *counts, GLOBAL const POS *bases,
	GLOBAL i32 *out_of, GLOBAL T *out, i64 n, u32 most, i32 shift, i64 tiles) {
	if (mixed[0] == 0)
		return;
	POS next[RADIX];
	for (int d = 0; d < RADIX; d++)
		next[d] = bases[d] + counts[d * tiles + group_id()];
	i64 hi = n * (group_id() + 1) / tiles;
	for (i64 i = n * group_id() / tiles; i < hi; i++) {
		u32 k = KEY(of[i]);
		POS to = next[DIGIT(k)]++;
		out_of[to] = (i32)k;
		out[to] = load(CTX_A SRC_A i);
	}
}
#else
// The elements of a tile are divided into columns, in order: one for each warp, which takes them 32 at a time and
// ranks those with equal digits by ballots (compare GPU Multisplit, Ashkiani et al. 2016), or without warps one
// for each lane. table counts the elements with each digit in each column, and after a scan holds their positions in
// the sorted tile. The tile is sorted in local memory, from where neighbouring lanes write neighbouring elements.
#ifdef SKEL_WARP
#define COLUMNS (LANES / 32)
#define ITEM(r) (column * 32 * ITEMS + (r) * 32 + lane % 32)
#else
#define COLUMNS LANES
#define ITEM(r) (lane * ITEMS + (r))
#endif
#define PER (RADIX * COLUMNS / LANES)
#define EACH_ITEM UNROLL for (int r = 0; r < ITEMS; r++)

KERNEL_OF(LANES, 3) keymove(CTX_K SRC_P GLOBAL const i32 *of, GLOBAL const i32 *mixed, GLOBAL const POS *counts, GLOBAL const POS *bases,
	GLOBAL i32 *out_of, GLOBAL T *out, i64 n, u32 most, i32 shift, i64 tiles) {
	LOCAL u32 table[RADIX * COLUMNS];
	LOCAL POS away[RADIX]; // the position of a digit's elements relative to that in the sorted tile
	LOCAL u32 sorted_key[TILE];
#ifdef EXCHANGE
	LOCAL T sorted[TILE];
#endif
	PREFIX_LOCALS
	if (mixed[0] == 0)
		return;
	int lane = (int)lane_id(), column = lane * COLUMNS / LANES;
	i64 lo = group_id() * TILE;
	int have = n - lo < TILE ? (int)(n - lo) : TILE;
	for (int k = lane; k < RADIX * COLUMNS; k += LANES)
		table[k] = 0;
	u32 key[ITEMS];
	int rank[ITEMS];
	T x[ITEMS];
	EACH_ITEM key[r] = ITEM(r) < have ? KEY(of[lo + ITEM(r)]) : most;
	EACH_LOAD
	for (int r = 0; r < ITEMS; r++)
		if (ITEM(r) < have)
			x[r] = load(CTX_A SRC_A lo + ITEM(r));
	BARRIER();
	EACH_ITEM {
		int d = ITEM(r) < have ? DIGIT(key[r]) : RADIX - 1; // what is beyond the end comes last
		LOCAL_PTR u32 *count = table + d * COLUMNS + column;
#ifdef SKEL_WARP
		u32 same = ~0u;
		UNROLL
		for (int b = 0; b < BITS; b++) {
			u32 ballot = WARP_BALLOT(d >> b & 1);
			same &= d >> b & 1 ? ballot : ~ballot;
		}
		u32 before = same & ((1u << lane % 32) - 1), first = *count;
		rank[r] = (int)(first + (u32)SKEL_POPCOUNT(before));
		WARP_SYNC();
		if (before == 0)
			*count = first + (u32)SKEL_POPCOUNT(same);
		WARP_SYNC();
#else
		rank[r] = (int)*count;
		*count += 1;
#endif
	}
	BARRIER();
	u32 sum = 0;
	for (int k = 0; k < PER; k++)
		sum += table[lane * PER + k];
	u32 at = sum;
	PREFIXES_OF_LANES(at)
	at -= sum;
	for (int k = 0; k < PER; k++) {
		u32 c = table[lane * PER + k];
		table[lane * PER + k] = at;
		at += c;
	}
	BARRIER();
	for (int d = lane; d < RADIX; d += LANES)
		away[d] = bases[d] + counts[d * tiles + group_id()] - table[d * COLUMNS];
	EACH_ITEM if (ITEM(r) < have) {
		rank[r] += (int)table[DIGIT(key[r]) * COLUMNS + column];
		sorted_key[rank[r]] = key[r];
#ifdef EXCHANGE
		sorted[rank[r]] = x[r];
#endif
	}
	BARRIER();
	EACH_ITEM {
		int j = r * LANES + lane;
		if (j < have) {
			POS to = away[DIGIT(sorted_key[j])] + (POS)j;
			out_of[to] = (i32)sorted_key[j];
#ifdef EXCHANGE
			out[to] = sorted[j];
#endif
		}
	}
#ifndef EXCHANGE
	EACH_ITEM if (ITEM(r) < have)
		out[away[DIGIT(key[r])] + (POS)rank[r]] = x[r];
#endif
}
#endif
