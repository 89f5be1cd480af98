/* cuda.h is what CUDA gives a kernel, for a kernel that is compiled for this
   machine's processor. It comes before prelude.cu; after.h comes behind it.
   What lanes do together is in runtime.cpp. */
#define __CUDACC_RTC__ /* prelude.cu need declare nothing */
#define SKEL_EMULATED  /* and has nothing in PTX */
#define __device__
#define __global__ __attribute__((visibility("hidden")))
#define __constant__
#define __launch_bounds__(...)
/* The shared variables of a kernel lie together, and change with the group that
   runs. */
#define __shared__ static __attribute__((section("skel_shared"), used))

struct skel_dim3 { unsigned x, y, z; };
extern "C" skel_dim3 threadIdx, blockIdx, blockDim, gridDim;
extern "C" void *skel_dynamic();

struct __attribute__((aligned(16))) uint4 { unsigned x, y, z, w; };
struct __attribute__((aligned(8))) uint2 { unsigned x, y; };

extern "C" void __syncthreads();
extern "C" void skel_syncwarp(unsigned mask);
extern "C" unsigned __match_any_sync(unsigned mask, unsigned x);
extern "C" unsigned __ballot_sync(unsigned mask, int x);
extern "C" unsigned skel_shfl(unsigned mask, unsigned x, int from);
extern "C" void skel_product(double *upper, double *lower, const double *a, const double *b);
static inline void __syncwarp(unsigned mask = 0xffffffffu) { skel_syncwarp(mask); }
static inline unsigned __shfl_sync(unsigned mask, unsigned x, int from) { return skel_shfl(mask, x, from); }
static inline void __threadfence() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
static inline unsigned atomicInc(unsigned *p, unsigned limit) {
	unsigned old = __atomic_load_n(p, __ATOMIC_SEQ_CST);
	__atomic_store_n(p, old >= limit ? 0 : old + 1, __ATOMIC_SEQ_CST); // all lanes are one thread
	return old;
}
static inline unsigned atomicAdd(unsigned *p, unsigned x) {
	unsigned old = __atomic_load_n(p, __ATOMIC_SEQ_CST);
	__atomic_store_n(p, old + x, __ATOMIC_SEQ_CST);
	return old;
}
#define SKEL_ATOMIC(NAME, T, RESULT) \
	static inline T NAME(T *p, T x) { \
		T old = __atomic_load_n(p, __ATOMIC_SEQ_CST); \
		__atomic_store_n(p, RESULT, __ATOMIC_SEQ_CST); \
		return old; \
	}
SKEL_ATOMIC(atomicMin, unsigned, old < x ? old : x) SKEL_ATOMIC(atomicMin, int, old < x ? old : x)
SKEL_ATOMIC(atomicMax, unsigned, old < x ? x : old) SKEL_ATOMIC(atomicMax, int, old < x ? x : old)
SKEL_ATOMIC(atomicAnd, unsigned, old & x) SKEL_ATOMIC(atomicOr, unsigned, old | x) SKEL_ATOMIC(atomicXor, unsigned, old ^ x)
static inline int atomicCAS(int *p, int old, int to) {
	__atomic_compare_exchange_n(p, &old, to, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	return old;
}

static inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return (unsigned long long)((unsigned __int128)a * b >> 64); }
static inline int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
static inline float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
static inline long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
static inline double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }

#define SKEL_MATH1(N) extern "C" float N##f(float); extern "C" double N(double);
#define SKEL_MATH2(N) extern "C" float N##f(float, float); extern "C" double N(double, double);
SKEL_MATH1(sqrt) SKEL_MATH1(cbrt) SKEL_MATH1(floor) SKEL_MATH1(ceil) SKEL_MATH1(trunc) SKEL_MATH1(round)
SKEL_MATH1(exp) SKEL_MATH1(exp2) SKEL_MATH1(expm1) SKEL_MATH1(log) SKEL_MATH1(log2) SKEL_MATH1(log10)
SKEL_MATH1(log1p) SKEL_MATH1(logb) SKEL_MATH1(sin) SKEL_MATH1(cos) SKEL_MATH1(tan) SKEL_MATH1(asin)
SKEL_MATH1(acos) SKEL_MATH1(atan) SKEL_MATH1(sinh) SKEL_MATH1(cosh) SKEL_MATH1(tanh) SKEL_MATH1(asinh)
SKEL_MATH1(acosh) SKEL_MATH1(atanh) SKEL_MATH1(erf) SKEL_MATH1(erfc) SKEL_MATH1(fabs) SKEL_MATH1(rint)
SKEL_MATH1(tgamma) SKEL_MATH1(lgamma)
SKEL_MATH2(atan2) SKEL_MATH2(pow) SKEL_MATH2(hypot) SKEL_MATH2(copysign) SKEL_MATH2(remainder)
SKEL_MATH2(nextafter) SKEL_MATH2(fmod)
extern "C" float fmaf(float, float, float), ldexpf(float, int);
extern "C" double fma(double, double, double), ldexp(double, int);
extern "C" int ilogbf(float), ilogb(double);
