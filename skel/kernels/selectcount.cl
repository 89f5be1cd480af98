// selectcount and selectwrite are the two phases of a selection on devices without warps. A work-item of a
// CPU, or a group of a GPU, takes `chunk` consecutive elements. selectcount counts the elements that it
// keeps; the last group to arrive turns the counts into the numbers of elements kept before each chunk.
#ifdef SHAPE_CPU
KERNEL selectcount(CTX_K SRC_P LEFT_P GLOBAL i64 *before, GLOBAL i64 *count, REST_COUNT_P GLOBAL u32 *counter, i64 n, i64 chunk COUNT_P) {
	LIMIT(n);
	i64 lo = group_id() * chunk, hi = lo + chunk < n ? lo + chunk : n;
	i64 kept = 0;
#ifdef NEIGHBOURS
	if (lo < hi) {
		kept = KEEPS(lo, LEFT_OF(lo), load(CTX_A SRC_A lo));
		lo++;
	}
	for (i64 i = lo; i < hi; i++)
		kept += !same(CTX_A SRC_A load(CTX_A SRC_A i - 1), load(CTX_A SRC_A i));
#else
	for (i64 i = lo; i < hi; i++)
		kept += KEEPS(i, x, load(CTX_A SRC_A i));
#endif
	before[group_id()] = kept;
	if (!arrive_last(counter))
		return;
	i64 sum = 0;
	for (i64 g = 0; g < groups(); g++) {
		i64 k = before[g];
		before[g] = sum;
		sum += k;
	}
	before[groups()] = sum;
	count[0] = sum;
	PUT_REST_COUNT(n - sum);
}
#else
KERNEL_OF(LANES, 2) selectcount(CTX_K SRC_P LEFT_P GLOBAL i64 *before, GLOBAL i64 *count, REST_COUNT_P GLOBAL u32 *counter, i64 n, i64 chunk COUNT_P) {
	LOCAL i64 sums[LANES];
	LOCAL int last;
	LIMIT(n);
	i64 lo = group_id() * chunk, hi = lo + chunk < n ? lo + chunk : n, kept = 0;
	int lane = (int)lane_id();
	for (i64 i = lo + lane; i < hi; i += LANES)
		kept += KEEPS(i, LEFT_OF(i), load(CTX_A SRC_A i));
	sums[lane] = kept;
	for (int d = LANES / 2; d > 0; d /= 2) {
		BARRIER();
		if (lane < d)
			sums[lane] += sums[lane + d];
	}
	if (lane == 0) {
		before[group_id()] = sums[0];
		last = arrive_last(counter);
	}
	BARRIER();
	if (!last)
		return;
	i64 per = (groups() + LANES - 1) / LANES, first = lane * per, end = first + per < groups() ? first + per : groups();
	kept = 0;
	for (i64 g = first; g < end; g++)
		kept += before[g];
	sums[lane] = kept;
	for (int d = 1; d < LANES; d *= 2) {
		BARRIER();
		i64 add = lane >= d ? sums[lane - d] : 0;
		BARRIER();
		sums[lane] += add;
	}
	BARRIER();
	i64 sum = sums[lane] - kept;
	for (i64 g = first; g < end; g++) {
		i64 k = before[g];
		before[g] = sum;
		sum += k;
	}
	if (lane == LANES - 1) {
		count[0] = sums[lane];
		PUT_REST_COUNT(n - sums[lane]);
	}
}
#endif
