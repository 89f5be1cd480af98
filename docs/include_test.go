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

var update = flag.Bool("update", false, "write the included code into the documents")

// An include is a comment, <!-- include FILE --> or <!-- include FILE NAME -->,
// and the fenced block after it. The block is the file without its package's
// doc comment, or what stands between "// show NAME" and "// end" in it. Paths
// are relative to the root of the repository.
var include = regexp.MustCompile("(?m)^<!-- include (\\S+)(?: (\\S+))? -->\n```(\\w*)\n((?s:.*?))^```$")

// fence finds blocks of Go, included or not.
var fence = regexp.MustCompile("(?m)^```go$")

func TestIncludes(t *testing.T) {
	for _, name := range documents(t) {
		text := read(t, name)
		var failed error
		want := include.ReplaceAllFunc(text, func(old []byte) []byte {
			m := include.FindSubmatch(old)
			code, err := region(string(m[1]), string(m[2]))
			if err != nil {
				failed = err
				return old
			}
			head := old[:bytes.Index(old, []byte("```"))]
			return fmt.Appendf(nil, "%s```%s\n%s```", head, m[3], code)
		})
		if failed != nil {
			t.Errorf("%s: %v", name, failed)
			continue
		}
		if bytes.Equal(text, want) {
			continue
		}
		if !*update {
			t.Errorf("%s shows code that is not as in its file; go generate ./docs mends it", name)
			continue
		}
		if err := os.WriteFile(filepath.Join("..", name), want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestEveryBlockIsIncluded makes sure that the first documents a reader meets
// show no Go that nothing compiles.
func TestEveryBlockIsIncluded(t *testing.T) {
	for _, name := range []string{"README.md", "docs/tour.md"} {
		text := read(t, name)
		included := 0
		for _, m := range include.FindAllSubmatch(text, -1) {
			if string(m[3]) == "go" {
				included++
			}
		}
		if all := len(fence.FindAll(text, -1)); all != included {
			t.Errorf("%s has %d blocks of Go, and %d of them are included from a file", name, all, included)
		}
	}
}

// region is the part of a Go file that a document shows.
func region(file, name string) (string, error) {
	text, err := os.ReadFile(filepath.Join("..", file))
	if err != nil {
		return "", err
	}
	if name == "" {
		code := string(text)
		if i := strings.Index(code, "\npackage "); i >= 0 {
			code = code[i+1:]
		}
		return code, nil
	}
	_, rest, ok := strings.Cut(string(text), "// show "+name+"\n")
	if !ok {
		return "", fmt.Errorf("%s has no line // show %s", file, name)
	}
	body, _, ok := strings.Cut(rest, "// end\n")
	if !ok {
		return "", fmt.Errorf("%s: // show %s has no // end", file, name)
	}
	return dedent(strings.Trim(body, "\n")), nil
}

// dedent takes the tabs away that all lines of a region begin with.
func dedent(code string) string {
	lines := strings.Split(strings.TrimRight(code, "\t"), "\n")
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

// documents lists every Markdown file, relative to the root.
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

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}
