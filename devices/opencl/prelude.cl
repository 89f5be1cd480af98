/* prelude.cl makes the shared C subset fit OpenCL C 1.2, as prelude.cu does for
   CUDA. It and devices/internal/prelude/shared.h precede every program;
   codegen/emit/prelude.md lists the names that generated code uses. */
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define SKEL_F64
#endif
#pragma OPENCL FP_CONTRACT OFF

#define KERNEL __kernel void
/* A kernel for groups of so many lanes, of which a compute unit is to hold at
   least so many. */
#define KERNEL_OF(lanes, groups) __kernel __attribute__((reqd_work_group_size(lanes, 1, 1))) void
#define FUNC static inline
#define GLOBAL __global
#define LOCAL __local
#define CONSTANT __constant
#define LIT(T) (T)
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define group_id() ((i64)get_group_id(0))
#define lane_id() ((i64)get_local_id(0))
#define lanes() ((i64)get_local_size(0))
#define groups() ((i64)get_num_groups(0))

typedef char i8;
typedef short i16;
typedef int i32;
typedef long i64;
typedef uchar u8;
typedef ushort u16;
typedef uint u32;
typedef ulong u64;
typedef uchar b8;
typedef float f32;
#define SKEL_INF_f32 INFINITY
#define SKEL_NAN_f32 NAN
#define SKEL_C_f32(name) name
FUNC u32 skel_f32_bits(f32 x) { return as_uint(x); }
FUNC f32 skel_f32_frombits(u32 x) { return as_float(x); }
#ifdef SKEL_F64
typedef double f64;
#define SKEL_INF_f64 ((f64)INFINITY)
#define SKEL_NAN_f64 ((f64)NAN)
#define SKEL_C_f64(name) name
FUNC u64 skel_f64_bits(f64 x) { return as_ulong(x); }
FUNC f64 skel_f64_frombits(u64 x) { return as_double(x); }
#endif
#define SKEL_CLZ64(x) ((i64)clz(x))
#define SKEL_POPCOUNT(x) ((i64)popcount((u64)(x)))
#define SKEL_MULHI32(a, b) mul_hi((a), (b))
#define SKEL_MULHI64(a, b) mul_hi((a), (b))
/* What one group wrote before a FENCE, another reads after its own. mem_fence
   of OpenCL 1.2 reaches no farther than the group: on an H200 the last group of
   a reduction read what its L1 cache had kept of the others' results. */
#if defined(__NV_CL_C_VERSION)
#define FENCE() __asm__ volatile("membar.gl;" ::: "memory")
#elif defined(__AMDGCN__)
#define FENCE() __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent")
#else
#define FENCE() mem_fence(CLK_GLOBAL_MEM_FENCE)
#endif
#define ATOMIC_INC(p) atomic_inc((volatile __global uint *)(p))
/* Adds to a word of global or local memory, and returns what it was. */
#define ATOMIC_ADD(p, x) atomic_add((p), (u32)(x))
/* Combine a word of global or local memory with x: an i32 or u32 by MIN and MAX, else a u32. */
#define ATOMIC_MIN(p, x) atomic_min((p), (x))
#define ATOMIC_MAX(p, x) atomic_max((p), (x))
#define ATOMIC_AND(p, x) atomic_and((p), (x))
#define ATOMIC_OR(p, x) atomic_or((p), (x))
#define ATOMIC_XOR(p, x) atomic_xor((p), (x))
/* Adds 1 to a u32 in global or local memory. */
#define ATOMIC_COUNT(p) ((void)atomic_inc(p))
#define SKEL_CAS(p, old, new) atomic_cmpxchg((volatile __global int *)(p), (old), (new))

#define UNROLL _Pragma("unroll")
#define ROLLED _Pragma("unroll 1")
/* Memory that nothing else points to, and that begins at 16 bytes. */
#define RESTRICT restrict
#define ALIGNED16(type, p) (p)
/* Vectors of 1 to 16 bytes, and pointers to local memory. */
typedef uint4 skel_v16;
typedef uint2 skel_v8;
typedef u32 skel_v4;
typedef u16 skel_v2;
typedef u8 skel_v1;
#define LOCAL_PTR __local
/* Local memory whose size the launch gives: DYNAMIC_P ends the parameters of a
   kernel, and DYNAMIC declares the pointer to it. */
#define DYNAMIC_P , __local skel_v16 *skel_dynamic
#define DYNAMIC(name) __local u8 *name = (__local u8 *)skel_dynamic
/* Warps: SKEL_WARP consecutive lanes that exchange words. All must be there.
   Copies of 16 bytes from global to local memory that go on by themselves:
   COPY_WAIT(n) waits for all but those of the last n COPY_COMMITs. OpenCL has
   neither, but NVIDIA's takes PTX. */
#if defined(__NV_CL_C_VERSION)
#define SKEL_WARP 32
FUNC u32 skel_warp_word(u32 x, i32 from) {
	u32 y;
	__asm__ volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(y) : "r"(x), "r"(from));
	return y;
}
FUNC u32 skel_warp_ballot(i32 x) {
	u32 y;
	__asm__ volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "=r"(y) : "r"(x));
	return y;
}
FUNC void skel_copy16(__local void *to, const __global void *from) {
	__asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((u32)(size_t)to), "l"(from) : "memory");
}
#define WARP_SYNC() __asm__ volatile("bar.warp.sync 0xffffffff;" ::: "memory")
#define WARP_WORD(x, from) skel_warp_word((u32)(x), (i32)(from))
#define WARP_BALLOT(x) skel_warp_ballot(x)
#define COPY16(to, from) skel_copy16((to), (from))
#define COPY_COMMIT() __asm__ volatile("cp.async.commit_group;" ::: "memory")
#define COPY_WAIT(n) __asm__ volatile("cp.async.wait_group %0;" ::"n"(n) : "memory")
#endif
