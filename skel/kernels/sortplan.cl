// The state of a radix sort, which its launches pass on. The words are u32 unless stated otherwise.
//
//	PLAN + p    what pass p does: 0 if the digit is the same in all keys, so that the pass is left out;
//	            otherwise 1 + the number of passes before it that are not left out
//	PASSES      the number of passes that are not left out
//	TICKETS + p the next tile of pass p
//	STARTS      u64: for every digit and every value of it, the number of keys with a lesser value
//	LOOK        two arrays of look words, which passes use in turn: one for every tile and value
#define BINS 256
#define PLAN 0
#define PASSES 8
#define TICKETS 16
#define STARTS 32
#define LOOK (STARTS + 2 * 8 * BINS)

// A look word is the number of keys with a value of the digit in a tile (TOTAL), or in the tile and all tiles
// before it (PREFIX). It is 0 until one of them is known. Words of 32 bits count to 2^30.
#ifdef WIDE
#define LOOK_T u64
#define PLACE_T u64
#else
#define LOOK_T u32
#define PLACE_T u32
#endif
#define LOOK_BITS (8 * (int)sizeof(LOOK_T) - 2)
#define LOOK_TOTAL ((LOOK_T)1 << LOOK_BITS)
#define LOOK_PREFIX ((LOOK_T)2 << LOOK_BITS)
#define LOOK_COUNT (LOOK_TOTAL - 1)
