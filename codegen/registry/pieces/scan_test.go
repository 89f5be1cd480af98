package pieces

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const sample = `// A comment.

package sample

import (
	"math"
	m "example.com/one"
)

// blur is documented.
func blur(x float32) float32 {
	// It has a comment.
	y := m.Weight(x) * 2 // and another
	return -y +
		x
}

type (
	point struct {
		X, Y float32
	}
	line [2]point
)

func (p *point) norm() float32 { return float32(math.Sqrt(float64(p.X))) }

func (b box[K, V]) get() V { return b.v }

const (
	a = 1
	b = 2
)

const (
	red = 1 << (iota)
	green
)

var (
	first, second = 1, 2
	f             = func(x int) int { return x }
)

var s = ` + "`raw\nfunc no() {}\n`" + `
`

func sums(f *File) map[string]uint64 {
	all := map[string]uint64{}
	for _, d := range f.Decls {
		for _, n := range d.Names {
			all[n] = d.Sum
		}
	}
	return all
}

func TestNames(t *testing.T) {
	f := Scan(sample)
	var got []string
	for _, d := range f.Decls {
		got = append(got, fmt.Sprint(d.Line, d.Names))
	}
	want := "11 [blur] 19 [point] 22 [line] 25 [point.norm] 27 [box.get] 30 [a] 31 [b] 35 [red green] 40 [first " +
		"second] 41 [f] 44 [s]"
	if s := strings.Join(got, " "); s != want || f.Package != "sample" {
		t.Errorf("%s, package %s; want %s", s, f.Package, want)
	}
}

// TestChanges makes one change at a time and checks which sums change.
func TestChanges(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"// A comment.", "", ""},
		{"// A comment.", "//go:build linux", "a b blur box.get f first green line point point.norm red s second"},
		{"	// It has a comment.\n", "", ""},
		{" // and another", "/* and\n another */", ""},
		{"X, Y float32", "X, \n\n Y   float32", ""},
		{"{ return b.v }", "{\n\treturn b.v\n}", ""},
		{"-y +\n", "-y + ", ""},
		{"-y +\n", "-y\n+", "blur"}, // does not compile, but differs
		{"* 2", "*2", ""},
		{"* 2", "* 3", "blur"},
		{"return -y", "return - -y", "blur"},
		{"X, Y", "Y, X", "point"},
		{"	line [2]point\n)", ")\n\ntype line [2]point", ""},
		{"	f             = func(x int) int { return x }\n)", ")\n\nvar f = func(x int) int {\n\treturn x\n}", ""},
		{"[2]point", "[3]point", "line"},
		{"p.X", "p.Y", "point.norm"},
		{"b = 2", "b = 3", "b"},
		{"1 << (iota)", "2 << (iota)", "green red"},
		{"	green", "	blue\n	green", "blue green red"},
		{"first, second = 1, 2", "first, second = 2, 1", "first second"},
		{"return x }\n)", "return x + 1 }\n)", "f"},
		{"raw\n", "raw\r\n", ""},
		{"raw", "row", "s"},
		{`m "example.com/one"`, `m "example.com/two"`, "blur"},
		{`m "example.com/one"`, "m \"example.com/one\"\n\t\"fmt\"", ""},
		{`"math"`, `"my/math"`, "point.norm"},
		{`"math"`, `. "math"`, "a b blur box.get f first green line point point.norm red s second"},
		{"func blur", "func other() int { return 1 }; func blur", "other"},
		{"package sample", "package sample\n\nfunc main() {}", "main"},
	} {
		if !strings.Contains(sample, c.old) {
			t.Fatalf("%q is not in the sample", c.old)
		}
		was, is := sums(Scan(sample)), sums(Scan(strings.Replace(sample, c.old, c.new, 1)))
		var got []string
		for n := range is {
			if is[n] != was[n] {
				got = append(got, n)
			}
		}
		slices.Sort(got)
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q to %q: %q changed, want %q", c.old, c.new, s, c.want)
		}
		for n := range was {
			if _, ok := is[n]; !ok {
				t.Errorf("%q to %q: %s is gone", c.old, c.new, n)
			}
		}
	}
}

// TestPlaces shifts lines and checks that positions relative to the declaration
// stay the same.
func TestPlaces(t *testing.T) {
	at := func(src string) (from, to int) {
		i := strings.Index(src, "func(x int)")
		f := Scan(src, i, i+len("func(x int) int { return x }"))
		d := f.Decls[slices.IndexFunc(f.Decls, func(d Decl) bool { return d.Names[0] == "f" })]
		first, last := f.Line(1 + strings.Count(src[:i], "\n"))
		if f.Marks[0] < first || f.Marks[1] > last {
			t.Errorf("%v is not on its line, %d to %d", f.Marks, first, last)
		}
		if f.Marks[0] <= d.From || f.Marks[1] != d.To {
			t.Errorf("%v is not at the end of %d to %d", f.Marks, d.From, d.To)
		}
		return f.Marks[0] - d.From, f.Marks[1] - d.From
	}
	a, b := at(sample)
	c, d := at(strings.Replace(sample, "const (", "// More.\nfunc more() {}\n\nconst (", 1))
	if a != c || b != d {
		t.Errorf("at %d to %d, and after a shift at %d to %d", a, b, c, d)
	}
}

// TestRepository compares the names found in real files with the parser's.
func TestRepository(t *testing.T) {
	files, err := filepath.Glob("../../../*/*.go")
	if err != nil || len(files) < 50 {
		t.Fatal(len(files), err)
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		var want, got []string
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				want = append(want, receiverOf(d)+d.Name.Name)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						want = append(want, s.Name.Name)
					case *ast.ValueSpec:
						for _, n := range s.Names {
							want = append(want, n.Name)
						}
					}
				}
			}
		}
		f := Scan(string(src))
		for _, d := range f.Decls {
			got = append(got, d.Names...)
		}
		if !slices.Equal(got, want) || f.Package != file.Name.Name {
			t.Errorf("%s:\n got %v\nwant %v", name, got, want)
		}
	}
}

func receiverOf(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	x := d.Recv.List[0].Type
	for {
		switch t := x.(type) {
		case *ast.StarExpr:
			x = t.X
		case *ast.IndexExpr:
			x = t.X
		case *ast.IndexListExpr:
			x = t.X
		case *ast.Ident:
			return t.Name + "."
		}
	}
}

func BenchmarkScan(b *testing.B) {
	src, err := os.ReadFile("scan.go")
	if err != nil {
		b.Fatal(err)
	}
	text := string(src)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Scan(text)
	}
}
