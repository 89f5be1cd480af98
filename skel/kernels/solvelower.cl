// solvelower computes the p x m matrix X with LX = B for each L of a stack of lower triangles and each B of another
// stack; with TRANSPOSED, L'X = B, and with INVERSE, B is the identity. Element (i, c) is B(i, c) minus
// L(i, k) * X(k, c) for k = 0, 1, ..., i - 1, each by a fused multiply-add, and then divided by L(i, i).
// L' is read from its last row and column on, which makes a lower triangle of it.
//
// A group computes WIDTH columns at a time on a GPU, and all on a CPU. Where both fit in local memory, they are
// STAGED.
#ifdef TRANSPOSED
#define TURNED(i) (p - 1 - (i))
#define L(i, k) AT_LOWER(TURNED(k), TURNED(i))
#else
#define TURNED(i) (i)
#define L(i, k) AT_LOWER(i, k)
#endif

#ifdef STAGED
#define AT_LOWER(i, k) a[LOWER(i, k)]
#define X(i, c) x[(i) * WIDTH + (c)]
#else
#define AT_LOWER(i, k) l[(i64)(i) * p + (k)]
#define X(i, c) to[(i64)TURNED(i) * m + (c)]
#endif

#ifdef INVERSE
#define B(at, i, c) ((T)((i) == (c)))
#define FIRST first
#define LAST(i) ((i) + 1 - first < width ? (i) + 1 - first : width)
#else
#define B(at, i, c) load(CTX_A SRC_A at)
#define FIRST 0
#define LAST(i) width
#endif

DENSE_KERNEL solvelower(CTX_K SRC_P const GLOBAL T *lower, GLOBAL T *out, i64 count, i32 p, i32 m STAGED_P) {
#ifdef STAGED
	DYNAMIC(room);
	LOCAL_PTR T *a = (LOCAL_PTR T *)room, *x = a + LOWER(p, 0);
#endif
#ifdef SHAPE_CPU
	i64 tiles = 1;
#else
	i64 tiles = (m + WIDTH - 1) / WIDTH;
#endif
	for (i64 g = group_id(); g < count * tiles; g += groups()) {
		i64 matrix = g / tiles;
		const GLOBAL T *l = lower + matrix * p * p;
#ifdef SHAPE_CPU
		int first = 0, width = m;
#else
		int first = (int)(g % tiles) * WIDTH, width = m - first < WIDTH ? m - first : WIDTH;
#endif
		i64 base = matrix * p * m + first;
		GLOBAL T *to = out + base;
#ifdef STAGED
		for (int i = LANE / 32; i < p; i += LANES / 32)
			for (int k = LANE % 32; k <= i; k += 32)
				AT_LOWER(i, k) = l[i * p + k];
#endif
		EACH_ROW(i, 0, p) {
			EACH_COLUMN(c, 0, width)
				X(i, c) = B(base + (i64)TURNED(i) * m + c, i, first + c);
		}
		SYNC();
		EACH_ROW(i, FIRST, FIRST + 1) {
			EACH_COLUMN(c, 0, LAST(i))
				X(i, c) = X(i, c) / L(i, i);
		}
		SYNC();
		for (int k = FIRST; k + 1 < p; k++) {
			EACH_ROW(i, k + 1, p) {
				T s = L(i, k);
				EACH_COLUMN(c, 0, LAST(k))
					X(i, c) = FMA(-s, X(k, c), X(i, c));
				if (i == k + 1) {
					EACH_COLUMN(c, 0, LAST(i))
						X(i, c) = X(i, c) / L(i, i);
				}
			}
			SYNC();
		}
#ifdef STAGED
		EACH_ROW(i, 0, p) {
			EACH_COLUMN(c, 0, width)
				to[(i64)TURNED(i) * m + c] = x[i * WIDTH + c];
		}
		SYNC();
#endif
	}
}
