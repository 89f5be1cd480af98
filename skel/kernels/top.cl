// top finds the first k elements of every `length` elements, in the order of their keys and, among equal
// keys, of their positions (skel/sort_top.go). A group takes a piece. Each of its warps keeps at most ENTRIES
// candidates in local memory. When they are full, the warp sorts them and keeps the first k; from then on,
// only an element that comes before the last of these is a candidate. So a warp reads nearly all elements
// without doing more than a comparison. The result depends neither on the time at which a warp raises its
// bound nor on the number of pieces.
//
// If CANDIDATES is defined, the elements are the candidates of another launch: their keys and positions.
#define WARPS (LANES / SKEL_WARP)
#define NO_POSITION (~(u64)0)

#ifndef CHUNK
#define CHUNK 1
#endif
#define TILE (SKEL_WARP * CHUNK * AT_ONCE)
#define EACH_READ UNROLL for (int e = 0; e < CHUNK * AT_ONCE; e++)
// The position of element e of a lane's elements in a tile.
#define OFFSET(e) (((e) / CHUNK * SKEL_WARP + lane) * CHUNK + (e) % CHUNK)

// ARRANGE sorts the entries of a warp, those from `count` on being empty, and keeps the first k. It is a
// bitonic sort.
#define ARRANGE() \
	for (int j = count + lane; j < ENTRIES; j += SKEL_WARP) \
		key[j] = ~(KEY_U)0, at[j] = NO_POSITION; \
	WARP_SYNC(); \
	ROLLED \
	for (int size = 2; size <= ENTRIES; size *= 2) \
		ROLLED \
		for (int step = size / 2; step > 0; step /= 2) { \
			UNROLL \
			for (int j = lane; j < ENTRIES / 2; j += SKEL_WARP) { \
				int a = j / step * 2 * step + j % step, b = a + step; \
				KEY_U ka = key[a], kb = key[b]; \
				u64 pa = at[a], pb = at[b]; \
				if ((kb < ka || (kb == ka && pb < pa)) == ((a & size) == 0)) \
					key[a] = kb, key[b] = ka, at[a] = pb, at[b] = pa; \
			} \
			WARP_SYNC(); \
		} \
	if (count > (int)k) \
		count = (int)k;

KERNEL_OF(LANES, 2) top(CTX_K SRC_P
#ifdef CANDIDATES
	GLOBAL const KEY_U *keys, GLOBAL const i64 *positions,
#endif
	GLOBAL KEY_U *out_keys, GLOBAL i64 *out, i64 k, i64 n, i64 length) {
	LOCAL KEY_U all_keys[WARPS * ENTRIES];
	LOCAL u64 all_at[WARPS * ENTRIES];
	LOCAL volatile KEY_U shared[1]; // no element with a greater key is among the first k of the piece
	int lane = (int)lane_id() % SKEL_WARP, warp = (int)lane_id() / SKEL_WARP, count = 0;
	LOCAL_PTR KEY_U *key = all_keys + warp * ENTRIES;
	LOCAL_PTR u64 *at = all_at + warp * ENTRIES;
	i64 first = group_id() * length, end = first + length < n ? first + length : n;
	KEY_U last_key = ~(KEY_U)0; // the last candidate, once there are k
	u64 last_at = NO_POSITION;
	if (lane_id() == 0)
		shared[0] = ~(KEY_U)0;
	BARRIER();
	for (i64 tile = first + (i64)warp * TILE; tile < end; tile += WARPS * TILE) {
		KEY_U bits[CHUNK * AT_ONCE];
		u64 position[CHUNK * AT_ONCE];
		u32 pass = 0;
#ifdef CANDIDATES
		EACH_READ {
			i64 i = tile + OFFSET(e);
			bits[e] = i < end ? keys[i] : ~(KEY_U)0;
			position[e] = i < end ? (u64)positions[i] : NO_POSITION;
		}
#else
		T x[CHUNK * AT_ONCE];
		if (tile + TILE <= end) {
			UNROLL
			for (int q = 0; q < AT_ONCE; q++) {
#ifdef WHOLE_CHUNKS
				load_chunk(CTX_A SRC_A tile + OFFSET(q * CHUNK), x + q * CHUNK);
#else
				x[q] = load(CTX_A SRC_A tile + OFFSET(q));
#endif
			}
			EACH_READ {
				bits[e] = KEY_OF(x[e]);
				position[e] = (u64)(tile + OFFSET(e));
			}
		} else {
			EACH_READ {
				i64 i = tile + OFFSET(e);
				bits[e] = ~(KEY_U)0;
				position[e] = NO_POSITION;
				if (i < end) {
					bits[e] = KEY_OF(load(CTX_A SRC_A i));
					position[e] = (u64)i;
				}
			}
		}
#endif
		KEY_U limit = shared[0];
		EACH_READ if (bits[e] <= limit && (bits[e] < last_key || (bits[e] == last_key && position[e] < last_at)))
			pass |= 1u << e;
		if (WARP_BALLOT(pass != 0) == 0)
			continue;
		EACH_READ {
			u32 those = WARP_BALLOT((i32)(pass >> e & 1));
			if (those != 0) {
				if (count > ENTRIES - SKEL_WARP) {
					ARRANGE()
					if (count == (int)k) {
						last_key = key[k - 1];
						last_at = at[k - 1];
						if (lane == 0 && last_key < shared[0])
							shared[0] = last_key;
					}
					WARP_SYNC();
				}
				if (pass >> e & 1) {
					int j = count + (int)SKEL_POPCOUNT(those & ((1u << lane) - 1));
					key[j] = bits[e];
					at[j] = position[e];
				}
				count += (int)SKEL_POPCOUNT(those);
			}
		}
	}
	ARRANGE()
	// Half of the warps take the candidates of the other half, until one warp has those of all.
	ROLLED
	for (int half = WARPS / 2; half > 0; half /= 2) {
		BARRIER();
		if (warp < half) {
			for (int j = lane; j < (int)k; j += SKEL_WARP) {
				key[k + j] = key[half * ENTRIES + j];
				at[k + j] = at[half * ENTRIES + j];
			}
			count = 2 * (int)k;
			WARP_SYNC();
			ARRANGE()
		}
	}
	if (warp == 0)
		for (int j = lane; j < (int)k; j += SKEL_WARP) {
			i64 to = group_id() * k + j, position = (i64)at[j];
#ifdef COLUMNS
			position -= first;
#endif
			out[to] = position;
#ifdef KEEP_KEYS
			out_keys[to] = key[j];
#endif
		}
}
