// each calls visit(i) for i = 0 ... n - 1, for its effect on out-views. A work-item takes `chunk`
// consecutive elements: many on a CPU, one on a GPU.
KERNEL each(CTX_K SRC_P i64 n, i64 chunk COUNT_P) {
	LIMIT(n);
	i64 lo = (group_id() * lanes() + lane_id()) * chunk;
#ifdef COUNTED // the grid may be smaller than n
	for (; lo < n; lo += groups() * lanes() * chunk)
#endif
	{
		i64 hi = lo + chunk < n ? lo + chunk : n;
		for (i64 i = lo; i < hi; i++)
			visit(CTX_A SRC_A i);
	}
}
