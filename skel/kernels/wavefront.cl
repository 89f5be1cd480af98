// wavefront computes tiles of the tables of a Wavefront (docs/adr/0014). Element (i, j) of a table is
//
//	cell(north-west, north, west, row_of(table, row + i), col_of(table, col + j))
//
// and edge(table, i, j) beyond its first row and column. One launch computes an anti-diagonal of tiles of
// all tables, a tile per group, as Rodinia's nw does for one table (Che et al. 2009). strips.cl needs one
// launch only, but also groups that make progress.
//
// A tile finds the row above it in bottom and the column to its left in right, and overwrites them with
// its own last row and column. The last element of the row above goes to corners, for the tile to the
// right.
//
// tables has TABLE integers for each table:
//
//	0, 1   first row, first column
//	2, 3   number of rows, number of columns
//	4      1 if the table is computed forwards, -1 if backwards
//	5 .. 8 where its bottom, right, corners and elements begin
//	9      where the bottom of the table above begins; -1: there is none
//	10     where the bottom of the uppermost table above begins; its own if there is none
//	11     1 if there is a table below
//
// tiles has TILE integers for each tile: its table, its row of tiles, its first column, and its number of
// columns.
#define TABLE 12
#define TILE 4

typedef struct {
	// t is the table; row and col are its first row and column in the order of computation, and by is
	// table[4]; first and left are the first row and column of the tile in the table.
	i64 t, row, col, by, first, left;
	i64 width, mine; // columns of the table, and of the tile
	int height, corner; // rows of the tile; its index in corners
	GLOBAL T *above, *beside, *corners;
#ifdef ONTO
	GLOBAL T *under; // the last row of the table above; 0: there is none
#endif
#ifdef ALL
	GLOBAL OUT *out;
#endif
} skel_tile;

#ifdef ALL
#define OUT_P , GLOBAL OUT *out
#define OUT_A , out
#else
#define OUT_P
#define OUT_A
#endif

// skel_open looks up a tile by its number.
FUNC skel_tile skel_open(GLOBAL const i64 *tables, GLOBAL const i32 *tiles, i64 number, GLOBAL T *bottom, GLOBAL T *right, GLOBAL T *corners OUT_P) {
	GLOBAL const i32 *tile = tiles + number * TILE;
	GLOBAL const i64 *table = tables + (i64)tile[0] * TABLE;
	skel_tile x;
	x.t = tile[0];
	x.corner = tile[1];
	x.left = tile[2];
	x.mine = tile[3];
	x.first = (i64)tile[1] * TILE_ROWS;
	x.by = table[4];
	x.row = x.by < 0 ? table[0] + table[2] - 1 : table[0];
	x.col = x.by < 0 ? table[1] + table[3] - 1 : table[1];
	x.width = table[3];
	x.height = table[2] - x.first < TILE_ROWS ? (int)(table[2] - x.first) : TILE_ROWS;
	x.above = bottom + table[5] + x.left;
	x.beside = right + table[6] + x.first;
	x.corners = corners + table[7];
#ifdef ONTO
	x.under = table[9] < 0 ? 0 : bottom + table[9] + x.left;
#endif
#ifdef ALL
	x.out = out + table[8] + x.first * x.width + x.left;
#endif
	return x;
}

// ABOVE is the element above column c of the tile, BESIDE the one left of its row r, and CORNER the one
// diagonally before its first element. BEYOND is the row above the table.
#ifdef ONTO
#define BEYOND(x, c) ((x).under && (x).left + (c) >= 0 ? onto(CTX_A SRC_A (x).t, (x).left + (c), (x).under[c]) : edge(CTX_A SRC_A (x).t, -1, (x).left + (c)))
#else
#define BEYOND(x, c) edge(CTX_A SRC_A (x).t, -1, (x).left + (c))
#endif
#define ABOVE(x, c) ((x).first == 0 ? BEYOND(x, c) : (x).above[c])
#define BESIDE(x, r) ((x).left == 0 ? edge(CTX_A SRC_A (x).t, (x).first + (r), -1) : (x).beside[r])
#define CORNER(x) ((x).first == 0 ? BEYOND(x, -1) : (x).left == 0 ? edge(CTX_A SRC_A (x).t, (x).first - 1, -1) : (x).corners[(x).corner])

// ROW and COL are the arguments of the cell function for row r and column c of the tile.
#ifdef OF
#define ROW(x, r) row_of(CTX_A SRC_A (x).t, (x).row + (x).by * ((x).first + (r)))
#define COL(x, c) col_of(CTX_A SRC_A (x).t, (x).col + (x).by * ((x).left + (c)))
#else
#define ROW(x, r) ((x).row + (x).by * ((x).first + (r)))
#define COL(x, c) ((x).col + (x).by * ((x).left + (c)))
#endif
#define CELL(nw, n, w, r, c) cell(CTX_A SRC_A nw, n, w, r, c)

#ifdef SHAPE_CPU
// A work-item computes a tile by rows, TOGETHER rows at a time: the processor overlaps an element with
// the one below its west neighbour. Vectors along diagonals are slower for cells that look something up
// by an index, as alignments do, because their loads are scattered.
#define TOGETHER 8
#ifdef OF
#define COL_AT(c) cols[c]
#else
#define COL_AT(c) COL(tile, c)
#endif
#ifdef ALL
#define PUT(r, c) tile.out[(r) * tile.width + (c)] = n
#else
#define PUT(r, c)
#endif
// ROWS computes count rows. Their west neighbours stay in registers, since the loops over them are
// unrolled.
#define ROWS(count) \
	{ \
		T west[count], nw = beside; \
		ROW_T rows[count]; \
		UNROLL \
		for (int k = 0; k < count; k++) { \
			west[k] = beside = BESIDE(tile, r + k); \
			rows[k] = ROW(tile, r + k); \
		} \
		for (i64 c = 0; c < w; c++) { \
			T n = line[c], diagonal = nw; \
			COL_T col = COL_AT(c); \
			nw = n; \
			UNROLL \
			for (int k = 0; k < count; k++) { \
				T left = west[k]; \
				west[k] = n = CELL(diagonal, n, left, rows[k], col); \
				diagonal = left; \
				PUT(r + k, c); \
			} \
			line[c] = n; \
		} \
		UNROLL \
		for (int k = 0; k < count; k++) tile.beside[r + k] = west[k]; \
		r += count; \
	}
KERNEL wavefront(CTX_K SRC_P GLOBAL const i64 *tables, GLOBAL const i32 *tiles, i64 begin, GLOBAL T *bottom, GLOBAL T *right, GLOBAL T *corners OUT_P) {
	skel_tile tile = skel_open(tables, tiles, begin + group_id(), bottom, right, corners OUT_A);
	T line[TILE_COLS]; // the row above
	i64 h = tile.height, w = tile.mine, r = 0;
#ifdef OF
	COL_T cols[TILE_COLS];
	for (i64 c = 0; c < w; c++) cols[c] = COL(tile, c);
#endif
	T corner = CORNER(tile), beside = corner;
	for (i64 c = 0; c < w; c++) corner = line[c] = ABOVE(tile, c);
	while (w > 0 && h - r >= TOGETHER) ROWS(TOGETHER)
	while (w > 0 && r < h) ROWS(1)
	for (i64 c = 0; c < w && h > 0; c++) tile.above[c] = line[c];
	if (h == 0)
		for (i64 c = 0; c < w; c++) tile.above[c] = ABOVE(tile, c);
	if (w == 0)
		for (i64 r = 0; r < h; r++) tile.beside[r] = BESIDE(tile, r);
	tile.corners[tile.corner] = corner;
}
#else
// A lane has EACH rows and computes one column of them per step, one column behind the lane above, whose
// last element it gets through local memory (pass). The row above the tile is loaded into local memory
// LANES columns ahead (ahead).
#define LANES (TILE_ROWS / EACH)
KERNEL wavefront(CTX_K SRC_P GLOBAL const i64 *tables, GLOBAL const i32 *tiles, i64 begin, GLOBAL T *bottom, GLOBAL T *right, GLOBAL T *corners OUT_P) {
	LOCAL T pass[2][LANES + 1];
	LOCAL T ahead[2][LANES];
	skel_tile tile = skel_open(tables, tiles, begin + group_id(), bottom, right, corners OUT_A);
	int lane = (int)lane_id(), row = lane * EACH, h = tile.height, w = (int)tile.mine;
	int mine = h - row < EACH ? h - row : EACH, active = (h + EACH - 1) / EACH;
	T west[EACH], nw, next, last;
	ROW_T rows[EACH];
	COL_T col; // the column of the next step
	if (mine > 0) {
		UNROLL
		for (int k = 0; k < EACH; k++)
			if (k < mine) {
				west[k] = last = BESIDE(tile, row + k);
				rows[k] = ROW(tile, row + k);
			}
		pass[0][lane + 1] = last;
	}
	if (lane < w) next = ABOVE(tile, lane);
	if (lane == 0 && w > 0) col = COL(tile, 0);
	BARRIER();
	nw = lane == 0 ? CORNER(tile) : pass[0][lane];
	BARRIER(); // pass and the row above are read before they are overwritten
	for (int s = 0; s < w + active - 1; s++) {
		int c = s - lane;
		if (s % LANES == 0) {
			ahead[s / LANES % 2][lane] = next;
			if (s + LANES + lane < w) next = ABOVE(tile, s + LANES + lane);
			BARRIER();
		}
		if (c >= 0 && c < w && mine > 0) {
			T n = lane == 0 ? ahead[s / LANES % 2][s % LANES] : pass[(s + 1) % 2][lane], west_above = nw;
			nw = n;
			if (mine == EACH) {
				UNROLL
				for (int k = 0; k < EACH; k++) {
					n = CELL(west_above, n, west[k], rows[k], col);
					west_above = west[k];
					west[k] = n;
				}
			} else {
				UNROLL
				for (int k = 0; k < EACH - 1; k++)
					if (k < mine) {
						n = CELL(west_above, n, west[k], rows[k], col);
						west_above = west[k];
						west[k] = n;
					}
			}
#ifdef ALL
			UNROLL
			for (int k = 0; k < EACH; k++)
				if (k < mine) tile.out[(row + k) * tile.width + c] = west[k];
#endif
			pass[s % 2][lane + 1] = n;
			if (lane == active - 1) tile.above[c] = n;
		}
		if (c >= -1 && c + 1 < w) col = COL(tile, c + 1);
		BARRIER();
	}
	if (h == 0)
		for (i64 c = lane; c < w; c += LANES) tile.above[c] = ABOVE(tile, c);
	UNROLL
	for (int k = 0; k < EACH; k++)
		if (k < mine) tile.beside[row + k] = west[k];
	if (lane == 0) tile.corners[tile.corner] = nw; // the last element of the row above
}
#endif
