// endlengths completes the lengths of runs that selectpass has written: the last run that begins in a tile
// still has its beginning instead of its length. It ends at the first beginning in a later tile, or with
// the input. firsts has two numbers for each tile: its first beginning, or -1 if there is none, and the
// number of runs that begin before the tile.
KERNEL endlengths(CTX_K SRC_P GLOBAL i64 *lengths, GLOBAL const i64 *kept, i64 base, i64 n, i64 tile COUNT_P) {
	LIMIT(n);
	i64 tiles = (n + tile - 1) / tile;
	for (i64 t = group_id() * lanes() + lane_id(); t <= tiles; t += groups() * lanes()) {
		i64 end = t < tiles ? firsts(CTX_A SRC_A 2 * t) : base + n, runs = t < tiles ? firsts(CTX_A SRC_A 2 * t + 1) : kept[0];
		if (end >= 0 && runs > 0)
			lengths[runs - 1] = end - lengths[runs - 1];
	}
}
