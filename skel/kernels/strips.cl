// strips computes the tables of a Wavefront in strips of SKEL_WARP * EACH rows, on devices with warps
// whose groups make progress (docs/adr/0014; wavefront.cl defines the tables and serves other devices).
// All tables are one launch.
//
// A warp, which is a group here, takes a strip from the first column to the last. The strips of a table
// run at the same time, each some hundred columns behind the one above. A lane has EACH rows and runs
// one column behind the lane above it. It gets the last element of that lane by a shuffle: the only
// latency in a step. Its other inputs, the row above the strip and the values of the columns, are in
// local memory for SKEL_WARP steps at a time. So are the results of the last lane.
//
// The warp below reads the last row of a strip from row_at, where each word also holds the number of
// its strip, so that no fences are needed. The last lane is SKEL_WARP - 1 columns behind the first;
// therefore the columns at which rows are cut into pieces for the next warp shift by one with each
// strip. Groups draw strips in order, so the strip that a group waits for has been drawn already.
//
// tables and strips have the layout of wavefront.cl, except that a strip has all columns, and its third
// field is the number of strips above it, including those of the tables above.
#define TABLE 12
#define STRIP 4
#define HEADER 32
#define WORDS(type) ((int)((sizeof(type) + 3) / 4))

typedef union {
	T t;
	u32 w[(sizeof(T) + 3) / 4];
} skel_words;

// skel_element returns the x of lane `from` of the warp.
FUNC T skel_element(T x, int from) {
	skel_words u;
	u.t = x;
	UNROLL
	for (int k = 0; k < WORDS(T); k++)
		u.w[k] = WARP_WORD(u.w[k], from);
	return u.t;
}

// west[k] is the west neighbour of one cell and the north-west neighbour of the next. skel_apart adds a 0
// that the compiler cannot see, so that it does not share a subexpression between these two cells:
// sharing would lengthen the dependency from a cell to the one below, which bounds the speed of a
// single strip.
#ifdef WORDS_OF_INTEGERS
#define ZERO_OF(strip) ((u32)((strip)[0] < 0))
FUNC T skel_apart(T x, u32 zero) {
	skel_words u;
	u.t = x;
	UNROLL
	for (int k = 0; k < WORDS(T); k++)
		u.w[k] += zero;
	return u.t;
}
#else
#define ZERO_OF(strip) 0
#define skel_apart(x, zero) (x)
#endif

// publish stores x with tag, the number of its strip, in every word. peek reads a value that may not have
// been published yet; is_there reports whether it has, and element returns it.
FUNC void publish(GLOBAL u64 *to, T x, u32 tag) {
	skel_words u;
	u.t = x;
	UNROLL
	for (int k = 0; k < WORDS(T); k++)
		((GLOBAL volatile u64 *)to)[k] = (u64)tag << 32 | u.w[k];
}

typedef struct {
	u64 w[(sizeof(T) + 3) / 4];
} skel_tagged;

FUNC skel_tagged peek(GLOBAL const u64 *from) {
	skel_tagged v;
	UNROLL
	for (int k = 0; k < WORDS(T); k++)
		v.w[k] = ((GLOBAL const volatile u64 *)from)[k];
	return v;
}

FUNC int is_there(skel_tagged v, u32 tag) {
	int all = 1;
	UNROLL
	for (int k = 0; k < WORDS(T); k++)
		all &= (u32)(v.w[k] >> 32) == tag;
	return all;
}

FUNC T element(skel_tagged v) {
	skel_words u;
	UNROLL
	for (int k = 0; k < WORDS(T); k++)
		u.w[k] = (u32)v.w[k];
	return u.t;
}

#define EDGE(i, j) edge(CTX_A SRC_A t, (i), (j))
#define CELL(nw, n, w, r, c) cell(CTX_A SRC_A nw, n, w, r, c)
#ifdef OF
#define ROW(i) row_of(CTX_A SRC_A t, row + by * (i))
#define COL(j) col_of(CTX_A SRC_A t, col + by * (j))
#define COLUMN COL_T c_of = cols_at[SKEL_WARP + s - lane];
#else
#define ROW(i) (row + by * (i))
#define COLUMN i64 c_of = col + by * c;
#endif

#ifdef ALL
#define OUT_P , GLOBAL OUT *out
#define STORE(k, c) mine_at[(k) * width + (c)] = west[k]
#else
#define OUT_P
#define STORE(k, c) ((void)0)
#endif

// PASS_DOWN sets n to the last element of the lane above in the previous step; for the first lane, to the
// row above the strip.
#define PASS_DOWN \
	T from = skel_element(before, lane - 1), first_n = north_at[s]; \
	n = lane == 0 ? first_n : from;

// STEP computes column c of the first rows_here of the lane's EACH rows.
#define STEP(rows_here) \
	COLUMN \
	corner = north_west; \
	north_west = n; \
	UNROLL \
	for (int k = 0; k < EACH; k++) \
		if (k < (rows_here)) { \
			T it = CELL(corner, n, skel_apart(west[k], zero), rows[k], c_of); \
			corner = west[k]; \
			west[k] = n = it; \
			STORE(k, c); \
		} \
	before = n;

KERNEL_OF(SKEL_WARP, 16) strips(CTX_K SRC_P GLOBAL const i64 *tables, GLOBAL const i32 *strips, GLOBAL u64 *state, GLOBAL T *bottom, GLOBAL T *right OUT_P) {
	int lane = (int)lane_id();
	u32 drawn = lane == 0 ? ATOMIC_INC((GLOBAL u32 *)state) : 0;
	GLOBAL const i32 *strip = strips + (i64)WARP_WORD(drawn, 0) * STRIP;
	i64 t = strip[0];
	GLOBAL const i64 *table = tables + t * TABLE;
	i64 by = table[4], height = table[2], width = table[3];
	i64 row = by < 0 ? table[0] + height - 1 : table[0], col = by < 0 ? table[1] + width - 1 : table[1];
	i64 first = (i64)strip[1] * (SKEL_WARP * EACH), top = first + lane * EACH;
	int last_strip = first + SKEL_WARP * EACH >= height;
	u32 above = (u32)strip[2]; // the tag of the strip above, which may belong to another table
	int published = !last_strip || table[11];
	u32 zero = ZERO_OF(strip);
	GLOBAL u64 *row_at = state + HEADER + table[10] * WORDS(T);
	GLOBAL T *last_row = bottom + table[5];
	if (height == 0) {
		for (i64 c = lane; c < width; c += SKEL_WARP)
			last_row[c] = EDGE(-1, c);
		return;
	}
	int have = height - top < EACH ? (int)(height - top) : EACH; // the lane's rows; at most 0 below the table
	int active = (int)((height - first + EACH - 1) / EACH);
	if (active > SKEL_WARP)
		active = SKEL_WARP;
	T west[EACH], corner, n;
	ROW_T rows[EACH];
	UNROLL
	for (int k = 0; k < EACH; k++)
		if (k < have) {
			west[k] = EDGE(top + k, -1);
			rows[k] = ROW(top + k);
		}
	T before = west[0]; // the lane's last element of the previous step
	T north_west = have > 0 ? EDGE(top - 1, -1) : before;
#ifdef ALL
	GLOBAL OUT *mine_at = out + table[8] + top * width;
#endif
	LOCAL T north_at[SKEL_WARP], below_at[SKEL_WARP];
#ifdef OF
	LOCAL COL_T cols_at[2 * SKEL_WARP]; // columns of the previous SKEL_WARP steps, then of these
	COL_T cols_of;
#endif
	// In step base + s lane l is at column base + s - l.
	i64 steps = width + active - 1, base = -(i64)((SKEL_WARP - above % SKEL_WARP) % SKEL_WARP);
	skel_tagged ahead; // the row above at column base + lane, as last read
	UNROLL
	for (int k = 0; k < WORDS(T); k++)
		ahead.w[k] = 0;
	if (above > 0 && base + lane >= 0 && base + lane < width)
		ahead = peek(row_at + (base + lane) * WORDS(T));
	for (; base < steps; base += SKEL_WARP) {
		// Each lane fetches one column: its element of the row above, and its value. sent_to is the column
		// of the last lane in step `lane`.
		i64 mine = base + lane, sent_to = base + lane - (active - 1);
		int wanted = mine >= 0 && mine < width;
		int whole = base >= SKEL_WARP - 1 && base + SKEL_WARP <= width && WARP_BALLOT(have < EACH) == 0;
#ifdef OF
		cols_at[lane] = cols_of;
		if (wanted)
			cols_of = COL(mine);
		cols_at[SKEL_WARP + lane] = cols_of;
#endif
		if (above == 0) {
			if (wanted)
				north_at[lane] = EDGE(-1, mine);
		} else {
			while (WARP_BALLOT(wanted && !is_there(ahead, above)))
				if (wanted)
					ahead = peek(row_at + mine * WORDS(T));
			if (wanted) {
				T north = element(ahead);
#ifdef ONTO
				if (first == 0)
					north = onto(CTX_A SRC_A t, mine, north);
#endif
				north_at[lane] = north;
			}
		}
		BARRIER();
		for (int begin = 0; begin < SKEL_WARP; begin += SKEL_WARP / 2) {
			if (whole) { // no bounds checks: all lanes have all rows and columns
				i64 c = base + begin - lane;
				_Pragma("unroll 8")
				for (int s = begin; s < begin + SKEL_WARP / 2; s++, c++) {
					PASS_DOWN
					STEP(EACH)
					if (lane == SKEL_WARP - 1)
						below_at[s] = before;
				}
			} else {
				for (int s = begin; s < begin + SKEL_WARP / 2; s++) {
					PASS_DOWN
					i64 c = base + s - lane;
					if (c >= 0 && c < width && have > 0) {
						STEP(have)
					}
					if (lane == active - 1)
						below_at[s] = before;
				}
			}
			// Load the next columns of the row above: late enough that they have been published, and early
			// enough to hide the latency.
			if (begin == 0 && above > 0 && mine + SKEL_WARP >= 0 && mine + SKEL_WARP < width)
				ahead = peek(row_at + (mine + SKEL_WARP) * WORDS(T));
		}
		BARRIER();
		if (sent_to >= 0 && sent_to < width) {
			T below = below_at[lane];
			if (last_strip)
				last_row[sent_to] = below;
			if (published)
				publish(row_at + sent_to * WORDS(T), below, above + 1);
		}
	}
	UNROLL
	for (int k = 0; k < EACH; k++)
		if (k < have)
			right[table[6] + top + k] = west[k];
}
