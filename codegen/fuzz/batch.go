package fuzz

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/skelgo/skelgo/codegen/registry"
)

//go:embed module.txtar
var module []byte

// Batch is a number of programs that are built and run together.
type Batch struct {
	Programs []*Program
	layouts  []layout
	in, out  []byte // what every run starts from
}

// NewBatch makes n programs, the first of the given seed.
func NewBatch(seed uint64, n int) *Batch {
	var programs []*Program
	for i := range n {
		programs = append(programs, New(seed+uint64(i)))
	}
	b := batchOf(programs)
	r := rand.New(rand.NewPCG(seed, 0xda7a))
	for _, l := range b.layouts {
		fill(r, b.in, l.in, l.inBase)
		fill(r, b.out, l.out, l.outBase)
	}
	return b
}

func batchOf(programs []*Program) *Batch {
	b := &Batch{Programs: programs}
	var in, out int64
	for _, p := range programs {
		l := p.layout(in, out)
		in, out = l.inEnd(), l.outEnd()
		b.layouts = append(b.layouts, l)
	}
	b.in, b.out = make([]byte, in), make([]byte, out)
	return b
}

// variants is a batch of changed forms of program i, with its arguments.
func (b *Batch) variants(i int, programs []*Program) *Batch {
	v := batchOf(programs)
	from := b.layouts[i]
	for _, l := range v.layouts {
		copy(v.in[l.inBase:l.inEnd()], b.in[from.inBase:])
		copy(v.out[l.outBase:l.outEnd()], b.out[from.outBase:])
	}
	return v
}

var suffix = regexp.MustCompile(`_\d+\b`)

// numbered gives names of package level their program's number.
func numbered(text string, i int) string {
	return suffix.ReplaceAllString(text, "_"+strconv.Itoa(i))
}

// Write puts the Go package into a folder. It reads the input and the output
// to start from on its standard input, and writes the output.
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

// at is memory as a T.
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
	for s := range %d {
`, len(b.in), len(b.in), samples)
	for i := range b.Programs {
		l := b.layouts[i]
		fmt.Fprintf(&s, "\t\trun_%d(in[%d+s*%d:], out[%d+s*%d:])\n", i, l.inBase, stride(l.in), l.outBase, stride(l.out))
	}
	s.WriteString("\t}\n\tos.Stdout.Write(out)\n}\n\n")
	for i, p := range b.Programs {
		var runner strings.Builder
		b.runner(&runner, i, p)
		s.WriteString(numbered(runner.String(), i))
	}
	return s.String()
}

// runner calls one program with the arguments of one sample.
func (b *Batch) runner(s *strings.Builder, i int, p *Program) {
	l := b.layouts[i]
	fmt.Fprintf(s, "func run_%d(in, out []byte) {\n", i)
	var args []string
	for k, t := range p.params {
		args = append(args, fmt.Sprintf("*at[%s](in, %d)", t.name, l.in.fields[k].off))
	}
	if p.extra != nil {
		fmt.Fprintf(s, "\tvar e %s\n", p.extra.name)
		fields := p.extra.fields
		if whole, ok := l.in.field(""); ok {
			fmt.Fprintf(s, "\te = *at[%s](in, %d)\n", p.extra.name, whole.off)
			fields = nil
		}
		for _, f := range fields {
			mem, where := "in", l.in
			if f.typ.kind == outView {
				mem, where = "out", l.out
			}
			lies, _ := where.field(f.name)
			switch {
			case f.typ.plain():
				fmt.Fprintf(s, "\te.%s = *at[%s](in, %d)\n", f.name, f.typ.name, lies.off)
			default:
				fmt.Fprintf(s, "\te.%s.Data = at[[%d]%s](%s, %d)[:]\n", f.name, f.typ.n, f.typ.elem.name, mem, lies.off)
				if f.typ.kind == matView {
					fmt.Fprintf(s, "\te.%s.C = %d\n", f.name, viewCols)
				}
			}
		}
		args = append(args, "e")
	}
	var to []string
	for _, f := range l.out.fields[0].typ.fields {
		to = append(to, fmt.Sprintf("*at[%s](out, %d)", f.typ.name, f.off))
	}
	fmt.Fprintf(s, "\t%s = %s(%s)\n}\n\n", strings.Join(to, ", "), p.root, strings.Join(args, ", "))
}

// kernelName is the entry point of a batch in C.
const kernelName = "fuzz"

// C is the OpenCL program of the given functions, which are the programs'
// device forms; those that are nil are left out. A group runs one of them.
func (b *Batch) C(forms []*registry.Func) string {
	var s, cases strings.Builder
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
		b.cRunner(&s, i, f)
		l := b.layouts[i]
		fmt.Fprintf(&cases, "\t\tcase %d: run_%d(CTX_A in + %d + s * %d, out + %d + s * %d); break;\n",
			i, i, l.inBase, stride(l.in), l.outBase, stride(l.out))
	}
	fmt.Fprintf(&s, `KERNEL %s(CTX_K GLOBAL const u8 *in, GLOBAL u8 *out) {
	for (i64 s = 0; s < %d; s++)
		switch (group_id()) {
%s		}
}
`, kernelName, samples, cases.String())
	return s.String()
}

func (b *Batch) cRunner(s *strings.Builder, i int, f *registry.Func) {
	p, l := b.Programs[i], b.layouts[i]
	fmt.Fprintf(s, "FUNC void run_%d(CTX_P GLOBAL const u8 *in, GLOBAL u8 *out) {\n", i)
	var args []string
	for k := range p.params {
		args = append(args, fmt.Sprintf("*(GLOBAL const %s *)(in + %d)", f.Params[k], l.in.fields[k].off))
	}
	if p.extra != nil {
		fmt.Fprintf(s, "\t%s e;\n", f.Params[len(p.params)])
		for _, leaf := range f.Extra {
			lies, ok := l.in.field(strings.TrimPrefix(leaf.Path, "."))
			if !ok {
				lies, _ = l.out.field(strings.TrimPrefix(leaf.Path, "."))
			}
			switch leaf.Kind {
			case registry.Plain:
				fmt.Fprintf(s, "\te%s = *(GLOBAL const %s *)(in + %d);\n", leaf.Path, leaf.C, lies.off)
			case registry.View:
				fmt.Fprintf(s, "\te%[1]s.p = (GLOBAL const %[2]s *)(in + %[3]d); e%[1]s.n = %[4]d;\n", leaf.Path, leaf.C, lies.off, viewLen)
			case registry.OutView:
				fmt.Fprintf(s, "\te%[1]s.p = (GLOBAL %[2]s *)(out + %[3]d); e%[1]s.n = %[4]d;\n", leaf.Path, leaf.C, lies.off, viewLen)
			case registry.MatView:
				fmt.Fprintf(s, "\te%[1]s.p = (GLOBAL const %[2]s *)(in + %[3]d); e%[1]s.rows = %[4]d; e%[1]s.cols = %[5]d;\n", leaf.Path, leaf.C, lies.off, viewRows, viewCols)
			}
		}
		args = append(args, "e")
	}
	fmt.Fprintf(s, "\t*(GLOBAL %s *)out = %s(CTX_A %s);\n}\n", f.Result, f.Ident, strings.Join(args, ", "))
}

// Difference is a leaf that the two forms do not agree on.
type Difference struct {
	Program int
	Sample  int64
	Where   string
	Go, C   string
}

// Compare finds the first difference of each program.
func (b *Batch) Compare(goOut, cOut []byte, forms []*registry.Func) []Difference {
	var all []Difference
	for i, l := range b.layouts {
		if forms[i] == nil {
			continue
		}
	program:
		for s := range int64(samples) {
			for _, leaf := range l.out.leaves("", l.outBase+s*stride(l.out)) {
				if g, c := leaf.value(goOut), leaf.value(cOut); g != c {
					all = append(all, Difference{i, s, leaf.path, g, c})
					break program
				}
			}
		}
	}
	return all
}

// Arguments shows what a sample was called with.
func (b *Batch) Arguments(d Difference) string {
	l := b.layouts[d.Program]
	var s strings.Builder
	for _, leaf := range l.in.leaves("", l.inBase+d.Sample*stride(l.in)) {
		fmt.Fprintf(&s, "\t%s = %s\n", leaf.path, leaf.value(b.in))
	}
	return s.String()
}
