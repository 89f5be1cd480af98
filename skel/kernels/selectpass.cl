// selectpass selects in one pass, on GPUs whose groups make progress (docs/adr/0023): a single-pass scan of
// the numbers of kept elements with decoupled look-back (Merrill and Garland 2016). These are integers, so
// the result does not depend on timing.
//
// A group draws a ticket, which is the number of its tile. Each warp reads rows of CHUNK elements a lane. A
// ballot for each element of a row gives its rank. The group publishes how many elements it keeps,
// compacts them in local memory, looks back for the number of elements kept before the tile, and writes
// them there. If only the device knows n (COUNTED), the grid is small, and a group draws tickets until
// there are no more tiles.
//
// state begins with a header of HEADER words. Word 0 counts tickets and is never reset: word 1 has the
// tickets drawn by earlier launches, and in its upper half the number of launches, the tag. The group of
// the last tile updates word 1. At that time all groups with a tile have published their totals, so they
// have read word 1; a group that reads the new value draws a ticket without a tile, as it would have
// anyway. So no group waits for a counter at its end. The words after the header belong to the tiles:
// tag, status and value. Words of earlier launches have other tags. When tags are used up, the last group to
// leave clears all words.
#define HEADER 32
#define WARPS (LANES / SKEL_WARP)
#define ROWS (ITEMS / CHUNK)
#define TILE (LANES * ITEMS)
#define TICKETS 0x7fffffffu
#define LAST_TAG 0x3fffffu
#define VALUE(word) ((word) & (((u64)1 << 40) - 1))
#define STATUS(word) ((u32)((word) >> 40) & 3)
#define TAG(word) (u32)((word) >> 42)
#define TOTAL 1  // the value is the number of elements that the tile keeps
#define UP_TO 2 // the value is the number of elements kept up to the end of the tile

FUNC u64 tile_word(u32 tag, u32 status, u64 value) { return (u64)tag << 42 | (u64)status << 40 | value; }

// kept_before returns how many elements the tiles before `tile` keep. All lanes of a warp call it. Each
// looks at one tile, and the warp steps back by its width until one of them has a number up to its end.
FUNC u64 kept_before(GLOBAL const u64 *tiles_at, i64 tile, u32 tag, int lane) {
	u64 sum = 0;
	for (i64 t = tile - 1 - lane;; t -= SKEL_WARP) {
		u64 w = tile_word(tag, UP_TO, 0); // before the first tile
		if (t >= 0)
			do
				w = ((GLOBAL const volatile u64 *)tiles_at)[t];
			while (TAG(w) != tag || STATUS(w) == 0);
		u32 up_to = WARP_BALLOT(STATUS(w) == UP_TO);
		int stop = up_to ? 63 - (int)SKEL_CLZ64((u64)(up_to & (0 - up_to))) : SKEL_WARP;
		u32 totals = lane < stop ? (u32)VALUE(w) : 0;
		UNROLL
		for (int d = 1; d < SKEL_WARP; d *= 2)
			totals += WARP_WORD(totals, lane ^ d);
		sum += totals;
		if (up_to)
			return sum + ((u64)WARP_WORD(VALUE(w) >> 32, stop) << 32 | WARP_WORD(VALUE(w), stop));
	}
}

#ifdef NEIGHBOURS
// rotated returns the x of the lane to the left; lane 0 gets that of the last lane.
FUNC T rotated(T x, int lane) {
	union {
		T t;
		u32 w[(sizeof(T) + 3) / 4];
	} u;
	u.t = x;
	UNROLL
	for (int k = 0; k < (int)((sizeof(T) + 3) / 4); k++)
		u.w[k] = WARP_WORD(u.w[k], (lane + SKEL_WARP - 1) % SKEL_WARP);
	return u.t;
}
#endif

#ifdef LENGTHS
#define FIRSTS_P GLOBAL i64 *firsts,
#else
#define FIRSTS_P
#endif
#ifdef VALUES
#define STAGE_BYTES ((TILE * sizeof(T) + 15) / 16 * 16)
#else
#define STAGE_BYTES 0
#endif

KERNEL_OF(LANES, GROUPS) selectpass(CTX_K SRC_P LEFT_P VALUES_P INDICES_P REST_P GLOBAL i64 *count, REST_COUNT_P FIRSTS_P GLOBAL u64 *state, i64 words_in_state, i64 base, i64 n COUNT_P DYNAMIC_P) {
	DYNAMIC(memory);
#ifdef VALUES
	LOCAL_PTR T *stage = (LOCAL_PTR T *)memory;
#endif
#ifdef INDICES
	LOCAL_PTR u16 *where = (LOCAL_PTR u16 *)(memory + STAGE_BYTES);
#endif
	LOCAL u32 warp_total[WARPS];
	LOCAL u32 drawn[2];
	LOCAL u64 before[1];
	LIMIT(n);
	int lane = (int)lane_id() % SKEL_WARP, warp = (int)lane_id() / SKEL_WARP;
	i64 tiles = (n + TILE - 1) / TILE;
	GLOBAL u64 *tiles_at = state + HEADER;
	u32 tag = 0;
#ifdef COUNTED
	i64 tickets = tiles + groups();
	for (;;)
#else
	i64 tickets = groups();
#endif
	{
		if (lane_id() == 0) {
			u32 ticket = ATOMIC_INC((GLOBAL u32 *)state);
			u64 word = ((GLOBAL volatile u64 *)state)[1];
			drawn[0] = (ticket - (u32)word) & TICKETS;
			drawn[1] = (u32)(word >> 32) + 1;
		}
		BARRIER();
		i64 tile = drawn[0];
		tag = drawn[1];
		if (tile < tiles) {
			int whole = (tile + 1) * TILE <= n, have = whole ? TILE : (int)(n - tile * TILE);
			int in_tile = warp * SKEL_WARP * ITEMS + lane * CHUNK; // the lane's first element
			i64 first = tile * TILE + in_tile;
			T r[ITEMS];
#ifdef FLAGGED
			b8 f[ITEMS];
#endif
			if (whole) {
				EACH_LOAD
				for (int j = 0; j < ROWS; j++) {
					load_chunk(CTX_A SRC_A first + j * (SKEL_WARP * CHUNK), r + j * CHUNK);
#ifdef FLAGGED
					flag_chunk(CTX_A SRC_A first + j * (SKEL_WARP * CHUNK), f + j * CHUNK);
#endif
				}
			} else {
				EACH_LOAD
				for (int j = 0; j < ITEMS; j++) {
					i64 i = first + j / CHUNK * (SKEL_WARP * CHUNK) + j % CHUNK;
					if (i < n) {
						r[j] = load(CTX_A SRC_A i);
#ifdef FLAGGED
						f[j] = flag(CTX_A SRC_A i);
#endif
					}
				}
			}
#ifdef NEIGHBOURS
			T last = r[0]; // lane 0: the last element before the row
			if (lane == 0 && first <= n)
				last = LEFT_OF(first);
#endif
			u32 keeps = 0, upto = 0, rank[ROWS]; // bit k of keeps: element k is kept
			EACH_KEEP
			for (int j = 0; j < ROWS; j++) {
				i64 row = first + j * (SKEL_WARP * CHUNK);
				u32 here = 0, all = 0;
#ifdef NEIGHBOURS
				T left = rotated(r[j * CHUNK + CHUNK - 1], lane);
				if (lane == 0) {
					T next = left;
					left = last;
					last = next;
				}
#endif
				EACH_KEEP
				for (int k = 0; k < CHUNK; k++) {
					int is_kept = 0;
					if (whole || row + k < n) {
#ifdef FLAGGED
						is_kept = f[j * CHUNK + k] != 0;
#else
						is_kept = KEEPS(row + k, left, r[j * CHUNK + k]);
#endif
#ifdef NEIGHBOURS
						left = r[j * CHUNK + k];
#endif
					}
					u32 ballot = WARP_BALLOT(is_kept);
					here += (u32)SKEL_POPCOUNT(ballot & ((1u << lane) - 1));
					all += (u32)SKEL_POPCOUNT(ballot);
					keeps |= (u32)is_kept << (j * CHUNK + k);
				}
				rank[j] = upto + here;
				upto += all;
			}
			if (lane == 0)
				warp_total[warp] = upto;
			BARRIER();
			u32 start = 0, total = 0;
			UNROLL
			for (int w = 0; w < WARPS; w++) {
				u32 k = warp_total[w];
				start += w < warp ? k : 0;
				total += k;
			}
			if (lane_id() == 0)
				((GLOBAL volatile u64 *)tiles_at)[tile] = tile_word(tag, tile == 0 ? UP_TO : TOTAL, total);
			UNROLL
			for (int j = 0; j < ROWS; j++) {
				u32 at = start + rank[j];
				UNROLL
				for (int k = 0; k < CHUNK; k++) {
					u32 e = in_tile + j * (SKEL_WARP * CHUNK) + k;
					if (keeps >> (j * CHUNK + k) & 1) {
#ifdef VALUES
						stage[at] = r[j * CHUNK + k];
#endif
#ifdef INDICES
						where[at] = (u16)e;
#endif
						at++;
					}
#ifdef REST
					else if (e < (u32)have)
						stage[total + e - at] = r[j * CHUNK + k];
#endif
				}
			}
			if (warp == 0) {
				u64 k = tile == 0 ? 0 : kept_before(tiles_at, tile, tag, lane);
				if (lane == 0) {
					before[0] = k;
					if (tile > 0)
						((GLOBAL volatile u64 *)tiles_at)[tile] = tile_word(tag, UP_TO, k + total);
					if (tile == tiles - 1) {
						count[0] = (i64)(k + total);
						PUT_REST_COUNT(n - (i64)(k + total));
					}
				}
			}
			BARRIER();
			i64 to = (i64)before[0];
#ifdef VALUES
			for (u32 k = (u32)lane_id(); k < total; k += LANES)
				values[to + k] = stage[k];
#endif
#ifdef LENGTHS // the last run of the tile gets its beginning instead, which endlengths completes
			for (u32 k = (u32)lane_id(); k < total; k += LANES)
				indices[to + k] = k + 1 < total ? (i64)where[k + 1] - where[k] : base + tile * TILE + where[k];
			if (lane_id() == 0) {
				firsts[2 * tile] = total > 0 ? base + tile * TILE + where[0] : -1;
				firsts[2 * tile + 1] = to;
			}
#elif defined(INDICES)
			for (u32 k = (u32)lane_id(); k < total; k += LANES)
				indices[to + k] = base + tile * TILE + where[k];
#endif
#ifdef REST
			for (u32 k = (u32)lane_id(); k < have - total; k += LANES)
				rest[tile * TILE - to + k] = stage[total + k];
#endif
		} else if (tiles == 0 && tile == 0 && lane_id() == 0) {
			count[0] = 0;
			PUT_REST_COUNT(0);
		}
		if (lane_id() == 0 && tag < LAST_TAG && (tile == tiles - 1 || (tiles == 0 && tile == 0))) {
			u32 earlier = (u32)((GLOBAL volatile u64 *)state)[1];
			((GLOBAL volatile u64 *)state)[1] = (u64)tag << 32 | (((u64)earlier + (u64)tickets) & TICKETS);
		}
#ifdef COUNTED
		if (tile >= tiles)
			break;
		BARRIER();
#endif
	}
	if (tag == LAST_TAG && lane_id() == 0 && ATOMIC_INC((GLOBAL u32 *)(state + 2)) == (u32)groups() - 1) {
		u32 earlier = (u32)state[1];
		for (i64 k = HEADER; k < words_in_state; k++)
			state[k] = 0;
		*(GLOBAL u32 *)(state + 2) = 0;
		state[1] = ((u64)earlier + (u64)tickets) & TICKETS;
	}
}
