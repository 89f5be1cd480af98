package align

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/skelgo/skelgo/apps/nw/seq"
)

// maxReference is the length of the longest reference that SAM allows.
const maxReference = 1<<31 - 1

// samHead writes the header: the references, which are the first sequences of the pairs,
// and the program. SAM identifies sequences by name, so names must be valid in SAM, and
// references with the same name must be the same. (Sequence Alignment/Map Format
// Specification, sections 1.3 and 1.4.)
func (w *Writer) samHead() error {
	w.printf("@HD\tVN:1.6\tSO:unsorted\n")
	seen := map[string]*seq.Record{}
	for _, p := range w.job.Pairs {
		before := seen[p.A.Name]
		switch {
		case before == nil:
			if err := checkName(p.A, notFirst, notInReferences); err != nil {
				return err
			}
			if len(p.A.Letters) > maxReference {
				return fmt.Errorf("%s:%d: sequence %q has %d letters, and SAM allows references of at most %d",
					p.A.File, p.A.Line, p.A.Name, len(p.A.Letters), maxReference)
			}
			seen[p.A.Name] = p.A
			w.printf("@SQ\tSN:%s\tLN:%d\n", p.A.Name, len(p.A.Letters))
		case before != p.A && !bytes.Equal(before.Letters, p.A.Letters):
			return fmt.Errorf("%s:%d: sequence %q has the same name as another one at %s:%d, "+
				"and SAM identifies references by name; rename one, or choose another format",
				p.A.File, p.A.Line, p.A.Name, before.File, before.Line)
		}
		if err := checkName(p.B, "", notInQueries); err != nil {
			return err
		}
	}
	w.printf("@PG\tID:%s\tPN:%[1]s", strings.ReplaceAll(w.job.Program, " ", "-"))
	if w.job.Version != "" {
		w.printf("\tVN:%s", w.job.Version)
	}
	if w.job.CommandLine != "" {
		w.printf("\tCL:%s", w.job.CommandLine)
	}
	w.printf("\n@CO\t%s, matrix %s, gap open %d, extend %d\n", w.mode(), w.job.Matrix.Name(), w.job.Open, w.job.Extend)
	return nil
}

// Characters that SAM does not allow in names, besides blanks and what is not ASCII: in
// references, at the start of references, and in queries.
const (
	notInReferences = "\\,\"`'()[]{}<>"
	notFirst        = "*="
	notInQueries    = "@"
)

// checkName checks that SAM allows a name: 1 to 254 printable characters, none of those in
// not, and the first not one of those in first.
func checkName(r *seq.Record, first, not string) error {
	bad := ""
	switch {
	case r.Name == "":
		bad = "sequences without a name"
	case len(r.Name) > 254:
		bad = "names of more than 254 characters"
	case strings.IndexByte(first, r.Name[0]) >= 0:
		bad = fmt.Sprintf("names that start with %q", r.Name[0])
	}
	for _, c := range r.Name {
		if bad == "" && (c < '!' || c > '~' || strings.ContainsRune(not, c)) {
			bad = fmt.Sprintf("names with %q", c)
		}
	}
	if bad == "" {
		return nil
	}
	return fmt.Errorf("%s:%d: sequence %q: SAM does not allow %s; rename it, or choose another format",
		r.File, r.Line, r.Name, bad)
}

// sam writes a line. The letters of B that the path leaves out are soft-clipped; a local
// alignment without columns makes B an unmapped read.
func (w *Writer) sam(a *Alignment) {
	flag, reference, position, path := 0, a.A.Name, a.StartA+1, "*"
	if len(a.Path) == 0 {
		flag, reference, position = 4, "*", 0
	} else {
		path = clip(a.StartB) + a.Path.String() + clip(len(a.B.Letters)-a.EndB)
	}
	letters := a.B.Letters
	if bytes.IndexByte(letters, '*') >= 0 {
		letters = []byte("*") // SAM has no letter for a stop, so the sequence is left out
	}
	w.printf("%s\t%d\t%s\t%d\t255\t%s\t*\t0\t0\t%s\t*\tAS:i:%d",
		a.B.Name, flag, reference, position, path, letters, a.Score)
	if flag == 0 {
		w.printf("\tNM:i:%d", a.Path.edits())
	}
	w.printf("\n")
}

// clip returns the step of a path that leaves out n letters of B.
func clip(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%dS", n)
}
