package devicestest_test

import (
	"testing"

	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/devices/driver"
)

type someKernel struct{}

func (someKernel) Launch(driver.Grid, ...driver.Arg) (driver.Event, error) { return driver.Done, nil }
func (someKernel) Close() error                                            { return nil }

type someBuffer struct {
	driver.Buffer
	_ byte // gives each buffer its own address
}

func TestPromises(t *testing.T) {
	const (
		sources = "#define SRC_P GLOBAL const f32 *p0, VIEW_P(f32) p1, GLOBAL f32 *p2, i64 p3, \n"
		shapes  = "#define LX 2\n#define LANES (LX * 4)\n#ifdef SHAPE_CPU\nKERNEL map(CTX_K SRC_P GLOBAL T " +
			"*RESTRICT out, i64 n) {\n}\n#else\nKERNEL_OF(LANES, 2) map(CTX_K SRC_P GLOBAL T *out, i64 n) {\n}\n" +
			"#endif\n"
		cpu = "#define SHAPE_CPU\n"
	)
	a, b, c, out := driver.Memory(&someBuffer{}), driver.Memory(&someBuffer{}), driver.Memory(&someBuffer{}),
		driver.Memory(&someBuffer{})
	n := driver.Value(int64(1))
	for _, test := range []struct {
		name, text string
		args       []driver.Arg
		kept       bool
	}{
		{"all differ", sources + shapes, []driver.Arg{a, b, c, n, out, n}, true},
		{"an input twice", sources + shapes, []driver.Arg{a, a, c, n, out, n}, true},
		{"in place on a GPU", sources + shapes, []driver.Arg{a, b, c, n, a, n}, true},
		{"a view of the output", sources + shapes, []driver.Arg{a, b, c, n, b, n}, false},
		{"a view and an out-view", sources + shapes, []driver.Arg{a, b, b, n, out, n}, false},
		{"a view and an out-view on a processor", cpu + sources + shapes, []driver.Arg{a, b, b, n, out, n}, true},
		{"in place", cpu + sources + shapes, []driver.Arg{a, b, c, n, a, n}, false},
		{"in place, and said so", cpu + "#define THROUGH_OUT p0 = out;\n" + sources + shapes,
			[]driver.Arg{a, b, c, n, a, n}, true},
		{"in place, and said of another", cpu + "#define THROUGH_OUT p1 = out;\n" + sources + shapes,
			[]driver.Arg{a, b, c, n, a, n}, false},
	} {
		k := devicestest.Promises(someKernel{}, driver.Program{Name: "map", C: test.text})
		if _, err := k.Launch(driver.Grid{Lanes: 8}, test.args...); (err == nil) != test.kept {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	k := devicestest.Promises(someKernel{}, driver.Program{Name: "map", C: sources + shapes})
	if _, err := k.Launch(driver.Grid{Lanes: 4}, a, b, c, n, out, n); err == nil {
		t.Error("a launch with the wrong group size succeeded")
	}
}
