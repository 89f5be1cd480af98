// overlapfar computes a MapOverlap whose radius is too large for local memory: out[i] = finish(i,
// stencil(window around element i)). Windows read global memory (far.cl), so the input is materialized.
// A work-item takes `chunk` consecutive elements: many on a CPU, one on a GPU.
#ifdef HALO
#define HALO_P GLOBAL const IN_T *halo, i32 ends,
#else
#define HALO_P
#endif
KERNEL overlapfar(CTX_K SRC_P HALO_P GLOBAL T *out, i64 rows, i64 cols, i64 chunk, IN_T outside) {
	i64 first = (group_id() * lanes() + lane_id()) * chunk, n = rows * cols;
	for (i64 e = first; e < first + chunk && e < n; e++) {
		WINDOW_T w;
		w.p = INPUT;
#ifdef HALO
		w.halo = halo;
		w.ends = ends;
#else
		w.halo = INPUT;
		w.ends = 0;
#endif
		w.outside = outside;
		w.i = e / cols;
		w.j = e % cols;
		w.rows = rows;
		w.cols = cols;
		out[e] = finish(CTX_A SRC_A e, stencil(CTX_A SRC_A w));
	}
}
