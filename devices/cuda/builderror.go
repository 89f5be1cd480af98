package cuda

import (
	"fmt"
	"regexp"
	"strings"
)

// BuildError reports a program that NVRTC rejected.
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
	s := fmt.Sprintf("%s\ncuda: %s cannot be built for %s", what, e.Program, e.Device)
	if log := strings.TrimSpace(e.Log); log != "" {
		s += "; the compiler's log:\n" + log
	}
	return s
}

// Unwrap returns the error of NVRTC.
func (e *BuildError) Unwrap() error { return e.Err }

// NVRTC's format is: kmeans.go(31): error: identifier "x" is undefined. ptxas,
// which runs after it, does not know lines.
var diagnostic = regexp.MustCompile(`(?m)^(?:` +
	`(.+?)\((\d+)\): (?:catastrophic )?error(?: ?#[\w-]+)?: (.*)` +
	`|ptxas (?:error|fatal)\s*: (.*))$`)

// diagnostics returns the errors in a compiler's log, those in Go files first.
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
