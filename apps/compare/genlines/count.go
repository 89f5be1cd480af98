package main

import (
	"fmt"
	"go/format"
	"path/filepath"
	"regexp"
	"strings"
)

// lines counts the lines of a Go or OpenCL C file as cloc does: those that are neither
// blank nor only comment, including lone braces. It formats Go first; a test checks that
// the OpenCL files are formatted. It does not count lines with the comment "// timing",
// with which skelgo compare splits a run into phases.
func lines(name string, text []byte) (int, error) {
	if filepath.Ext(name) == ".go" {
		formatted, err := format.Source(text)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
		text = timing.ReplaceAll(formatted, nil)
	}
	n := 0
	for line := range strings.Lines(withoutComments(string(text))) {
		if strings.TrimSpace(line) != "" {
			n++
		}
	}
	return n, nil
}

var timing = regexp.MustCompile(`(?m)^.*// timing.*\n`)

// withoutComments removes the comments of Go or C, but not text in strings that looks like
// a comment.
func withoutComments(s string) string {
	var b strings.Builder
	for s != "" {
		switch {
		case strings.HasPrefix(s, "//"):
			comment, _, _ := strings.Cut(s, "\n")
			s = s[len(comment):]
		case strings.HasPrefix(s, "/*"):
			comment, rest, _ := strings.Cut(s[2:], "*/")
			b.WriteString(strings.Repeat("\n", strings.Count(comment, "\n")))
			s = rest
		case s[0] == '"' || s[0] == '\'' || s[0] == '`':
			n := quoted(s)
			b.WriteString(s[:n])
			s = s[n:]
		default:
			b.WriteByte(s[0])
			s = s[1:]
		}
	}
	return b.String()
}

// quoted returns the length of the string or character that s begins with.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == s[0]:
			return i + 1
		case s[i] == '\\' && s[0] != '`':
			i++
		}
	}
	return len(s)
}
