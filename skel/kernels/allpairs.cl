// allpairs computes rows [lo, hi) of an AllPairs whose function is a fold (docs/adr/0013):
// out[i * m + j] = finish(acc), where acc is the left fold over k = 0, 1, ..., d - 1 of FOLD(acc, a, b),
// a is element (i, k) of the left matrix A, and b is element (k, j) of the right matrix B with
// BY_COLUMNS, (j, k) otherwise. The fold starts from initial, or from the first pair with PAIRS.
//
// It is a blocked matrix product for any function. On a CPU a work-item packs a panel of B for its cache
// (Goto and van de Geijn 2008) and computes a block of BM x BN elements. On a GPU a group computes a tile
// through local memory and registers (Volkov and Demmel 2008). No fold is split, so its order is fixed.
//
// With SPLIT it computes the blocks of a ColumnPairs (docs/adr/0031): a is element (k, i) of A, which has
// d rows of hi elements, and lo is 0. Part p of out, hi x m elements, is the fold over the p-th block of
// `block` values of k.
//
// With PRODUCTS, the fold is a fused multiply-add, and products.cl folds by multiplying matrices.
//
// With SEG it reduces every SEG results of a row by op, in the canonical order of a row (order.cl), and
// stores only the reductions.
#ifdef SHAPE_CPU
// A work-item computes a block of BM x BN elements. It copies the part of B that it needs, BK rows at a
// time, with the elements of one k side by side. The loop over columns, which the compiler vectorizes,
// combines two rows of A with four rows of this copy, so that it computes more than it loads.
#define STRIDE_B (BN + PAD)
#define EACH_COLUMN _Pragma("clang loop vectorize(enable)") for (int j = 0; j < w; j++)
#pragma clang diagnostic ignored "-Wpass-failed" // not every function can be vectorized

KERNEL allpairs(CTX_K SRC_P GLOBAL OUT *out, i64 lo, i64 hi, i64 m, i64 d, T initial SPLIT_P) {
	T acc[BM * BN];
	TB b[BK * STRIDE_B];
	i64 across = (m + BN - 1) / BN, down = (hi - lo + BM - 1) / BM;
	PART(group_id(), across * down);
	i64 row = lo + tile / across * BM, col = tile % across * BN;
	int h = hi - row < BM ? (int)(hi - row) : BM, w = m - col < BN ? (int)(m - col) : BN;
	for (int r = 0; r < h; r++)
		for (int j = 0; j < w; j++)
			acc[r * BN + j] = initial;
	for (i64 k0 = 0; k0 < d; k0 += BK) {
		int n = d - k0 < BK ? (int)(d - k0) : BK, from = 0;
#ifdef BY_COLUMNS
		for (int k = 0; k < n; k++)
			for (int j = 0; j < w; j++)
				b[k * STRIDE_B + j] = load_b(CTX_A SRC_A AT_B(begin + k0 + k, col + j));
#else
		for (int j = 0; j < w; j++)
			for (int k = 0; k < n; k++)
				b[k * STRIDE_B + j] = load_b(CTX_A SRC_A AT_B(begin + k0 + k, col + j));
#endif
#ifdef PAIRS
		if (k0 == 0) {
			for (int r = 0; r < h; r++) {
				TA a = load_a(CTX_A SRC_A AT_A(begin, row + r));
				EACH_COLUMN acc[r * BN + j] = pair(CTX_A SRC_A a, b[j]);
			}
			from = 1;
		}
#endif
		for (int r = 0; r < h; r += 2) {
			T *x = acc + r * BN, *y = x + BN;
			i64 first = AT_A(begin + k0, row + r), second = r + 1 < h ? AT_A(begin + k0, row + r + 1) : first;
			int k = from;
			for (; k + 4 <= n && r + 1 < h; k += 4) {
				const TB *p = b + k * STRIDE_B, *q = p + STRIDE_B, *s = q + STRIDE_B, *t = s + STRIDE_B;
				i64 u0 = first + k * STEP_A, v0 = second + k * STEP_A;
				TA a0 = load_a(CTX_A SRC_A u0), a1 = load_a(CTX_A SRC_A u0 + STEP_A);
				TA a2 = load_a(CTX_A SRC_A u0 + 2 * STEP_A), a3 = load_a(CTX_A SRC_A u0 + 3 * STEP_A);
				TA b0 = load_a(CTX_A SRC_A v0), b1 = load_a(CTX_A SRC_A v0 + STEP_A);
				TA b2 = load_a(CTX_A SRC_A v0 + 2 * STEP_A), b3 = load_a(CTX_A SRC_A v0 + 3 * STEP_A);
				EACH_COLUMN {
					T u = FOLD(x[j], a0, p[j]), v = FOLD(y[j], b0, p[j]);
					u = FOLD(u, a1, q[j]);
					v = FOLD(v, b1, q[j]);
					u = FOLD(u, a2, s[j]);
					v = FOLD(v, b2, s[j]);
					x[j] = FOLD(u, a3, t[j]);
					y[j] = FOLD(v, b3, t[j]);
				}
			}
			for (; k < n; k++) {
				const TB *p = b + k * STRIDE_B;
				TA a0 = load_a(CTX_A SRC_A first + k * STEP_A);
				EACH_COLUMN x[j] = FOLD(x[j], a0, p[j]);
				if (r + 1 < h) {
					TA b0 = load_a(CTX_A SRC_A second + k * STEP_A);
					EACH_COLUMN y[j] = FOLD(y[j], b0, p[j]);
				}
			}
		}
	}
#ifdef SEG
	for (int r = 0; r < h; r++)
		for (int s = 0; s < w; s += SEG) {
			OUT p[SEG];
			for (int j = 0; j < SEG; j++)
				p[j] = finish(CTX_A SRC_A (row + r) * m + col + s + j, row + r, col + s + j, acc[r * BN + s + j]);
#define ELEMENT(k) p[k]
			for (int k = 0; k < RUNS_IN; k++) {
				FOLD_RUN(a, k * RUN)
				p[k] = a;
			}
			PAIR_TREE(p)
			out[((row + r) * m + col + s) / SEG] = p[0];
		}
#else
	for (int r = 0; r < h; r++)
		for (int j = 0; j < w; j++) {
			i64 i = base + (row + r) * m + col + j;
			out[i] = finish(CTX_A SRC_A i, row + r, col + j, acc[r * BN + j]);
		}
#endif
}
#else

// A group of LY x LX lanes computes a tile of BM x BN elements, TM x TN per lane in registers. Local memory
// holds BK columns of A's rows and BK rows of B's columns, with the elements of one k side by side, while
// the next ones are loaded into registers. Indices outside the matrices are clamped; the results are not
// stored. With PRODUCTS, products.cl has its own layout of a tile.
#ifndef PRODUCTS
#define STRIDE_A (BM + WA)
#define STRIDE_B (BN + WB)
#define BYTES_A ((BK * STRIDE_A * (int)sizeof(TA) + 15) / 16 * 16)
#define BYTES_B ((BK * STRIDE_B * (int)sizeof(TB) + 15) / 16 * 16)

// The lanes of a warp form a 4 x 8 grid, so that they read few different elements at a time.
#if LX % 8 == 0 && LY % 4 == 0
#define LANE_X(lane) ((lane) / 32 % (LX / 8) * 8 + (lane) % 8)
#define LANE_Y(lane) ((lane) / 32 / (LX / 8) * 4 + (lane) / 8 % 4)
#else
#define LANE_X(lane) ((lane) % LX)
#define LANE_Y(lane) ((lane) / LX)
#endif

// ROW(i) and COL(j) are the rows and columns of the tile that a lane computes: in vectors of WA and WB.
#define ROW(i) ((i) / WA * (LY * WA) + y * WA + (i) % WA)
#define COL(j) ((j) / WB * (LX * WB) + x * WB + (j) % WB)

// The rows i of all lanes from g on, WA for each, are those of a slice of the tile. SLOT(i) is the place of
// row g + i of the lane in the slice, and SLOT_ROW its row in the tile.
#define SLICE (LY * WA)
#define SLOT(i) (y * WA + (i))
#define SLOT_ROW(slot, g) ((g) / WA * SLICE + (slot))
#define STRIDE_S (BN + WB)
#define MAIN_BYTES (BUFFERS * (BYTES_A + BYTES_B))
#define SLICE_BYTES ((SLICE * STRIDE_S * (int)sizeof(OUT) + 15) / 16 * 16)
#ifdef SEG
#define LOCAL_BYTES (MAIN_BYTES > SLICE_BYTES ? MAIN_BYTES : SLICE_BYTES)
#else
#define LOCAL_BYTES MAIN_BYTES
#endif

// PUT_CHUNKS stores chunks of V elements of r side by side at the rows of s: rows of an input whose columns
// are combined. TURN_CHUNKS transposes them.
#define PUT_CHUNKS(T_, V, PUT_, EACH_, CHUNKS_, WIDE, STRIDE_) \
	UNROLL \
	for (int c = 0; c < EACH_; c++) { \
		int at = lane + c * LANES; \
		union { \
			T_ e[V]; \
			PUT_ v[V * sizeof(T_) / sizeof(PUT_)]; \
		} u; \
		UNROLL \
		for (int v = 0; v < V; v++) \
			u.e[v] = r[c * V + v]; \
		UNROLL \
		for (int v = 0; v < (int)(V * sizeof(T_) / sizeof(PUT_)); v++) \
			if (CHUNKS_ % LANES == 0 || at < CHUNKS_) \
				((LOCAL_PTR PUT_ *)(s + at / (WIDE / V) * STRIDE_ + at % (WIDE / V) * V))[v] = u.v[v]; \
	}
#define TURN_CHUNKS(V, EACH_, CHUNKS_, STRIDE_) \
	UNROLL \
	for (int c = 0; c < EACH_; c++) { \
		int at = lane + c * LANES; \
		UNROLL \
		for (int v = 0; v < V; v++) \
			if (CHUNKS_ % LANES == 0 || at < CHUNKS_) \
				s[(at % (BK / V) * V + v) * STRIDE_ + at / (BK / V)] = r[c * V + v]; \
	}

FUNC void put_a(LOCAL_PTR TA *s, int lane, const TA *r) {
#ifdef SPLIT
	PUT_CHUNKS(TA, VA, PUT_A, EACH_A, CHUNKS_A, BM, STRIDE_A)
#else
	TURN_CHUNKS(VA, EACH_A, CHUNKS_A, STRIDE_A)
#endif
}

FUNC void put_b(LOCAL_PTR TB *s, int lane, const TB *r) {
#ifdef BY_COLUMNS
	PUT_CHUNKS(TB, VB, PUT_B, EACH_B, CHUNKS_B, BN, STRIDE_B)
#else
	TURN_CHUNKS(VB, EACH_B, CHUNKS_B, STRIDE_B)
#endif
}

typedef union {
	TA e[TM];
	GET_A v[TM * sizeof(TA) / sizeof(GET_A)];
} part_a;

typedef union {
	TB e[TN];
	GET_B v[TN * sizeof(TB) / sizeof(GET_B)];
} part_b;

#define VECTORS_A (WA * (int)sizeof(TA) / (int)sizeof(GET_A))
#define VECTORS_B (WB * (int)sizeof(TB) / (int)sizeof(GET_B))

// get_parts loads the elements of one k that the lane needs from local memory.
FUNC void get_parts(LOCAL_PTR const TA *sa, LOCAL_PTR const TB *sb, int x, int y, part_a *a, part_b *b) {
	UNROLL
	for (int v = 0; v < TM / WA * VECTORS_A; v++)
		a->v[v] = ((LOCAL_PTR const GET_A *)(sa + ROW(v / VECTORS_A * WA)))[v % VECTORS_A];
	UNROLL
	for (int v = 0; v < TN / WB * VECTORS_B; v++)
		b->v[v] = ((LOCAL_PTR const GET_B *)(sb + COL(v / VECTORS_B * WB)))[v % VECTORS_B];
}

// NEXT_A and NEXT_B load the tile that begins at k into registers. It is `by` behind the one before it.
#ifdef PLACED_A
#define FIND_A
#define NEXT_A(k, by) PLACE_A(k)
#else
#define FIND_A \
	i64 from_a[EACH_A]; \
	find_a(row, hi, d, lane, from_a); \
	move(from_a, EACH_A, begin * STEP_A);
#define NEXT_A(k, by) \
	move(from_a, EACH_A, (by) * STEP_A); \
	read_a(CTX_A SRC_A from_a, lane, next_a);
#endif
#ifdef PLACED_B
#define FIND_B
#define NEXT_B(k, by) PLACE_B(k)
#else
#define FIND_B \
	i64 from_b[EACH_B]; \
	find_b(col, m, d, lane, from_b); \
	move(from_b, EACH_B, begin * STEP_B);
#define NEXT_B(k, by) \
	move(from_b, EACH_B, (by) * STEP_B); \
	read_b(CTX_A SRC_A from_b, lane, next_b);
#endif

// TILE_A and TILE_B are the current tiles of A and B in local memory, which is double-buffered where there
// are two BUFFERS.
#define TILE_A ((LOCAL_PTR TA *)((LOCAL_PTR u8 *)all + at_a))
#define TILE_B ((LOCAL_PTR TB *)((LOCAL_PTR u8 *)all + BUFFERS * BYTES_A + at_b))
#endif

// With SEG, the results of SLICE rows of a tile are in local memory while they are reduced. WIDE columns of
// a tile are used.
#ifdef SEG
#define WIDE (BN / SEG * SEG)
#ifndef SLICED
#define SLICED(slot, c) ((slot) * STRIDE_S + (c))
#endif
#else
#define WIDE BN
#endif

#define ALL_OF(statement) \
	UNROLL \
	for (int i = 0; i < TM; i++) { \
		UNROLL \
		for (int j = 0; j < TN; j++) { \
			statement \
		} \
	}

KERNEL_OF(LANES, GROUPS) allpairs(CTX_K SRC_P GLOBAL OUT *out, i64 lo, i64 hi, i64 m, i64 d, T initial SPLIT_P LOCAL_P) {
#ifdef PRODUCTS
	DYNAMIC(all);
#else
	LOCAL skel_v16 all[LOCAL_BYTES / 16];
#endif
	int lane = (int)lane_id(), x = LANE_X(lane), y = LANE_Y(lane);
	// Groups take tiles in panels of eight rows of tiles, so that groups that run at the same time share
	// rows and columns in the cache.
	i64 across = (m + WIDE - 1) / WIDE, down = (hi - lo + BM - 1) / BM;
	PART(group_id(), across * down);
	i64 panel = tile / (8 * across) * 8, in_panel = tile % (8 * across);
	i64 high = at_most(8, down - panel), row = lo + (panel + in_panel % high) * BM, col = in_panel / high * WIDE;
	T acc[TM][TN];
	ALL_OF(acc[i][j] = initial;)
#ifdef PRODUCTS
	fold_tile(CTX_A SRC_A all, row, col, begin, hi, m, d, lane, acc);
#else
	if (d > 0) {
		TA next_a[EACH_A * VA];
		TB next_b[EACH_B * VB];
		part_a a;
		part_b b;
		// The first tile along k may be partial; the others are whole.
		int first = (int)((d - 1) % BK) + 1, from = 0, at_a = 0, at_b = 0;
		FIND_A
		FIND_B
		NEXT_A(0, 0)
		NEXT_B(0, 0)
		put_a(TILE_A, lane, next_a);
		put_b(TILE_B, lane, next_b);
		BARRIER();
		if (first < d) {
			NEXT_A(first, first)
			NEXT_B(first, first)
		}
#ifdef PAIRS
		get_parts(TILE_A, TILE_B, x, y, &a, &b);
		ALL_OF(acc[i][j] = pair(CTX_A SRC_A a.e[i], b.e[j]);)
		from = 1;
#endif
		ROLLED
		for (int k = from; k < first; k++) {
			get_parts(TILE_A + k * STRIDE_A, TILE_B + k * STRIDE_B, x, y, &a, &b);
			ALL_OF(acc[i][j] = FOLD(acc[i][j], a.e[i], b.e[j]);)
		}
		for (i64 k0 = first; k0 < d; k0 += BK) {
			if (BUFFERS == 1)
				BARRIER();
			at_a = BUFFERS / 2 * BYTES_A - at_a;
			at_b = BUFFERS / 2 * BYTES_B - at_b;
			put_a(TILE_A, lane, next_a);
			put_b(TILE_B, lane, next_b);
			BARRIER();
			if (k0 + BK < d) {
				NEXT_A(k0 + BK, BK)
				NEXT_B(k0 + BK, BK)
			}
			EACH_K
			for (int k = 0; k < BK; k++) {
				get_parts(TILE_A + k * STRIDE_A, TILE_B + k * STRIDE_B, x, y, &a, &b);
				ALL_OF(acc[i][j] = FOLD(acc[i][j], a.e[i], b.e[j]);)
			}
		}
	}
#endif
#ifdef SEG
	LOCAL_PTR OUT *slice = (LOCAL_PTR OUT *)all;
	int segments = m - col < WIDE ? (int)(m - col) / SEG : WIDE / SEG; // in the tile
	UNROLL
	for (int g = 0; g < TM; g += WA) {
		BARRIER();
		UNROLL
		for (int i = 0; i < WA; i++) {
			i64 r = row + ROW(g + i);
			UNROLL
			for (int j = 0; j < TN; j++)
				if (r < hi && COL(j) < WIDE && col + COL(j) < m)
					slice[SLICED(SLOT(i), COL(j))] =
						finish(CTX_A SRC_A r * m + col + COL(j), r, col + COL(j), acc[g + i][j]);
		}
		BARRIER();
		for (int t = lane; t < SLICE * segments * RUNS_IN; t += LANES) { // lanes side by side have different rows
			int slot = t % SLICE, k = t / SLICE % RUNS_IN * RUN, s = t / SLICE / RUNS_IN;
			if (row + SLOT_ROW(slot, g) < hi) {
#define ELEMENT(k) slice[SLICED(slot, s * SEG + (k))]
				FOLD_RUN(a, k)
				ELEMENT(k) = a;
			}
		}
		BARRIER();
		for (int t = lane; t < SLICE * segments; t += LANES) {
			int slot = t % SLICE, s = t / SLICE;
			i64 r = row + SLOT_ROW(slot, g);
			if (r < hi) {
				OUT runs[RUNS_IN];
				UNROLL
				for (int k = 0; k < RUNS_IN; k++)
					runs[k] = ELEMENT(k * RUN);
				PAIR_TREE(runs)
				out[(r * m + col) / SEG + s] = runs[0];
			}
		}
	}
#else
	UNROLL
	for (int i = 0; i < TM; i++) {
		i64 r = row + ROW(i);
		UNROLL
		for (int g = 0; g < TN; g += WB) {
			i64 c = col + COL(g);
#ifdef OUT_VECTOR // rows consist of whole vectors
			union {
				OUT e[WB];
				OUT_VECTOR v[WB * sizeof(OUT) / sizeof(OUT_VECTOR)];
			} u;
			if (r < hi && c < m) {
				UNROLL
				for (int j = 0; j < WB; j++)
					u.e[j] = finish(CTX_A SRC_A base + r * m + c + j, r, c + j, acc[i][g + j]);
				UNROLL
				for (int v = 0; v < (int)(WB * sizeof(OUT) / sizeof(OUT_VECTOR)); v++)
					((GLOBAL OUT_VECTOR *)(out + base + r * m + c))[v] = u.v[v];
			}
#else
			UNROLL
			for (int j = 0; j < WB; j++)
				if (r < hi && c + j < m)
					out[base + r * m + c + j] = finish(CTX_A SRC_A base + r * m + c + j, r, c + j, acc[i][g + j]);
#endif
		}
	}
#endif
}
#endif
