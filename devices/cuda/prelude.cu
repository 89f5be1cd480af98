/* prelude.cu makes the shared C subset fit CUDA C. It comes before every
   program; codegen/emit/prelude.md lists what generated code uses of it.
   prelude.cl is its twin for OpenCL. NVRTC options: --fmad=false, and the
   defaults --prec-div=true --prec-sqrt=true --ftz=false. */
#ifndef __CUDACC_RTC__
/* Only what clang -nocudainc needs to check types: NVRTC knows these names. */
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
struct skel_dim3 { unsigned x, y, z; };
extern __device__ const skel_dim3 threadIdx, blockIdx, blockDim, gridDim;
extern "C" __device__ void __syncthreads();
extern "C" __device__ int __clzll(long long), __popcll(unsigned long long), __float_as_int(float);
extern "C" __device__ float __int_as_float(int);
extern "C" __device__ long long __double_as_longlong(double);
extern "C" __device__ double __longlong_as_double(long long);
extern "C" __device__ unsigned long long __umul64hi(unsigned long long, unsigned long long);
__device__ int atomicCAS(int *, int, int);
__device__ unsigned atomicInc(unsigned *, unsigned);
extern "C" __device__ void __threadfence();
extern "C" __device__ void __syncwarp(unsigned = 0xffffffffu);
extern "C" __device__ unsigned __match_any_sync(unsigned, unsigned);
extern "C" __device__ unsigned __ballot_sync(unsigned, int);
__device__ unsigned __shfl_sync(unsigned, unsigned, int, int = 32);
extern "C" __device__ unsigned long __cvta_generic_to_shared(const void *);
struct __attribute__((aligned(16))) uint4 { unsigned x, y, z, w; };
struct __attribute__((aligned(8))) uint2 { unsigned x, y; };
#define SKEL_DECLARE1(N) extern "C" __device__ float N##f(float); extern "C" __device__ double N(double);
#define SKEL_DECLARE2(N) extern "C" __device__ float N##f(float, float); extern "C" __device__ double N(double, double);
SKEL_DECLARE1(sqrt) SKEL_DECLARE1(cbrt) SKEL_DECLARE1(floor) SKEL_DECLARE1(ceil) SKEL_DECLARE1(trunc) SKEL_DECLARE1(round)
SKEL_DECLARE1(exp) SKEL_DECLARE1(exp2) SKEL_DECLARE1(expm1) SKEL_DECLARE1(log) SKEL_DECLARE1(log2) SKEL_DECLARE1(log10)
SKEL_DECLARE1(log1p) SKEL_DECLARE1(logb) SKEL_DECLARE1(sin) SKEL_DECLARE1(cos) SKEL_DECLARE1(tan) SKEL_DECLARE1(asin)
SKEL_DECLARE1(acos) SKEL_DECLARE1(atan) SKEL_DECLARE1(sinh) SKEL_DECLARE1(cosh) SKEL_DECLARE1(tanh) SKEL_DECLARE1(asinh)
SKEL_DECLARE1(acosh) SKEL_DECLARE1(atanh) SKEL_DECLARE1(erf) SKEL_DECLARE1(erfc) SKEL_DECLARE1(fabs) SKEL_DECLARE1(rint)
SKEL_DECLARE1(tgamma) SKEL_DECLARE1(lgamma)
SKEL_DECLARE2(atan2) SKEL_DECLARE2(pow) SKEL_DECLARE2(hypot) SKEL_DECLARE2(copysign) SKEL_DECLARE2(remainder)
SKEL_DECLARE2(fmod)
extern "C" __device__ float fmaf(float, float, float), ldexpf(float, int);
extern "C" __device__ double fma(double, double, double), ldexp(double, int);
extern "C" __device__ int ilogbf(float), ilogb(double);
#endif
#define SKEL_F64

#define KERNEL extern "C" __global__ void
/* A kernel for groups of so many lanes, of which a compute unit is to hold at
   least so many. */
#define KERNEL_OF(lanes, groups) extern "C" __global__ void __launch_bounds__(lanes, groups)
#define FUNC static __device__ inline
#define GLOBAL
#define LOCAL __shared__
#define CONSTANT __constant__
#define LIT(T) T
#define BARRIER() __syncthreads()
#define group_id() ((i64)blockIdx.x)
#define lane_id() ((i64)threadIdx.x)
#define lanes() ((i64)blockDim.x)
#define groups() ((i64)gridDim.x)

typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long i64;
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned char b8;
typedef float f32;
typedef double f64;
#define SKEL_INF_f32 __int_as_float(0x7f800000)
#define SKEL_NAN_f32 __int_as_float(0x7fc00000)
#define SKEL_C_f32(name) name##f
FUNC u32 skel_f32_bits(f32 x) { return (u32)__float_as_int(x); }
FUNC f32 skel_f32_frombits(u32 x) { return __int_as_float((int)x); }
#define SKEL_INF_f64 __longlong_as_double(0x7ff0000000000000LL)
#define SKEL_NAN_f64 __longlong_as_double(0x7ff8000000000000LL)
#define SKEL_C_f64(name) name
FUNC u64 skel_f64_bits(f64 x) { return (u64)__double_as_longlong(x); }
FUNC f64 skel_f64_frombits(u64 x) { return __longlong_as_double((i64)x); }
#define SKEL_CLZ64(x) ((i64)__clzll((long long)(x)))
#define SKEL_POPCOUNT(x) ((i64)__popcll((u64)(x)))
#define SKEL_MULHI64(a, b) __umul64hi((a), (b))
#define FENCE() __threadfence()
/* Counts to 2^31. Not atomicAdd, of which the compiler makes one for a warp, and
   waits for it at once. */
#define ATOMIC_INC(p) atomicInc((p), 0x7fffffffu)
#define SKEL_CAS(p, old, new) atomicCAS((p), (old), (new))

#if __CUDA_ARCH__ >= 800 && !defined(SKEL_EMULATED)
FUNC f32 skel_least(f32 x, f32 y) { f32 r; asm("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(x), "f"(y)); return r; }
FUNC f32 skel_most(f32 x, f32 y) { f32 r; asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(x), "f"(y)); return r; }
#define SKEL_LEAST_f32(x, y) skel_least(x, y)
#define SKEL_MOST_f32(x, y) skel_most(x, y)

/* y if it is the one or is NaN, else x: without a branch, and no instruction but
   comparisons. Those of equal value differ where one is -0. */
#define SKEL_CHOOSE_f64(sign, or_equal, beyond) \
	f64 r; \
	asm("{ .reg .pred p; .reg .b32 lo, hi; mov.b64 {lo, hi}, %2; setp." sign ".s32 p, hi, 0;" \
	    "setp." or_equal ".and.f64 p, %1, %2, p; setp." beyond ".or.f64 p, %1, %2, p;" \
	    "setp.nan.or.f64 p, %1, %1, p; selp.f64 %0, %1, %2, p; }" : "=d"(r) : "d"(x), "d"(y)); \
	return r;
FUNC f64 skel_least_f64(f64 x, f64 y) { SKEL_CHOOSE_f64("ge", "le", "lt") }
FUNC f64 skel_most_f64(f64 x, f64 y) { SKEL_CHOOSE_f64("lt", "ge", "gt") }
#define SKEL_LEAST_f64(x, y) skel_least_f64(x, y)
#define SKEL_MOST_f64(x, y) skel_most_f64(x, y)
#endif

#define UNROLL _Pragma("unroll")
#define ROLLED _Pragma("unroll 1")
/* Memory that nothing else points to, and that begins at 16 bytes. */
#define RESTRICT __restrict__
#define ALIGNED16(type, p) ((const type *)__builtin_assume_aligned((p), 16))
/* Vectors of 1 to 16 bytes, and pointers to local memory. */
typedef uint4 skel_v16;
typedef uint2 skel_v8;
typedef u32 skel_v4;
typedef u16 skel_v2;
typedef u8 skel_v1;
#define LOCAL_PTR
/* Local memory whose size the launch gives: DYNAMIC_P ends the parameters of a
   kernel, and DYNAMIC declares the pointer to it. */
#define DYNAMIC_P
#define DYNAMIC(name) extern __shared__ skel_v16 skel_dynamic[]; u8 *name = (u8 *)skel_dynamic
/* Warps: SKEL_WARP consecutive lanes that exchange words. All must be there. */
#define SKEL_WARP 32
#define WARP_SYNC() __syncwarp()
#define WARP_WORD(x, from) __shfl_sync(0xffffffffu, (u32)(x), (i32)(from))
#define WARP_BALLOT(x) __ballot_sync(0xffffffffu, (x))
/* Copies of 16 bytes from global to local memory that go on by themselves, on
   devices that can: COPY_WAIT(n) waits for all but those of the last n
   COPY_COMMITs. */
#if __CUDA_ARCH__ >= 800 && !defined(SKEL_EMULATED)
FUNC void skel_copy16(void *to, const void *from) {
	u32 a = (u32)__cvta_generic_to_shared(to);
	asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(a), "l"(from) : "memory");
}
#define COPY16(to, from) skel_copy16((to), (from))
#define COPY_COMMIT() asm volatile("cp.async.commit_group;" ::: "memory")
#define COPY_WAIT(n) asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory")
#else
#define COPY16(to, from) (*(skel_v16 *)(to) = *(const skel_v16 *)(from))
#define COPY_COMMIT() ((void)0)
#define COPY_WAIT(n) ((void)0)
#endif

/* ---- begin shared: the same text in prelude.cl and prelude.cu ---- */

/* Integers: divisions that do not trap, shifts past the width. a / 0 is 0. */
#define SKEL_SIGNED(N, B) \
	FUNC i##N skel_div_i##N(i##N a, i##N b) { return b == 0 ? 0 : b == -1 ? (i##N)(0 - (u##N)a) : (i##N)(a / b); } \
	FUNC i##N skel_rem_i##N(i##N a, i##N b) { return b == 0 || b == -1 ? 0 : (i##N)(a % b); } \
	FUNC i##N skel_shl_i##N(i##N a, u64 n) { return n < N ? (i##N)((B)a << n) : 0; } \
	FUNC i##N skel_shr_i##N(i##N a, u64 n) { return (i##N)(a >> (n < N ? n : N - 1)); }
#define SKEL_UNSIGNED(N, B) \
	FUNC u##N skel_div_u##N(u##N a, u##N b) { return b == 0 ? 0 : (u##N)(a / b); } \
	FUNC u##N skel_rem_u##N(u##N a, u##N b) { return b == 0 ? 0 : (u##N)(a % b); } \
	FUNC u##N skel_shl_u##N(u##N a, u64 n) { return n < N ? (u##N)((B)a << n) : 0; } \
	FUNC u##N skel_shr_u##N(u##N a, u64 n) { return n < N ? (u##N)((B)a >> n) : 0; }
#define SKEL_ORDERED(T) \
	FUNC T skel_bmin_##T(T a, T b) { return b < a ? b : a; } \
	FUNC T skel_bmax_##T(T a, T b) { return a < b ? b : a; }
SKEL_SIGNED(8, u32) SKEL_SIGNED(16, u32) SKEL_SIGNED(32, u32) SKEL_SIGNED(64, u64)
SKEL_UNSIGNED(8, u32) SKEL_UNSIGNED(16, u32) SKEL_UNSIGNED(32, u32) SKEL_UNSIGNED(64, u64)
SKEL_ORDERED(i8) SKEL_ORDERED(i16) SKEL_ORDERED(i32) SKEL_ORDERED(i64)
SKEL_ORDERED(u8) SKEL_ORDERED(u16) SKEL_ORDERED(u32) SKEL_ORDERED(u64)

/* math/bits, for unsigned values; counts are Go's int. */
#define SKEL_BITS(N) \
	FUNC i64 skel_onescount_u##N(u##N x) { return SKEL_POPCOUNT(x); } \
	FUNC i64 skel_len_u##N(u##N x) { return 64 - SKEL_CLZ64((u64)x); } \
	FUNC i64 skel_leadingzeros_u##N(u##N x) { return N - 64 + SKEL_CLZ64((u64)x); } \
	FUNC i64 skel_trailingzeros_u##N(u##N x) { return x == 0 ? N : 63 - SKEL_CLZ64((u64)x & (0 - (u64)x)); } \
	FUNC u##N skel_reverse_u##N(u##N x) { return (u##N)(skel_reverse(x) >> (64 - N)); } \
	FUNC u##N skel_rotateleft_u##N(u##N x, i64 k) { return (u##N)(skel_shl_u##N(x, k & (N - 1)) | skel_shr_u##N(x, N - (k & (N - 1)))); }
FUNC u64 skel_reverse(u64 x) {
	x = (x >> 1 & 0x5555555555555555UL) | (x & 0x5555555555555555UL) << 1;
	x = (x >> 2 & 0x3333333333333333UL) | (x & 0x3333333333333333UL) << 2;
	x = (x >> 4 & 0x0f0f0f0f0f0f0f0fUL) | (x & 0x0f0f0f0f0f0f0f0fUL) << 4;
	x = (x >> 8 & 0x00ff00ff00ff00ffUL) | (x & 0x00ff00ff00ff00ffUL) << 8;
	x = (x >> 16 & 0x0000ffff0000ffffUL) | (x & 0x0000ffff0000ffffUL) << 16;
	return x >> 32 | x << 32;
}
SKEL_BITS(8) SKEL_BITS(16) SKEL_BITS(32) SKEL_BITS(64)
FUNC u64 skel_mulhi_u64(u64 a, u64 b) { return SKEL_MULHI64(a, b); }

/* min and max: a NaN if there is one, and -0 is less than 0. A device may have
   instructions for it. */
#define SKEL_LEAST(F, x, y) (x != x ? x : y < x || y != y ? y : x == y ? skel_##F##_frombits(skel_##F##_bits(x) | skel_##F##_bits(y)) : x)
#define SKEL_MOST(F, x, y) (x != x ? x : x < y || y != y ? y : x == y ? skel_##F##_frombits(skel_##F##_bits(x) & skel_##F##_bits(y)) : x)
#ifndef SKEL_LEAST_f32
#define SKEL_LEAST_f32(x, y) SKEL_LEAST(f32, x, y)
#define SKEL_MOST_f32(x, y) SKEL_MOST(f32, x, y)
#endif
#ifndef SKEL_LEAST_f64
#define SKEL_LEAST_f64(x, y) SKEL_LEAST(f64, x, y)
#define SKEL_MOST_f64(x, y) SKEL_MOST(f64, x, y)
#endif

/* What Go's math package has for one float type F (f32, f64): C is the suffix
   of a literal, U and S the integers of the same width, B its width. */
#define SKEL_FLOAT(F, C, U, S, B, MANT, EXPBITS, LOW32) \
	FUNC b8 skel_isnan_##F(F x) { return x != x; } \
	FUNC F skel_inf_##F(i64 sign) { return sign >= 0 ? SKEL_INF_##F : -SKEL_INF_##F; } \
	FUNC b8 skel_isinf_##F(F x, i64 sign) { return (sign >= 0 && x == SKEL_INF_##F) || (sign <= 0 && x == -SKEL_INF_##F); } \
	FUNC b8 skel_signbit_##F(F x) { return skel_##F##_bits(x) >> (B - 1) != 0; } \
	FUNC F skel_dim_##F(F x, F y) { F v = x - y; return v <= 0 ? 0 : v; } \
	FUNC F skel_bmin_##F(F x, F y) { return SKEL_LEAST_##F(x, y); } \
	FUNC F skel_bmax_##F(F x, F y) { return SKEL_MOST_##F(x, y); } \
	FUNC F skel_min_##F(F x, F y) { return x == -SKEL_INF_##F || y == -SKEL_INF_##F ? -SKEL_INF_##F : skel_bmin_##F(x, y); } \
	FUNC F skel_max_##F(F x, F y) { return x == SKEL_INF_##F || y == SKEL_INF_##F ? SKEL_INF_##F : skel_bmax_##F(x, y); } \
	FUNC i64 skel_ilogb_##F(F x) { return x == 0 ? -2147483647 - 1 : x != x || skel_isinf_##F(x, 0) ? 2147483647 : (i64)SKEL_C_##F(ilogb)(x); } \
	FUNC F skel_ldexp_##F(F x, i64 e) { return SKEL_C_##F(ldexp)(x, (i32)(e < -5000 ? -5000 : e > 5000 ? 5000 : e)); } \
	FUNC F skel_modfint_##F(F x) { return x != x ? x : SKEL_C_##F(trunc)(x); } \
	FUNC F skel_modffrac_##F(F x) { return skel_isinf_##F(x, 0) ? SKEL_NAN_##F : SKEL_C_##F(copysign)(x - skel_modfint_##F(x), x); } \
	FUNC i64 skel_frexpexp_##F(F x) { return x == 0 || x != x || skel_isinf_##F(x, 0) ? 0 : (i64)SKEL_C_##F(ilogb)(x) + 1; } \
	FUNC F skel_frexp_##F(F x) { return x == 0 || x != x || skel_isinf_##F(x, 0) ? x : SKEL_C_##F(ldexp)(x, -(i32)skel_frexpexp_##F(x)); } \
	FUNC i32 skel_##F##_to_i32(F x) { return x > LOW32 && x < 2147483648.0##C ? (i32)x : -2147483647 - 1; } \
	FUNC i64 skel_##F##_to_i64(F x) { return x >= -9223372036854775808.0##C && x < 9223372036854775808.0##C ? (i64)x : (i64)(1UL << 63); } \
	FUNC i8 skel_##F##_to_i8(F x) { return (i8)skel_##F##_to_i32(x); } \
	FUNC i16 skel_##F##_to_i16(F x) { return (i16)skel_##F##_to_i32(x); } \
	FUNC u8 skel_##F##_to_u8(F x) { return (u8)skel_##F##_to_i32(x); } \
	FUNC u16 skel_##F##_to_u16(F x) { return (u16)skel_##F##_to_i32(x); } \
	FUNC u32 skel_##F##_to_u32(F x) { return (u32)skel_##F##_to_i64(x); } \
	FUNC u64 skel_##F##_to_u64(F x) { \
		return x < 9223372036854775808.0##C ? (u64)skel_##F##_to_i64(x) : (u64)skel_##F##_to_i64(x - 9223372036854775808.0##C) | 1UL << 63; \
	} \
	SKEL_1(F, sqrt) SKEL_1(F, cbrt) SKEL_1(F, floor) SKEL_1(F, ceil) SKEL_1(F, trunc) SKEL_1(F, round) \
	SKEL_1(F, exp) SKEL_1(F, exp2) SKEL_1(F, expm1) SKEL_1(F, log) SKEL_1(F, log2) SKEL_1(F, log10) SKEL_1(F, log1p) SKEL_1(F, logb) \
	SKEL_1(F, sin) SKEL_1(F, cos) SKEL_1(F, tan) SKEL_1(F, asin) SKEL_1(F, acos) SKEL_1(F, atan) \
	SKEL_1(F, sinh) SKEL_1(F, cosh) SKEL_1(F, tanh) SKEL_1(F, asinh) SKEL_1(F, acosh) SKEL_1(F, atanh) \
	SKEL_1(F, erf) SKEL_1(F, erfc) \
	SKEL_2(F, atan2) SKEL_2(F, pow) SKEL_2(F, hypot) SKEL_2(F, copysign) SKEL_2(F, remainder) \
	FUNC F skel_nextafter_##F(F x, F y) { /* the library's of 0 and -0 is -0, Go's is 0 */ \
		return x != x || y != y ? SKEL_NAN_##F : x == y ? x : x == 0 ? SKEL_C_##F(copysign)(skel_##F##_frombits(1), y) : \
			skel_##F##_frombits((y > x) == (x > 0) ? skel_##F##_bits(x) + 1 : skel_##F##_bits(x) - 1); \
	} \
	FUNC F skel_abs_##F(F x) { return SKEL_C_##F(fabs)(x); } \
	FUNC F skel_mod_##F(F x, F y) { return SKEL_C_##F(fmod)(x, y); } \
	FUNC F skel_fma_##F(F x, F y, F z) { return SKEL_C_##F(fma)(x, y, z); } \
	FUNC F skel_roundtoeven_##F(F x) { /* PoCL 3.1 crashes on rint of a constant */ \
		F a = SKEL_C_##F(fabs)(x), whole = (F)((U)1 << MANT); \
		return a < whole ? SKEL_C_##F(copysign)(a + whole - whole, x) : x; \
	} \
	FUNC i64 skel_lgammasign_##F(F x) { F f = SKEL_C_##F(floor)(x); return x < 0 && x != f && SKEL_C_##F(fmod)(f, 2.0##C) != 0 ? -1 : 1; } \
	FUNC F skel_lgamma_##F(F x) { return x == -SKEL_INF_##F ? x : SKEL_C_##F(lgamma)(x); } \
	FUNC F skel_gamma_##F(F x) { \
		F r = x == -SKEL_INF_##F ? SKEL_NAN_##F : SKEL_C_##F(tgamma)(x); \
		return r == 0 && skel_lgammasign_##F(x) < 0 ? -0.0##C : r; \
	}
/* A NaN is kept away from the library: PoCL's floor, exp and others convert
   their argument to an integer, and LLVM then deletes what it is used for. */
#define SKEL_1(F, NAME) FUNC F skel_##NAME##_##F(F x) { return x != x ? x : SKEL_C_##F(NAME)(x); }
#define SKEL_2(F, NAME) FUNC F skel_##NAME##_##F(F x, F y) { return SKEL_C_##F(NAME)(x, y); }
SKEL_FLOAT(f32, f, u32, i32, 32, 23, 8, -2147483904.0f)
#ifdef SKEL_F64
SKEL_FLOAT(f64, , u64, i64, 64, 52, 11, -2147483649.0)
#endif

/* Checked mode. The error buffer: [0] kind (0: none yet), [1] site, [2..3]
   index, [4..5] bound. The first lane to report wins. Kinds: 1 index, 2 divide
   by zero, 3 negative shift, 4 panic called, 5 index beyond a window. */
#ifdef SKEL_CHECK
FUNC void skel_report(GLOBAL i32 *skel_err, i32 kind, u32 site, i64 index, i64 bound) {
	if (SKEL_CAS(skel_err, 0, kind) == 0) {
		skel_err[1] = (i32)site;
		skel_err[2] = (i32)index;
		skel_err[3] = (i32)(index >> 32);
		skel_err[4] = (i32)bound;
		skel_err[5] = (i32)(bound >> 32);
	}
}
FUNC i64 skel_check_index(GLOBAL i32 *skel_err, i64 i, i64 n, u32 site) {
	if (i >= 0 && i < n) return i;
	skel_report(skel_err, 1, site, i, n);
	return 0;
}
FUNC i64 skel_check_window(GLOBAL i32 *skel_err, i64 d, i64 radius, u32 site) {
	if (d >= -radius && d <= radius) return d;
	skel_report(skel_err, 5, site, d, radius);
	return 0;
}
FUNC u64 skel_check_shift(GLOBAL i32 *skel_err, i64 n, u32 site) {
	if (n < 0) skel_report(skel_err, 3, site, n, 0);
	return (u64)n;
}
#define SKEL_CHECK_DIVISOR(T) \
	FUNC T skel_check_divisor_##T(GLOBAL i32 *skel_err, T b, u32 site) { \
		if (b == 0) skel_report(skel_err, 2, site, 0, 0); \
		return b; \
	}
SKEL_CHECK_DIVISOR(i8) SKEL_CHECK_DIVISOR(i16) SKEL_CHECK_DIVISOR(i32) SKEL_CHECK_DIVISOR(i64)
SKEL_CHECK_DIVISOR(u8) SKEL_CHECK_DIVISOR(u16) SKEL_CHECK_DIVISOR(u32) SKEL_CHECK_DIVISOR(u64)
#define CTX_K GLOBAL i32 *skel_err,
#define CTX_P GLOBAL i32 *skel_err,
#define CTX_P0 GLOBAL i32 *skel_err
#define CTX_A skel_err,
#define CTX_A0 skel_err
#define CHECK_INDEX(i, n, site) skel_check_index(skel_err, (i), (n), (site))
#define CHECK_WINDOW(d, radius, site) skel_check_window(skel_err, (d), (radius), (site))
#define CHECK_DIVISOR(T, b, site) skel_check_divisor_##T(skel_err, (b), (site))
#define CHECK_SHIFT(n, site) skel_check_shift(skel_err, (n), (site))
#define CHECK_PANIC(site) skel_report(skel_err, 4, (site), 0, 0)
#else
#define CTX_K
#define CTX_P
#define CTX_P0 void
#define CTX_A
#define CTX_A0
#define CHECK_INDEX(i, n, site) (i)
#define CHECK_WINDOW(d, radius, site) (d)
#define CHECK_DIVISOR(T, b, site) (b)
#define CHECK_SHIFT(n, site) ((u64)(n))
#define CHECK_PANIC(site) ((void)0)
#endif
/* Where the elements of a row are: a kernel that puts rows into local memory
   says so. */
#define ROW_P(type) GLOBAL const type *
/* Runs: N neighbours that the rounds of a loop read one by one are read before
   it, in the largest words in which they lie: views begin at 16 bytes, and
   first is a multiple of what divides multiple. OVER_RUN stands before the loop
   and OF_RUN(run, i, read) for the read of element i. In checked mode the loop
   reads them itself. */
#ifdef SKEL_CHECK
#define READ_RUN(T, N, run, p, first, multiple)
#define OVER_RUN
#define OF_RUN(run, i, read) (read)
#else
#define SKEL_FIT(V, T, N, multiple) ((N) * sizeof(T) % sizeof(skel_##V) == 0 && (u64)(multiple) * sizeof(T) % sizeof(skel_##V) == 0)
#define SKEL_READ(V, T, N, run, from) \
	UNROLL for (u32 skel_i = 0; skel_i < (N) * sizeof(T) / sizeof(skel_##V); skel_i++) run.V[skel_i] = ((GLOBAL const skel_##V *)(from))[skel_i];
#define READ_RUN(T, N, run, p, first, multiple) \
	union { T a[N]; skel_v16 v16[(N) * sizeof(T) / 16 + 1]; skel_v8 v8[(N) * sizeof(T) / 8 + 1]; skel_v4 v4[(N) * sizeof(T) / 4 + 1]; } run; \
	if (SKEL_FIT(v16, T, N, multiple)) { SKEL_READ(v16, T, N, run, (p) + (first)) } \
	else if (SKEL_FIT(v8, T, N, multiple)) { SKEL_READ(v8, T, N, run, (p) + (first)) } \
	else if (SKEL_FIT(v4, T, N, multiple)) { SKEL_READ(v4, T, N, run, (p) + (first)) } \
	else { UNROLL for (u32 skel_i = 0; skel_i < N; skel_i++) run.a[skel_i] = (p)[(first) + skel_i]; }
#define OVER_RUN UNROLL
#define OF_RUN(run, i, read) run.a[i]
#endif
/* Windows of stencils: a group has what they show in local memory, where rows
   begin WINDOW_PITCH elements from each other. The program defines that, and the
   radii WINDOW_ROWS and WINDOW_COLS; it may define other windows. */
#define WINDOW(T, name) typedef struct { LOCAL_PTR const T *p; } name
#define WINDOW_AT(w, dr, dc, site) (w).p[CHECK_WINDOW(dr, WINDOW_ROWS, site) * WINDOW_PITCH + CHECK_WINDOW(dc, WINDOW_COLS, site)]
/* ---- end shared ---- */
