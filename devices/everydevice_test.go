package devices_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/devices/driver"
)

const gatherC = `KERNEL gather(CTX_K GLOBAL i32 *out, GLOBAL const i32 *x, GLOBAL const i32 *at, i64 n) {
	for (i64 i = group_id() * lanes() + lane_id(); i < n; i += groups() * lanes())
		out[i] = x[CHECK_INDEX(at[i], n, 5)];
}
`

// gather computes out[i] = x[at[i]]; tests pass invalid indices in at.
func gather(out, x, at *devices.Buffer, n int64) devices.Launch {
	o, s, a := driver.Slice[int32](out.Bytes()), driver.Slice[int32](x.Bytes()), driver.Slice[int32](at.Bytes())
	return devices.Launch{
		Name:  "gather",
		Label: "map(gather)",
		Key:   "gather",
		C:     func() string { return gatherC },
		Go: func(g driver.Group) {
			for lo, hi := g.Range(n); lo < hi; lo++ {
				o[lo] = s[a[lo]]
			}
		},
		Grid:  driver.Grid{Groups: 4, Lanes: 32},
		Args:  []driver.Arg{out.Arg(), x.Arg(), at.Arg(), driver.Value(n)},
		Sites: func(id uint32) (pos, function string) { return "user.go:5:9", "user.f" },
	}
}

// eachReal calls devicestest.Each but skips the fakes that this package's tests
// register.
func eachReal(t *testing.T, f func(t *testing.T, d *devices.Device)) {
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		if d.Info().Platform == "drivertest" {
			t.Skip("computes nothing")
		}
		f(t, d)
	})
}

// upload returns a buffer with the given numbers.
func upload(t *testing.T, d *devices.Device, x []int32) *devices.Buffer {
	t.Helper()
	b := alloc(t, d, int64(4*len(x)))
	t.Cleanup(b.Free)
	ok(t, b.Write(0, driver.Bytes(x)))
	return b
}

func TestLaunchOnEveryDevice(t *testing.T) {
	const n = 1000
	var x, at, want []int32
	for i := range int32(n) {
		x, at = append(x, 3*i), append(at, n-1-i)
		want = append(want, 3*(n-1-i))
	}
	eachReal(t, func(t *testing.T, d *devices.Device) {
		d.SetTiming(true)
		defer d.SetTiming(false)
		before := d.Stats()
		out, bx, bat := upload(t, d, make([]int32, n)), upload(t, d, x), upload(t, d, at)
		ok(t, d.Launch(gather(out, bx, bat, n)))
		got := make([]int32, n)
		ok(t, out.Read(0, driver.Bytes(got)))
		if !slices.Equal(got, want) {
			t.Errorf("%v", got)
		}
		if s := d.Stats().Sub(before); s.Launches != 1 || s.DeviceTime <= 0 || s.UploadBytes != 3*4*n {
			t.Errorf("%+v", s)
		}

		var wg sync.WaitGroup // launches from many goroutines, one of which has to build
		for range 8 {
			own := upload(t, d, make([]int32, n))
			wg.Go(func() {
				l := gather(own, bx, bat, n)
				l.Key = t.Name()
				if err := d.Launch(l); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		ok(t, d.Sync())
	})
}

func TestCheckedModeOnEveryDevice(t *testing.T) {
	eachReal(t, func(t *testing.T, d *devices.Device) {
		before := d.Checked()
		d.SetChecked(true)
		defer d.SetChecked(before)
		out, x := upload(t, d, make([]int32, 5)), upload(t, d, []int32{1, 2, 3, 4, 5})
		ok(t, d.Launch(gather(out, x, upload(t, d, []int32{4, 3, 2, 1, 0}), 5)))
		for _, bad := range []int32{5, 17, -1} {
			err := d.Launch(gather(out, x, upload(t, d, []int32{4, 3, bad, 1, 0}), 5))
			e, _ := errors.AsType[*devices.CheckError](err)
			if e == nil || e.Kind != devices.BadIndex || e.Index != int64(bad) || e.Device != d.ID() ||
				e.Label != "map(gather)" {
				t.Fatalf("%#v", err)
			}
			where := "user.go:5:9"
			if d.Native() {
				where = "everydevice_test.go:30"
			} else if e.Bound != 5 {
				t.Errorf("bound %d", e.Bound)
			}
			if e.Pos != where {
				t.Errorf("at %s, want %s", e.Pos, where)
			}
		}
		ok(t, d.Launch(gather(out, x, upload(t, d, []int32{4, 3, 2, 1, 0}), 5))) // the report is empty again
	})
}

func TestBuildErrorOnEveryDevice(t *testing.T) {
	eachReal(t, func(t *testing.T, d *devices.Device) {
		if d.Native() {
			t.Skip("builds nothing")
		}
		l := program("bad")
		l.C = func() string { return "#line 12 \"user.go\"\nKERNEL bad(CTX_K GLOBAL i32 *x) { x[0] = nonsense; }\n" }
		wantError(t, d.Launch(l), d.ID()+": map(bad): ", "user.go:12", "nonsense")
	})
}

func TestOutOfMemoryOnEveryDevice(t *testing.T) {
	eachReal(t, func(t *testing.T, d *devices.Device) {
		for _, n := range []int64{d.Info().MaxAlloc + 1, d.Info().Memory + 1, 1 << 60} {
			_, err := d.Alloc(n)
			e, _ := errors.AsType[*devices.MemoryError](err)
			if e == nil || e.Asked != n || e.Total != d.Info().Memory || !errors.Is(err, driver.ErrMemory) {
				t.Errorf("%d bytes: %v", n, err)
			}
		}
	})
}
