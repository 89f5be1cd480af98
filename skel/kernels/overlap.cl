// overlap computes a MapOverlap, a stencil (docs/adr/0012): out[i] = finish(i, stencil(window around
// element i)), where load(i) is element i of the input. A group computes a tile of TILE_ROWS x TILE_COLS
// elements. It first loads, or computes, the tile and its halo into local memory, each element once per
// tile (Micikevicius 2009). overlapfar.cl serves radii that are too large for this.
#define STAGED_ROWS (TILE_ROWS + 2 * WINDOW_ROWS)
#define STAGED_COLS (TILE_COLS + 2 * WINDOW_COLS)

#ifdef HALO
#define HALO_P GLOBAL const IN_T *halo, i32 ends,
#define HALO_A halo, ends,
#else
#define HALO_P
#define HALO_A
#endif

// padded returns element (i, j) of the padded input; outside is the neutral value (padding.cl).
FUNC IN_T padded(CTX_P SRC_P HALO_P i64 i, i64 j, i64 rows, i64 cols, IN_T outside) {
#ifdef HALO
	skel_place from = skel_find(i, j, rows, cols, ends);
	if (from.buffer == 2) return halo[from.at];
#else
	skel_place from = skel_find(i, j, rows, cols, 0);
#endif
	if (from.buffer == 0) return outside;
	return load(CTX_A SRC_A from.at);
}

#ifdef SHAPE_CPU
#pragma clang diagnostic ignored "-Wpass-failed" // not every function can be vectorized
// A work-item computes a tile. out is restrict because a stencil cannot write to its input.
// vectorize(enable) asks the compiler to vectorize where it can prove that to be correct.
KERNEL overlap(CTX_K SRC_P HALO_P GLOBAL T *RESTRICT out, i64 rows, i64 cols, i64 across, IN_T outside) {
	LOCAL IN_T tile[STAGED_ROWS * WINDOW_PITCH];
	i64 top = group_id() / across * TILE_ROWS, left = group_id() % across * TILE_COLS;
	i64 height = rows - top < TILE_ROWS ? rows - top : TILE_ROWS, width = cols - left < TILE_COLS ? cols - left : TILE_COLS;
	for (i64 r = -WINDOW_ROWS; r < height + WINDOW_ROWS; r++) {
		LOCAL IN_T *row = tile + (r + WINDOW_ROWS) * WINDOW_PITCH + MARGIN;
		i64 c = -WINDOW_COLS, end = width + WINDOW_COLS;
		if (top + r >= 0 && top + r < rows) { // elements inside the input need no padding
			i64 inside = left + end < cols ? end : cols - left, first = (top + r) * cols + left;
			for (; left + c < 0; c++)
				row[c] = padded(CTX_A SRC_A HALO_A top + r, left + c, rows, cols, outside);
#pragma clang loop vectorize(enable)
			for (i64 k = c; k < inside; k++)
				row[k] = load(CTX_A SRC_A first + k);
			c = inside;
		}
		for (; c < end; c++)
			row[c] = padded(CTX_A SRC_A HALO_A top + r, left + c, rows, cols, outside);
	}
	for (i64 r = 0; r < height; r++) {
		i64 first = (top + r) * cols + left;
#pragma clang loop vectorize(enable)
		for (i64 c = 0; c < width; c++) {
			WINDOW_T w;
			w.p = tile + (r + WINDOW_ROWS) * WINDOW_PITCH + MARGIN + c;
			out[first + c] = finish(CTX_A SRC_A first + c, stencil(CTX_A SRC_A w));
		}
	}
}
#else
// A lane computes EACH elements of a column. Their windows overlap, so the compiler can load common
// elements once. In a vector they are LANES elements apart.
#ifdef VECTOR
#define STEP LANES
#else
#define STEP WINDOW_PITCH
#endif

#ifdef ALIGNED
// ROW_WORDS is the number of 16-byte words of a row of the tile with its margins, which are whole words.
#define ROW_WORDS (WINDOW_PITCH * (int)sizeof(IN_T) / 16)
#ifndef COPY16
#define COPY16(to, from) (*(LOCAL_PTR skel_v16 *)(to) = *(GLOBAL const skel_v16 *)(from))
#define COPY_COMMIT() ((void)0)
#define COPY_WAIT(n) ((void)0)
#endif
#endif

KERNEL overlap(CTX_K SRC_P HALO_P GLOBAL T *out, i64 rows, i64 cols, i64 across, IN_T outside) {
	LOCAL skel_v16 memory[(STAGED_ROWS * WINDOW_PITCH * sizeof(IN_T) + 15) / 16];
	LOCAL_PTR IN_T *tile = (LOCAL_PTR IN_T *)memory;
	int lane = lane_id();
	i64 top = group_id() / across * TILE_ROWS, left = group_id() % across * TILE_COLS;
	int inside = top >= WINDOW_ROWS && top + TILE_ROWS + WINDOW_ROWS <= rows && left >= MARGIN && left + TILE_COLS + MARGIN <= cols;
	if (!inside) {
		ROLLED
		for (int e = lane; e < STAGED_ROWS * STAGED_COLS; e += LANES) {
			int r = e / STAGED_COLS, c = e % STAGED_COLS;
			i64 i = top + r - WINDOW_ROWS, j = left + c - WINDOW_COLS;
			if (i < rows + WINDOW_ROWS && j < cols + WINDOW_COLS)
				tile[r * WINDOW_PITCH + c + MARGIN - WINDOW_COLS] = padded(CTX_A SRC_A HALO_A i, j, rows, cols, outside);
		}
	} else {
#ifdef ALIGNED
		GLOBAL const IN_T *from = INPUT + (top - WINDOW_ROWS) * cols + left - MARGIN;
		UNROLL
		for (int k = 0; k < (STAGED_ROWS * ROW_WORDS + LANES - 1) / LANES; k++) {
			int e = k * LANES + lane, r = e / ROW_WORDS, c = e % ROW_WORDS;
			if (e < STAGED_ROWS * ROW_WORDS)
				COPY16(memory + e, (GLOBAL const skel_v16 *)(from + r * cols) + c);
		}
		COPY_COMMIT();
		COPY_WAIT(0);
#else
		i64 from = (top - WINDOW_ROWS) * cols + left - WINDOW_COLS;
		ROLLED
		for (int e = lane; e < STAGED_ROWS * STAGED_COLS; e += TOGETHER * LANES) {
			IN_T x[TOGETHER];
			UNROLL
			for (int k = 0; k < TOGETHER; k++) {
				int f = e + k * LANES;
				if (f < STAGED_ROWS * STAGED_COLS)
					x[k] = load(CTX_A SRC_A from + f / STAGED_COLS * cols + f % STAGED_COLS);
			}
			UNROLL
			for (int k = 0; k < TOGETHER; k++) {
				int f = e + k * LANES;
				if (f < STAGED_ROWS * STAGED_COLS)
					tile[f / STAGED_COLS * WINDOW_PITCH + f % STAGED_COLS + MARGIN - WINDOW_COLS] = x[k];
			}
		}
#endif
	}
	BARRIER();
	int c = lane % TILE_COLS, r = lane / TILE_COLS * EACH;
	LOCAL_PTR const IN_T *at = tile + (r + WINDOW_ROWS) * WINDOW_PITCH + MARGIN + c;
	i64 first = (top + r) * cols + left + c;
#ifdef VECTOR
#define NEXT LANES
#define IS_THERE(k) (left + c + (k) * LANES < cols)
#else
#define NEXT cols
#define IS_THERE(k) (top + r + (k) < rows && left + c < cols)
#endif
	if (inside) {
		for (int k = 0; k < EACH; k += AT_ONCE) {
			RESULT_T y[AT_ONCE];
			UNROLL
			for (int l = 0; l < AT_ONCE; l++) {
				WINDOW_T w;
				w.p = at + (k + l) * STEP;
				y[l] = stencil(CTX_A SRC_A w);
			}
			UNROLL
			for (int l = 0; l < AT_ONCE; l++)
				out[first + (k + l) * NEXT] = finish(CTX_A SRC_A first + (k + l) * NEXT, y[l]);
		}
		return;
	}
	ROLLED
	for (int k = 0; k < EACH; k++)
		if (IS_THERE(k)) {
			WINDOW_T w;
			w.p = at + k * STEP;
			out[first + k * NEXT] = finish(CTX_A SRC_A first + k * NEXT, stencil(CTX_A SRC_A w));
		}
}
#endif
