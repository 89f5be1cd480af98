// eigensym computes the eigenvalues and eigenvectors of each symmetric matrix of a stack by Jacobi's rotations
// (skel/dense_eigen.go). A sweep has n - 1 rounds, where n is p or p + 1, whichever is even; element n - 1 of an odd p
// is zero. In round r, the n / 2 pairs of rows and columns are (r, n - 1) and, for k = 1, 2, ..., n / 2 - 1,
// (r + k, r - k) modulo n - 1. They have no row in common, so the rotations of a round are computed at the same time.
// The element (i, j) in rows of pair k and columns of a later pair is first rotated by pair k, and then by the other.
//
// The matrix is a packed lower triangle, and the eigenvectors are the rows of a matrix. Both, or the triangle only, are
// in local memory if they fit; the cosines and sines of a round are where the triangle is.
#ifdef STAGED
#define TRIANGLE_T LOCAL_PTR T
#else
#define TRIANGLE_T GLOBAL T
#endif
#ifdef STAGED_VECTORS
#define VECTORS_T LOCAL_PTR T
#else
#define VECTORS_T GLOBAL T
#endif
#define A(i, j) a[(i) > (j) ? LOWER(i, j) : LOWER(j, i)]
#define V(k, i) v[(k) * p + (i)]

#define MOST_SWEEPS 30
// Smaller elements of a matrix whose largest element is between 1 and 2 are as good as zero.
#ifdef DOUBLE
#define NEGLIGIBLE POWER_OF_2(-55)
#else
#define NEGLIGIBLE POWER_OF_2(-26)
#endif

// pair_of returns the smaller and the larger index of pair k of a round.
FUNC void pair_of(int k, int round, int n, int *low, int *high) {
	int m = n - 1, i = round + k < m ? round + k : round + k - m, j = round < k ? round - k + m : round - k;
	if (k == 0)
		j = m;
	*low = i < j ? i : j;
	*high = i < j ? j : i;
}

// ROTATE rotates x and y by the angle with cosine c and sine s.
#define ROTATE(c, s, x, y) \
	do { \
		T old = (x); \
		(x) = FMA(c, old, -((s) * (y))); \
		(y) = FMA(s, old, (c) * (y)); \
	} while (0)

// before reports whether eigenvalue i, x, comes before eigenvalue j, y.
FUNC int before(T x, int i, T y, int j) { return x > y || (x == y && i < j); }

DENSE_KERNEL eigensym(CTX_K SRC_P GLOBAL T *values, GLOBAL T *vectors, i64 count, i32 p, GLOBAL T *work STAGED_P) {
	int n = p + p % 2, pairs = n / 2;
#ifndef STAGED_VECTORS
	GLOBAL T *spare = work + group_id() * (LOWER(n, 0) + n + n * p);
#endif
#ifdef STAGED
	DYNAMIC(room);
	TRIANGLE_T *a = (TRIANGLE_T *)room;
#else
	TRIANGLE_T *a = spare;
#endif
	TRIANGLE_T *angles = a + LOWER(n, 0); // the cosines, and then the sines; at last the order of the eigenvalues
#ifdef STAGED_VECTORS
	VECTORS_T *v = angles + n;
#else
	VECTORS_T *v = spare + LOWER(n, 0) + n;
#endif
#ifdef SHAPE_CPU
	T largest[1];
	int active[2];
#else
	LOCAL T largest[LANES];
	LOCAL int active[2]; // of a sweep, and of the next one
#endif
	for (i64 matrix = group_id(); matrix < count; matrix += groups()) {
		i64 base = matrix * p * p;
		T most = 0;
		EACH_ROW(i, 0, n) {
			EACH_COLUMN(j, 0, i + 1) {
				T x = i < p ? load(CTX_A SRC_A base + (i64)i * p + j) : 0;
				A(i, j) = x;
				most = x - x == 0 ? larger(most, x) : JOINED(SKEL_INF_, T);
			}
			EACH_COLUMN(j, 0, p)
				V(i, j) = i == j;
		}
		largest[LANE] = most;
		if (LANE == 0)
			active[0] = active[1] = 0;
		SYNC();
		for (int i = 0; i < LANES; i++)
			most = larger(most, largest[i]);
		T scale = scale_for(most);
		EACH_LANE(i, 0, LOWER(n, 0))
			a[i] = a[i] * scale;
		SYNC();
		int finite = most - most == 0;
		for (int sweep = 0; sweep < MOST_SWEEPS && finite; sweep++) {
			for (int round = 0; round + 1 < n; round++) {
				EACH_LANE(k, 0, pairs) {
					int low, high;
					pair_of(k, round, n, &low, &high);
					T x = A(high, low), c = 1, s = 0;
					if (x != 0) {
						T theta = (A(high, high) - A(low, low)) / (x + x), size = theta < 0 ? -theta : theta;
						T t = 1 / (size + SQRT(FMA(theta, theta, 1)));
						t = theta < 0 ? -t : t;
						c = 1 / SQRT(FMA(t, t, 1));
						s = t * c;
						A(low, low) = FMA(-t, x, A(low, low));
						A(high, high) = FMA(t, x, A(high, high));
						A(high, low) = 0;
						if (larger(0, x) > NEGLIGIBLE)
							active[sweep % 2] = 1;
					}
					angles[k] = c;
					angles[pairs + k] = s;
				}
				SYNC();
				EACH_ROW(k, 0, pairs) {
					int low, high;
					pair_of(k, round, n, &low, &high);
					T c = angles[k], s = angles[pairs + k];
					EACH_COLUMN(l, k + 1, pairs) {
						int left, right;
						pair_of(l, round, n, &left, &right);
						T d = angles[l], u = angles[pairs + l];
						T w = A(low, left), x = A(low, right), y = A(high, left), z = A(high, right);
						ROTATE(c, s, w, y);
						ROTATE(c, s, x, z);
						ROTATE(d, u, w, x);
						ROTATE(d, u, y, z);
						A(low, left) = w;
						A(low, right) = x;
						A(high, left) = y;
						A(high, right) = z;
					}
					EACH_COLUMN(i, 0, p)
						ROTATE(c, s, V(low, i), V(high, i));
				}
				SYNC();
			}
			if (!active[sweep % 2])
				break;
			SYNC();
			if (LANE == 0)
				active[sweep % 2] = 0;
		}
		SYNC();
		EACH_LANE(i, 0, p) {
			T x = A(i, i);
			int rank = 0;
			for (int j = 0; j < p; j++)
				rank += before(A(j, j), j, x, i);
			angles[finite ? rank : i] = (T)i;
			values[matrix * p + (finite ? rank : i)] = finite ? x / scale : NOT_A_NUMBER;
		}
		SYNC();
		EACH_ROW(i, 0, p) {
			EACH_COLUMN(k, 0, p)
				vectors[base + (i64)i * p + k] = finite ? V((int)angles[k], i) : NOT_A_NUMBER;
		}
		SYNC();
	}
}
