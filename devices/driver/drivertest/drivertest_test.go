package drivertest_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
)

func TestFakePassesTheSuite(t *testing.T) {
	for name, opt := range map[string]drivertest.Options{
		"plain":  {},
		"native": {Native: true},
		"lazy":   {Lazy: true},
		"cached": {Cached: true, Devices: 2},
	} {
		t.Run(name, func(t *testing.T) {
			f := drivertest.NewFake(opt)
			drivertest.Run(t, f.Device(0))
			if n, bytes := f.Live(); n != 0 || bytes != 0 {
				t.Errorf("%d buffers of %d bytes left", n, bytes)
			}
		})
	}
}

func TestFakePeers(t *testing.T) {
	for _, lazy := range []bool{false, true} {
		f := drivertest.NewFake(drivertest.Options{Devices: 2, Lazy: lazy})
		drivertest.RunPeers(t, f.Device(0), f.Device(1))
	}
}

func TestFakeRecords(t *testing.T) {
	f := drivertest.NewFake(drivertest.Options{Name: "gpu", Devices: 2})
	d := f.Device(1)
	if d.ID() != "gpu:1" {
		t.Errorf("ID %q", d.ID())
	}
	b, _ := d.Alloc(100)
	b.Write(10, make([]byte, 20))
	k, _ := d.Build(driver.Program{Name: "f", C: "text"})
	k.Launch(driver.Grid{Groups: 2, Lanes: 3}, driver.Memory(b), driver.Value(1))
	b.Free()
	want := []drivertest.Call{
		{Op: drivertest.Alloc, Device: 1, Bytes: 100},
		{Op: drivertest.Write, Device: 1, Off: 10, Bytes: 20},
		{Op: drivertest.Build, Device: 1, Name: "f", Bytes: 4},
		{Op: drivertest.Launch, Device: 1, Name: "f", Grid: driver.Grid{Groups: 2, Lanes: 3}, Args: 2},
		{Op: drivertest.Free, Device: 1, Bytes: 100},
	}
	if diff := cmp.Diff(want, f.Calls()); diff != "" {
		t.Error(diff)
	}
	if n := f.Bytes(drivertest.Write); n != 20 {
		t.Errorf("%d bytes written", n)
	}
	if n := len(f.Calls(drivertest.Alloc, drivertest.Free)); n != 2 {
		t.Errorf("%d of Alloc and Free", n)
	}
	f.Reset()
	if n := len(f.Calls()); n != 0 {
		t.Errorf("%d calls after Reset", n)
	}
}

func TestFailAt(t *testing.T) {
	f := drivertest.NewFake(drivertest.Options{})
	mine := errors.New("mine")
	d := f.Device(0)
	d.Sync()
	f.FailAt(drivertest.Sync, 2, 2, mine)
	var got []bool
	for range 5 {
		got = append(got, errors.Is(d.Sync(), mine))
	}
	if diff := cmp.Diff([]bool{false, true, true, false, false}, got); diff != "" {
		t.Error(diff)
	}
}

func TestLazyFakeWaits(t *testing.T) {
	f := drivertest.NewFake(drivertest.Options{Lazy: true})
	b, _ := f.Device(0).Alloc(4)
	p := []byte{1, 2, 3, 4}
	ev, _ := b.Write(0, p)
	clear(p) // too early: the write has not happened yet
	if err := ev.Wait(); err != nil {
		t.Fatal(err)
	}
	if ev, _ := b.Read(0, p); ev.Wait() != nil || p[0] != 0 {
		t.Errorf("read %v: the write did not wait", p)
	}
}

func ExampleFake() {
	f := drivertest.NewFake(drivertest.Options{})
	f.FailAt(drivertest.Alloc, 2, 1, nil)
	for range 3 {
		_, err := f.Device(0).Alloc(1024)
		fmt.Println(err)
	}
	// Output:
	// <nil>
	// Alloc 2: injected failure
	// <nil>
}
