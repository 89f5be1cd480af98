// sortsample stores n elements, or the bits of their keys, beginning with element lo, step apart, from element at
// of the result on.
#ifdef KEYS
#define SAMPLE_T u64
#define SAMPLE(x) (u64)KEY_OF(x)
#else
#define SAMPLE_T T
#define SAMPLE(x) (x)
#endif

KERNEL sortsample(CTX_K SRC_P GLOBAL SAMPLE_T *out, i64 at, i64 lo, i64 step, i64 n) {
#ifdef SHAPE_CPU
	for (i64 k = group_id() * n / groups(); k < (group_id() + 1) * n / groups(); k++) {
#else
	i64 k = group_id() * lanes() + lane_id();
	if (k < n) {
#endif
		T x = load(CTX_A SRC_A lo + k * step);
		out[at + k] = SAMPLE(x);
	}
}
