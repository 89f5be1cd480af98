package drivertest

import (
	"github.com/skelgo/skelgo/devices/driver"
)

// The kernels of the suite, in Go and in C. The C text uses the subset that
// preludes define: KERNEL, GLOBAL, CTX_K, group_id() and the fixed-size types.

// fill sets out[i] = v + i.
var fill = driver.Program{
	Name: "fill",
	C: `KERNEL fill(CTX_K GLOBAL i32 *out, i64 n, i32 v) {
	for (i64 i = group_id() * lanes() + lane_id(); i < n; i += groups() * lanes())
		out[i] = v + (i32)i;
}
`,
	Go: func(g driver.Group, args []driver.Arg) {
		out, n, v := slice[int32](args[0]), value[int64](args[1]), value[int32](args[2])
		for lo, hi := g.Range(n); lo < hi; lo++ {
			out[lo] = v + int32(lo)
		}
	},
}

// step sets x[i] = 3*x[i] + k, so the result depends on the order of launches.
// (OpenCL has its own function named step.)
var step = driver.Program{
	Name: "advance",
	C: `KERNEL advance(CTX_K GLOBAL i32 *x, i64 n, i32 k) {
	for (i64 i = group_id() * lanes() + lane_id(); i < n; i += groups() * lanes())
		x[i] = (i32)(3u * (u32)x[i] + (u32)k);
}
`,
	Go: func(g driver.Group, args []driver.Arg) {
		x, n, k := slice[int32](args[0]), value[int64](args[1]), value[int32](args[2])
		for lo, hi := g.Range(n); lo < hi; lo++ {
			x[lo] = 3*x[lo] + k
		}
	},
}

// record is a struct argument with padding, an array, and more than 8 bytes.
// pair fits in 8 bytes. The size of colour is not a power of two.
type (
	record struct {
		A int8
		B int32
		C int64
		D [3]float32
		E uint8
	}
	pair   struct{ X, Y int16 }
	colour struct{ R, G, B uint8 }
)

// scalars stores its arguments, of every size, as numbers.
var scalars = driver.Program{
	Name: "scalars",
	C: `typedef struct { f32 a[3]; } f32x3;
typedef struct { i8 A; i32 B; i64 C; f32x3 D; u8 E; } record;
typedef struct { i16 X; i16 Y; } pair;
typedef struct { u8 R; u8 G; u8 B; } colour;
KERNEL scalars(CTX_K GLOBAL i64 *out, i8 a, u8 b, i16 c, u16 d, i32 e, u32 f, i64 g, u64 h, f32 x,
	record r, pair p, colour q) {
	if (group_id() == 0 && lane_id() == 0) {
		out[0] = a; out[1] = b; out[2] = c; out[3] = d; out[4] = e; out[5] = f; out[6] = g; out[7] = (i64)h;
		out[8] = (i64)x;
		out[9] = r.A; out[10] = r.B; out[11] = r.C; out[12] = (i64)r.D.a[2]; out[13] = r.E;
		out[14] = p.X; out[15] = p.Y; out[16] = q.R; out[17] = q.G; out[18] = q.B;
	}
}
`,
	Go: func(g driver.Group, args []driver.Arg) {
		if g.ID != 0 {
			return
		}
		r, p, q := value[record](args[10]), value[pair](args[11]), value[colour](args[12])
		copy(slice[int64](args[0]), []int64{
			int64(value[int8](args[1])), int64(value[uint8](args[2])),
			int64(value[int16](args[3])), int64(value[uint16](args[4])),
			int64(value[int32](args[5])), int64(value[uint32](args[6])),
			value[int64](args[7]), int64(value[uint64](args[8])), int64(value[float32](args[9])),
			int64(r.A), int64(r.B), r.C, int64(r.D[2]), int64(r.E),
			int64(p.X), int64(p.Y), int64(q.R), int64(q.G), int64(q.B),
		})
	},
}

// geometry stores which lane of which group computed an element. It has no Go
// form because a native group has no lanes.
var geometry = driver.Program{
	Name: "geometry",
	C: `KERNEL geometry(CTX_K GLOBAL i64 *out) {
	GLOBAL i64 *o = out + 4 * (group_id() * lanes() + lane_id());
	o[0] = group_id(); o[1] = lane_id(); o[2] = groups(); o[3] = lanes();
}
`,
}

// mirror reverses each group's 64 elements through local memory.
var mirror = driver.Program{
	Name: "mirror",
	C: `KERNEL mirror(CTX_K GLOBAL i32 *x) {
	LOCAL i32 s[64];
	i64 i = group_id() * 64 + lane_id();
	s[lane_id()] = x[i];
	BARRIER();
	x[i] = s[63 - lane_id()];
}
`,
}

// checked reads past the end of a buffer or divides by zero, as its arguments
// ask, in one lane. Its parameters after CTX_K are those of the launch.
var checked = driver.Program{
	Name:    "checked",
	Checked: true,
	C: `FUNC i32 at(CTX_P GLOBAL const i32 *p, i64 i, i64 n) { return p[CHECK_INDEX(i, n, 7)]; }
KERNEL checked(CTX_K GLOBAL i32 *x, i64 n, i64 i, i32 by) {
	if (group_id() == 0 && lane_id() == 0) {
		i32 v = at(CTX_A x, i, n);
		x[0] = skel_div_i32(v, CHECK_DIVISOR(i32, by, 9));
	}
}
`,
}

// slice returns the buffer of an argument as a slice.
func slice[T any](a driver.Arg) []T {
	return driver.Slice[T](a.Buf.(driver.HostMemory).Bytes())
}

// value returns an argument that is passed by value.
func value[T any](a driver.Arg) T {
	var v [1]T
	copy(driver.Bytes(v[:]), a.Bytes())
	return v[0]
}
