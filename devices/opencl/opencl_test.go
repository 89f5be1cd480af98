package opencl_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/driver/drivertest"
	"github.com/skelgo/skelgo/devices/opencl"
	"github.com/skelgo/skelgo/devices/opencl/cl"
)

// devices opens all devices and closes them at the end of the test, when no
// OpenCL objects may be left.
func devices(t testing.TB) []driver.Device {
	t.Helper()
	devs, err := opencl.Driver{}.Devices()
	if err != nil {
		t.Fatal(err)
	}
	if len(devs) == 0 {
		why := opencl.Driver{}.Missing()
		if strings.Contains(os.Getenv("SKEL_REQUIRE"), "opencl") {
			t.Fatal("SKEL_REQUIRE asks for OpenCL: ", why)
		}
		t.Skip("no OpenCL: ", why)
	}
	t.Cleanup(func() {
		for _, d := range devs {
			if err := d.Close(); err != nil {
				t.Error("close:", err)
			}
			if err := d.Close(); err != nil {
				t.Error("second close:", err)
			}
		}
		if left := cl.Live(); left != (cl.Counts{}) {
			t.Errorf("OpenCL objects left over: %+v", left)
		}
	})
	return devs
}

func TestSuite(t *testing.T) {
	for i, d := range devices(t) {
		t.Run(fmt.Sprintf("opencl:%d", i), func(t *testing.T) { drivertest.Run(t, d) })
	}
}

// TestThreeDevices runs the suite in another process with three PoCL devices:
// PoCL reads the number of devices from its environment once.
func TestThreeDevices(t *testing.T) {
	devs := devices(t)
	var pocl []driver.Device
	for _, d := range devs {
		if d.Info().Platform == "Portable Computing Language" {
			pocl = append(pocl, d)
		}
	}
	if os.Getenv("POCL_DEVICES") == three {
		if len(pocl) != 3 {
			t.Fatalf("%d devices of PoCL, want 3", len(pocl))
		}
		separate(t, pocl[0], pocl[1])
		drivertest.RunPeers(t, pocl[0], pocl[1])
		drivertest.RunPeers(t, pocl[2], pocl[0])
		copiesAndWaits(t, pocl[0], pocl[1])
		gridsOfManySizes(t, pocl)
		return
	}
	if len(pocl) == 0 {
		t.Skip("no PoCL")
	}
	again(t, "POCL_DEVICES="+three, "^(TestThreeDevices|TestSuite)$")
}

// copiesAndWaits copies between devices while other goroutines wait for the
// devices and release the events of the copies.
func copiesAndWaits(t *testing.T, d, e driver.Device) {
	a, b := alloc(t, d, 64), alloc(t, e, 64)
	var copies, waits sync.WaitGroup
	var over atomic.Bool
	for i := range 3 {
		copies.Go(func() {
			to, from := a, b
			if i == 0 {
				to, from = b, a
			}
			for range 1000 {
				if _, err := to.(driver.PeerCopy).CopyPeer(0, from, 0, 64); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for _, dev := range []driver.Device{d, e} {
		waits.Go(func() {
			for !over.Load() {
				if err := dev.Sync(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	copies.Wait()
	over.Store(true)
	waits.Wait()
}

const three = "pthread pthread pthread"

// separate tests that a device rejects objects of another one.
func separate(t *testing.T, d, e driver.Device) {
	a, b := alloc(t, d, 64), alloc(t, e, 64)
	if _, err := a.Copy(0, b, 0, 64); err == nil {
		t.Error("a copy from another device's buffer was accepted")
	}
	k := build(t, d, driver.Program{Name: "one", C: `KERNEL one(CTX_K GLOBAL i32 *x) { x[0] = 1; }`})
	if _, err := k.Launch(driver.Grid{Groups: 1, Lanes: 1}, driver.Memory(b)); err == nil ||
		!strings.Contains(err.Error(), "another device") {
		t.Errorf("a launch on another device's buffer: %v", err)
	}
}

func TestMissing(t *testing.T) {
	if os.Getenv("OCL_ICD_VENDORS") == os.DevNull {
		devs, err := opencl.Driver{}.Devices()
		why := opencl.Driver{}.Missing()
		if len(devs) > 0 {
			t.Skip("the loader finds platforms outside OCL_ICD_VENDORS")
		}
		if len(devs) != 0 || err != nil || !strings.Contains(why, "pocl-opencl-icd") ||
			!strings.Contains(why, "no platform") {
			t.Errorf("%d devices, %v, missing: %s", len(devs), err, why)
		}
		return
	}
	devices(t)
	if why := (opencl.Driver{}).Missing(); why != "" {
		t.Errorf("there are devices, but Missing returns %q", why)
	}
	again(t, "OCL_ICD_VENDORS="+os.DevNull, "^TestMissing$")
}

// again runs tests in a process with an additional environment variable.
func again(t *testing.T, env, tests string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run", tests, "-test.v")
	cmd.Env = append(os.Environ(), env)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("with %s: %v\n%s", env, err, out)
	}
	t.Logf("with %s: %d tests passed", env, strings.Count(string(out), "--- PASS"))
}

func alloc(t testing.TB, d driver.Device, n int64) driver.Buffer {
	t.Helper()
	b, err := d.Alloc(n)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Free(); err != nil {
			t.Error(err)
		}
	})
	return b
}

func build(t testing.TB, d driver.Device, p driver.Program) driver.Kernel {
	t.Helper()
	k, err := d.Build(p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := k.Close(); err != nil {
			t.Error(err)
		}
	})
	return k
}

// must waits for enqueued work.
func must(t testing.TB) func(driver.Event, error) {
	return func(ev driver.Event, err error) {
		t.Helper()
		if err == nil {
			err = ev.Wait()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
