// out[i] = load(i), chunk elements a work-item where a CPU runs it
#ifdef SHAPE_CPU
// Out is restrict, so that a compiler need not compare addresses to make vectors of
// the loop: load reads out through that pointer or not at all. THROUGH_OUT assigns
// out to the inputs that are the same memory. Nothing is promised about iterations,
// which share a function's local arrays once it is inlined.
#ifndef THROUGH_OUT
#define THROUGH_OUT
#endif
KERNEL map(CTX_K SRC_P GLOBAL T *RESTRICT out, i64 n, i64 chunk) {
	THROUGH_OUT
	i64 lo = group_id() * chunk, hi = lo + chunk < n ? lo + chunk : n;
	for (i64 i = lo; i < hi; i++)
		out[i] = load(CTX_A SRC_A i);
}
#else
// A lane takes CHUNK elements, which it reads and writes as whole vectors. More
// vectors a lane were slower on an H200. A function for two elements at once
// (TWICE) uses all registers that it is left: with more than 128 it was slower.
#ifdef TWICE
#define MAP KERNEL_OF(LANES, 2)
#else
#define MAP KERNEL
#endif
MAP map(CTX_K SRC_P GLOBAL T *out, i64 n, i64 chunk) {
	i64 base = group_id() * (LANES * CHUNK), first = base + lane_id() * CHUNK;
	union {
		T e[CHUNK];
		OUT_VECTOR v[CHUNK * sizeof(T) / sizeof(OUT_VECTOR)];
	} r;
	if (base + LANES * CHUNK > n) { // all are read, then all are written: one wait
		UNROLL
		for (int k = 0; k < CHUNK; k++)
			if (base + k * LANES + lane_id() < n)
				r.e[k] = load(CTX_A SRC_A base + k * LANES + lane_id());
		UNROLL
		for (int k = 0; k < CHUNK; k++)
			if (base + k * LANES + lane_id() < n)
				out[base + k * LANES + lane_id()] = r.e[k];
		return;
	}
	load_chunk(CTX_A SRC_A first, r.e);
	UNROLL
	for (int k = 0; k < (int)(CHUNK * sizeof(T) / sizeof(OUT_VECTOR)); k++)
		((GLOBAL OUT_VECTOR *)(out + first))[k] = r.v[k];
}
#endif
