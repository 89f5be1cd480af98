// Windows of stencils whose radius is too large for local memory (overlapfar.cl). A window is a
// position; each access finds its element in global memory, applying the padding.
#ifndef OF_INPUT
#define OF_INPUT(T, w, i) (w)->p[i]
#endif
#undef WINDOW
#undef WINDOW_AT
#define WINDOW(T, name) \
	typedef struct { GLOBAL const T *p, *halo; T outside; i64 i, j, rows, cols; i32 ends; } name; \
	FUNC T name##_at(const name *w, i64 i, i64 j) { \
		skel_place from = skel_find(w->i + i, w->j + j, w->rows, w->cols, w->ends); \
		return from.buffer == 1 ? OF_INPUT(T, w, from.at) : from.buffer == 2 ? w->halo[from.at] : w->outside; \
	} \
	struct skel_semicolon
#define WINDOW_AT(w, dr, dc, site) WINDOW_NAME(&(w), CHECK_WINDOW(dr, WINDOW_ROWS, site), CHECK_WINDOW(dc, WINDOW_COLS, site))
