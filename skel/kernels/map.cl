// map computes out[i] = load(i), where load is the fused expression of maps and zips. On a CPU a
// work-item takes `chunk` consecutive elements. On a GPU a group takes LANES * CHUNK elements.
#ifdef SHAPE_CPU
// out is restrict, so that the compiler can vectorize the loop without comparing addresses: load
// reads this memory through out or not at all, since THROUGH_OUT assigns out to the inputs that
// are the same memory. Iterations are not declared independent: once a function is inlined, they
// share its local arrays.
#ifndef THROUGH_OUT
#define THROUGH_OUT
#endif
KERNEL map(CTX_K SRC_P GLOBAL T *RESTRICT out, i64 n, i64 chunk COUNT_P) {
	THROUGH_OUT
	LIMIT(n);
	i64 lo = group_id() * chunk, hi = lo + chunk < n ? lo + chunk : n;
	for (i64 i = lo; i < hi; i++)
		out[i] = load(CTX_A SRC_A i);
}
#else
// A lane reads and writes its CHUNK elements as whole vectors; more vectors per lane were slower on
// an H200. A function for two elements at once (TWICE, docs/adr/0010) takes as many registers as it
// may: KERNEL_OF limits it to 128, since more were slower.
#ifdef TWICE
#define MAP KERNEL_OF(LANES, 2)
#else
#define MAP KERNEL
#endif
MAP map(CTX_K SRC_P GLOBAL T *out, i64 n, i64 chunk COUNT_P) {
	LIMIT(n);
	i64 base = group_id() * (LANES * CHUNK);
#ifdef COUNTED // the grid may be smaller than n
	for (; base < n; base += groups() * (LANES * CHUNK))
#endif
	{
		i64 first = base + lane_id() * CHUNK;
		union {
			T e[CHUNK];
			OUT_VECTOR v[CHUNK * sizeof(T) / sizeof(OUT_VECTOR)];
		} r;
#ifdef COMPUTED // from the indices alone; a loop keeps this rare case from costing registers
		if (base + LANES * CHUNK > n) {
			ROLLED
			for (i64 i = base + lane_id(); i < n; i += LANES)
				out[i] = load(CTX_A SRC_A i);
			return;
		}
#else
		if (base + LANES * CHUNK > n) { // read all, then write all: the lane waits for memory once
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
#endif
		load_chunk(CTX_A SRC_A first, r.e);
		UNROLL
		for (int k = 0; k < (int)(CHUNK * sizeof(T) / sizeof(OUT_VECTOR)); k++)
			((GLOBAL OUT_VECTOR *)(out + first))[k] = r.v[k];
	}
}
#endif
