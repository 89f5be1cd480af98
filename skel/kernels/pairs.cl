// What the forms of the kernel allpairs have in common: where elements are, and how they are read. The host
// defines the size of a tile, BM x BN elements and BK deep, and the number of LANES.
#ifdef PAIRS
#define FOLD(acc, a, b) combine(CTX_A SRC_A acc, pair(CTX_A SRC_A a, b))
#else
#define FOLD(acc, a, b) fold(CTX_A SRC_A acc, a, b)
#endif
#ifdef BY_COLUMNS
#define AT_B(k, j) ((k) * m + (j))
#define STEP_B m
#else
#define AT_B(k, j) ((j) * d + (k))
#define STEP_B 1
#endif
#ifdef SPLIT
#define SPLIT_P , i64 block
#define AT_A(k, i) ((k) * hi + (i))
#define STEP_A hi
#else
#define SPLIT_P
#define AT_A(k, i) ((i) * d + (k))
#define STEP_A 1
#endif

// PART makes the rest of the kernel compute part id / all of the result, with tile id % all: it sets begin
// to the first k, d to the number of values of k, and base to the index of the first result.
#ifdef SPLIT
#define PART(id, all) \
	i64 tile = (id) % (all), begin = (id) / (all) * block, base = (id) / (all) * hi * m; \
	d = d - begin < block ? d - begin : block
#else
#define PART(id, all) \
	const i64 tile = (id), begin = 0, base = 0; \
	(void)(all), (void)begin, (void)base
#endif

#ifdef SEG
#define RUNS_IN ((SEG + RUN - 1) / RUN) // runs of a segment
// FOLD_RUN folds the run of a segment that begins at k. ELEMENT(k) is element k of the segment.
#define FOLD_RUN(a, k) \
	OUT a = ELEMENT(k); \
	for (int i = 1; i < (SEG - (k) < RUN ? SEG - (k) : RUN); i++) \
		a = op(CTX_A SRC_A a, ELEMENT((k) + i));
// PAIR_TREE reduces the RUNS_IN elements of p as adjacent pairs, level by level, into p[0].
#define PAIR_TREE(p) \
	UNROLL \
	for (int n = RUNS_IN; n > 1; n = (n + 1) / 2) { \
		UNROLL \
		for (int k = 0; k < n / 2; k++) \
			(p)[k] = op(CTX_A SRC_A (p)[2 * k], (p)[2 * k + 1]); \
		if (n % 2) \
			(p)[n / 2] = (p)[n - 1]; \
	}
#endif

#ifndef PRODUCTS
#define LOCAL_P
#endif

#ifndef SHAPE_CPU
#define VA LOAD_A_CHUNK
#define VB LOAD_B_CHUNK
#define CHUNKS_A (BM * BK / VA)
#define CHUNKS_B (BN * BK / VB)
#define EACH_A ((CHUNKS_A + LANES - 1) / LANES)
#define EACH_B ((CHUNKS_B + LANES - 1) / LANES)

FUNC i64 at_most(i64 i, i64 most) { return i < most ? i : most; }

// find_a stores in at the indices of the chunks that the lane loads, of the first BK columns of A's rows
// from row on. read_a loads them into registers, and put_a stores them in local memory.
FUNC void find_a(i64 row, i64 hi, i64 d, int lane, i64 *at) {
	UNROLL
	for (int c = 0; c < EACH_A; c++) {
		int chunk = lane + c * LANES;
#ifdef SPLIT
		at[c] = at_most(chunk / (BM / VA), d - 1) * hi + at_most(row + chunk % (BM / VA) * VA, hi - VA);
#else
		at[c] = at_most(row + chunk / (BK / VA), hi - 1) * d + at_most(chunk % (BK / VA) * VA, d - VA);
#endif
	}
}

#if !defined PRODUCTS && !defined PLACED_A
FUNC void read_a(CTX_P SRC_P const i64 *at, int lane, TA *r) {
	UNROLL
	for (int c = 0; c < EACH_A; c++)
		if (CHUNKS_A % LANES == 0 || lane + c * LANES < CHUNKS_A)
			load_a_chunk(CTX_A SRC_A at[c], r + c * VA);
}
#endif

// find_b and read_b do the same for B.
FUNC void find_b(i64 col, i64 m, i64 d, int lane, i64 *at) {
	UNROLL
	for (int c = 0; c < EACH_B; c++) {
		int chunk = lane + c * LANES;
#ifdef BY_COLUMNS
		at[c] = at_most(chunk / (BN / VB), d - 1) * m + at_most(col + chunk % (BN / VB) * VB, m - VB);
#else
		at[c] = at_most(col + chunk / (BK / VB), m - 1) * d + at_most(chunk % (BK / VB) * VB, d - VB);
#endif
	}
}

#if !defined PRODUCTS && !defined PLACED_B
FUNC void read_b(CTX_P SRC_P const i64 *at, int lane, TB *r) {
	UNROLL
	for (int c = 0; c < EACH_B; c++)
		if (CHUNKS_B % LANES == 0 || lane + c * LANES < CHUNKS_B)
			load_b_chunk(CTX_A SRC_A at[c], r + c * VB);
}
#endif

FUNC void move(i64 *at, int n, i64 by) {
	UNROLL
	for (int c = 0; c < n; c++)
		at[c] += by;
}

// EACH_CHUNK and END_CHUNK enclose what is done with all chunks of a tile that the lane moves: c counts them, and chunk
// is the number in the tile. OpenCL C has no macros with any number of arguments, which could contain commas.
#define EACH_CHUNK(each, chunks) \
	{ \
		UNROLL \
		for (int c = 0; c < (each); c++) { \
			int chunk = lane + c * LANES; \
			if ((chunks) % LANES == 0 || chunk < (chunks)) {
#define END_CHUNK \
			} \
		} \
	}

// An input that is computed is PLACED: its chunks are found by row and column, because an index would have to
// be divided to find them. DEPTH_A(chunk) is the place of a chunk of A along k in the tile, and ROW_OF_A(k) and
// COL_OF_A(k) are its row and its column in the matrix, which has COLS_A columns, in the tile that begins at k.
// PLACE_A loads the chunks of that tile into registers.
#ifdef SPLIT
#define DEPTH_A(chunk) ((chunk) / (BM / VA))
#define COLS_A hi
#define ROW_OF_A(k) (begin + at_most((k) + DEPTH_A(chunk), d - 1))
#define COL_OF_A(k) at_most(row + chunk % (BM / VA) * VA, hi - VA)
#else
#define DEPTH_A(chunk) ((chunk) % (BK / VA) * VA)
#define COLS_A d
#define ROW_OF_A(k) at_most(row + chunk / (BK / VA), hi - 1)
#define COL_OF_A(k) at_most((k) + DEPTH_A(chunk), d - VA)
#endif
#ifdef BY_COLUMNS
#define DEPTH_B(chunk) ((chunk) / (BN / VB))
#define COLS_B m
#define ROW_OF_B(k) (begin + at_most((k) + DEPTH_B(chunk), d - 1))
#define COL_OF_B(k) at_most(col + chunk % (BN / VB) * VB, m - VB)
#else
#define DEPTH_B(chunk) ((chunk) % (BK / VB) * VB)
#define COLS_B d
#define ROW_OF_B(k) at_most(col + chunk / (BK / VB), m - 1)
#define COL_OF_B(k) at_most((k) + DEPTH_B(chunk), d - VB)
#endif
#define PLACE_A(k) \
	EACH_CHUNK(EACH_A, CHUNKS_A) \
		i64 i = ROW_OF_A(k), j = COL_OF_A(k); \
		load_a_chunk(CTX_A SRC_A i * COLS_A + j, i, j, next_a + c * VA); \
	END_CHUNK
#define PLACE_B(k) \
	EACH_CHUNK(EACH_B, CHUNKS_B) \
		i64 i = ROW_OF_B(k), j = COL_OF_B(k); \
		load_b_chunk(CTX_A SRC_A i * COLS_B + j, i, j, next_b + c * VB); \
	END_CHUNK
#endif
