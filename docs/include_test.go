package docs

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the included code to the documents")

// include matches a comment and the fenced block after it. The comment says what
// the block shows:
//
//	<!-- include FILE -->         the file without its package's doc comment
//	<!-- include FILE NAME -->    the lines of the file between "// show NAME" and "// end"
//	<!-- output FILE NAME -->     the output of the example that contains these lines
//
// Paths are relative to the root of the repository.
var include = regexp.MustCompile("(?m)^<!-- (include|output) (\\S+)(?: (\\S+))? -->\n```(\\w*)\n((?s:.*?))^```$")

// marker matches such comments with or without a block.
var marker = regexp.MustCompile("(?m)^<!-- (include|output) .*$")

// fence matches the start of every block of Go, included or not.
var fence = regexp.MustCompile("(?m)^```go$")

// TestIncludes checks that the blocks show what their comments say. With -update
// it writes the blocks.
func TestIncludes(t *testing.T) {
	for _, name := range documents(t) {
		text := read(t, name)
		if all, whole := len(marker.FindAll(text, -1)), len(include.FindAll(text, -1)); all != whole {
			t.Errorf("%s: only %d of %d comments that include code are followed by a block", name, whole, all)
		}
		var failed error
		want := include.ReplaceAllFunc(text, func(old []byte) []byte {
			m := include.FindSubmatch(old)
			code, err := show(string(m[1]), string(m[2]), string(m[3]))
			if err != nil {
				failed = err
				return old
			}
			head := old[:bytes.Index(old, []byte("```"))]
			return fmt.Appendf(nil, "%s```%s\n%s```", head, m[4], code)
		})
		if failed != nil {
			t.Errorf("%s: %v", name, failed)
			continue
		}
		if bytes.Equal(text, want) {
			continue
		}
		if !*update {
			t.Errorf("%s shows code that differs from its file; run go generate ./docs", name)
			continue
		}
		if err := os.WriteFile(filepath.Join("..", name), want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestEveryBlockIsIncluded checks that the documents for beginners show only Go
// code that is compiled.
func TestEveryBlockIsIncluded(t *testing.T) {
	for _, name := range []string{
		"README.md", "docs/tour.md", "docs/sort-select-search.md", "docs/kmeans.md", "docs/devices.md",
	} {
		text := read(t, name)
		included := 0
		for _, m := range include.FindAllSubmatch(text, -1) {
			if string(m[4]) == "go" {
				included++
			}
		}
		if all := len(fence.FindAll(text, -1)); all != included {
			t.Errorf("%s has %d blocks of Go, but only %d are included from a file", name, all, included)
		}
	}
}

// show returns what an include shows of a Go file.
func show(verb, file, name string) (string, error) {
	data, err := os.ReadFile(filepath.Join("..", file))
	if err != nil {
		return "", err
	}
	text := string(data)
	if name == "" {
		if i := strings.Index(text, "\npackage "); i >= 0 {
			text = text[i+1:]
		}
		return text, nil
	}
	_, rest, ok := strings.Cut(text, "// show "+name+"\n")
	if !ok {
		return "", fmt.Errorf("%s has no line // show %s", file, name)
	}
	code, rest, ok := strings.Cut(rest, "// end\n")
	if !ok {
		return "", fmt.Errorf("%s: // show %s has no // end", file, name)
	}
	if verb == "include" {
		return dedent(strings.TrimRight(strings.TrimLeft(code, "\n"), "\t\n")), nil
	}
	_, rest, ok = strings.Cut(rest, "// Output:")
	out, _, end := strings.Cut(rest, "\n}\n")
	if !ok || !end {
		return "", fmt.Errorf("%s: the example of // show %s has no // Output:", file, name)
	}
	out = strings.TrimSpace(strings.ReplaceAll(out, "\t// ", ""))
	return out + "\n", nil
}

// dedent removes the tabs with which all lines of code begin.
func dedent(code string) string {
	lines := strings.Split(code, "\n")
	for {
		for _, l := range lines {
			if l != "" && l[0] != '\t' {
				return strings.Join(lines, "\n") + "\n"
			}
		}
		for i := range lines {
			lines[i] = strings.TrimPrefix(lines[i], "\t")
		}
	}
}

// documents returns the names of all Markdown files, relative to the root.
func documents(t *testing.T) []string {
	t.Helper()
	names := []string{"README.md"}
	more, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	adrs, err := filepath.Glob("adr/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range append(more, adrs...) {
		names = append(names, "docs/"+filepath.ToSlash(n))
	}
	return names
}

// read returns the contents of a document.
func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}
