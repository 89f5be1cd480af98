// keyscan turns the counts of keycount into positions: that of the first key with digit d in tile t is
// bases[d] + counts[d * tiles + t].
#ifdef SHAPE_CPU
KERNEL keyscan(CTX_K GLOBAL const i32 *mixed, GLOBAL POS *counts, GLOBAL POS *bases, GLOBAL u32 *counter, i64 tiles) {
	if (mixed[0] == 0)
		return;
	POS sum = 0;
	for (int d = 0; d < RADIX; d++) {
		bases[d] = sum;
		POS here = 0;
		for (i64 t = 0; t < tiles; t++) {
			POS n = counts[d * tiles + t];
			counts[d * tiles + t] = here;
			here += n;
		}
		sum += here;
	}
}
#else
// A group takes a digit. The tiles of a step have fewer than 2^32 keys, whose sums are computed in u32. The last
// group to arrive adds the digits.
#define STEP 8
KERNEL_OF(LANES, 4) keyscan(CTX_K GLOBAL const i32 *mixed, GLOBAL POS *counts, GLOBAL POS *bases, GLOBAL u32 *counter, i64 tiles) {
	PREFIX_LOCALS
	LOCAL u32 all;
	LOCAL int last;
	if (mixed[0] == 0)
		return;
	int lane = (int)lane_id();
	GLOBAL POS *row = counts + group_id() * tiles;
	POS before = 0;
	for (i64 lo = 0; lo < tiles; lo += LANES * STEP) {
		u32 n[STEP], sum = 0;
		i64 first = lo + lane * STEP;
		UNROLL
		for (int k = 0; k < STEP; k++) {
			n[k] = first + k < tiles ? (u32)row[first + k] : 0;
			sum += n[k];
		}
		u32 x = sum;
		PREFIXES_OF_LANES(x)
		if (lane == LANES - 1)
			all = x;
		BARRIER();
		POS at = before + (x - sum);
		UNROLL
		for (int k = 0; k < STEP; k++) {
			if (first + k < tiles)
				row[first + k] = at;
			at += n[k];
		}
		before += all;
		BARRIER();
	}
	if (lane == 0) {
		bases[group_id()] = before;
		last = arrive_last(counter);
	}
	BARRIER();
	if (last && lane == 0) {
		POS sum = 0;
		for (int d = 0; d < RADIX; d++) {
			POS n = bases[d];
			bases[d] = sum;
			sum += n;
		}
	}
}
#endif
