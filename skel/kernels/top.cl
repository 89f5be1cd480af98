// top finds the first k elements of pieces, in the order of their keys and, among equal keys, of their positions
// (skel/sort_top.go). A group takes a piece: those of elements group * stride to group * stride + length-1
// that are in its tiles, which are `step` elements apart. From the beginning it knows a limit: an element with a
// greater key is not among the first k. So it does nothing but compare nearly all elements. If SAMPLED is
// defined, the limit comes from the least keys of LANES disjoint sets of elements (topsample.cl), otherwise
// from the least keys that the lanes read in their first tiles. The result does not depend on the limit.
//
// If LIST is defined, the result is a list of keys and positions for topjoin.cl. It is filled up with
// NO_POSITION if fewer than k elements of the piece are within the limit.
#define READ (CHUNK * AT_ONCE) // elements that a lane reads of a tile
#define TILE (SKEL_WARP * READ)
// The position of element e of a lane's elements in a tile.
#define OFFSET(e) (((e) / CHUNK * SKEL_WARP + lane) * CHUNK + (e) % CHUNK)

// read_tile begins to read a whole tile.
FUNC void read_tile(SRC_P i64 tile, int lane, load_vectors *in) {
	UNROLL
	for (int q = 0; q < AT_ONCE; q++)
		load_raw(SRC_A tile + OFFSET(q * CHUNK), in + q);
}

// tile_keys stores the keys of a tile in `keys`, and returns the least. read_tile has read the tile if it is whole;
// elements from `end` on do not count.
FUNC KEY_U tile_keys(CTX_P SRC_P i64 tile, i64 end, int lane, const load_vectors *in, KEY_U *keys) {
	KEY_U least = NO_KEY;
	if (tile + TILE <= end) {
		UNROLL
		for (int q = 0; q < AT_ONCE; q++) {
			T x[CHUNK];
			load_of_raw(CTX_A SRC_A in + q, tile + OFFSET(q * CHUNK), x);
			UNROLL
			for (int e = 0; e < CHUNK; e++)
				keys[q * CHUNK + e] = KEY_OF(x[e]);
		}
	} else {
		UNROLL
		for (int e = 0; e < READ; e++)
			keys[e] = tile + OFFSET(e) < end ? KEY_OF(load(CTX_A SRC_A tile + OFFSET(e))) : NO_KEY;
	}
	UNROLL
	for (int e = 0; e < READ; e++)
		least = keys[e] < least ? keys[e] : least;
	return least;
}

KERNEL_OF(LANES, 4) top(CTX_K SRC_P
#ifdef SAMPLED
	GLOBAL const KEY_U *sample,
#endif
#ifdef LIST
	GLOBAL KEY_U *out_keys,
#endif
	GLOBAL i64 *out, i64 k, i64 n, i64 stride, i64 length, i64 step) {
	ENTRY_LOCALS
	i64 first = group_id() * stride, end = first + length < n ? first + length : n;
	i64 tile = first + (i64)warp * TILE;
	load_vectors in[AT_ONCE];
	KEY_U keys[READ], least = NO_KEY;
	if (tile + TILE <= end)
		read_tile(SRC_A tile, lane, in);
#ifdef SAMPLED
	least = sample[lane_id()];
#else
	if (tile < end)
		least = tile_keys(CTX_A SRC_A tile, end, lane, in, keys);
#endif
	SET_LIMIT(least)
	for (; tile < end; tile += step) {
		least = tile_keys(CTX_A SRC_A tile, end, lane, in, keys);
		if (tile + step + TILE <= end)
			read_tile(SRC_A tile + step, lane, in);
		// Later elements with last_key come after last_at.
		KEY_U most = limit[0];
		if (WARP_BALLOT(least <= most && (least < last_key || last_at == NO_POSITION)) == 0)
			continue;
		u32 pass = 0;
		UNROLL
		for (int e = 0; e < READ; e++)
			if (keys[e] <= most && tile + OFFSET(e) < end)
				pass |= 1u << e;
		while (WARP_BALLOT(pass != 0) != 0) {
			MAKE_ROOM()
			KEY_U x = NO_KEY;
			u64 i = NO_POSITION;
			if (pass != 0) { // read the element again: e is not a constant, as a number of a register must be
				int e = (int)SKEL_POPCOUNT((pass & (0 - pass)) - 1);
				i = (u64)(tile + OFFSET(e));
				x = KEY_OF(load(CTX_A SRC_A (i64)i));
				pass &= pass - 1;
			}
			ADD(x, i, COMES_FIRST(x, i, last_key, last_at))
		}
	}
	COMBINE()
	PLACE()
	if (place < (int)k) {
		i64 to = group_id() * k + place;
#ifdef LIST
		out_keys[to] = x;
#endif
#ifdef COLUMNS
		i -= (u64)first;
#endif
		out[to] = (i64)i;
	}
}
