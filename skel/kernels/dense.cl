// What the kernels of small matrices share (skel/dense.go). A stack is the p x p matrices one below the other.
// A group works on one matrix at a time. On a GPU its lanes share the matrix, which is in local memory if it
// fits (STAGED), and else in the result. On a CPU the group is one work-item, and its loops are those of one lane.
//
// An element is computed by one lane, from its terms in order of k, so the number of lanes makes no difference.
#define JOINED_(name, type) name##type
#define JOINED(name, type) JOINED_(name, type)
#define FMA(x, y, z) JOINED(skel_fma_, T)(x, y, z)
#define SQRT(x) JOINED(skel_sqrt_, T)(x)
#define NOT_A_NUMBER JOINED(SKEL_NAN_, T)
#define BITS_OF(x) JOINED(JOINED(skel_, T), _bits)(x)
#define FROM_BITS(x) JOINED(JOINED(skel_, T), _frombits)(x)
#ifdef DOUBLE
typedef u64 word;
#define MANTISSA 52
#define EXPONENTS 2047
#else
typedef u32 word;
#define MANTISSA 23
#define EXPONENTS 255
#endif
#define POWER_OF_2(e) FROM_BITS((word)(EXPONENTS / 2 + (e)) << MANTISSA)

#ifdef SHAPE_CPU
#define DENSE_KERNEL KERNEL
#define LANE 0
#define LANES 1
#define WIDTH 1
#define SYNC()
#else
#define DENSE_KERNEL KERNEL_OF(LANES, 1)
#define LANE ((int)lane_id())
#define SYNC() BARRIER()
#endif
// The lanes form a table of WIDTH columns, for loops over rows and columns.
#define HEIGHT (LANES / WIDTH)
#define LANE_ROW (LANE / WIDTH)
#define LANE_COLUMN (LANE % WIDTH)
#define EACH_ROW(i, from, to) for (int i = (from) + LANE_ROW; i < (to); i += HEIGHT)
#define EACH_COLUMN(j, from, to) for (int j = (from) + LANE_COLUMN; j < (to); j += WIDTH)
#define EACH_LANE(i, from, to) for (int i = (from) + LANE; i < (to); i += LANES)

// The lower triangle of a staged matrix, row after row. Lanes that read a column read different banks, because
// 32 triangular numbers in sequence have different remainders.
#define LOWER(i, j) ((i) * ((i) + 1) / 2 + (j))

#ifdef STAGED
#define STAGED_P DYNAMIC_P
#else
#define STAGED_P
#endif

// larger returns the larger absolute value. NaN is less than a number.
FUNC T larger(T x, T y) {
	y = y < 0 ? -y : y;
	return y > x ? y : x;
}

// scale_for returns the power of two by which numbers are multiplied of which x is the largest.
FUNC T scale_for(T x) {
	word e = BITS_OF(x) >> MANTISSA;
	e = e < 1 ? 1 : e > EXPONENTS - 2 ? EXPONENTS - 2 : e;
	return FROM_BITS((word)(EXPONENTS - 1 - e) << MANTISSA);
}
