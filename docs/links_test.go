package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// link is a Markdown link to a place in this repository.
var link = regexp.MustCompile(`\]\(([^)\s:]+)\)`)

// block is code, in which brackets are no links.
var block = regexp.MustCompile("(?ms)^```.*?^```$")

// TestLinks follows the links between documents, and to files and headings.
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

// headings are the anchors of a document, as code hosts make them.
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
