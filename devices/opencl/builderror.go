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

// BuildError is a program that an OpenCL compiler did not take.
type BuildError struct {
	Program string
	Device  string
	Errors  []string // what the compiler found, in Go positions where it knows them: "kmeans.go:31: ..."
	Log     string   // all that it said
	Err     error
}

// Error shows the first errors, and the whole log below them.
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

// Unwrap is the error of the OpenCL call.
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

// All OpenCL compilers that matter are made of clang, and write like it:
// "kmeans.go:31:12: error: use of undeclared identifier 'x'", some with a path
// before. PoCL puts the word first: "error: kmeans.go:31:12: ...".
var diagnostic = regexp.MustCompile(`(?m)(?:error: )?([^\s:]+):(\d+):(?:\d+:)?( (?:fatal )?error:)? (.*)$`)

// diagnostics are the errors in a compiler's log, those in Go files first.
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

// position obeys the #line directives for a compiler that does not: NVIDIA's
// counts the lines of the whole text and calls it <kernel>.
func position(text, line string) (file, mapped string) {
	n, _ := strconv.Atoi(line) // digits, as the expression says
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
