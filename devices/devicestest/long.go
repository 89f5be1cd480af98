package devicestest

import (
	"os"
	"strings"
	"testing"
)

// SKEL_TEST says how much is tested. Unset, go test ./... takes minutes on two
// cores; "all" adds what continuous integration runs besides; "nightly" adds
// what takes longer than that.
const size = "SKEL_TEST"

// Thorough reports whether SKEL_TEST asks for more than the default. The
// value is checked where tests begin, by [Long] and [Each].
func Thorough() bool { return os.Getenv(size) == "all" || Nightly() }

// Nightly reports whether SKEL_TEST asks for everything.
func Nightly() bool { return os.Getenv(size) == "nightly" }

// Long skips a test, and says how to run it, unless SKEL_TEST=all asks for it.
// With -short it is skipped in any case.
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

// checkSize fails the test if SKEL_TEST has a value without a meaning.
func checkSize(t testing.TB) {
	t.Helper()
	switch s := os.Getenv(size); s {
	case "", "all", "nightly":
	default:
		t.Fatalf("SKEL_TEST=%s: want all or nightly, or no value", s)
	}
}

// Tests keep no kernels in the user's cache of kernels unless SKEL_CACHE says
// so. PoCL would compile each kernel a second time for it, for work-groups of
// any size, and a test rarely runs the same kernel again. CUDA devices, which
// have no other cache of what NVRTC compiles, keep theirs.
func init() {
	if _, set := os.LookupEnv("SKEL_CACHE"); !set && !strings.HasPrefix(os.Getenv("SKEL_DEVICE"), "cuda") {
		_ = os.Setenv("SKEL_CACHE", "off") // fails for a name without a meaning only
	}
}
