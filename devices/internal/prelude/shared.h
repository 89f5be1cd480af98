/* shared.h is the part of the preludes that OpenCL C and CUDA C share. It follows
   prelude.cl or prelude.cu, and uses what they define. */

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
FUNC u32 skel_mulhi_u32(u32 a, u32 b) { return SKEL_MULHI32(a, b); }
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
   index, [4..5] bound, [6..7] position, [8..9] columns. The first lane to report
   wins. Kinds: 1 index, 2 divide by zero, 3 negative shift, 4 panic called, 5
   index beyond a window, 6 element of a container of indices, 7 two equal
   elements of one, 8 and 9 an element of an out-view that an element of the input
   (bound) writes and another one (position) writes or reads. The words from 10 on
   are the distances from the buffer's begin of the owners of up to SKEL_WATCHED
   out-views, 64 bits each, 0 if there are none: a word for every element of the
   view, which is 0 or says which element of the input has written it. */
#ifdef SKEL_CHECK
FUNC void skel_report_at(GLOBAL i32 *skel_err, i32 kind, i64 index, i64 bound, i64 position) {
	if (SKEL_CAS(skel_err, 0, kind) == 0) {
		skel_err[2] = (i32)index;
		skel_err[3] = (i32)(index >> 32);
		skel_err[4] = (i32)bound;
		skel_err[5] = (i32)(bound >> 32);
		skel_err[6] = (i32)position;
		skel_err[7] = (i32)(position >> 32);
	}
}
FUNC b8 skel_check_element(GLOBAL i32 *skel_err, i64 i, i64 n, i64 position) {
	if (i >= 0 && i < n) return 1;
	skel_report_at(skel_err, 6, i, n, position);
	return 0;
}
FUNC i64 skel_element_or_0(GLOBAL i32 *skel_err, i64 i, i64 n, i64 position) {
	return skel_check_element(skel_err, i, n, position) ? i : 0;
}
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
#define SKEL_WATCHED 15
FUNC i64 skel_owners(GLOBAL i32 *skel_err, i32 view) {
	if (view < 0 || view >= SKEL_WATCHED) return 0;
	return (i64)((u64)(u32)skel_err[10 + 2 * view] | (u64)(u32)skel_err[11 + 2 * view] << 32);
}
FUNC void skel_check_owner(GLOBAL i32 *skel_err, i32 kind, i32 was, i64 i, i64 cols, i64 writer, u32 site) {
	if (was == 0 || was == (i32)(u32)(writer + 1)) return;
	if (SKEL_CAS(skel_err, 0, kind) == 0) {
		u32 other = (u32)was - 1;
		skel_err[1] = (i32)site;
		skel_err[2] = (i32)i;
		skel_err[3] = (i32)(i >> 32);
		skel_err[4] = (i32)other;
		skel_err[6] = (i32)writer;
		skel_err[7] = (i32)(writer >> 32);
		skel_err[8] = (i32)cols;
		skel_err[9] = (i32)(cols >> 32);
	}
}
FUNC i64 skel_check_write(GLOBAL i32 *skel_err, i64 owners, i64 writer, i64 i, i64 cols, u32 site) {
	if (owners != 0)
		skel_check_owner(skel_err, 8, SKEL_CAS(skel_err + owners + i, 0, (i32)(u32)(writer + 1)), i, cols, writer, site);
	return i;
}
FUNC i64 skel_check_read(GLOBAL i32 *skel_err, i64 owners, i64 writer, i64 i, i64 cols, u32 site) {
	if (owners != 0)
		skel_check_owner(skel_err, 9, SKEL_CAS(skel_err + owners + i, 0, 0), i, cols, writer, site);
	return i;
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
#define WRITES i64 owners, writer;
#define WRITER(view, k, element) (view).owners = skel_owners(skel_err, (k)), (view).writer = (element)
#define CHECK_WRITE(view, i, cols, site) skel_check_write(skel_err, (view).owners, (view).writer, (i), (cols), (site))
#define CHECK_READ(view, i, cols, site) skel_check_read(skel_err, (view).owners, (view).writer, (i), (cols), (site))
#define CHECK_ELEMENT(i, n, position) skel_check_element(skel_err, (i), (n), (position))
#define ELEMENT_OR_0(i, n, position) skel_element_or_0(skel_err, (i), (n), (position))
#define REPORT_EQUAL(i, position, other) skel_report_at(skel_err, 7, (i), (other), (position))
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
#define WRITES
#define WRITER(view, k, element) ((void)0)
#define CHECK_WRITE(view, i, cols, site) (i)
#define CHECK_READ(view, i, cols, site) (i)
#define CHECK_ELEMENT(i, n, position) ((u64)(i) < (u64)(n))
#define ELEMENT_OR_0(i, n, position) skel_element_or_0((i), (n))
#define REPORT_EQUAL(i, position, other) ((void)0)
FUNC i64 skel_element_or_0(i64 i, i64 n) { return CHECK_ELEMENT(i, n, 0) ? i : 0; }
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
