// sortstarts turns the counts of sortcount into the places where each chunk begins to write each value: the
// second launch of a pass on devices without warps. It has one group.
KERNEL sortstarts(CTX_K GLOBAL u64 *counts, i64 n) {
#ifdef SHAPE_CPU
	u64 before = 0;
	for (i64 i = 0; i < n; i++) {
		u64 c = counts[i];
		counts[i] = before;
		before += c;
	}
#else
	LOCAL u64 sums[2][LANES];
	int lane = (int)lane_id(), from = 0;
	i64 lo = lane * n / LANES, hi = (lane + 1) * n / LANES;
	u64 sum = 0;
	for (i64 i = lo; i < hi; i++)
		sum += counts[i];
	sums[0][lane] = sum;
	for (int k = 1; k < LANES; k *= 2) {
		BARRIER();
		sums[from ^ 1][lane] = sums[from][lane] + (lane >= k ? sums[from][lane - k] : 0);
		from ^= 1;
	}
	u64 before = sums[from][lane] - sum;
	for (i64 i = lo; i < hi; i++) {
		u64 c = counts[i];
		counts[i] = before;
		before += c;
	}
#endif
}
