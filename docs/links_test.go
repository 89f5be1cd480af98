package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// link matches a Markdown link to a file or heading of this repository.
var link = regexp.MustCompile(`\]\(([^)\s:]+)\)`)

// block matches a block of code, in which brackets are not links.
var block = regexp.MustCompile("(?ms)^```.*?^```$")

// TestLinks checks that the files and headings to which documents link exist.
func TestLinks(t *testing.T) {
	for _, name := range documents(t) {
		for _, m := range link.FindAllSubmatch(block.ReplaceAll(read(t, name), nil), -1) {
			target, heading, _ := strings.Cut(string(m[1]), "#")
			file := filepath.Join("..", name)
			if target != "" {
				file = filepath.Join("..", filepath.Dir(name), target)
			}
			info, err := os.Stat(file)
			if err != nil {
				t.Errorf("%s links to %s: %v", name, m[1], err)
				continue
			}
			if heading == "" || info.IsDir() {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !headings(string(text))[heading] {
				t.Errorf("%s links to %s, which has no such heading", name, m[1])
			}
		}
	}
}

var notInAnchor = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

// headings returns the anchors of the headings of a document, as GitHub forms them.
func headings(text string) map[string]bool {
	anchors := map[string]bool{}
	for line := range strings.Lines(text) {
		if h := strings.TrimLeft(line, "#"); h != line {
			h = notInAnchor.ReplaceAllString(strings.ToLower(strings.TrimSpace(h)), "")
			anchors[strings.ReplaceAll(h, " ", "-")] = true
		}
	}
	return anchors
}
