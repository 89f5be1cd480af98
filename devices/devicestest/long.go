package devicestest

import (
	"os"
	"strings"
	"testing"
)

// size is the environment variable that chooses how much is tested. Unset, go
// test ./... takes minutes on two cores; "all" adds the tests that continuous
// integration runs; "nightly" adds those that take even longer.
const size = "SKEL_TEST"

// Thorough reports whether SKEL_TEST asks for more than the default. [Long] and
// [Each] check the value when a test begins.
func Thorough() bool { return os.Getenv(size) == "all" || Nightly() }

// Nightly reports whether SKEL_TEST asks for everything.
func Nightly() bool { return os.Getenv(size) == "nightly" }

// Long skips a test unless SKEL_TEST=all is set, and says so. With -short it
// always skips the test.
func Long(t testing.TB) {
	t.Helper()
	checkSize(t)
	switch {
	case testing.Short():
		t.Skip("skipped with -short")
	case !Thorough():
		t.Skip("takes long; set SKEL_TEST=all to run it")
	}
}

// checkSize fails the test if SKEL_TEST has an invalid value.
func checkSize(t testing.TB) {
	t.Helper()
	switch s := os.Getenv(size); s {
	case "", "all", "nightly":
	default:
		t.Fatalf("SKEL_TEST=%s: must be all, nightly or unset", s)
	}
}

// Tests do not cache kernels in the user's cache unless SKEL_CACHE is set. PoCL
// would compile each kernel a second time for the cache, for work-groups of any
// size, and a test rarely runs the same kernel again. CUDA devices, which have
// no other cache for the output of NVRTC, use the user's cache.
func init() {
	if _, set := os.LookupEnv("SKEL_CACHE"); !set && !strings.HasPrefix(os.Getenv("SKEL_DEVICE"), "cuda") {
		_ = os.Setenv("SKEL_CACHE", "off") // fails only for invalid names
	}
}
