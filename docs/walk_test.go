package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// walk matches the shell blocks that TestTourFromOutside runs.
var walk = regexp.MustCompile("(?m)^<!-- walk -->\n```sh\n((?s:.*?))^```$")

// TestTourFromOutside runs the commands of the tour's first section in an empty
// folder, as a new user does. Instead of a clone it uses this checkout, whose
// packages have already been compiled.
func TestTourFromOutside(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module of its own")
	}
	for _, tool := range []string{"go", "bash"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
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
	steps[0] = strings.Replace(strings.TrimPrefix(steps[0], clone), place, "="+root, 1)
	steps[0] += "cp '" + filepath.Join(root, "docs/tour/dot/main.go") + "' .\n" // "put the program into main.go"
	dir := t.TempDir()
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", strings.Join(steps, "\n"))
	cmd.Dir = dir
	// The modules that skelgo needs are in the module cache, so nothing is downloaded.
	cmd.Env = append(os.Environ(),
		"GOPROXY=off", "GOSUMDB=off", "GOFLAGS=-buildvcs=false", "GOWORK=off", "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if n := strings.Count(string(out), "32 <nil>\n"); n != 2 {
		t.Errorf("the program printed its result %d times, want 2:\n%s", n, out)
	}
	if _, err := os.Stat(filepath.Join(dir, "hello", "zkernels.go")); err != nil {
		t.Error(err)
	}
}
