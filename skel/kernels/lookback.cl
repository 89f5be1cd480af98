// lookback scans all elements in one pass, on devices whose groups make progress (skel/order.go
// describes the order, docs/adr/0008 the design).
//
// The source is the single-pass scan with decoupled look-back (Merrill and Garland 2016), whose groups
// combine totals in an order that depends on timing. Here the first group to start is a server: it
// turns the totals of tiles into prefixes in a fixed order, RUNS tiles at a time, one per lane. The
// other groups are workers: they load tiles, publish their totals, and write the results of a tile when
// its prefix has arrived.
//
// A worker holds up to SLOTS tiles: first those that wait for their prefixes, which takes some
// microseconds, then those that are being loaded. It proceeds in steps with one barrier each. In a step it
//
//   - finishes its oldest tile, if the prefix of that tile has arrived;
//   - computes and publishes the total of a tile that has been loaded, if there is one;
//   - starts to load another tile, if a slot is free.
//
// So a total never waits for a prefix, and a late prefix delays only its own group, once all of its tiles
// wait.
//
// state begins with a header of HEADER words. Its first three 32-bit integers are the next tile to draw,
// the number of groups that are done, and the number of scans so far. The other words hold totals and
// prefixes. Each 64-bit word has 32 bits of a value and the number of its scan, so nothing is cleared
// between scans and no fences are needed.
#define HEADER 32
#define WORDS (u32)((sizeof(T) + 3) / 4)

#ifdef EXCLUSIVE
#define SHIFT 1
#else
#define SHIFT 0
#endif

// With SEEDED the elements are a device's part of a larger scan, and seed_at holds the prefix of the parts
// before. Otherwise the first tile has no prefix.
#ifdef SEEDED
#define SEED_P , GLOBAL const T *seed_at
#define SEED_A , seed_at
#define FIRST_OF_ALL(k) 0
#else
#define SEED_P
#define SEED_A
#define FIRST_OF_ALL(k) ((k) == 0)
#endif

// With CARRY the last result of an exclusive scan goes to next: it is the first result of the next device.
#ifdef CARRY
#define NEXT_P , GLOBAL T *next
#else
#define NEXT_P
#endif

// publish stores x with the number of the scan in every word.
FUNC void publish(GLOBAL u64 *to, T x, u32 scan) {
	words u;
	u.t = x;
	UNROLL
	for (int k = 0; k < (int)WORDS; k++)
		((GLOBAL volatile u64 *)to)[k] = (u64)scan << 32 | u.w[k];
}

typedef struct {
	u64 w[(sizeof(T) + 3) / 4];
} tagged;

// peek reads a value that may not have been published yet; is_there reports whether it has, and value
// returns it.
FUNC tagged peek(GLOBAL const u64 *from) {
	tagged v;
	UNROLL
	for (int k = 0; k < (int)WORDS; k++)
		v.w[k] = ((GLOBAL const volatile u64 *)from)[k];
	return v;
}

FUNC T value(tagged v) {
	words u;
	UNROLL
	for (int k = 0; k < (int)WORDS; k++)
		u.w[k] = (u32)v.w[k];
	return u.t;
}

FUNC int is_there(tagged v, u32 scan) {
	int all = 1;
	UNROLL
	for (int k = 0; k < (int)WORDS; k++)
		all &= (u32)(v.w[k] >> 32) == scan;
	return all;
}

// PATIENCE is how many times the server polls for a missing total before it publishes the prefixes that do
// not depend on it. Without this, few groups could deadlock: their slots may be full of tiles that wait
// for these prefixes, and no group has begun the missing tile.
#define PATIENCE 64

// serve turns the totals of tiles into prefixes: prefix t is that of the tiles before t. The warps of the
// server take SKEL_WARP neighbouring totals each, in turn; the prefix so far passes from warp to warp
// through local memory (carries), in words that are numbered too.
FUNC void serve(CTX_P SRC_P GLOBAL u64 *total_at, GLOBAL u64 *prefix_at, LOCAL_PTR volatile u64 *carries, u32 tiles, u32 scan SEED_P) {
	int lane = (int)lane_id() % SKEL_WARP, warp = (int)lane_id() / SKEL_WARP;
	u32 totals = tiles - 1; // the last total is not needed
	tagged seen, ahead, c;
	if (warp * SKEL_WARP + lane < (i64)totals)
		ahead = peek(total_at + (warp * SKEL_WARP + lane) * WORDS);
	for (u32 g = warp; g * SKEL_WARP < totals; g += WARPS) {
		u32 t = g * SKEL_WARP + lane;
		int wanted = t < totals, published = 0, n = 0, waiting = g > 0;
		T carry;
#ifdef SEEDED
		if (g == 0)
			carry = seed_at[0];
#endif
		seen = ahead;
		if (t + RUNS < totals) // load the warp's next total early
			ahead = peek(total_at + (t + RUNS) * WORDS);
		for (u32 k = 1; n < SKEL_WARP; k++) {
			int have = !wanted || is_there(seen, scan);
			u32 missing = ~WARP_BALLOT(have);
			n = missing == 0 ? SKEL_WARP : lowest(missing); // totals that are there without a gap
			if (n == SKEL_WARP || (k % PATIENCE == 0 && n > published)) {
				T x = warp_prefix(CTX_A SRC_A value(seen), lane, wanted ? n : 0);
				if (waiting) {
					do {
						UNROLL
						for (int w = 0; w < (int)WORDS; w++)
							c.w[w] = carries[(g % WARPS) * WORDS + w];
					} while (!is_there(c, g));
					carry = value(c);
					waiting = 0;
					WARP_SYNC(); // all lanes have read the carry before it is overwritten
				}
				if (wanted && !FIRST_OF_ALL(g) && lane < n)
					x = op(CTX_A SRC_A carry, x);
				if (n == SKEL_WARP && lane == SKEL_WARP - 1 && wanted) { // before publishing, since the next warp waits
					words u;
					u.t = x;
					UNROLL
					for (int w = 0; w < (int)WORDS; w++)
						carries[((g + 1) % WARPS) * WORDS + w] = (u64)(g + 1) << 32 | u.w[w];
				}
				if (wanted && lane >= published && lane < n)
					publish(prefix_at + (t + 1) * WORDS, x, scan);
				published = n;
			}
			if (!have)
				seen = peek(total_at + t * WORDS);
		}
	}
}

// elements_of returns the number of elements of the run that begins at lo.
FUNC int elements_of(i64 lo, i64 n) {
	return n - lo >= RUN ? RUN : n > lo ? (int)(n - lo) : 0;
}

KERNEL_OF(RUNS, GROUPS) lookback(CTX_K SRC_P GLOBAL T *out, GLOBAL u64 *state, i64 words_in_state, i64 n, u32 tiles, T identity SEED_P NEXT_P COUNT_P DYNAMIC_P) {
	LIMIT(n);
#ifdef COUNTED
	tiles = (u32)((n + TILE - 1) / TILE);
#endif
	DYNAMIC(slots);
	// What lanes exchange is double-buffered, so that one barrier per step is enough; exclusive scans need
	// another.
	LOCAL T warp_total[2][WARPS];
	LOCAL T prefix[2];
	LOCAL int has_prefix[2];
	LOCAL u32 hand[2 * SLOTS]; // the numbers of the tiles that the group holds: a ring buffer
	LOCAL u32 first[2];
	LOCAL u64 carries[WARPS * WORDS];
#ifdef EXCLUSIVE
	LOCAL T ends[WARPS]; // the last result of each warp
#endif
	int lane = (int)lane_id(), in_warp = lane % SKEL_WARP, warp = lane / SKEL_WARP;
	GLOBAL u64 *total_at = state + HEADER, *prefix_at = total_at + tiles * WORDS;
	GLOBAL u32 *ticket = (GLOBAL u32 *)state;
	u32 scan = ((GLOBAL volatile u32 *)state)[2] + 1, whole_tiles = (u32)(n / TILE);
	if (lane == 0) {
		first[0] = ATOMIC_INC(ticket) - 1;
		int worker = first[0] + 1 != 0; // the first group is the server
		// Where tiles are few, no group loads two before every group has one.
		first[1] = worker && tiles >= 2 * groups() ? ATOMIC_INC(ticket) - 1 : tiles;
		hand[0] = first[0];
		hand[1] = first[1];
	}
	BARRIER();
	if (first[0] + 1 == 0) {
		for (int k = lane; k < (int)(WARPS * WORDS); k += RUNS)
			carries[k] = 0;
		BARRIER();
		if (tiles > 1)
			serve(CTX_A SRC_A total_at, prefix_at, carries, tiles, scan SEED_A);
		BARRIER();
		if (lane == 0)
			first[0] = tiles;
		BARRIER();
	}
	// The group holds tiles HAND(0), HAND(1), ...: first `waiting` tiles that wait for their prefixes, then
	// `staged` tiles that are being loaded. HAND(0) is hand[oldest].
	int oldest = 0, waiting = 0, staged = 0, turn = 0, finish = 0;
	int more = first[0] < tiles && tiles >= groups(); // otherwise a group has one tile
	T before[SLOTS]; // for each waiting tile, the prefix of the lane's run inside the tile
#define HAND(k) hand[(oldest + (k)) % (2 * SLOTS)]
#define SLOT_OF(k) (slots + (oldest + (k)) % SLOTS * SLOT)
	UNROLL
	for (int k = 0; k < 2; k++)
		if (first[k] < tiles) {
			if (first[k] < whole_tiles)
				stage(SRC_A SLOT_OF(k), (i64)first[k] * TILE, lane);
			COPY_COMMIT();
			staged++;
		}
	while (staged > 0 || waiting > 0) {
		// Draw the tile for the slot that becomes free, and load the prefix that is needed next, early.
		int want = more && waiting + staged - finish < SLOTS;
		u32 drawn = 0, asked = tiles;
		tagged early;
		if (lane == 0) {
			if (waiting + staged > finish)
				asked = HAND(finish);
			if (asked > 0 && asked < tiles)
				early = peek(prefix_at + asked * WORDS);
			if (want)
				drawn = ATOMIC_INC(ticket) - 1;
		}
		if (finish) { // write the results of the oldest tile
			LOCAL_PTR u8 *slot = SLOT_OF(0);
			u32 done = HAND(0);
			i64 lo = (i64)done * TILE + lane * RUN;
			int whole = done < whole_tiles, have = whole ? RUN : elements_of(lo, n);
			T r[RUN], seed = before[0];
			if (!FIRST_OF_ALL(done) && have > 0)
				seed = lane > 0 ? op(CTX_A SRC_A prefix[turn], seed) : prefix[turn];
			get_run(slot, lane, r);
			if (have > 0)
				r[0] = seed = !FIRST_OF_ALL(done) || lane > 0 ? op(CTX_A SRC_A seed, r[0]) : r[0];
			if (whole) {
				UNROLL
				for (int k = 1; k < RUN; k++)
					r[k] = seed = op(CTX_A SRC_A seed, r[k]);
			} else {
				UNROLL
				for (int k = 1; k < RUN; k++)
					if (k < have)
						r[k] = seed = op(CTX_A SRC_A seed, r[k]);
			}
#ifdef CARRY
			if (have > 0 && lo + have == n)
				next[0] = seed;
#endif
#ifdef EXCLUSIVE
			if (in_warp == SKEL_WARP - 1)
				ends[warp] = seed;
			T first_here = warp_get(seed, in_warp - 1);
			BARRIER();
			if (in_warp == 0 && warp > 0)
				first_here = ends[warp - 1];
			if (lane == RUNS - 1 && whole && lo + RUN < n)
				out[lo + RUN] = seed;
			UNROLL
			for (int k = RUN - 1; k > 0; k--)
				r[k] = r[k - 1];
			r[0] = done == 0 && lane == 0 ? identity : first_here;
#endif
			int skip = SHIFT && done > 0; // the previous tile has written this tile's first result
			if (whole && WHOLE_VECTORS) {
				put_run(slot, lane, r);
				WARP_SYNC();
				store_warp(slot, out + (i64)done * TILE, warp, in_warp, skip);
				if (skip && lane == 0) {
					UNROLL
					for (int k = 1; k < RUN; k++)
						out[lo + k] = r[k];
				}
			} else {
				UNROLL
				for (int k = 0; k < RUN; k++)
					if (k < have && (k > 0 || lane > 0 || !skip))
						out[lo + k] = r[k];
			}
			UNROLL
			for (int k = 0; k < SLOTS - 1; k++)
				before[k] = before[k + 1];
			oldest = oldest + 1 < 2 * SLOTS ? oldest + 1 : 0;
			waiting--;
		}
		turn ^= 1;
		LOCAL_PTR u8 *here_slot = SLOT_OF(waiting);
		int total = staged > 0, here_whole = 0, here_has = 0; // here_has: elements of the lane's run
		u32 here = tiles;
		T q[RUN], x;
		if (total) { // compute the total of the first staged tile
			here = HAND(waiting);
			i64 here_lo = (i64)here * TILE + lane * RUN;
			int with = SKEL_WARP; // lanes of the warp that have elements
			here_whole = here < whole_tiles;
			here_has = here_whole ? RUN : elements_of(here_lo, n);
			if (here_whole) { // a branch of its own: bounds checks on every element would double the cost
				if (staged > 1) // at most two tiles are staged, one copy each; wait for the older
					COPY_WAIT(1);
				else
					COPY_WAIT(0);
				WARP_SYNC();
				staged_run(CTX_A SRC_A here_slot, here_lo, lane, q);
				x = q[0];
				UNROLL
				for (int k = 1; k < RUN; k++)
					x = op(CTX_A SRC_A x, q[k]);
			} else {
				with = (int)((n - (i64)here * TILE + RUN - 1) / RUN) - warp * SKEL_WARP;
				EACH_LOAD
				for (int k = 0; k < RUN; k++)
					if (k < here_has)
						q[k] = load(CTX_A SRC_A here_lo + k);
				x = q[0];
				UNROLL
				for (int k = 1; k < RUN; k++)
					if (k < here_has)
						x = op(CTX_A SRC_A x, q[k]);
			}
			x = warp_prefix(CTX_A SRC_A x, in_warp, with);
			if (in_warp == SKEL_WARP - 1)
				warp_total[turn][warp] = x;
		}
		if (lane == 0) {
			if (want)
				HAND(waiting + staged) = drawn;
			int there = asked < tiles && (asked == 0 || is_there(early, scan));
			if (asked < tiles && !there && !total && !want) // nothing else to do: poll
				while (!there) {
					early = peek(prefix_at + asked * WORDS);
					there = is_there(early, scan);
				}
			has_prefix[turn] = there;
			if (there && asked > 0)
				prefix[turn] = value(early);
#ifdef SEEDED
			if (there && asked == 0)
				prefix[turn] = seed_at[0];
#endif
		}
		BARRIER();
		if (total) {
			// The slot may hold inputs of other types: the elements replace them, now that all lanes have
			// read theirs.
			if (!IN_PLACE || !here_whole)
				put_run(here_slot, lane, q);
			if (here_has > 0) // op is called for elements only
				x = over_warps(CTX_A SRC_A warp_total[turn], warp, x);
			if (here + 1 < tiles && lane == RUNS - 1)
				publish(total_at + here * WORDS, x, scan);
			x = warp_get(x, in_warp - 1);
			if (in_warp == 0 && warp > 0 && here_has > 0)
				x = over_warps(CTX_A SRC_A warp_total[turn], warp - 1, warp_total[turn][warp - 1]);
			UNROLL
			for (int k = 0; k < SLOTS; k++)
				before[k] = k == waiting ? x : before[k];
			waiting++;
			staged--;
		}
		if (want) {
			u32 coming = HAND(waiting + staged);
			if (coming < tiles) {
				if (coming < whole_tiles)
					stage(SRC_A SLOT_OF(waiting + staged), (i64)coming * TILE, lane);
				COPY_COMMIT();
				staged++;
			} else
				more = 0;
		}
		finish = waiting > 0 && has_prefix[turn];
	}
	if (lane == 0 && ATOMIC_INC(ticket + 1) == (u32)groups() - 1) {
		ticket[0] = 0;
		ticket[1] = 0;
		ticket[2] = scan;
		if (scan + 1 == 0) { // the number wraps around: clear the words of the last 2^32 scans
			for (i64 k = HEADER; k < words_in_state; k++)
				state[k] = 0;
			ticket[2] = 0;
		}
	}
}
