// What the kernels of a reduction by many keys share (skel/reduce_bykey_sorted.go). They sort the elements by key,
// stably and by RADIX values of a digit at a time, unless the keys are sorted: then `mixed` is 0. Position types,
// POS, have 32 bits if that is enough.

// KEY is a key as it is sorted: keys out of range come last.
#define KEY(x) ((u32)(x) < most ? (u32)(x) : most)
#define DIGIT(k) ((int)((k) >> shift & (RADIX - 1)))

#ifndef SHAPE_CPU
#define TILE (LANES * ITEMS)

// PREFIXES_OF_LANES sets x to the sum of the x of all lanes up to this one.
#ifdef SKEL_WARP
#define PREFIX_LOCALS LOCAL u32 warp_sums[LANES / 32];
#define PREFIXES_OF_LANES(x) \
	UNROLL \
	for (int d = 1; d < 32; d *= 2) { \
		u32 other = WARP_WORD(x, lane % 32 - d); \
		if (lane % 32 >= d) \
			x += other; \
	} \
	if (lane % 32 == 31) \
		warp_sums[lane / 32] = x; \
	BARRIER(); \
	for (int w = 0; w < lane / 32; w++) \
		x += warp_sums[w];
#else
#define PREFIX_LOCALS LOCAL u32 lane_sums[LANES];
#define PREFIXES_OF_LANES(x) \
	lane_sums[lane] = x; \
	BARRIER(); \
	for (int d = 1; d < LANES; d *= 2) { \
		u32 other = lane >= d ? lane_sums[lane - d] : 0; \
		BARRIER(); \
		lane_sums[lane] += other; \
		BARRIER(); \
	} \
	x = lane_sums[lane];
#endif
#endif
