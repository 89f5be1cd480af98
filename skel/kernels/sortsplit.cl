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
		// Halving the tiles keeps each split between those of other tiles, even if the order is none.
		i64 nb = n - na, least = k == 0 ? 0 : na, from_k = 0, to_k = count - 1;
		i64 from_a = 0, to_a = na, from_b = 0, to_b = nb;
		for (i64 m = to_k / 2; k > 0 && k < count - 1; m = (from_k + to_k) / 2) {
			i64 diagonal = m * tile, most = to_a < diagonal - from_b ? to_a : diagonal - from_b;
			least = from_a > diagonal - to_b ? from_a : diagonal - to_b;
			while (least < most) {
				i64 middle = (least + most) / 2;
				if (BEFORE(from[na + diagonal - 1 - middle], from[middle]))
					most = middle;
				else
					least = middle + 1;
			}
			if (m == k)
				break;
			if (m < k) {
				from_k = m;
				from_a = least;
				from_b = diagonal - least;
			} else {
				to_k = m;
				to_a = least;
				to_b = diagonal - least;
			}
		}
		splits[k] = least;
	}
}
