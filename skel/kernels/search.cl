// search sets out[i] to the number of elements of `sorted` that must come before load(i) or, if UPPER is
// defined, that need not come after it (skel/sort_search.go).
KERNEL search(CTX_K SRC_P GLOBAL i64 *out, i64 n, i64 chunk, GLOBAL const T *sorted, i64 count) {
	i64 begin = (group_id() * lanes() + lane_id()) * chunk, end = begin + chunk < n ? begin + chunk : n;
	for (i64 i = begin; i < end; i++) {
		T value = load(CTX_A SRC_A i);
		i64 lo = 0, hi = count;
		while (lo < hi) {
			i64 middle = lo + (hi - lo) / 2;
			T x = sorted[middle];
#ifdef UPPER
			int right = !BEFORE(value, x);
#else
			int right = BEFORE(x, value);
#endif
			if (right)
				lo = middle + 1;
			else
				hi = middle;
		}
		out[i] = lo;
	}
}
