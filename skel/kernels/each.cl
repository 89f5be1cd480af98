// visit(i), for its effect on out-views
KERNEL each(CTX_K SRC_P i64 n) {
	i64 i = group_id() * lanes() + lane_id();
	if (i < n)
		visit(CTX_A SRC_A i);
}
