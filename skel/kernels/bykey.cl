// bykey computes the partial results of a reduction of rows by key (skel/reduce_bykey.go, docs/adr/0007): in
// every block of rows, the rows of each key are folded from left to right, column by column, into the
// block's own keys x width totals. A reduction of columns then combines the blocks. KEEP_KEYS also
// stores the keys, where they are an expression that others use later.
//
// On a CPU a work-item takes consecutive blocks and goes through their rows in order. On a GPU a group
// takes a block and sorts a batch of its rows by key.
#ifdef KEEP_KEYS
#define KEPT_P GLOBAL i32 *kept,
#define KEEP(r, k) kept[r] = (k)
#else
#define KEPT_P
#define KEEP(r, k)
#endif

#ifdef SHAPE_CPU
KERNEL bykey(CTX_K SRC_P KEPT_P GLOBAL T *totals, i64 n, i64 keys, i64 width, i64 block, i64 blocks, T identity) {
	i64 size = keys * width, per = (blocks + groups() - 1) / groups(), last = (group_id() + 1) * per;
	for (i64 b = group_id() * per; b < last && b < blocks; b++) {
		GLOBAL T *acc = totals + b * size;
		for (i64 i = 0; i < size; i++)
			acc[i] = identity;
		i64 hi = (b + 1) * block < n ? (b + 1) * block : n;
		for (i64 r = b * block; r < hi; r++) {
			i32 k = key(CTX_A SRC_A r);
			KEEP(r, k);
			if (k < 0 || k >= keys)
				continue;
			GLOBAL T *row = acc + k * width;
			for (i64 c = 0; c < width; c++)
				row[c] = op(CTX_A SRC_A row[c], load(CTX_A SRC_A r * width + c));
		}
	}
}
#else

// A group takes BATCH rows of its block at a time, one per lane, and sorts them by key. Bit plane b holds
// bit b of all keys, in WORDS words. A row's rank is counted from the bit planes (compare the ballots of
// GPU Multisplit, Ashkiani et al. 2016), so few barriers are needed however many keys there are. Rows
// with the same key form a list. Then each lane takes a list and a column, or CHUNK neighbouring columns,
// and folds the listed elements into the group's accumulators. KEYS and WIDTH are the number of keys and
// the width where these are compile-time constants.
#define BATCH 256
#define WORDS (BATCH / 32)
#define EACH_WORD UNROLL for (int w = 0; w < WORDS; w++)
#define COUNT(word) (int)SKEL_POPCOUNT(word)

// PLANES stores bit b of every lane's value in plane[b * WORDS + lane / 32], for b < bits. It is a macro
// because PoCL compiles barriers wrongly in a function that it does not inline.
#ifdef SKEL_WARP
#define PLANES(value, bits) \
	BARRIER(); \
	for (int b = 0; b < (bits); b++) { \
		u32 word = WARP_BALLOT((i32)((value) >> b & 1)); \
		if (lane % 32 == 0) \
			plane[b * WORDS + lane / 32] = word; \
	} \
	BARRIER();
#else
#define PLANES(value, bits) \
	BARRIER(); \
	values[lane] = (value); \
	BARRIER(); \
	for (int q = lane; q < (bits) * WORDS; q += BATCH) { \
		u32 word = 0; \
		for (int j = 0; j < 32; j++) { \
			int bit = (j + lane) % 32; \
			word |= (values[q % WORDS * 32 + bit] >> (q / WORDS) & 1) << bit; \
		} \
		plane[q] = word; \
	} \
	BARRIER();
#endif

#ifdef WIDTH
typedef i32 place; // an index among the elements of a batch
#else
typedef i64 place;
#endif
#ifdef CHUNK
#define TAKE(x, i) T x[CHUNK]; load_chunk(CTX_A SRC_A (i), x)
#else
#define CHUNK 1
#define TAKE(x, i) T x[1]; x[0] = load(CTX_A SRC_A (i))
#endif
#define EACH_ELEMENT UNROLL for (int u = 0; u < CHUNK; u++)

// bit_plane is a bit plane in registers, read as vectors.
typedef union {
	skel_v16 v[WORDS / 4];
	u32 w[WORDS];
} bit_plane;
#define READ_PLANE(p, b) \
	bit_plane p; \
	UNROLL \
	for (int q = 0; q < WORDS / 4; q++) \
		p.v[q] = planes[(b) * (WORDS / 4) + q];

#ifdef LOCAL_TOTALS // the accumulators fit in local memory
#define ACC_P DYNAMIC_P
#define ACC \
	DYNAMIC(memory); \
	LOCAL_PTR T *acc = (LOCAL_PTR T *)memory;
#else
#define ACC_P
#define ACC GLOBAL T *acc;
#endif

KERNEL_OF(BATCH, 2) bykey(CTX_K SRC_P KEPT_P GLOBAL T *totals, i64 n, i64 keys, i64 width, i64 block, i64 blocks, T identity ACC_P) {
	LOCAL skel_v16 planes[32 * WORDS / 4]; // vectors, for bit_plane
	LOCAL_PTR u32 *plane = (LOCAL_PTR u32 *)planes;
#ifndef SKEL_WARP
	LOCAL u32 values[BATCH];
#endif
	LOCAL place row[BATCH];                // the first elements of the rows, sorted by key
	LOCAL i32 list[BATCH], list_end[BATCH]; // the bounds of the lists in row
	LOCAL i64 list_acc[BATCH];             // the first accumulators of the lists
	ACC
#ifdef KEYS
	keys = KEYS;
#endif
#ifdef WIDTH
	width = WIDTH;
#endif
	int lane = (int)lane_id(), mine = lane / 32, bits = 0;
	u32 none = keys >> 31 ? 1u << 31 : (u32)keys; // stands for keys outside 0 ... keys - 1, which are left out
	while (bits < 32 && none >> bits)
		bits++;
	i64 size = keys * width, chunks = width / CHUNK;
	// The lane's first list and chunk of columns, and the distances to its next ones.
	i64 first_list = lane / chunks, first_chunk = lane % chunks, lists_on = BATCH / chunks, chunks_on = BATCH % chunks;
	for (i64 g = group_id(); g < blocks; g += groups()) {
#ifndef LOCAL_TOTALS
		acc = totals + g * size;
#endif
		for (i64 i = lane; i < size; i += BATCH)
			acc[i] = identity;
		i64 hi = (g + 1) * block < n ? (g + 1) * block : n;
		for (i64 lo = g * block; lo < hi; lo += BATCH) {
			i64 r = lo + lane;
			u32 k = none;
			if (r < hi) {
				i32 given = key(CTX_A SRC_A r);
				KEEP(r, given);
				if (given >= 0 && given < keys)
					k = (u32)given;
			}
			PLANES(k, bits)
			// Bit j of word w says whether row 32 w + j has the same key as this lane's row (same), or a
			// smaller one (less).
			u32 same[WORDS], less[WORDS];
			EACH_WORD same[w] = ~0u, less[w] = 0;
			for (int b = bits - 1; b >= 0; b--) {
				u32 bit = 0 - (k >> b & 1);
				READ_PLANE(p, b)
				EACH_WORD {
					less[w] |= same[w] & bit & ~p.w[w];
					same[w] &= ~(bit ^ p.w[w]);
				}
			}
			u32 before = 0;
			int rank = 0, length = 0;
			EACH_WORD {
				u32 earlier = same[w] & (w < mine ? ~0u : w == mine ? (1u << lane % 32) - 1 : 0);
				before |= earlier;
				rank += COUNT(less[w] | earlier);
			}
			u32 leads = before == 0 && k != none; // the lane's row is the first of a list
			row[rank] = (place)(lane * width);
			PLANES(leads, 1)
			int lists = 0, id = 0;
			READ_PLANE(leaders, 0)
			EACH_WORD {
				lists += COUNT(leaders.w[w]);
				id += COUNT(leaders.w[w] & (w < mine ? ~0u : w == mine ? (1u << lane % 32) - 1 : 0));
			}
			if (leads) {
				EACH_WORD length += COUNT(same[w]);
				list[id] = rank;
				list_end[id] = rank + length;
				list_acc[id] = k * width;
			}
			BARRIER();
			for (i64 l = first_list, c = first_chunk; l < lists; l += lists_on, c += chunks_on) {
				if (c >= chunks) {
					c -= chunks;
					if (++l >= lists)
						break;
				}
				i64 at = list_acc[l] + c * CHUNK, from = lo * width + c * CHUNK;
				int j = list[l], end = list_end[l];
				T a[CHUNK];
				EACH_ELEMENT a[u] = acc[at + u];
				for (; j + 4 <= end; j += 4) { // issue four loads at a time
					TAKE(x0, from + row[j]);
					TAKE(x1, from + row[j + 1]);
					TAKE(x2, from + row[j + 2]);
					TAKE(x3, from + row[j + 3]);
					EACH_ELEMENT a[u] = op(CTX_A SRC_A op(CTX_A SRC_A op(CTX_A SRC_A op(CTX_A SRC_A a[u], x0[u]), x1[u]), x2[u]), x3[u]);
				}
				for (; j < end; j++) {
					TAKE(x, from + row[j]);
					EACH_ELEMENT a[u] = op(CTX_A SRC_A a[u], x[u]);
				}
				EACH_ELEMENT acc[at + u] = a[u];
			}
		}
#ifdef LOCAL_TOTALS
		BARRIER();
		for (i64 i = lane; i < size; i += BATCH)
			totals[g * size + i] = acc[i];
#endif
	}
}
#endif
