// selectwrite writes the results of a selection: the second phase after selectcount. A CPU compacts
// STAGED elements at a time in memory of its own, without branches: a store that is one too far must not
// reach the elements of the next chunk. Values alone need no memory in between, because the last element
// that is kept is known.
#ifdef SHAPE_CPU
KERNEL selectwrite(CTX_K SRC_P LEFT_P VALUES_P INDICES_P REST_P GLOBAL const i64 *before, i64 base, i64 n, i64 chunk COUNT_P) {
	LIMIT(n);
	i64 lo = group_id() * chunk, hi = lo + chunk < n ? lo + chunk : n, at = before[group_id()];
#if defined(VALUES) && !defined(INDICES) && !defined(REST)
	i64 end = before[group_id() + 1];
	if (at == end)
		return;
	T left = LEFT_OF(lo);
	for (; at < end && lo < hi; lo++) {
		T x = load(CTX_A SRC_A lo);
		values[at] = x;
		at += KEEPS(lo, left, x);
		left = x;
	}
#else
#ifdef VALUES
	T kept[STAGED];
#endif
#ifdef REST
	T others[STAGED];
#endif
#ifdef INDICES
	i64 where[STAGED];
#endif
	for (; lo < hi; lo += STAGED) {
		int some = hi - lo < STAGED ? (int)(hi - lo) : STAGED, k = 0;
		T left = LEFT_OF(lo);
		for (int j = 0; j < some; j++) {
			T x = load(CTX_A SRC_A lo + j);
#ifdef VALUES
			kept[k] = x;
#endif
#ifdef REST
			others[j - k] = x;
#endif
#ifdef INDICES
			where[k] = base + lo + j;
#endif
			k += KEEPS(lo + j, left, x);
			left = x;
		}
		for (int j = 0; j < k; j++) {
#ifdef VALUES
			values[at + j] = kept[j];
#endif
#ifdef INDICES
			indices[at + j] = where[j];
#endif
		}
#ifdef REST
		for (int j = 0; j < some - k; j++)
			rest[lo - at + j] = others[j];
#endif
		at += k;
	}
#endif
}
#else
KERNEL_OF(LANES, 2) selectwrite(CTX_K SRC_P LEFT_P VALUES_P INDICES_P REST_P GLOBAL const i64 *before, i64 base, i64 n, i64 chunk COUNT_P) {
	LOCAL int upto[LANES];
	LIMIT(n);
	i64 lo = group_id() * chunk, hi = lo + chunk < n ? lo + chunk : n, at = before[group_id()];
	int lane = (int)lane_id();
	for (; lo < hi; lo += LANES) {
		i64 i = lo + lane;
		T x;
		int keeps = 0;
		if (i < hi) {
			x = load(CTX_A SRC_A i);
			keeps = KEEPS(i, LEFT_OF(i), x);
		}
		upto[lane] = keeps;
		for (int d = 1; d < LANES; d *= 2) {
			BARRIER();
			int add = lane >= d ? upto[lane - d] : 0;
			BARRIER();
			upto[lane] += add;
		}
		BARRIER();
		i64 to = at + upto[lane] - 1;
		if (keeps) {
#ifdef VALUES
			values[to] = x;
#endif
#ifdef INDICES
			indices[to] = base + i;
#endif
		}
#ifdef REST
		if (i < hi && !keeps)
			rest[i - to - 1] = x;
#endif
		at += upto[LANES - 1];
		BARRIER();
	}
}
#endif
