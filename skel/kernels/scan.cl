// scan computes the inclusive or exclusive scan of all segments: the last of three phases, after
// tiles.cl and prefixes.cl. A tile that is not the first of its segment continues from prefix[slot - 1].
// The exclusive form writes each result one place later, and the identity first.
//
// A work-item takes consecutive tiles on a CPU. On a GPU a group takes a tile, block by block in local
// memory, or several segments that fit into one block.
//
// With SEEDED the elements are a device's part of a larger scan, and seed is the prefix of the parts
// before. With CARRY the last result of an exclusive scan goes to next: it is the first result of the
// next device.
#ifdef CARRY
#define NEXT_P , GLOBAL T *next
#define NEXT_A , next
#define PUT_NEXT(x) next[0] = (x)
#else
#define NEXT_P
#define NEXT_A
#define PUT_NEXT(x)
#endif
#ifdef EXCLUSIVE
#define PUT(i, x) if ((i) + 1 < end) out[(i) + 1] = (x); else PUT_NEXT(x)
#else
#define PUT(i, x) out[i] = (x)
#endif

#ifdef SEEDED
#define SEED_P , GLOBAL const T *seed
#define BEGINS 0
#define BEFORE (tile > 0 ? prefix[slot - 1] : seed[0])
#else
#define SEED_P
#define BEGINS (tile == 0)
#define BEFORE prefix[slot - 1]
#endif

#ifdef SHAPE_CPU
// scan_run scans the run that begins at lo, of elements that end at hi, starting from acc if has.
NOINLINE void scan_run(CTX_P SRC_P GLOBAL T *out, i64 lo, i64 hi, i64 end, T acc, int has NEXT_P) {
	T x = load(CTX_A SRC_A lo);
	if (hi > lo + RUN)
		hi = lo + RUN;
	acc = has ? op(CTX_A SRC_A acc, x) : x;
	PUT(lo, acc);
	for (i64 i = lo + 1; i < hi; i++) {
		acc = op(CTX_A SRC_A acc, load(CTX_A SRC_A i));
		PUT(i, acc);
	}
}

// scan_runs scans AHEAD whole runs side by side, run k starting from seed[k].
#define SEED(k) T a##k = seed[k];
#define STEP(k) NEXT(k) PUT(lo + k * RUN + i, a##k);
FUNC void scan_runs(CTX_P SRC_P GLOBAL T *out, i64 lo, i64 end, const T *seed NEXT_P) {
	EIGHT(SEED)
	for (int i = 0; i < RUN; i++) {
		EIGHT(STEP)
	}
}

// tree_prefixes replaces r[0 .. n-1] by its inclusive prefixes, by the pair tree (Sklansky 1960).
NOINLINE void tree_prefixes(CTX_P SRC_P T *r, int n) {
	for (int d = 1; d < n; d *= 2)
		for (int block = d; block < n; block += 2 * d) {
			T left = r[block - 1];
			for (int k = block; k < n && k < block + d; k++)
				r[k] = op(CTX_A SRC_A left, r[k]);
		}
}

KERNEL scan(CTX_K SRC_P CUT_P GLOBAL T *out, GLOBAL const T *prefix, i64 slots, T identity SEED_P NEXT_P COUNT_P) {
	LIMIT_SEGMENT
	i64 first = group_id() * slots / groups(), last = (group_id() + 1) * slots / groups();
	for (i64 slot = first; slot < last; slot++) {
		i64 s, lo, hi, tile, a, end;
		if (!slot_tile(CUT_A slot, &s, &lo, &hi, &tile))
			continue;
		cut(CUT_A s, &a, &end);
		T r[RUNS];
		int n = fold_runs(CTX_A SRC_A lo, hi, r);
		tree_prefixes(CTX_A SRC_A r, n);
		for (int k = n - 1; k > 0; k--) // r[k] becomes the prefix from which run k starts
			r[k] = BEGINS ? r[k - 1] : op(CTX_A SRC_A BEFORE, r[k - 1]);
		int k = 0;
#ifdef EXCLUSIVE
		if (tile == 0)
			out[lo] = identity;
#endif
		if (!BEGINS)
			r[0] = BEFORE;
		else {
			scan_run(CTX_A SRC_A out, lo, hi, end, r[0], 0 NEXT_A);
			k = 1;
		}
		for (; lo + (k + AHEAD) * RUN <= hi; k += AHEAD)
			scan_runs(CTX_A SRC_A out, lo + k * RUN, end, r + k NEXT_A);
		for (; k < n; k++)
			scan_run(CTX_A SRC_A out, lo + k * RUN, hi, end, r[k], 1 NEXT_A);
	}
}
#else

// A group takes a tile, or `per` segments that fit into a block, with w lanes each. Partial results of a
// tile's pair tree wait on a stack for their right neighbours; each lane has a copy of the stack.
KERNEL scan(CTX_K SRC_P CUT_P GLOBAL T *out, GLOBAL const T *prefix, i64 slots, T identity, i64 per, i64 w SEED_P NEXT_P COUNT_P) {
	LIMIT_SEGMENT
	BLOCK_LOCALS
	LOCAL T upto[LANES];
	T stack[RUNS / LANES > 1 ? 9 : 1];
	int lane = (int)lane_id();
	for (i64 slot = group_id(); slot * per < slots; slot += groups()) {
		i64 segment, lo, hi, tile, start, end;
		int used = 1, top = 0;
		if (per > 1) {
			tile = 0;
			lo = slot * per * length;
			hi = (slot + 1) * per < nsegments ? lo + per * length : nsegments * length;
			end = hi;
		} else {
			used = slot_tile(CUT_A slot, &segment, &lo, &hi, &tile);
			cut(CUT_A segment, &start, &end);
		}
		for (int block = 0; used && lo + block * BLOCK < hi; block++) {
			i64 from = lo + block * BLOCK;
			int n = hi - from < BLOCK ? (int)(hi - from) : BLOCK;
			LOAD_BLOCK(from, n)
			// The lane's run is elements [a, b) of the block; its segment begins at part.
			int part = 0, part_end = n, number = lane % (int)w;
			if (per > 1) {
				part = lane / (int)w * (int)length;
				part_end = part < n ? part + (int)length : n;
			}
			int a = part + number * RUN, b = a + RUN < part_end ? a + RUN : part_end;
			if (a < b) {
				T x = block_s[AT(a)];
				for (int k = a + 1; k < b; k++)
					x = op(CTX_A SRC_A x, block_s[AT(k)]);
				upto[lane] = x;
			}
			for (int d = 1; d < (int)w; d *= 2) { // prefixes by the pair tree
				BARRIER();
				if ((number & d) && a < b)
					upto[lane] = op(CTX_A SRC_A upto[(lane & ~(2 * d - 1)) + d - 1], upto[lane]);
			}
			BARRIER();
			if (number * RUN < part_end - part) { // not a < b: PoCL would use lane 0's value for all lanes
				int has = number > 0;
				T x = identity;
				if (has)
					x = upto[lane - 1];
				for (int k = top - 1; k >= 0; k--, has = 1)
					x = has ? op(CTX_A SRC_A stack[k], x) : stack[k];
				if (!BEGINS) {
					x = has ? op(CTX_A SRC_A BEFORE, x) : BEFORE;
					has = 1;
				}
#ifdef EXCLUSIVE
				if (!has || from + a == 0)
					out[from + a] = identity;
#endif
				for (int k = a; k < b; k++, has = 1) {
					T y = block_s[AT(k)];
					x = has ? op(CTX_A SRC_A x, y) : y;
					block_s[AT(k)] = x;
				}
			}
			if (RUNS / LANES > 1 && n == BLOCK) {
				T x = upto[LANES - 1];
				for (int k = block; k & 1; k >>= 1)
					x = op(CTX_A SRC_A stack[--top], x);
				stack[top++] = x;
			}
			BARRIER();
			for (int k = lane; k < n; k += LANES) {
#ifdef EXCLUSIVE
				if (from + k + 1 < end && (per == 1 || (k + 1) % (int)length != 0))
					out[from + k + 1] = block_s[AT(k)];
#ifdef CARRY
				if (from + k + 1 == end)
					PUT_NEXT(block_s[AT(k)]);
#endif
#else
				out[from + k] = block_s[AT(k)];
#endif
			}
			BARRIER();
		}
	}
}
#endif
