// With PRODUCTS, the fold of allpairs is a fused multiply-add of f64, and warps multiply matrices
// (skel_product in the preludes, docs/adr/0034). A group of WY x WX warps computes a tile, and each warp
// MT x NT matrices of 16 x 8 elements of it. What allpairs calls a lane's rows and columns are those of the
// elements that skel_product leaves in a lane.
//
// Local memory has STAGES tiles of A and B. The elements lie as the matrices are in global memory: rows of
// BK, or BK rows. They are 4 elements longer, so that the 16 lanes that read at a time find theirs in
// different banks. An input that is in memory is copied there while the tiles before it are multiplied;
// RAW_A_IN and RAW_B_IN are its parameter. An input that is computed goes through registers.
#ifdef SPLIT
#define STRIDE_A (BM + 4)
#define BYTES_A (BK * STRIDE_A * 8)
#define IN_A(k, i) ((k) * STRIDE_A + (i))
#define CHUNK_A(chunk) IN_A(DEPTH_A(chunk), (chunk) % (BM / VA) * VA)
#else
#define STRIDE_A (BK + 4)
#define BYTES_A (BM * STRIDE_A * 8)
#define IN_A(k, i) ((i) * STRIDE_A + (k))
#define CHUNK_A(chunk) IN_A(DEPTH_A(chunk), (chunk) / (BK / VA))
#endif
#ifdef BY_COLUMNS
#define STRIDE_B (BN + 4)
#define BYTES_B (BK * STRIDE_B * 8)
#define IN_B(k, j) ((k) * STRIDE_B + (j))
#define CHUNK_B(chunk) IN_B(DEPTH_B(chunk), (chunk) % (BN / VB) * VB)
#else
#define STRIDE_B (BK + 4)
#define BYTES_B (BN * STRIDE_B * 8)
#define IN_B(k, j) ((j) * STRIDE_B + (k))
#define CHUNK_B(chunk) IN_B(DEPTH_B(chunk), (chunk) / (BK / VB))
#endif
#define STAGE_BYTES (BYTES_A + BYTES_B)

// WA rows of each lane are reduced at a time; its columns are pairs of neighbours.
#define WB 2
#define LANE_X(lane) ((lane) / 32 % WX * (NT * 8) + (lane) % 4 * 2)
#define LANE_Y(lane) ((lane) / 32 / WX * (MT * 16) + (lane) % 32 / 4)
#define ROW(i) (y + (i) * 8)
#define COL(j) (x + (j) / 2 * 8 + (j) % 2)
#define SLICE (8 * WY * WA)
#define SLOT(i) (((i) * WY + lane / 32 / WX) * 8 + lane % 32 / 4)
#define SLOT_ROW(slot, g) ((slot) / 8 % WY * (MT * 16) + ((slot) / (8 * WY) + (g)) * 8 + (slot) % 8)
// Neighbours of 8 columns change places, so that neither the 16 lanes that store an element at a time nor
// those that read one have bank conflicts.
#define STRIDE_S (BN + 8)
#define SLICED(slot, c) ((slot) * STRIDE_S + ((c) ^ (slot) / 2 % 8))

// COPY_A_AND_MOVE starts to copy the next tile of A to the stage ahead. PUT_A stores a tile that is in registers.
#ifdef RAW_A_IN
#define COPY_A_AND_MOVE(by) \
	EACH_CHUNK(EACH_A, CHUNKS_A) \
		COPY16((f64 *)(all + ahead * STAGE_BYTES) + CHUNK_A(chunk), RAW_A_IN + from_a[c]); \
	END_CHUNK \
	move(from_a, EACH_A, (by) * STEP_A);
#else
#define COPY_A_AND_MOVE(by)
#define PUT_A(stage) \
	EACH_CHUNK(EACH_A, CHUNKS_A) \
		UNROLL \
		for (int v = 0; v < VA; v++) \
			((f64 *)(all + (stage) * STAGE_BYTES))[CHUNK_A(chunk) + v] = next_a[c * VA + v]; \
	END_CHUNK
#endif
#ifdef RAW_B_IN
#define COPY_B_AND_MOVE(by) \
	EACH_CHUNK(EACH_B, CHUNKS_B) \
		COPY16((f64 *)(all + ahead * STAGE_BYTES + BYTES_A) + CHUNK_B(chunk), RAW_B_IN + from_b[c]); \
	END_CHUNK \
	move(from_b, EACH_B, (by) * STEP_B);
#else
#define COPY_B_AND_MOVE(by)
#define PUT_B(stage) \
	EACH_CHUNK(EACH_B, CHUNKS_B) \
		UNROLL \
		for (int v = 0; v < VB; v++) \
			((f64 *)(all + (stage) * STAGE_BYTES + BYTES_A))[CHUNK_B(chunk) + v] = next_b[c * VB + v]; \
	END_CHUNK
#endif
#define LOCAL_P DYNAMIC_P

// multiply adds the product of a tile of A and a tile of B to acc.
FUNC void multiply(const f64 *sa, const f64 *sb, int lane, f64 acc[TM][TN]) {
	int quad = lane % 4, i0 = LANE_Y(lane), j0 = lane / 32 % WX * (NT * 8) + lane % 32 / 4;
	UNROLL
	for (int k = 0; k < BK; k += 16) {
		f64 b[NT][4];
		UNROLL
		for (int n = 0; n < NT; n++) {
			UNROLL
			for (int v = 0; v < 4; v++)
				b[n][v] = sb[IN_B(k + quad + 4 * v, j0 + 8 * n)];
		}
		UNROLL
		for (int m = 0; m < MT; m++) {
			f64 a[8];
			UNROLL
			for (int v = 0; v < 8; v++)
				a[v] = sa[IN_A(k + quad + v / 2 * 4, i0 + 16 * m + v % 2 * 8)];
			UNROLL
			for (int n = 0; n < NT; n++)
				skel_product(acc[2 * m] + 2 * n, acc[2 * m + 1] + 2 * n, a, b[n]);
		}
	}
}

// fold_tile folds the tile that begins at a row and a column into acc, for d values of k from begin on.
FUNC void fold_tile(CTX_P SRC_P u8 *all, i64 row, i64 col, i64 begin, i64 hi, i64 m, i64 d, int lane,
                    f64 acc[TM][TN]) {
	if (d == 0)
		return;
	i64 tiles = (d + BK - 1) / BK;
	int first = (int)((d - 1) % BK) + 1; // the first tile along k may be partial; the others are whole
#ifdef RAW_A_IN
	i64 from_a[EACH_A];
	find_a(row, hi, d, lane, from_a);
	move(from_a, EACH_A, begin * STEP_A);
#else
	f64 next_a[EACH_A * VA];
	PLACE_A(0)
	PUT_A(0)
	if (tiles > 1)
		PLACE_A(first)
#endif
#ifdef RAW_B_IN
	i64 from_b[EACH_B];
	find_b(col, m, d, lane, from_b);
	move(from_b, EACH_B, begin * STEP_B);
#else
	f64 next_b[EACH_B * VB];
	PLACE_B(0)
	PUT_B(0)
	if (tiles > 1)
		PLACE_B(first)
#endif
	int stage = 0, ahead = 0; // those of the current tile, and of the tile that is copied next
#define COPY_NEXT(by) \
	COPY_A_AND_MOVE(by) \
	COPY_B_AND_MOVE(by) \
	ahead = ahead + 1 == STAGES ? 0 : ahead + 1;
	UNROLL
	for (int s = 0; s < STAGES - 1; s++) {
		if (s < tiles) {
			i64 by = s == 0 ? first : BK;
			COPY_NEXT(by)
		}
		COPY_COMMIT();
	}
	for (i64 t = 0; t < tiles; t++) {
		COPY_WAIT(STAGES - 2);
		if (t == 0 && first < BK) {
			// The elements behind the partial tile must leave acc as it is, to the sign of a zero:
			// skel_fma_f64(-0.0, 0.0, acc) does.
			f64 *sa = (f64 *)all, *sb = (f64 *)(all + BYTES_A);
			EACH_CHUNK(EACH_A, CHUNKS_A)
				if (DEPTH_A(chunk) >= first)
					for (int v = 0; v < VA; v++) sa[CHUNK_A(chunk) + v] = -0.0;
			END_CHUNK
			EACH_CHUNK(EACH_B, CHUNKS_B)
				if (DEPTH_B(chunk) >= first)
					for (int v = 0; v < VB; v++) sb[CHUNK_B(chunk) + v] = 0.0;
			END_CHUNK
		}
		BARRIER();
		if (t + STAGES - 1 < tiles) {
			COPY_NEXT(BK)
		}
		COPY_COMMIT();
		int next = stage + 1 == STAGES ? 0 : stage + 1;
#ifndef RAW_A_IN
		if (t + 1 < tiles)
			PUT_A(next)
		if (t + 2 < tiles)
			PLACE_A(first + (t + 1) * BK)
#endif
#ifndef RAW_B_IN
		if (t + 1 < tiles)
			PUT_B(next)
		if (t + 2 < tiles)
			PLACE_B(first + (t + 1) * BK)
#endif
		multiply((const f64 *)(all + stage * STAGE_BYTES), (const f64 *)(all + stage * STAGE_BYTES + BYTES_A), lane, acc);
		stage = next;
	}
}
