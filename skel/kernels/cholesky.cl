// cholesky computes L with LL' = A for each matrix A of a stack. Element (i, j) is A(i, j) minus L(i, k) * L(j, k)
// for k = 0, 1, ..., j - 1, each by a fused multiply-add, and then divided by the diagonal. A pivot that is not
// positive and finite is NaN.
//
// Column j + 1 is finished while column j is subtracted from the columns after it, so there is one barrier for
// each column. Pivots are stored one step later, because all lanes compute them from the same element.

// A staged matrix is a packed triangle. Otherwise the result holds the matrix, and above its diagonal L', so that
// neighbouring lanes, or the steps of a loop, read neighbours.
#ifdef STAGED
#define A(i, j) a[LOWER(i, j)]
#define COLUMN(i, j) A(i, j)
#define SET_COLUMN(i, j, x) A(i, j) = (x)
#else
#define A(i, j) l[(i64)(i) * p + (j)]
#define COLUMN(i, j) A(j, i)
#define SET_COLUMN(i, j, x) A(i, j) = A(j, i) = (x)
#endif

FUNC T pivot(T x) { return x > 0 && x - x == 0 ? SQRT(x) : NOT_A_NUMBER; }

DENSE_KERNEL cholesky(CTX_K SRC_P GLOBAL T *out, i64 count, i32 p STAGED_P) {
#ifdef STAGED
	DYNAMIC(room);
	LOCAL_PTR T *a = (LOCAL_PTR T *)room;
#endif
	for (i64 m = group_id(); m < count; m += groups()) {
		i64 base = m * p * p;
		GLOBAL T *l = out + base;
		EACH_ROW(i, 0, p) {
			EACH_COLUMN(j, 0, i + 1)
				A(i, j) = load(CTX_A SRC_A base + (i64)i * p + j);
		}
		SYNC();
		T d = pivot(A(0, 0));
		EACH_LANE(i, 1, p) {
			T x = A(i, 0) / d;
			SET_COLUMN(i, 0, x);
		}
		SYNC();
		for (int j = 0; j + 1 < p; j++) {
			if (LANE == 0)
				A(j, j) = d;
			if (LANE == 0 || LANE + j + 2 < p) {
				T s = COLUMN(j + 1, j);
				d = pivot(FMA(-s, s, A(j + 1, j + 1)));
				EACH_LANE(i, j + 2, p) {
					T x = FMA(-COLUMN(i, j), s, A(i, j + 1)) / d;
					SET_COLUMN(i, j + 1, x);
				}
			}
			EACH_ROW(i, j + 2, p) {
				T s = COLUMN(i, j);
				EACH_COLUMN(k, j + 2, i + 1)
					A(i, k) = FMA(-s, COLUMN(k, j), A(i, k));
			}
			SYNC();
		}
		if (LANE == 0)
			A(p - 1, p - 1) = d;
		SYNC();
		EACH_ROW(i, 0, p) {
#ifdef STAGED
			EACH_COLUMN(j, 0, i + 1)
				l[i * p + j] = A(i, j);
#endif
			EACH_COLUMN(j, i + 1, p)
				l[(i64)i * p + j] = 0;
		}
		SYNC();
	}
}
