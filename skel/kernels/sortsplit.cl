// sortsplit computes, for every tile of the result of sortjoin and for its end, how many of the elements before it
// come from the first run.
KERNEL sortsplit(CTX_K SRC_P GLOBAL const T *from, i64 base, GLOBAL i64 *splits, i64 na, i64 n, i64 tile, i64 count) {
#ifdef SHAPE_CPU
	i64 k = group_id();
#else
	i64 k = group_id() * lanes() + lane_id();
#endif
	from += base;
	if (k < count) {
		i64 diagonal = k * tile < n ? k * tile : n, nb = n - na;
		i64 least = diagonal - nb > 0 ? diagonal - nb : 0, most = diagonal < na ? diagonal : na;
		while (least < most) {
			i64 middle = (least + most) / 2;
			if (BEFORE(from[na + diagonal - 1 - middle], from[middle]))
				most = middle;
			else
				least = middle + 1;
		}
		splits[k] = least;
	}
}
