package cuda

import (
	"fmt"
	"regexp"
	"strings"
)

// BuildError is a program that NVRTC did not take.
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
	s := fmt.Sprintf("%s\ncuda: %s cannot be built for %s", what, e.Program, e.Device)
	if log := strings.TrimSpace(e.Log); log != "" {
		s += "; the compiler's log:\n" + log
	}
	return s
}

// Unwrap is the code that NVRTC gave.
func (e *BuildError) Unwrap() error { return e.Err }

// NVRTC writes: kmeans.go(31): error: identifier "x" is undefined. What comes
// after it, ptxas, knows no lines.
var diagnostic = regexp.MustCompile(`(?m)^(?:(.+?)\((\d+)\): (?:catastrophic )?error(?: ?#[\w-]+)?: (.*)|ptxas (?:error|fatal)\s*: (.*))$`)

// diagnostics are the errors in a compiler's log, those in Go files first.
func diagnostics(log string) []string {
	var inGo, other []string
	for _, m := range diagnostic.FindAllStringSubmatch(strings.ReplaceAll(log, "\r", ""), -1) {
		switch file, line, text := strings.TrimSpace(m[1]), m[2], m[3]; {
		case file == "":
			other = append(other, "ptxas: "+m[4])
		case strings.HasSuffix(file, ".go"):
			inGo = append(inGo, file+":"+line+": "+text)
		default:
			other = append(other, file+":"+line+": "+text)
		}
	}
	return append(inGo, other...)
}
