/* prelude.cu makes the shared C subset fit CUDA C, as prelude.cl does for OpenCL.
   It and devices/internal/prelude/shared.h precede every program;
   codegen/emit/prelude.md lists the names that generated code uses. NVRTC
   options: --fmad=false, and the defaults --prec-div=true --prec-sqrt=true
   --ftz=false. */
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
extern "C" __device__ unsigned __umulhi(unsigned, unsigned);
extern "C" __device__ unsigned long long __umul64hi(unsigned long long, unsigned long long);
__device__ int atomicCAS(int *, int, int);
__device__ unsigned atomicInc(unsigned *, unsigned);
__device__ unsigned atomicAdd(unsigned *, unsigned);
__device__ unsigned atomicMin(unsigned *, unsigned);
__device__ unsigned atomicMax(unsigned *, unsigned);
__device__ int atomicMin(int *, int);
__device__ int atomicMax(int *, int);
__device__ unsigned atomicAnd(unsigned *, unsigned);
__device__ unsigned atomicOr(unsigned *, unsigned);
__device__ unsigned atomicXor(unsigned *, unsigned);
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
#define SKEL_MULHI32(a, b) __umulhi((a), (b))
#define SKEL_MULHI64(a, b) __umul64hi((a), (b))
#define FENCE() __threadfence()
/* Counts to 2^31. Not atomicAdd, of which the compiler makes one for a warp, and
   waits for it at once. */
#define ATOMIC_INC(p) atomicInc((p), 0x7fffffffu)
/* Adds to a word of global or local memory, and returns what it was. */
#define ATOMIC_ADD(p, x) atomicAdd((p), (u32)(x))
/* Combine a word of global or local memory with x: an i32 or u32 by MIN and MAX, else a u32. */
#define ATOMIC_MIN(p, x) atomicMin((p), (x))
#define ATOMIC_MAX(p, x) atomicMax((p), (x))
#define ATOMIC_AND(p, x) atomicAnd((p), (x))
#define ATOMIC_OR(p, x) atomicOr((p), (x))
#define ATOMIC_XOR(p, x) atomicXor((p), (x))
/* Adds 1 to a u32 in global or local memory; lanes of a warp that count the same are fast. */
#define ATOMIC_COUNT(p) ((void)atomicInc((p), 0xffffffffu))
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
/* Adds AB to D, where A is 16 x 16, B is 16 x 8, and a warp has the elements: lane 4r + q
   has A(r + 8(i % 2), q + 4(i / 2)) in a[i], B(q + 4i, r) in b[i], and of D columns 2q and
   2q + 1, those of row r in upper and those of row r + 8 in lower. Each element is a chain
   of 16 fused multiply-adds, from left to right (docs/adr/0034). For devices whose
   driver.Info has Products. */
#if __CUDA_ARCH__ >= 900 && !defined(SKEL_EMULATED)
FUNC void skel_product(f64 *upper, f64 *lower, const f64 *a, const f64 *b) {
	asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11},"
	    " {%12, %13, %14, %15}, {%0, %1, %2, %3};"
	    : "+d"(upper[0]), "+d"(upper[1]), "+d"(lower[0]), "+d"(lower[1])
	    : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]),
	      "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
}
#elif !defined(__CUDACC_RTC__)
__device__ void skel_product(f64 *upper, f64 *lower, const f64 *a, const f64 *b);
#endif
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
