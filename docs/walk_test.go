package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/skelgo/skelgo/devices/devicestest"
	"github.com/skelgo/skelgo/internal/testmodule"
)

// walk matches the shell blocks that TestTourFromOutside runs.
var walk = regexp.MustCompile("(?m)^<!-- walk -->\n```sh\n((?s:.*?))^```$")

// TestTourFromOutside runs the commands of the tour's first section in an empty
// folder, as a new user does. Instead of a clone it uses this checkout, whose
// packages have already been compiled, and instead of go mod tidy the same without
// downloads. SKEL_TEST=all also runs go mod tidy.
func TestTourFromOutside(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module of its own")
	}
	for _, tool := range []string{"go", "bash"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	var steps []string
	for _, m := range walk.FindAllStringSubmatch(string(read(t, "docs/tour.md")), -1) {
		steps = append(steps, m[1])
	}
	if len(steps) != 4 {
		t.Fatalf("docs/tour.md has %d blocks marked <!-- walk -->, want 4: set up, run on the CPU, generate, check",
			len(steps))
	}
	const clone, place = "git clone https://github.com/skelgo/skelgo\n", "=../skelgo"
	if !strings.HasPrefix(steps[0], clone) || !strings.Contains(steps[0], place) {
		t.Fatalf("the first block does not clone skelgo and replace the module by the clone:\n%s", steps[0])
	}
	root := testmodule.Root(t)
	steps[0] = strings.Replace(strings.TrimPrefix(steps[0], clone), place, "="+root, 1)
	steps[0] += "cp '" + filepath.Join(root, "docs/tour/dot/main.go") + "' .\n" // "put the program into main.go"
	const tidy = "go mod tidy\n"
	if !strings.HasPrefix(steps[1], tidy) {
		t.Fatalf("the second block does not begin with %s:\n%s", tidy, steps[1])
	}
	t.Run("downloaded", func(t *testing.T) {
		testmodule.Setenv(t)
		dir := t.TempDir()
		bash(t, dir, steps[0])
		testmodule.Tidy(t, filepath.Join(dir, "hello"))
		follow(t, filepath.Join(dir, "hello"), strings.TrimPrefix(steps[1], tidy), steps[2], steps[3])
	})
	t.Run("tidy", func(t *testing.T) {
		if !devicestest.Thorough() {
			t.Skip("go mod tidy may download modules; set SKEL_TEST=all to run it")
		}
		t.Log("go mod tidy may download modules")
		t.Setenv("GOWORK", "off")
		t.Setenv("GOFLAGS", "-buildvcs=false")
		dir := t.TempDir()
		bash(t, dir, steps[0])
		follow(t, filepath.Join(dir, "hello"), steps[1:]...)
	})
}

// follow runs the steps after the first and checks their results.
func follow(t *testing.T, dir string, steps ...string) {
	t.Helper()
	out := bash(t, dir, steps...)
	if n := strings.Count(out, "32 <nil>\n"); n != 2 {
		t.Errorf("the program printed its result %d times, want 2:\n%s", n, out)
	}
	if _, err := os.Stat(filepath.Join(dir, "zkernels.go")); err != nil {
		t.Error(err)
	}
}

func bash(t *testing.T, dir string, steps ...string) string {
	t.Helper()
	return testmodule.Run(t, dir, "bash", "-euo", "pipefail", "-c", strings.Join(steps, "\n"))
}
