// visit(i), for its effect on out-views; chunk elements a work-item where a
// CPU runs it
KERNEL each(CTX_K SRC_P i64 n, i64 chunk) {
	i64 lo = (group_id() * lanes() + lane_id()) * chunk, hi = lo + chunk < n ? lo + chunk : n;
	for (i64 i = lo; i < hi; i++)
		visit(CTX_A SRC_A i);
}
