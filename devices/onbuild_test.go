package devices_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
)

func ExampleOnBuild() {
	remove := devices.OnBuild(func(d *devices.Device, label string) func() {
		fmt.Printf("compiling %s for %v\n", label, d)
		return func() { fmt.Println("compiled", label) }
	})
	defer remove()

	gpu := drivertest.NewFake(drivertest.Options{Name: "gpu"})
	d := devices.Wrap("gpu:0", gpu.Device(0))
	defer d.Close()
	square := devices.Launch{
		Name: "square", Label: "map(square)", Key: "square/1",
		C:    func() string { return "KERNEL square(CTX_K GLOBAL i32 *x, i64 n) { ... }" },
		Grid: driver.Grid{Groups: 4, Lanes: 64},
	}
	fmt.Println(d.Launch(square), d.Launch(square))
	// Output:
	// compiling map(square) for gpu:0
	// compiled map(square)
	// <nil> <nil>
}

// TestOnBuild checks that kernels from disk are not reported, that failed
// builds end, and that a removed function is not called any more.
func TestOnBuild(t *testing.T) {
	cacheDir(t)
	var events []string
	var during int
	opt := drivertest.Options{Cached: true, OnBuild: func(p driver.Program) error {
		if p.Binary == nil {
			during = len(events)
		}
		if p.Name == "bad" {
			return errors.New("does not compile")
		}
		return nil
	}}
	remove := devices.OnBuild(func(d *devices.Device, label string) func() {
		events = append(events, "start "+label)
		return func() { events = append(events, "end "+label) }
	})
	t.Cleanup(remove)
	t.Cleanup(devices.OnBuild(func(*devices.Device, string) func() { return nil })) // without a done function
	d, _ := fake(t, opt)
	want := func(what string, all ...string) {
		t.Helper()
		if !slices.Equal(events, all) {
			t.Errorf("%s: %q, want %q", what, events, all)
		}
		events = nil
	}
	ok(t, d.Launch(program("a")))
	want("a build", "start map(a)", "end map(a)")
	if during != 1 {
		t.Errorf("compiled after %d events, want 1", during)
	}
	ok(t, d.Launch(program("a")))
	want("a second launch")
	fresh, _ := fake(t, opt)
	ok(t, fresh.Launch(program("a")))
	want("a kernel from the disk")
	wantError(t, d.Launch(program("bad")), "does not compile")
	want("a failed build", "start map(bad)", "end map(bad)")
	remove()
	remove()
	ok(t, d.Launch(program("b")))
	want("removed")
	wantPanic(t, func() { devices.OnBuild(nil) }, "devices: OnBuild", "nil")
}
