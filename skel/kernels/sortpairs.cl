// In pass p, pairs of neighbouring runs of TILE << p elements of a segment are merged. A segment takes part
// in pass p if it has more than TILE << p elements.

// run_pair holds the runs that are merged into a tile: elements [lo, mid) and [mid, hi).
typedef struct {
	i64 lo, mid, hi;
} run_pair;

// pair_of returns the runs that pass p merges into the tile at lo of the segment [start, end).
FUNC run_pair pair_of(i64 start, i64 end, i64 lo, int p) {
	i64 width = (i64)TILE << p;
	run_pair pair;
	pair.lo = start + (lo - start) / (2 * width) * (2 * width);
	pair.mid = pair.lo + width < end ? pair.lo + width : end;
	pair.hi = pair.mid + width < end ? pair.mid + width : end;
	return pair;
}

// BROKEN is 1 + p in the slot of a pair's first tile if pass p leaves the pair as it is.
#define FIRST_SLOT(pair) (slot - (lo - (pair).lo) / TILE)
