package fuzz

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/skelgo/skelgo/codegen/emit"
	"golang.org/x/tools/txtar"
)

//go:embed module.txtar
var module []byte

// Batch is a set of programs that are built and run together.
type Batch struct {
	Programs []*Program
	Map      string // the text of the kernel map of package skel
	layouts  []layout
	in, out  []byte // initial input and output of every run
}

// NewBatch returns n programs, starting with the given seed, which the kernel
// map will call.
func NewBatch(mapText string, seed uint64, n int) *Batch {
	var programs []*Program
	for i := range n {
		programs = append(programs, New(seed+uint64(i)))
	}
	b := batchOf(mapText, programs)
	r := rand.New(rand.NewPCG(seed, 0xda7a))
	for _, l := range b.layouts {
		for _, c := range l.inputs() {
			fill(r, b.in, c, l.n)
		}
		for _, c := range l.outputs() {
			fill(r, b.out, c, l.n)
		}
	}
	return b
}

func batchOf(mapText string, programs []*Program) *Batch {
	b := &Batch{Programs: programs, Map: mapText}
	var in, out int64
	for _, p := range programs {
		var l layout
		l, in, out = p.layout(in, out)
		b.layouts = append(b.layouts, l)
	}
	b.in, b.out = make([]byte, in), make([]byte, out)
	for _, l := range b.layouts {
		for k, n := range l.pieces {
			binary.LittleEndian.PutUint64(b.in[l.lengths+8*int64(k):], uint64(n))
		}
	}
	return b
}

// variants returns a batch of modified versions of program i, with its
// arguments.
func (b *Batch) variants(i int, programs []*Program) *Batch {
	v := batchOf(b.Map, programs)
	from := b.layouts[i]
	for _, l := range v.layouts {
		for k, c := range l.inputs() {
			copy(v.in[c.base:c.at(l.n)], b.in[from.inputs()[k].base:])
		}
		for k, c := range l.outputs() {
			copy(v.out[c.base:c.at(l.n)], b.out[from.outputs()[k].base:])
		}
	}
	return v
}

var suffix = regexp.MustCompile(`_\d+(_|\b)`)

// numbered adds the program's number to package-level names.
func numbered(text string, i int) string {
	return suffix.ReplaceAllString(text, "_"+strconv.Itoa(i)+"$1")
}

// Write writes the Go package to a folder. The program reads the input and the
// initial output from its standard input, and writes the output.
func (b *Batch) Write(dir string) error {
	archive := txtar.Parse(module)
	files := append(archive.Files, txtar.File{Name: "programs.go", Data: []byte(b.programs())},
		txtar.File{Name: "main.go", Data: []byte(b.main())})
	for _, f := range files {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func (b *Batch) programs() string {
	var s strings.Builder
	s.WriteString(head)
	for i, p := range b.Programs {
		s.WriteString(numbered(p.Source, i))
	}
	return s.String()
}

func (b *Batch) main() string {
	var s strings.Builder
	fmt.Fprintf(&s, `package main

import (
	"io"
	"os"
	"unsafe"

	"github.com/skelgo/skelgo/matrix"
	"github.com/skelgo/skelgo/vector"
)

var (
	_ vector.View[int]
	_ matrix.View[int]
)

// at returns a pointer to a T in memory.
func at[T any](mem []byte, off int) *T { return (*T)(unsafe.Pointer(&mem[off])) }

func main() {
	mem, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	words := make([]uint64, len(mem)/8+2) // aligned
	all := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), len(mem))
	copy(all, mem)
	in, out := all[:%d], all[%d:]
`, len(b.in), len(b.in))
	for i := range b.Programs {
		fmt.Fprintf(&s, "\tfor s := range %d {\n\t\trun_%d(in, out, s)\n\t}\n", b.layouts[i].n, i)
	}
	s.WriteString("\tos.Stdout.Write(out)\n}\n\n")
	for i, p := range b.Programs {
		var runner strings.Builder
		b.runner(&runner, i, p)
		s.WriteString(numbered(runner.String(), i))
	}
	return s.String()
}

// runner writes the function that calls one program with the arguments of one
// sample.
func (b *Batch) runner(s *strings.Builder, i int, p *Program) {
	l := b.layouts[i]
	fmt.Fprintf(s, "func run_%d(in, out []byte, s int) {\n", i)
	place := func(c column, off int64) string { return fmt.Sprintf("%d+s*%d", c.base+off, c.stride) }
	var args []string
	for k, t := range p.params {
		args = append(args, fmt.Sprintf("*at[%s](in, %s)", t.name, place(l.params[k], 0)))
	}
	if p.extra != nil {
		fmt.Fprintf(s, "\tvar e %s\n", p.extra.name)
		fields := p.extra.fields
		if whole, ok := l.extra.typ.field(""); ok {
			fmt.Fprintf(s, "\te = *at[%s](in, %s)\n", p.extra.name, place(l.extra, whole.off))
			fields = nil
		}
		for _, f := range fields {
			mem, where := "in", l.extra
			if f.typ.kind == outView {
				mem, where = "out", l.views
			}
			lies, _ := where.typ.field(f.name)
			switch {
			case f.typ.plain():
				fmt.Fprintf(s, "\te.%s = *at[%s](in, %s)\n", f.name, f.typ.name, place(where, lies.off))
			default:
				fmt.Fprintf(s, "\te.%s.Data = at[[%d]%s](%s, %s)[:]\n",
					f.name, f.typ.n, f.typ.elem.name, mem, place(where, lies.off))
				if f.typ.kind == matView {
					fmt.Fprintf(s, "\te.%s.C = %d\n", f.name, viewCols)
				}
			}
		}
		args = append(args, "e")
	}
	var to []string
	for _, f := range l.results.typ.fields {
		to = append(to, fmt.Sprintf("*at[%s](out, %s)", f.typ.name, place(l.results, f.off)))
	}
	fmt.Fprintf(s, "\t%s = %s(%s)\n}\n\n", strings.Join(to, ", "), p.root, strings.Join(args, ", "))
}

// kernelName is the entry point of a batch in C.
const kernelName = "fuzz"

// C returns the OpenCL program of the given functions, the programs' device
// forms; nil functions are omitted. Each group runs one of them: it calls the
// kernel map, in its form for CPUs, once for each of its lengths. PoCL builds
// one kernel much faster than many.
func (b *Batch) C(forms []*emit.Form) string {
	const entry = "KERNEL map("
	if !strings.Contains(b.Map, entry) {
		panic("fuzz: the text of the kernel map has no \"" + entry + "\"")
	}
	var s, cases strings.Builder
	s.WriteString(`#define SHAPE_CPU
#define COUNT_P
#define LIMIT(n)
FUNC i64 fuzz_program(void) { return group_id(); }
#undef group_id
#define group_id() ((i64)0)
`)
	have := map[string]bool{}
	for i, f := range forms {
		if f == nil {
			continue
		}
		for _, d := range f.Decls {
			if !have[d.Ident] {
				have[d.Ident] = true
				s.WriteString(d.C)
				s.WriteByte('\n')
			}
		}
		b.cLoad(&s, i, f)
		s.WriteString(strings.Replace(b.Map, entry, fmt.Sprintf("FUNC void map_%d(", i), 1))
		s.WriteString("#undef T\n#undef SRC_P\n#undef SRC_A\n#undef load\n")
		b.cCalls(&cases, i, f)
	}
	fmt.Fprintf(&s, `KERNEL %s(CTX_K GLOBAL const u8 *in, GLOBAL u8 *out) {
	switch (fuzz_program()) {
%s	}
}
`, kernelName, cases.String())
	return s.String()
}

// cLoad writes the function load, which the kernel map calls, for one program.
func (b *Batch) cLoad(s *strings.Builder, i int, f *emit.Form) {
	p, l := b.Programs[i], b.layouts[i]
	var params, names strings.Builder
	args := make([]string, len(p.params))
	for k := range p.params {
		fmt.Fprintf(&params, "GLOBAL const %s *p%d, ", f.Params[k], k)
		fmt.Fprintf(&names, "p%d, ", k)
		args[k] = fmt.Sprintf("p%d[i]", k)
	}
	if p.extra != nil {
		params.WriteString("GLOBAL const u8 *record, GLOBAL u8 *views, ")
		names.WriteString("record, views, ")
		args = append(args, "e")
	}
	fmt.Fprintf(s, "#define T %s\n#define SRC_P %s\n#define SRC_A %s\n#define load load_%d\n",
		f.Result, params.String(), names.String(), i)
	s.WriteString("FUNC T load(CTX_P SRC_P i64 i) {\n")
	if p.extra != nil {
		fmt.Fprintf(s, "\t%s e;\n", f.Params[len(p.params)])
		for _, leaf := range f.Extra {
			lies, ok := l.extra.typ.field(strings.TrimPrefix(leaf.Path, "."))
			if !ok {
				lies, _ = l.views.typ.field(strings.TrimPrefix(leaf.Path, "."))
			}
			in := fmt.Sprintf("(record + i * %d + %d)", l.extra.stride, lies.off)
			out := fmt.Sprintf("(views + i * %d + %d)", l.views.stride, lies.off)
			switch leaf.Kind {
			case emit.Plain:
				fmt.Fprintf(s, "\te%s = *(GLOBAL const %s *)%s;\n", leaf.Path, leaf.C, in)
			case emit.View:
				fmt.Fprintf(s, "\te%[1]s.p = (GLOBAL const %[2]s *)%[3]s; e%[1]s.n = %[4]d;\n",
					leaf.Path, leaf.C, in, viewLen)
			case emit.OutView:
				fmt.Fprintf(s, "\te%[1]s.p = (GLOBAL %[2]s *)%[3]s; e%[1]s.n = %[4]d;\n",
					leaf.Path, leaf.C, out, viewLen)
			case emit.MatView:
				fmt.Fprintf(s,
					"\te%[1]s.p = (GLOBAL const %[2]s *)%[3]s; e%[1]s.rows = %[4]d; e%[1]s.cols = %[5]d;\n",
					leaf.Path, leaf.C, in, viewRows, viewCols)
			case emit.MatOutView:
				panic("fuzz: the generator has no matrix.OutView")
			}
		}
	}
	fmt.Fprintf(s, "\treturn %s(CTX_A %s);\n}\n", f.Ident, strings.Join(args, ", "))
}

// cCalls writes the calls of map for one program in sequence.
func (b *Batch) cCalls(s *strings.Builder, i int, f *emit.Form) {
	p, l := b.Programs[i], b.layouts[i]
	fmt.Fprintf(s, "\tcase %d:\n\t\tfor (i64 k = 0, at = 0, n; k < %d; k++, at += n) {\n", i, len(l.pieces))
	fmt.Fprintf(s, "\t\t\tn = ((GLOBAL const i64 *)(in + %d))[k];\n\t\t\tmap_%d(CTX_A ", l.lengths, i)
	for k, c := range l.params {
		fmt.Fprintf(s, "(GLOBAL const %s *)(in + %d) + at, ", f.Params[k], c.base)
	}
	if p.extra != nil {
		fmt.Fprintf(s, "in + %d + at * %d, out + %d + at * %d, ",
			l.extra.base, l.extra.stride, l.views.base, l.views.stride)
	}
	fmt.Fprintf(s, "(GLOBAL %s *)(out + %d) + at, n, n);\n\t\t}\n\t\tbreak;\n", f.Result, l.results.base)
}

// Difference is a leaf for which the two forms have different values.
type Difference struct {
	Program int
	Sample  int64
	Where   string
	Go, C   string
}

// Compare returns the first difference of each program.
func (b *Batch) Compare(goOut, cOut []byte, forms []*emit.Form) []Difference {
	var all []Difference
	for i, l := range b.layouts {
		if forms[i] == nil {
			continue
		}
		if d, differs := l.compare(goOut, cOut); differs {
			d.Program = i
			all = append(all, d)
		}
	}
	return all
}

func (l *layout) compare(goOut, cOut []byte) (Difference, bool) {
	for _, c := range l.outputs() {
		if bytes.Equal(goOut[c.base:c.at(l.n)], cOut[c.base:c.at(l.n)]) {
			continue
		}
		leaves := c.typ.leaves("", 0)
		for s := range l.n {
			at := c.at(s)
			for _, leaf := range leaves {
				if g, c := leaf.value(goOut[at:]), leaf.value(cOut[at:]); g != c {
					return Difference{Sample: s, Where: leaf.path, Go: g, C: c}, true
				}
			}
		}
	}
	return Difference{}, false // only padding or the bits of a NaN differ
}

// Arguments formats the arguments of a sample.
func (b *Batch) Arguments(d Difference) string {
	l := b.layouts[d.Program]
	var s strings.Builder
	for k, c := range l.inputs() {
		name := fmt.Sprintf("p%d", k)
		if k == len(l.params) {
			name = "e"
		}
		for _, leaf := range c.typ.leaves(name, c.at(d.Sample)) {
			fmt.Fprintf(&s, "\t%s = %s\n", leaf.path, leaf.value(b.in))
		}
	}
	fmt.Fprintf(&s, "\tin a call of map for %s\n", l.call(d.Sample))
	return s.String()
}

// call returns which call of map computes a sample.
func (l *layout) call(sample int64) string {
	for _, n := range l.pieces {
		if sample < n {
			return fmt.Sprintf("element %d of %d", sample, n)
		}
		sample -= n
	}
	return "no element"
}
