package drivertest

import (
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices/driver"
)

// Tests of devices that compile C.

func (s suite) geometry(t *testing.T) {
	k := s.build(t, geometry)
	for _, grid := range []driver.Grid{{Groups: 1, Lanes: 1}, {Groups: 3, Lanes: 5}, {Groups: 9, Lanes: 64}} {
		t.Run(gridName(grid), func(t *testing.T) {
			var want []int64
			for g := range grid.Groups {
				for l := range grid.Lanes {
					want = append(want, g, int64(l), grid.Groups, int64(grid.Lanes))
				}
			}
			out := s.alloc(t, int64(8*len(want)))
			must(t, "launch")(k.Launch(grid, driver.Memory(out)))
			s.want(t, out, 0, driver.Bytes(want))
		})
	}
}

func (s suite) localMemory(t *testing.T) {
	const groups = 5
	x := s.alloc(t, groups*64*4)
	must(t, "write")(x.Write(0, driver.Bytes(ramp(groups*64, 0))))
	must(t, "launch")(s.build(t, mirror).Launch(driver.Grid{Groups: groups, Lanes: 64}, driver.Memory(x)))
	want := make([]int32, groups*64)
	for i := range want {
		want[i] = int32(i/64*64 + 63 - i%64)
	}
	s.want(t, x, 0, driver.Bytes(want))
}

// buildErrors checks that errors contain the compiler's message and the line.
func (s suite) buildErrors(t *testing.T) {
	for name, p := range map[string]driver.Program{
		"unknown name": {Name: "bad",
			C: "#line 12 \"user.go\"\nKERNEL bad(CTX_K GLOBAL i32 *x) { x[0] = nonsense; }\n"},
		"syntax":         {Name: "bad", C: "KERNEL bad(CTX_K GLOBAL i32 *x) { nonsense\n"},
		"no entry point": {Name: "nonsense", C: fill.C},
	} {
		t.Run(name, func(t *testing.T) {
			k, err := s.dev.Build(p)
			if err == nil {
				_ = k.Close()
				t.Fatal("no error")
			}
			if !strings.Contains(err.Error(), "nonsense") {
				t.Errorf("the error does not contain the compiler's message: %v", err)
			}
			if strings.Contains(p.C, "#line") && !strings.Contains(err.Error(), "user.go:12") {
				t.Errorf("the error does not name the Go line: %v", err)
			}
		})
	}
	s.want(t, s.filled(t, 10, 1), 0, driver.Bytes(ramp(10, 1)))
}

func (s suite) launchErrors(t *testing.T) {
	k := s.build(t, fill)
	b := s.alloc(t, 400)
	grid := driver.Grid{Groups: 1, Lanes: 1}
	fails(t, "too few arguments")(k.Launch(grid, driver.Memory(b), driver.Value(int64(100))))
	fails(t, "too many arguments")(k.Launch(grid, driver.Memory(b), driver.Value(int64(100)), driver.Value(int32(1)),
		driver.Value(int32(1))))
	fails(t, "an argument of the wrong size")(k.Launch(grid, driver.Memory(b), driver.Value(int32(100)),
		driver.Value(int32(1))))
	fails(t, "too many lanes")(k.Launch(driver.Grid{Groups: 1, Lanes: 2*s.dev.Info().MaxGroup + 1}, driver.Memory(b),
		driver.Value(int64(100)), driver.Value(int32(1))))
	b = s.alloc(t, 400) // a launch that failed may have changed the other one, or made it unusable until it is written
	must(t, "launch after those that failed")(k.Launch(grid, driver.Memory(b), driver.Value(int64(100)),
		driver.Value(int32(3))))
	s.want(t, b, 0, driver.Bytes(ramp(100, 3)))
}

// binary builds a kernel from a valid binary and from invalid ones.
func (s suite) binary(t *testing.T) {
	k := s.build(t, fill)
	keep, ok := k.(driver.Binary)
	if !ok {
		t.Skip("its kernels cannot be cached")
	}
	if _, ok := s.dev.(driver.Fingerprint); !ok {
		t.Error("a device whose kernels can be cached must implement driver.Fingerprint")
	}
	data, err := keep.Binary()
	if err != nil || len(data) == 0 {
		t.Fatalf("%d bytes, %v", len(data), err)
	}
	p := fill
	p.Binary = data
	b := s.alloc(t, 400)
	must(t, "launch")(s.build(t, p).Launch(driver.Grid{Groups: 2, Lanes: 8}, driver.Memory(b),
		driver.Value(int64(100)), driver.Value(int32(3))))
	s.want(t, b, 0, driver.Bytes(ramp(100, 3)))
	for name, bad := range map[string][]byte{
		"truncated": data[:len(data)/2],
		"one byte":  data[:1],
		"garbage":   pattern(1000),
	} {
		p.Binary = bad
		if k, err := s.dev.Build(p); err == nil {
			_ = k.Close()
			t.Errorf("%s binary: no error", name)
		}
	}
}

// checked reads the report that a kernel built in checked mode writes.
func (s suite) checked(t *testing.T) {
	type report struct {
		Kind, Site   int32
		Index, Bound int64
	}
	k := s.build(t, checked)
	for _, c := range []struct {
		i    int64
		by   int32
		want report
		x0   int32
	}{
		{i: 3, by: 2, want: report{}, x0: 6},
		{i: 5, by: 2, want: report{1, 7, 5, 5}, x0: 4},
		{i: -1, by: 2, want: report{1, 7, -1, 5}, x0: 4},
		{i: 1 << 40, by: 1, want: report{1, 7, 1 << 40, 5}, x0: 9},
		{i: 3, by: 0, want: report{Kind: 2, Site: 9}, x0: 0},
	} {
		x, r := s.alloc(t, 20), s.alloc(t, 24)
		must(t, "write")(x.Write(0, driver.Bytes(ramp(5, 9))))
		must(t, "write")(r.Write(0, make([]byte, 24)))
		must(t, "launch")(k.Launch(driver.Grid{Groups: 2, Lanes: 4},
			driver.Memory(r), driver.Memory(x), driver.Value(int64(5)), driver.Value(c.i), driver.Value(c.by)))
		got, x0 := make([]report, 1), make([]int32, 1)
		must(t, "read")(r.Read(0, driver.Bytes(got)))
		must(t, "read")(x.Read(0, driver.Bytes(x0)))
		if c.want.Kind == 2 {
			got[0].Index, got[0].Bound = 0, 0 // unspecified
		}
		if got[0] != c.want || x0[0] != c.x0 {
			t.Errorf("x[%d]/%d: reported %+v, x[0] = %d; want %+v, %d", c.i, c.by, got[0], x0[0], c.want, c.x0)
		}
	}
	plain := checked
	plain.Checked = false
	x := s.alloc(t, 20)
	must(t, "write")(x.Write(0, driver.Bytes(ramp(5, 9))))
	must(t, "launch without checks")(s.build(t, plain).Launch(driver.Grid{Groups: 2, Lanes: 4},
		driver.Memory(x), driver.Value(int64(5)), driver.Value(int64(1)), driver.Value(int32(0))))
	s.want(t, x, 0, driver.Bytes([]int32{0}))
}
