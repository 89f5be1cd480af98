/* The C subset on the host: what prelude.cl defines before its shared part. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#define SKEL_F64
#define FUNC static inline
#define GLOBAL
#define LIT(T) (T)
#define UNROLL
typedef int8_t i8; typedef int16_t i16; typedef int32_t i32; typedef int64_t i64;
typedef uint8_t u8; typedef uint16_t u16; typedef uint32_t u32; typedef uint64_t u64;
typedef struct { u64 low, high; } __attribute__((aligned(16), may_alias)) skel_v16;
typedef u64 __attribute__((may_alias)) skel_v8; typedef u32 __attribute__((may_alias)) skel_v4;
typedef uint8_t b8; typedef float f32; typedef double f64;
#define SKEL_INF_f32 INFINITY
#define SKEL_NAN_f32 NAN
#define SKEL_INF_f64 ((f64)INFINITY)
#define SKEL_NAN_f64 ((f64)NAN)
#define SKEL_C_f32(name) name##f
#define SKEL_C_f64(name) name
FUNC u32 skel_f32_bits(f32 x) { u32 u; memcpy(&u, &x, 4); return u; }
FUNC f32 skel_f32_frombits(u32 u) { f32 x; memcpy(&x, &u, 4); return x; }
FUNC u64 skel_f64_bits(f64 x) { u64 u; memcpy(&u, &x, 8); return u; }
FUNC f64 skel_f64_frombits(u64 u) { f64 x; memcpy(&x, &u, 8); return x; }
#define SKEL_CLZ64(x) ((i64)((x) == 0 ? 64 : __builtin_clzll(x)))
#define SKEL_POPCOUNT(x) ((i64)__builtin_popcountll(x))
#define SKEL_MULHI32(a, b) ((u32)((u64)(a) * (b) >> 32))
#define SKEL_MULHI64(a, b) ((u64)((unsigned __int128)(a) * (b) >> 64))
#define SKEL_CAS(p, old, new) __sync_val_compare_and_swap((p), (old), (new))
FUNC u64 show_f32(f32 x) { return x != x ? 0x7fc00000 : skel_f32_bits(x); }
FUNC u64 show_f64(f64 x) { return x != x ? 0x7ff8000000000000 : skel_f64_bits(x); }
#define show_i8 (u64)
#define show_i16 (u64)
#define show_i32 (u64)
#define show_i64 (u64)
#define show_u8 (u64)
#define show_u16 (u64)
#define show_u32 (u64)
#define show_u64 (u64)
#define show_b8 (u64)
