package devicestest_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/devicestest"
)

// spy records failures instead of failing the test.
type spy struct {
	testing.TB
	failed   []string
	cleanups []func()
}

func (s *spy) Helper()          {}
func (s *spy) Cleanup(f func()) { s.cleanups = append(s.cleanups, f) }
func (s *spy) Errorf(format string, args ...any) {
	s.failed = append(s.failed, format)
}
func (s *spy) Fatalf(format string, args ...any) {
	s.failed = append(s.failed, format)
	runtime.Goexit()
}

func (s *spy) run(f func()) {
	done := make(chan bool)
	go func() {
		defer close(done)
		f()
	}()
	<-done
	for _, c := range s.cleanups {
		c()
	}
}

func TestEachRunsOnTheCPU(t *testing.T) {
	t.Setenv("SKEL_DEVICE", "")
	t.Setenv("SKEL_REQUIRE", "")
	var ids []string
	devicestest.Each(t, func(t *testing.T, d *devices.Device) {
		ids = append(ids, d.ID())
		b, err := d.Alloc(100)
		if err != nil {
			t.Fatal(err)
		}
		b.Free()
	})
	if len(ids) == 0 || ids[len(ids)-1] != "cpu" {
		t.Errorf("ran on %v", ids)
	}
	t.Setenv("SKEL_DEVICE", "cpu")
	if devs := devicestest.All(t); len(devs) != 1 || devs[0].ID() != "cpu" {
		t.Errorf("SKEL_DEVICE=cpu gives %v", devs)
	}
}

func TestRequire(t *testing.T) {
	t.Setenv("SKEL_DEVICE", "cpu")
	for require, want := range map[string]bool{"": true, "cpu": true, "cpu, ": true, "cuda": false, "cpu,cuda": false,
		"cpu,clang": true} {
		t.Setenv("SKEL_REQUIRE", require)
		s := &spy{TB: t}
		s.run(func() { devicestest.All(s) })
		if ok := len(s.failed) == 0; ok != want {
			t.Errorf("SKEL_REQUIRE=%q: passed %v", require, ok)
		}
	}
}

func TestNoLeaks(t *testing.T) {
	devs, err := devices.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	var b *devices.Buffer
	s := &spy{TB: t}
	s.run(func() {
		devicestest.NoLeaks(s, devs...)
		b, _ = devs[0].Alloc(10)
	})
	b.Free()
	if len(s.failed) != 1 || !strings.Contains(s.failed[0], "not freed") {
		t.Errorf("a leak is reported as %q", s.failed)
	}
	// A buffer that is freed by the cleanup of its unreachable owner is not a
	// leak.
	s = &spy{TB: t}
	s.run(func() {
		devicestest.NoLeaks(s)
		owner := new([16]int)
		b, _ := devs[0].Alloc(10)
		runtime.AddCleanup(owner, func(b *devices.Buffer) { b.Free() }, b)
	})
	if len(s.failed) != 0 {
		t.Errorf("a buffer freed by a cleanup is reported: %q", s.failed)
	}
}
