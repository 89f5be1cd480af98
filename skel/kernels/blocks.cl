// Blocks of LANES consecutive runs in local memory, on GPUs. The lanes copy a block with coalesced
// reads; then each lane folds its own runs, and a run's result replaces its first element. One element
// of padding after every second run avoids bank conflicts. These are macros because PoCL compiles
// barriers wrongly in a function that it does not inline.
#define BLOCK (RUN * LANES)
#if RUN > 1
#define AT(e) ((e) + (e) / (2 * RUN))
#define BLOCK_LOCALS LOCAL T block_s[BLOCK + BLOCK / (2 * RUN)];
#else
#define AT(e) (e)
#define BLOCK_LOCALS LOCAL T block_s[BLOCK];
#endif

// LOAD_BLOCK copies the n elements from lo on into the block.
#define LOAD_BLOCK(lo, n) \
	{ \
		T r[RUN]; \
		if ((n) == BLOCK) { \
			EACH_LOAD \
			for (int k = 0; k < RUN; k++) \
				r[k] = load(CTX_A SRC_A (lo) + k * LANES + lane); \
			for (int k = 0; k < RUN; k++) \
				block_s[AT(k * LANES + lane)] = r[k]; \
		} else { \
			EACH_LOAD \
			for (int k = 0; k < RUN; k++) \
				if (k * LANES + lane < (n)) \
					r[k] = load(CTX_A SRC_A (lo) + k * LANES + lane); \
			for (int k = 0; k < RUN; k++) \
				if (k * LANES + lane < (n)) \
					block_s[AT(k * LANES + lane)] = r[k]; \
		} \
	} \
	BARRIER();

// FOLD_PART reduces the n elements of the block from index first on, with w lanes, of which this is
// number r; it leaves the result at index first. Groups of w lanes reduce different parts of the block
// at the same time; `most` is the largest number of runs of any part.
#define FOLD_PART(first, n, r, w, most) \
	{ \
		int runs = ((n) + RUN - 1) / RUN; \
		for (int q = r; q < runs; q += w) { \
			int e = (first) + q * RUN, end = q + 1 < runs ? e + RUN : (first) + (n); \
			T a = block_s[AT(e)]; \
			for (int k = e + 1; k < end; k++) \
				a = op(CTX_A SRC_A a, block_s[AT(k)]); \
			block_s[AT(e)] = a; \
		} \
		BARRIER(); \
		for (int d = 1; d < (most); d *= 4) { /* two levels of the pair tree */ \
			for (int q = (r) * 4 * d; q + d < runs; q += (w) * 4 * d) { \
				int e = (first) + q * RUN; \
				T a = op(CTX_A SRC_A block_s[AT(e)], block_s[AT(e + d * RUN)]); \
				if (q + 2 * d < runs) { \
					T b = block_s[AT(e + 2 * d * RUN)]; \
					if (q + 3 * d < runs) \
						b = op(CTX_A SRC_A b, block_s[AT(e + 3 * d * RUN)]); \
					a = op(CTX_A SRC_A a, b); \
				} \
				block_s[AT(e)] = a; \
			} \
			BARRIER(); \
		} \
	}

// FOLD_TILE reduces a tile, the elements [lo, hi), block by block; lane 0 stores the result in *to.
// Partial results of the pair tree wait on a stack for their right neighbours.
#define FOLD_TILE(lo, hi, to) \
	{ \
		T stack[RUNS / LANES > 1 ? 9 : 1]; \
		int top = 0; \
		for (int block = 0; (lo) + block * BLOCK < (hi); block++) { \
			i64 from = (lo) + block * BLOCK; \
			int n = (hi) - from < BLOCK ? (int)((hi) - from) : BLOCK; \
			LOAD_BLOCK(from, n) \
			FOLD_PART(0, n, lane, LANES, LANES) \
			if (lane == 0) { \
				T a = block_s[0]; \
				for (int k = block; k & 1; k >>= 1) \
					a = op(CTX_A SRC_A stack[--top], a); \
				stack[top++] = a; \
			} \
		} \
		if (lane == 0) { \
			T a = stack[--top]; \
			while (top > 0) \
				a = op(CTX_A SRC_A stack[--top], a); \
			*(to) = a; \
		} \
		BARRIER(); \
	}
