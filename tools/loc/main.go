package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := run(".."); err != nil {
		fmt.Fprintln(os.Stderr, "loc:", err)
		os.Exit(1)
	}
}

// run reads root/docs/loc.txt and writes root/docs/loc.md.
func run(root string) error {
	name := filepath.Join(root, "docs", "loc.txt")
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	entries, err := parse(name, text)
	if err != nil {
		return err
	}
	if err := count(root, entries); err != nil {
		return err
	}
	var out bytes.Buffer
	write(&out, entries)
	return os.WriteFile(filepath.Join(root, "docs", "loc.md"), out.Bytes(), 0o644)
}

// A kind says how a file's lines are counted.
type kind string

const (
	host      kind = "host"
	kernel    kind = "kernel"
	generated kind = "generated"
)

// An entry is one line of docs/loc.txt: a file of one version of one
// application.
type entry struct {
	app, version string
	kind         kind
	file         string
	lines        int
}

// parse parses docs/loc.txt. Errors start with name.
func parse(name string, text []byte) ([]entry, error) {
	var entries []entry
	n := 0
	for line := range bytes.Lines(text) {
		n++
		f := bytes.Fields(line)
		if len(f) == 0 || f[0][0] == '#' {
			continue
		}
		if len(f) != 4 {
			return nil, fmt.Errorf("%s:%d: %d words in a line; want app, version, kind, file", name, n, len(f))
		}
		e := entry{app: string(f[0]), version: string(f[1]), kind: kind(f[2]), file: string(f[3])}
		switch e.kind {
		case host, kernel, generated:
		default:
			return nil, fmt.Errorf("%s:%d: kind %q; want host, kernel or generated", name, n, e.kind)
		}
		entries = append(entries, e)
	}
	return entries, nil
}
