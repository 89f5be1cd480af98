package subst

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/skelgo/skelgo/apps/internal/data/input"
)

//go:embed matrices
var files embed.FS

// known are the matrices that come along, in the order of lists for people.
var known = []string{"BLOSUM45", "BLOSUM50", "BLOSUM62", "BLOSUM80", "BLOSUM90", "PAM30", "PAM70", "PAM250", "DNAFULL"}

// parsed holds every known matrix once it was asked for.
var parsed sync.Map

// Names are the names that Lookup knows.
func Names() []string { return slices.Clone(known) }

// Lookup gives a matrix that comes along, by its name in any case. The names
// that EMBOSS has for them, such as EBLOSUM62 and EDNAFULL, are known too.
func Lookup(name string) (*Matrix, error) {
	key := strings.ToUpper(name)
	if !slices.Contains(known, key) {
		key = strings.TrimPrefix(key, "E")
	}
	if !slices.Contains(known, key) {
		return nil, fmt.Errorf("no matrix %q; available: %s", name, strings.Join(known, ", "))
	}
	if m, ok := parsed.Load(key); ok {
		return m.(*Matrix), nil
	}
	text, err := files.ReadFile("matrices/" + key)
	if err != nil {
		return nil, err
	}
	m, err := Parse(bytes.NewReader(text), key)
	if err != nil {
		return nil, err
	}
	kept, _ := parsed.LoadOrStore(key, m)
	return kept.(*Matrix), nil
}

// Open gives the matrix that a command line asks for: one that Lookup knows,
// or else the one in the file called name.
func Open(name string) (*Matrix, error) {
	m, err := Lookup(name)
	if err == nil {
		return m, nil
	}
	f, failed := input.Open(context.Background(), name, os.Stdin, 1<<16)
	switch {
	case errors.Is(failed, fs.ErrNotExist):
		return nil, fmt.Errorf("%w; there is no file of that name either", err)
	case failed != nil:
		return nil, failed
	}
	defer f.Close()
	if err := f.Text(); err != nil {
		return nil, f.Wrap(err)
	}
	return Parse(f, f.Label)
}
