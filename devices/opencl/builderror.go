package opencl

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/devices/opencl/cl"
)

// BuildError reports a program that an OpenCL compiler rejected.
type BuildError struct {
	Program string
	Device  string
	Errors  []string // the compiler's errors, with Go positions if known: "kmeans.go:31: ..."
	Log     string   // the compiler's whole output
	Err     error
}

// Error returns the first errors, followed by the whole log.
func (e *BuildError) Error() string {
	const shown = 5
	what := strings.Join(e.Errors[:min(shown, len(e.Errors))], "\n")
	if len(e.Errors) > shown {
		what += fmt.Sprintf("\n(and %d more)", len(e.Errors)-shown)
	}
	if what == "" {
		what = e.Err.Error()
	}
	s := fmt.Sprintf("%s\nopencl: %s cannot be built for %s", what, e.Program, e.Device)
	if log := strings.TrimSpace(e.Log); log != "" {
		s += "; the compiler's log:\n" + log
	}
	return s
}

// Unwrap returns the error of the OpenCL call.
func (e *BuildError) Unwrap() error { return e.Err }

func newBuildError(p driver.Program, text string, err error) error {
	var b *cl.BuildError
	if !errors.As(err, &b) {
		return fmt.Errorf("opencl: %s: %w", p.Name, err)
	}
	return &BuildError{
		Program: p.Name,
		Device:  b.Device,
		Errors:  diagnostics(b.Log, text),
		Log:     b.Log,
		Err:     &cl.Error{Func: "clBuildProgram", Status: b.Status},
	}
}

// All relevant OpenCL compilers are based on clang and use its format:
// "kmeans.go:31:12: error: use of undeclared identifier 'x'", some with a path
// before it. PoCL puts the word first: "error: kmeans.go:31:12: ...".
var diagnostic = regexp.MustCompile(`(?m)(?:error: )?([^\s:]+):(\d+):(?:\d+:)?( (?:fatal )?error:)? (.*)$`)

// diagnostics returns the errors in a compiler's log, those in Go files first.
func diagnostics(log, text string) []string {
	var inGo, other []string
	for _, m := range diagnostic.FindAllStringSubmatch(log, -1) {
		if !strings.Contains(m[0], "error:") {
			continue // a warning or a note
		}
		file, line := m[1], m[2]
		if strings.HasPrefix(file, "<") {
			file, line = position(text, line)
		}
		s := file + ":" + line + ": " + strings.TrimSpace(m[4])
		if strings.HasSuffix(file, ".go") {
			inGo = append(inGo, s)
		} else {
			other = append(other, s)
		}
	}
	return append(inGo, other...)
}

var lineDirective = regexp.MustCompile(`^\s*#\s*line\s+(\d+)(?:\s+"([^"]*)")?`)

// position applies the #line directives for NVIDIA's compiler, which ignores
// them: it counts the lines of the whole text and calls the file <kernel>.
func position(text, line string) (file, mapped string) {
	n, _ := strconv.Atoi(line) // the regular expression matched digits
	file, next := "prelude.cl", 1
	for s := range strings.Lines(text) {
		if n--; n == 0 {
			break
		}
		next++
		if m := lineDirective.FindStringSubmatch(s); m != nil {
			next, _ = strconv.Atoi(m[1])
			if m[2] != "" {
				file = m[2]
			}
		}
	}
	return file, strconv.Itoa(next)
}
