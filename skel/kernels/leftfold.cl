// leftfold computes out[0] = the left fold of seed (with SEEDED) and all n elements. A scan over
// several devices uses it for what precedes a device's part. The elements are few and their order is
// fixed, so one work-item combines them.
#ifdef SHAPE_CPU
KERNEL leftfold(CTX_K SRC_P GLOBAL const T *seed, GLOBAL T *out, i64 n) {
	i64 i = 0;
#ifdef SEEDED
	T a = seed[0];
#else
	T a = load(CTX_A SRC_A i++);
#endif
	for (; i < n; i++)
		a = op(CTX_A SRC_A a, load(CTX_A SRC_A i));
	out[0] = a;
}
#else
// Lane 0 folds; all lanes of the group load, one block of RUNS elements ahead.
KERNEL_OF(RUNS, 1) leftfold(CTX_K SRC_P GLOBAL const T *seed, GLOBAL T *out, i64 n) {
	LOCAL T here[RUNS];
	int lane = (int)lane_id(), has = 0;
	T a, next;
#ifdef SEEDED
	a = seed[0];
	has = 1;
#endif
	if (lane < n)
		next = load(CTX_A SRC_A (i64)lane);
	for (i64 base = 0; base < n; base += RUNS) {
		BARRIER();
		if (base + lane < n)
			here[lane] = next;
		BARRIER();
		if (base + RUNS + lane < n)
			next = load(CTX_A SRC_A base + RUNS + lane);
		if (lane == 0) {
			int count = n - base < RUNS ? (int)(n - base) : RUNS, k = has ? 0 : 1;
			if (!has)
				a = here[0];
			has = 1;
			for (; k < count; k++)
				a = op(CTX_A SRC_A a, here[k]);
		}
	}
	if (lane == 0)
		out[0] = a;
}
#endif
