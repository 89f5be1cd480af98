package devices_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
)

// reporter returns a fake whose kernels report an error, as checked device code
// does.
func reporter(t *testing.T, kind, site uint32, index, bound int64) (*devices.Device, *drivertest.Fake) {
	d, f := fake(t, drivertest.Options{Lazy: true, OnLaunch: func(_ string, _ driver.Grid, args []driver.Arg) error {
		report := args[0].Buf.(driver.HostMemory).Bytes()
		if report[0] != 0 {
			return errors.New("the report is not empty")
		}
		binary.NativeEndian.PutUint32(report, kind)
		binary.NativeEndian.PutUint32(report[4:], site)
		binary.NativeEndian.PutUint64(report[8:], uint64(index))
		binary.NativeEndian.PutUint64(report[16:], uint64(bound))
		return nil
	}})
	d.SetChecked(true)
	return d, f
}

func TestCheckedLaunch(t *testing.T) {
	for _, c := range []struct {
		kind, site   uint32
		index, bound int64
		want         string
	}{
		{1, 3, 17, 5,
			"kmeans.go:3:12: index 17 out of range [0, 5) in kmeans.nearest, called by map(a) on fake:0 (found by " +
				"SKEL_CHECK=1)"},
		{1, 4, -1, 0,
			"kmeans.go:4:12: index -1 out of range [0, 0) in kmeans.nearest, called by map(a) on fake:0 (found by " +
				"SKEL_CHECK=1)"},
		{2, 3, 0, 0,
			"kmeans.go:3:12: division by zero in kmeans.nearest, called by map(a) on fake:0 (found by SKEL_CHECK=1)"},
		{3, 3, -2, 0,
			"kmeans.go:3:12: negative shift count in kmeans.nearest, called by map(a) on fake:0 (found by " +
				"SKEL_CHECK=1)"},
		{4, 3, 0, 0, "kmeans.go:3:12: panic in kmeans.nearest, called by map(a) on fake:0 (found by SKEL_CHECK=1)"},
	} {
		d, _ := reporter(t, c.kind, c.site, c.index, c.bound)
		l := program("a")
		l.Sites = func(id uint32) (pos, function string) { return fmt.Sprintf("kmeans.go:%d:12", id), "kmeans.nearest" }
		for range 2 { // the second launch starts with an empty report
			err := d.Launch(l)
			if err == nil || err.Error() != c.want {
				t.Errorf("%v\nwant %s", err, c.want)
			}
			e, _ := errors.AsType[*devices.CheckError](err)
			if e == nil || e.Kind != devices.CheckKind(c.kind) || e.Index != c.index || e.Bound != c.bound {
				t.Errorf("%#v", err)
			}
		}
		l.Sites = nil
		wantError(t, d.Launch(l), fmt.Sprintf("site %d: ", c.site))
	}
}

// TestOwnersTakeMemoryOfThePool checks that the words which watch out-views take the memory
// that the pool holds, and that the error names what is asked for if there is too little.
func TestOwnersTakeMemoryOfThePool(t *testing.T) {
	d, _ := fake(t, drivertest.Options{Memory: 48 << 20})
	d.SetChecked(true)
	alloc(t, d, 40<<20).Free()
	if devices.PoolBytes(d) == 0 {
		t.Fatal("the pool is empty: the test checks nothing")
	}
	l := program("a")
	l.Writes = []int64{8 << 20}
	ok(t, d.Launch(l))
	l.Writes = []int64{16 << 20}
	err := d.Launch(l)
	if e, _ := errors.AsType[*devices.MemoryError](err); e == nil || e.Asked < 64<<20 {
		t.Errorf("error %v, want one that %d bytes cannot be allocated", err, 64<<20)
	}
	l.Writes = nil
	ok(t, d.Launch(l))
}

func TestCheckedLaunchWithoutMistake(t *testing.T) {
	var sawChecked bool
	d, f := fake(t, drivertest.Options{OnBuild: func(p driver.Program) error {
		sawChecked = sawChecked || p.Checked
		return nil
	}})
	l := program("a")
	l.Args = []driver.Arg{driver.Value(1), driver.Value(2)}
	ok(t, d.Launch(l))
	if sawChecked {
		t.Error("a checked build without SKEL_CHECK=1")
	}
	d.SetChecked(true)
	if !d.Checked() {
		t.Error("not checked")
	}
	ok(t, d.Launch(l))
	d.SetChecked(false)
	ok(t, d.Launch(l))
	if !sawChecked || f.Count(drivertest.Build) != 2 {
		t.Errorf("checked build: %v; %d builds", sawChecked, f.Count(drivertest.Build))
	}
	var args []int
	for _, c := range f.Calls(drivertest.Launch) {
		args = append(args, c.Args)
	}
	if fmt.Sprint(args) != "[2 3 2]" {
		t.Errorf("launches with %v arguments", args)
	}
	if s := d.Stats(); s.LiveBuffers != 0 || s.Uploads+s.Downloads != 0 {
		t.Errorf("the report is counted: %+v", s)
	}
}

func TestCheckModeByEnvironment(t *testing.T) {
	t.Setenv("SKEL_CHECK", "1")
	if d, _ := fake(t, drivertest.Options{}); !d.Checked() {
		t.Error("SKEL_CHECK=1 does not turn on checked mode")
	}
}

// shift panics if by is negative.
func shift(x, by int) int { return x << by }

func TestNativeMistakes(t *testing.T) {
	devs, err := devices.Get("cpu")
	ok(t, err)
	var none []int
	zero := 0
	mine := errors.New("no such cluster")
	for _, c := range []struct {
		f    func()
		want devices.CheckError
		text string
	}{
		{func() { none[zero+17] = 1 }, devices.CheckError{Kind: devices.BadIndex, Index: 17},
			"index 17 out of range [0, 0) in map(a) on cpu"},
		{func() { none[zero-1] = 1 }, devices.CheckError{Kind: devices.BadIndex, Index: -1}, "index -1 out of range"},
		{func() { panic("skelgo: index 7 out of range [0, 5)") },
			devices.CheckError{Kind: devices.BadIndex, Index: 7, Bound: 5}, "index 7 out of range [0, 5)"},
		{func() { none = make([]int, 5/zero) }, devices.CheckError{Kind: devices.DivideByZero}, "division by zero"},
		{func() { zero = shift(1, zero-1) }, devices.CheckError{Kind: devices.NegativeShift}, "negative shift count"},
		{func() { panic(mine) }, devices.CheckError{Kind: devices.PanicCalled}, "panic: no such cluster"},
	} {
		l := program("a")
		l.Go = func(g driver.Group) {
			if g.ID == 1 {
				c.f()
			}
		}
		err := devs[0].Launch(l)
		wantError(t, err, c.text, "check_test.go:")
		e, _ := errors.AsType[*devices.CheckError](err)
		if e == nil || e.Kind != c.want.Kind || e.Index != c.want.Index || e.Bound != c.want.Bound {
			t.Errorf("%#v", err)
		}
		if c.want.Kind == devices.PanicCalled && !errors.Is(err, mine) {
			t.Error("CheckError does not wrap the panic's error")
		}
	}
}
