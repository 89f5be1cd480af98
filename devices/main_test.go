package devices_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
)

// gpus has four devices; absent has none.
var (
	gpus   = drivertest.NewFake(drivertest.Options{Name: "gpu", Devices: 4, Kind: driver.GPU})
	absent = drivertest.NewFake(drivertest.Options{Name: "absent", Missing: "libabsent.so was not found"})
)

// children holds what the test binary runs as a child process.
var children = map[string]func() error{}

func TestMain(m *testing.M) {
	if name := os.Getenv("DEVICES_TEST_CHILD"); name != "" {
		if err := children[name](); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	devices.Register(gpus)
	devices.Register(absent)
	os.Unsetenv("SKEL_DEVICE")
	os.Unsetenv("SKEL_CHECK")
	os.Unsetenv("SKEL_TRACE")
	os.Setenv("SKEL_CACHE", "off")
	os.Exit(m.Run())
}

// child returns a command that runs one of children.
func child(name string, env ...string) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), append(env, "DEVICES_TEST_CHILD="+name)...)
	return c
}

// fake opens a device of a new Fake and closes it at the end of the test.
func fake(t testing.TB, opt drivertest.Options) (*devices.Device, *drivertest.Fake) {
	t.Helper()
	f := drivertest.NewFake(opt)
	d := devices.Wrap(f.Device(0).ID(), f.Device(0))
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error("close:", err)
		}
		if n, bytes := f.Live(); n != 0 {
			t.Errorf("%d buffers of %d bytes left", n, bytes)
		}
	})
	return d, f
}

func alloc(t testing.TB, d *devices.Device, n int64) *devices.Buffer {
	t.Helper()
	b, err := d.Alloc(n)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantError checks that err contains all the given texts.
func wantError(t testing.TB, err error, texts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one with %q", texts)
		return
	}
	for _, x := range texts {
		if !strings.Contains(err.Error(), x) {
			t.Errorf("the error does not contain %q: %v", x, err)
		}
	}
}

// wantPanic checks that f panics with all the given texts.
func wantPanic(t testing.TB, f func(), texts ...string) {
	t.Helper()
	defer func() {
		t.Helper()
		wantError(t, fmt.Errorf("%v", recover()), texts...)
	}()
	f()
}

// program returns a launch that any device accepts.
func program(name string) devices.Launch {
	return devices.Launch{
		Name:  name,
		Label: "map(" + name + ")",
		Key:   "key of " + name,
		C:     func() string { return "text of " + name },
		Go:    func(driver.Group) {},
		Grid:  driver.Grid{Groups: 4, Lanes: 64},
	}
}
