// factorr computes the factor R of each block of rows of a matrix, by Householder's reflections (skel/dense_qr.go).
// R is zero first. The rows of a block are reflected into it in slabs of SLAB rows, which are padded with zeros:
// for each column j, a reflection of R(j, j) and of column j of the slab makes the column zero. It subtracts from
// the slab a multiple of column j, v, in each column x to the right:
//
//	alpha = R(j, j), sigma = v'v, d = v'x, s = sqrt(alpha^2 + sigma), r = R(j, k)
//	R(j, j) becomes s, R(j, k) becomes (alpha r + d) / s
//	x becomes x - v ((alpha + s) / sigma d - r) / s
//
// v'v and v'x are sums over each of SEGMENTS runs of RUN rows, from 0 on, which are added in pairs. Runs of padding only
// are left out, and their sums are 0. If squares might overflow or underflow, v and alpha are multiplied by a power of
// two before.
#define SEGMENTS 4
#define RUN 32
#define SLAB (SEGMENTS * RUN)

// Squares of a column's elements are accurate if their sum is between SMALL and LARGE. If sigma is at most NEGLIGIBLE
// alpha^2, the column changes alpha by less than its last bit, and is ignored.
#ifdef DOUBLE
#define SMALL POWER_OF_2(-400)
#define LARGE POWER_OF_2(400)
#define NEGLIGIBLE POWER_OF_2(-110)
#else
#define SMALL POWER_OF_2(-30)
#define LARGE POWER_OF_2(60)
#define NEGLIGIBLE POWER_OF_2(-52)
#endif

// extreme reports whether the squares of the elements of a column may be inaccurate.
FUNC int extreme(T alpha, T sigma) {
	T sum = FMA(alpha, alpha, sigma);
	return !(sum >= SMALL && sum <= LARGE);
}

typedef struct {
	T alpha, diagonal, inverse, slope; // R(j, j), scaled; s; 1 / s, scaled; (alpha + s) / sigma
	int none;                          // there is nothing to reflect
} reflection;

FUNC reflection reflect(T alpha, T sigma, T scale) {
	reflection h;
	h.alpha = alpha * scale;
	h.none = sigma <= h.alpha * h.alpha * NEGLIGIBLE;
	T s = SQRT(FMA(h.alpha, h.alpha, sigma));
	h.diagonal = h.none ? alpha : s / scale;
	h.inverse = 1 / s;
	h.slope = (h.alpha + s) / sigma;
	return h;
}

#ifdef IN_REGISTERS
// A group on a GPU holds a slab in registers: lane s * WIDTH + k has run s of column k. Column j is copied to local
// memory, from where all lanes read it, and so are the sums of the runs. Blocks of few rows have only RUNS runs.
#define PER ((int)(16 / sizeof(T)))
#define STRIDE (RUN + PER) // between the runs of a column, so that they begin in different banks
typedef union {
	T e[PER];
	skel_v16 v;
} pack;
#define EACH_PACK(i) UNROLL for (int i = 0; i < RUN; i += PER)
#define EACH_OF_PACK(e) UNROLL for (int e = 0; e < PER; e++)
#define READ_PACK(from, i) \
	pack v; \
	v.v = *(LOCAL_PTR const skel_v16 *)((from) + (i));

#ifdef STAGED
#define R(j, k) a[LOWER(k, j)]
#else
#define R(j, k) r[(j) * p + (k)]
#endif

// sum_of adds the sums of the runs. Adding 0 makes 0 of -0.
FUNC T sum_of(LOCAL_PTR const T *parts) {
#if RUNS == 4
	return (parts[0] + parts[1]) + (parts[2] + parts[3]);
#elif RUNS == 2
	return (parts[0] + parts[1]) + 0;
#else
	return parts[0] + 0;
#endif
}

// publish copies a run of a column to local memory.
FUNC void publish(LOCAL_PTR T *to, const T *x) {
	EACH_PACK(i) {
		pack v;
		EACH_OF_PACK(e) v.e[e] = x[i + e];
		*(LOCAL_PTR skel_v16 *)(to + i) = v.v;
	}
}

KERNEL_OF(LANES, RESIDENT) factorr(CTX_K SRC_P GLOBAL T *out, i64 rows, i64 block, i64 count, i32 p DYNAMIC_P) {
	DYNAMIC(room);
	LOCAL_PTR T *columns = (LOCAL_PTR T *)room, *parts = columns + 2 * RUNS * STRIDE;
#ifdef STAGED
	LOCAL_PTR T *a = parts + RUNS * WIDTH;
#endif
	int k = LANE % WIDTH, s = LANE / WIDTH;
	for (i64 b = group_id(); b < count; b += groups()) {
		i64 first = b * block, last = first + block < rows ? first + block : rows;
		GLOBAL T *r = out + b * p * p;
		if (s == 0 && k < p) {
			for (int j = 0; j <= k; j++)
				R(j, k) = 0;
		}
		for (i64 at = first; at < last; at += SLAB) {
			T x[RUN], next = 0;
			i64 row = at + s * RUN;
			int empty = row >= last;
			UNROLL
			for (int i = 0; i < RUN; i++)
				x[i] = k < p && row + i < last ? load(CTX_A SRC_A (row + i) * p + k) : 0;
			if (k == 0)
				publish(columns + s * STRIDE, x);
			BARRIER();
			for (int j = 0; j < p; j++) {
				int mine = k >= j && k < p;
				LOCAL_PTR const T *column = columns + (j & 1) * (RUNS * STRIDE), *run = column + s * STRIDE;
				if (mine) {
					T d = 0;
					if (!empty) {
						EACH_PACK(i) {
							READ_PACK(run, i)
							EACH_OF_PACK(e) d = FMA(v.e[e], x[i + e], d);
						}
					}
					parts[k * RUNS + s] = d;
				}
				if (s == 0 && k < p && k + 1 >= j && j > 0)
					R(j - 1, k) = next; // not before all lanes have read it
				BARRIER();
				T alpha = R(j, j), sigma = sum_of(parts + j * RUNS), scale = 1;
				int scaled = extreme(alpha, sigma);
				if (scaled) { // for all lanes
					T most = larger(0, alpha);
					for (int i = 0; i < RUNS * RUN; i++)
						most = larger(most, column[i / RUN * STRIDE + i % RUN]);
					scale = scale_for(most);
					BARRIER();
					if (mine && !empty) {
						T d = 0;
						EACH_PACK(i) {
							READ_PACK(run, i)
							EACH_OF_PACK(e) d = FMA(v.e[e] * scale, k == j ? v.e[e] * scale : x[i + e], d);
						}
						parts[k * RUNS + s] = d;
					}
					BARRIER();
					sigma = sum_of(parts + j * RUNS);
				}
				if (mine) {
					reflection h = reflect(alpha, sigma, scale);
					next = R(j, k);
					if (k == j) {
						next = h.diagonal;
					} else if (!h.none) {
						T d = sum_of(parts + k * RUNS), y = FMA(h.slope, d, -next) * h.inverse;
						next = FMA(h.alpha, next, d) * h.inverse;
						if (scaled && !empty) {
							EACH_PACK(i) {
								READ_PACK(run, i)
								EACH_OF_PACK(e) x[i + e] = FMA(-(v.e[e] * scale), y, x[i + e]);
							}
						} else if (!empty) {
							EACH_PACK(i) {
								READ_PACK(run, i)
								EACH_OF_PACK(e) x[i + e] = FMA(-v.e[e], y, x[i + e]);
							}
						}
					}
					if (k == j + 1)
						publish(columns + (k & 1) * (RUNS * STRIDE) + s * STRIDE, x);
				}
				BARRIER();
			}
			if (s == 0 && k == p - 1)
				R(k, k) = next;
			BARRIER();
		}
		BARRIER();
		EACH_LANE(i, 0, p * p)
			r[i] = i / p > i % p ? 0 : R(i / p, i % p);
		BARRIER();
	}
}
#else
// A slab is in global memory, followed by the sums of its runs and by a row of what the columns are reflected by.
#define R(j, k) r[(i64)(j) * p + (k)]
#define X(i, k) x[(i64)(i) * p + (k)]
#define PART(s, k) parts[(i64)(s) * p + (k)]
#define SUM(k) ((PART(0, k) + PART(1, k)) + (PART(2, k) + PART(3, k)))

// HEIGHT_OF returns the number of rows of a run that are computed. On a CPU a run needs at most one row of padding,
// because the others would remain equal to it.
#ifdef SHAPE_CPU
#define HEIGHT_OF(s) (last - at <= (s) * RUN ? 0 : last - at < ((s) + 1) * RUN ? (int)(last - at) - (s) * RUN + 1 : RUN)
#else
#define HEIGHT_OF(s) (last - at <= (s) * RUN ? 0 : RUN)
#endif

// sum_runs sums up the products of column j, scaled, and the columns from j on.
FUNC void sum_runs(const GLOBAL T *x, GLOBAL T *parts, i64 at, i64 last, int p, int j, T scale) {
#ifdef SHAPE_CPU
	for (int s = 0; s < SEGMENTS; s++) {
		for (int k = j; k < p; k++)
			PART(s, k) = 0;
		for (int i = s * RUN; i < s * RUN + HEIGHT_OF(s); i++) {
			T v = X(i, j) * scale;
			PART(s, j) = FMA(v, v, PART(s, j));
			for (int k = j + 1; k < p; k++)
				PART(s, k) = FMA(v, X(i, k), PART(s, k));
		}
	}
#else
	EACH_LANE(each, 0, SEGMENTS * (p - j)) {
		int s = each / (p - j), k = j + each % (p - j);
		T d = 0;
		for (int i = s * RUN; i < s * RUN + HEIGHT_OF(s); i++) {
			T v = X(i, j) * scale;
			d = FMA(v, k == j ? v : X(i, k), d);
		}
		PART(s, k) = d;
	}
#endif
}

DENSE_KERNEL factorr(CTX_K SRC_P GLOBAL T *out, i64 rows, i64 block, i64 count, i32 p, GLOBAL T *work) {
	GLOBAL T *x = work + group_id() * (SLAB + SEGMENTS + 1) * p, *parts = x + SLAB * p, *y = parts + SEGMENTS * p;
	for (i64 b = group_id(); b < count; b += groups()) {
		i64 first = b * block, last = first + block < rows ? first + block : rows;
		GLOBAL T *r = out + b * p * p;
		EACH_ROW(i, 0, p) {
			EACH_COLUMN(k, 0, p)
				R(i, k) = 0;
		}
		for (i64 at = first; at < last; at += SLAB) {
			for (int s = 0; s < SEGMENTS; s++) {
				EACH_ROW(i, s * RUN, s * RUN + HEIGHT_OF(s)) {
					EACH_COLUMN(k, 0, p)
						X(i, k) = at + i < last ? load(CTX_A SRC_A (at + i) * p + k) : 0;
				}
			}
			SYNC();
			for (int j = 0; j < p; j++) {
				T scale = 1, alpha = R(j, j);
				sum_runs(x, parts, at, last, p, j, scale);
				SYNC();
				T sigma = SUM(j);
				if (extreme(alpha, sigma)) {
					T most = larger(0, alpha);
					for (int s = 0; s < SEGMENTS; s++)
						for (int i = s * RUN; i < s * RUN + HEIGHT_OF(s); i++)
							most = larger(most, X(i, j));
					scale = scale_for(most);
					SYNC();
					sum_runs(x, parts, at, last, p, j, scale);
					SYNC();
					sigma = SUM(j);
				}
				reflection h = reflect(alpha, sigma, scale);
				if (!h.none) {
					EACH_LANE(k, j + 1, p) {
						T d = SUM(k), next = R(j, k);
						y[k] = FMA(h.slope, d, -next) * h.inverse;
						R(j, k) = FMA(h.alpha, next, d) * h.inverse;
					}
					SYNC();
					if (LANE == 0)
						R(j, j) = h.diagonal;
					for (int s = 0; s < SEGMENTS; s++) {
						EACH_ROW(i, s * RUN, s * RUN + HEIGHT_OF(s)) {
							T v = X(i, j) * scale;
							EACH_COLUMN(k, j + 1, p)
								X(i, k) = FMA(-v, y[k], X(i, k));
						}
					}
				}
				SYNC();
			}
		}
		SYNC();
	}
}
#endif
