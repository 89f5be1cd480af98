// keyorder sets mixed[0], which is 0 at first, unless the keys are sorted.
#ifdef SHAPE_CPU
KERNEL keyorder(CTX_K GLOBAL const i32 *of, GLOBAL i32 *mixed, i64 n, u32 most) {
	i64 lo = n * group_id() / groups(), hi = n * (group_id() + 1) / groups();
	for (i64 i = lo > 1 ? lo : 1; i < hi; i++)
		if (KEY(of[i - 1]) > KEY(of[i])) {
			mixed[0] = 1;
			return;
		}
}
#else
// A group checks EACH keys per lane. Groups that start after the first disorder was found do nothing.
#define EACH 16
KERNEL_OF(LANES, 4) keyorder(CTX_K GLOBAL const i32 *of, GLOBAL i32 *mixed, i64 n, u32 most) {
	if (mixed[0] != 0)
		return;
	int wrong = 0;
	i64 first = group_id() * LANES * EACH + lane_id();
	UNROLL
	for (int j = 0; j < EACH; j++) {
		i64 i = first + j * LANES;
		if (i > 0 && i < n)
			wrong |= KEY(of[i - 1]) > KEY(of[i]);
	}
	if (wrong)
		mixed[0] = 1;
}
#endif
