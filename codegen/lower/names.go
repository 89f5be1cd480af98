package lower

import (
	"fmt"
	"regexp"
	"strings"
)

// reserved holds words that cannot be names of locals or fields in OpenCL C or
// CUDA C++: keywords, types, and macros of the preludes and kernels.
var reserved = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`alignas alignof and and_eq asm atomic auto bitand bitor bool break case
		catch char char16_t char32_t class co_await co_return co_yield compl complex concept const const_cast
		consteval constexpr constinit constant continue decltype default defined delete do double
		dynamic_cast else enum explicit export extern false float for friend generic global goto half if
		image1d_t image2d_t image3d_t imaginary inline int kernel local long main mutable namespace new
		noexcept not not_eq nullptr operator or or_eq pipe private protected public quad read_only read_write
		register reinterpret_cast requires restrict return sampler_t event_t short signed sizeof size_t
		static static_assert static_cast struct switch template this thread_local throw true try typedef
		typeid typename typeof uchar uint ulong union unroll unsigned ushort using vec_step virtual void
		volatile wchar_t while write_only xor xor_eq bool2 i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 b8 ptrdiff_t
		intptr_t uintptr_t NULL NAN INFINITY MAXFLOAT HUGE_VAL HUGE_VALF KERNEL FUNC GLOBAL LOCAL CONSTANT
		LIT BARRIER CTX_K CTX_P CTX_P0 CTX_A CTX_A0 CHECK_INDEX CHECK_DIVISOR CHECK_SHIFT CHECK_PANIC
		CHECK_ELEMENT ELEMENT_OR_0 REPORT_EQUAL ATOMIC_MAX WRITES
		READ_RUN OVER_RUN OF_RUN UNROLL ROLLED group_id lane_id lanes groups as_uint as_float as_ulong
		as_double linux unix i386 assert EOF threadIdx blockIdx blockDim gridDim warpSize M_E M_PI M_PI_2
		M_PI_4 M_LN2 M_LN10 M_SQRT2 FLT_MAX FLT_MIN FLT_EPSILON DBL_MAX DBL_MIN DBL_EPSILON CHAR_BIT CHAR_MAX
		CHAR_MIN INT_MAX INT_MIN LONG_MAX LONG_MIN SHRT_MAX SHRT_MIN UINT_MAX ULONG_MAX UCHAR_MAX
		` + macros) {
		m[w] = true
	}
	return m
}()

// macros are those that package skel defines before the fields of an extra argument are set.
const macros = `AHEAD ALIGNED ALL AT_ONCE BITS BK BM BN BUFFERS BY_COLUMNS BY_POSITION CANDIDATES CARRY
		CARRY_ELEMENT CARRY_VALUE CHUNK CLEAR COLUMNS COL_T COMPUTED COUNT COUNTED COUNT_P DEEP DIGITS
		DIGIT_VALUES DISTINCT DOUBLE DYNAMIC_P E EACH EACH_K EACH_KEEP EACH_LOAD ELEMENTS ENTRIES EVEN
		EXCHANGE EXCLUSIVE FIRST_INDICES FLAGGED FOLD_ADD FOLD_AND FOLD_MAX FOLD_MIN FOLD_OR FOLD_XOR
		GET_A GET_B GLOBAL_COUNTS GROUPS GUESS HALO HAS_LEFT INDICES INPUT INVERSE IN_PLACE IN_REGISTERS
		IN_T ITEMS K KEEP KEEP_KEYS KEYED KEYS KEYS_LAST KEY_DESCENDING KEY_FLOAT KEY_SIGNED KEY_T KEY_U
		KEY_WIDTH L LANES LARGE_ELEMENTS LENGTHS LIST LOCAL_EDGES LOCAL_PTR LOCAL_TOTALS LONG LX LY
		MARGIN MARKED MT NEIGHBOURS NEUTRAL NO_KEYS NT OF ONTO OUT OUT_VECTOR OWNED P PAD PADDING PAIRS
		PARTIAL PLACED_A PLACED_B POS POSITIONS PRODUCTS PUT_A PUT_B RADIX RAGGED RAW_A_IN RAW_B_IN READS
		REPLICAS RESIDENT REST RESTRICT RESULT_T ROW_A ROW_B ROW_T RUN RUNS S SAMPLED SEEDED SEG
		SHAPE_CPU SIDE_BY_SIDE SLOT SLOTS SPAN SPLIT SRC_A SRC_P STAGED STAGED_VECTORS STAGES STEP T TA
		TB THROUGH_OUT TILE TILE_COLS TILE_ROWS TM TN TOGETHER TRANSPOSED TV TWICE UNIT UNSIGNED UPPER V
		VALUE VALUED_DOWN VALUED_UP VALUES VECTOR V_OUT WA WB WHOLE_CHUNKS WIDE WIDTH WINDOW_COLS
		WINDOW_NAME WINDOW_PITCH WINDOW_ROWS WINDOW_T WORD WORDS_OF_INTEGERS WX WY`

// vectorType reports whether s is the name of an OpenCL vector type, such as
// float4.
func vectorType(s string) bool {
	base := strings.TrimRight(s, "0123456789")
	switch base {
	case "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double", "half", "longlong",
		"ulonglong":
		return base != s
	}
	return false
}

// generated matches the names of types and functions that lowering makes up, and those
// that end in a tag.
var generated = regexp.MustCompile(
	`^(arr\d+|view|outview|matview|matoutview|row|window|matwindow|tuple|anon|equal)_|_\d[0-9a-z]{5}(_twice)?$`)

// cName returns the name of a local variable or a field as a C identifier, unchanged if
// possible. It differs from the names of all types and functions, but two names can become
// equal: fresh and uniqueFields tell them apart.
func cName(name string) string {
	s := ascii(name)
	if reserved[s] || vectorType(s) || strings.HasPrefix(s, "skel_") || strings.HasPrefix(s, "SKEL_") ||
		strings.HasPrefix(s, "__") || strings.HasPrefix(s, "CLK_") || strings.HasPrefix(s, "cl_") ||
		generated.MatchString(s) {
		s += "_"
	}
	return s
}

// ascii writes the letters of a Go identifier that C does not have as _u and their number.
func ascii(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r < 128 {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "_u%x", r)
		}
	}
	return b.String()
}
