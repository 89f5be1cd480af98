package devicestest_test

import (
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices/devicestest"
)

// skipper records why a test is skipped.
type skipper struct {
	spy
	why string
}

func (s *skipper) Skip(args ...any) {
	s.why, _ = args[0].(string)
	runtime.Goexit()
}

func TestLong(t *testing.T) {
	for size, want := range map[string]string{"": "SKEL_TEST=all", "all": "", "nightly": ""} {
		t.Setenv("SKEL_TEST", size)
		s := &skipper{spy: spy{TB: t}}
		ran := false
		s.run(func() {
			devicestest.Long(s)
			ran = true
		})
		if testing.Short() {
			want = "-short"
		}
		if ran != (want == "") || !strings.Contains(s.why, want) || len(s.failed) != 0 {
			t.Errorf("SKEL_TEST=%q: ran %v, skipped with %q, failed with %q", size, ran, s.why, s.failed)
		}
	}
}

func TestUnknownSize(t *testing.T) {
	t.Setenv("SKEL_TEST", "some")
	t.Setenv("SKEL_DEVICE", "cpu")
	for name, f := range map[string]func(testing.TB){"Long": devicestest.Long,
		"All": func(t testing.TB) { devicestest.All(t) }} {
		s := &spy{TB: t}
		s.run(func() { f(s) })
		if len(s.failed) != 1 || !strings.Contains(s.failed[0], "SKEL_TEST") {
			t.Errorf("%s: SKEL_TEST=some fails with %q", name, s.failed)
		}
	}
}

// TestNoKernelsInTheUsersCache checks that tests leave the user's cache alone.
func TestNoKernelsInTheUsersCache(t *testing.T) {
	if v := os.Getenv("SKEL_CACHE"); v == "" && !strings.HasPrefix(os.Getenv("SKEL_DEVICE"), "cuda") {
		t.Error("SKEL_CACHE is not set")
	}
}
