// sortkeys computes what later launches read: the bits of all keys with KEEP_KEYS, and the elements with KEEP.
#ifdef KEEP_KEYS
#define KEYS_P , GLOBAL KEY_U *keys
#define PUT_KEY(i, x) keys[i] = KEY_OF(x);
#else
#define KEYS_P
#define PUT_KEY(i, x)
#endif
#ifdef KEEP
#define KEPT_P , GLOBAL T *kept
#define PUT_ELEMENT(i, x) kept[i] = x;
#else
#define KEPT_P
#define PUT_ELEMENT(i, x)
#endif

KERNEL sortkeys(CTX_K SRC_P i64 n, i64 chunk KEYS_P KEPT_P) {
#ifdef SHAPE_CPU
	i64 lo = group_id() * chunk, hi = lo + chunk < n ? lo + chunk : n;
	for (i64 i = lo; i < hi; i++) {
#else
	i64 i = group_id() * lanes() + lane_id();
	if (i < n) {
#endif
		T x = load(CTX_A SRC_A i);
		PUT_KEY(i, x)
		PUT_ELEMENT(i, x)
	}
}
