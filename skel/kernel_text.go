package skel

import (
	"embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/skelgo/skelgo/codegen/emit"
	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
)

//go:embed kernels/*.cl
var kernels embed.FS

// text writes the C code of one kernel: the user functions, then the functions load (the
// elements of the expression) and op (the operator), then the skeleton's file, which
// calls them.
type text struct {
	decls  strings.Builder
	seen   map[string]declared // by name
	params []string            // C parameters of everything that load and op need
	names  []string            // the names of params
	setup  strings.Builder

	reuse  []string         // names of parameters that are already declared, if a node is written again
	blocks int              // number of local variables so far
	index  string           // C expression of the index of the element
	inner  *strings.Builder // statements for each element, if setup is for several elements
	raw    *raw             // not nil if a function of its own reads the inputs
	memory func(n *node, ctype, p string) string

	stencil strings.Builder // the functions of the stencil, if there is one
}

// accessor is a function of the kernel that returns an element of an expression.
type accessor struct {
	name    string // in C
	ctype   string // "" for a function without a result
	node    *node
	chunk   int         // number of elements that NAME_chunk returns; 0: there is no NAME_chunk
	span    int         // runs that a lane of the kernel reduce reads together; 0 in other kernels
	aligned bool        // NAME_chunk begins at a multiple of chunk
	slots   *slotLayout // of the functions stage and staged_run; nil: there are none
	stencil bool        // the node begins with a stencil
	// xType is the C type of the parameter x, which the epilogueInput of the node reads; "": there
	// is none. Such an accessor has the row r and the column c of the element as parameters, too.
	xType string
	// placed is set if the accessor has the row r and the column c of the element as parameters, and
	// a chunk is a part of a row.
	placed bool

	fun   *function // if not nil, the accessor is this function and node is unused
	extra *bound    // the extra argument of fun
}

// arguments appends the kernel's arguments for an accessor.
func (a *accessor) arguments(args []driver.Arg) ([]driver.Arg, error) {
	switch {
	case a.fun == nil:
		return a.node.arguments(args)
	case a.extra != nil:
		return a.extra.args(args)
	}
	return args, nil
}

// site returns the Go position that checked mode reports as id, and the name of the user
// function; two empty strings if a does not have it.
func (a *accessor) site(id uint32) (pos, function string) {
	if a.fun != nil {
		return a.fun.site(id)
	}
	return a.node.site(id)
}

// params returns the C parameters that say which element, or which chunk of elements.
func (a *accessor) params() string {
	if a.placed || a.xType != "" {
		return "i64 i, i64 r, i64 c"
	}
	return "i64 i"
}

// column returns the C expression of the column of the element, in a placed accessor.
func (t *text) column() string {
	if t.inner != nil {
		return "(c + k)"
	}
	return "c"
}

// kernelText returns the C text of a kernel. The accessors and the operator, whose device form is opForm,
// share one parameter list, SRC_P; SRC_A lists the names of its parameters.
func kernelText(
	files []string, shape, defines string, accessors []accessor, op *function, opForm *registry.Func, opExtra *bound,
) string {
	t := &text{seen: map[string]declared{}, index: "i"}
	var funcs, slots strings.Builder // slots is written after the file slots.cl
	for _, a := range accessors {
		t.setup.Reset()
		if a.fun != nil {
			funcs.WriteString(t.function(&a))
			continue
		}
		first := len(t.names)
		body := t.expr(a.node, a.ctype)
		mine := t.names[first:]
		if a.stencil {
			funcs.WriteString(t.stencil.String())
			fmt.Fprintf(&funcs, "FUNC %s %s(CTX_P SRC_P i64 i, RESULT_T v) {\n%s\treturn %s;\n}\n",
				a.ctype, a.name, t.setup.String(), body)
		} else if a.ctype == "" {
			fmt.Fprintf(&funcs, "FUNC void %s(CTX_P SRC_P i64 i) {\n%s\t%s;\n}\n", a.name, t.setup.String(), body)
		} else {
			params := a.params()
			if a.xType != "" {
				params += ", " + a.xType + " x"
			}
			fmt.Fprintf(&funcs, "FUNC %s %s(CTX_P SRC_P %s) {\n%s\treturn %s;\n}\n",
				a.ctype, a.name, params, t.setup.String(), body)
		}
		if a.chunk > 0 {
			t.reuse = mine
			funcs.WriteString(t.chunkText(&a))
		}
		if a.slots != nil {
			t.reuse = mine
			slots.WriteString(t.stageText(&a))
		}
	}
	if op != nil {
		t.setup.Reset()
		t.declare(opForm, nil)
		c := opForm.Result
		fmt.Fprintf(&funcs, "FUNC %s op(CTX_P SRC_P %s a, %s b) {\n", c, c, c)
		call := t.callAs(opForm.Ident, op, []string{"a", "b"}, opExtra, "")
		fmt.Fprintf(&funcs, "%s\treturn %s;\n}\n", t.setup.String(), call)
	}
	var b strings.Builder
	b.WriteString(shape)
	b.WriteString(t.decls.String())
	b.WriteString("#line 1 \"skel\"\n")
	b.WriteString(defines)
	b.WriteString(inMacro)
	b.WriteString(viewMacro)
	b.WriteString(countMacro)
	fmt.Fprintf(&b, "#define SRC_P %s\n#define SRC_A %s\n", list(t.params), list(t.names))
	if len(accessors) > 0 && accessors[0].fun == nil { // see unroll
		fmt.Fprintf(&b, "#define EACH_LOAD %s\n", accessors[0].node.unroll())
	}
	b.WriteString(funcs.String())
	for _, f := range files {
		fmt.Fprintf(&b, "#line 1 \"skel/kernels/%s.cl\"\n%s", f, kernelFile(f))
		if f == "slots" {
			b.WriteString("#line 1 \"skel\"\n" + slots.String())
		}
	}
	return b.String()
}

// kernelFile returns the text of a file in kernels.
func kernelFile(name string) []byte {
	c, err := kernels.ReadFile("kernels/" + name + ".cl")
	if err != nil {
		panic(err) // the files are embedded, so the name is misspelt
	}
	return c
}

// scalars are the types whose loads go through the macro IN.
var scalars = map[string]bool{
	"i8": true, "i16": true, "i32": true, "i64": true, "u8": true, "u16": true, "u32": true, "u64": true,
	"f32": true, "f64": true, "b8": true,
}

// shapeCPU begins the kernels for CPUs, where a work-item runs one long loop. Compilers
// for CPUs vectorize complete loops, which works best if the loops contain their reads.
const shapeCPU = `#define SHAPE_CPU
#undef READ_RUN
#undef OVER_RUN
#undef OF_RUN
#define READ_RUN(T, N, run, p, first, multiple)
#define OVER_RUN
#define OF_RUN(run, i, read) (read)
`

// inMacro reads element i of an input. If a CPU folds several runs side by side, some
// compilers turn the loads into gathers, which are far slower. They do not change
// volatile loads.
const inMacro = `#ifdef SIDE_BY_SIDE
#define IN(type, p) ((GLOBAL const volatile type *)p)[i]
#else
#define IN(type, p) p[i]
#endif
`

// viewMacro declares a view that is only read. A kernel does not write what it reads
// through a view, and memory is aligned to 16 bytes. With this knowledge, the compiler of
// a GPU reads elements once, as vectors, and through the read-only cache.
const viewMacro = `#ifdef SHAPE_CPU
#define VIEW_P(type) GLOBAL const type *
#define VIEW(type, p) (p)
#else
#define VIEW_P(type) GLOBAL const type *RESTRICT
#define VIEW(type, p) ALIGNED16(type, p)
#endif
`

// countMacro limits n, the number of elements, to the count if only the device knows it
// (expr_count.go).
const countMacro = `#ifdef COUNTED
#define COUNT_P , GLOBAL const i64 *counted
#define LIMIT(n) (n) = counted[0] < (n) ? counted[0] > 0 ? counted[0] : 0 : (n)
#else
#define COUNT_P
#define LIMIT(n)
#endif
`

// list joins parameters with a comma after each, so that others can follow.
func list(s []string) string {
	var b strings.Builder
	for _, p := range s {
		b.WriteString(p + ", ")
	}
	return b.String()
}

// param declares a parameter and returns its name.
func (t *text) param(ctype string) string {
	if len(t.reuse) > 0 {
		name := t.reuse[0]
		t.reuse = t.reuse[1:]
		return name
	}
	name := fmt.Sprintf("p%d", len(t.names))
	t.params = append(t.params, ctype+" "+name)
	t.names = append(t.names, name)
	return name
}

// declare writes the types and functions that a user function needs, unless they are
// written already. If x has constant extents, short loops are unrolled.
func (t *text) declare(f *registry.Func, x *bound) {
	t.write(f, x, f.Decls)
}

// write writes declarations; the last one is the function itself. If a name stands for two
// different things, calling the wrong one would be a silent error, so the kernel does not
// compile.
func (t *text) write(f *registry.Func, x *bound, decls []emit.Decl) {
	for i, d := range decls {
		if other, is := t.seen[d.Ident]; is {
			if !other.means(f, d.Ident, d.C) {
				fmt.Fprintf(&t.decls, "\n#error %s, which %s needs, has two device forms: run 'go generate ./...'\n",
					d.Ident, f.Name)
			}
			continue
		}
		t.seen[d.Ident] = declared{d.C, f}
		c := d.C
		if i == len(decls)-1 && x != nil && x.shape != nil {
			c = x.unrolled(f, d.Ident, c)
		}
		t.decls.WriteString(strings.TrimRight(c, "\n") + "\n")
	}
}

// declared is a declaration in a kernel, and the function that needed it first.
type declared struct {
	c  string
	by *registry.Func
}

// means reports whether the declaration ident is what f needs.
func (d declared) means(f *registry.Func, ident, c string) bool {
	if d.c == c {
		return true
	}
	for _, p := range d.by.Programs() {
		for _, q := range f.Programs() {
			if emit.Same(p, q, ident) {
				return true
			}
		}
	}
	return false
}

// expr returns the C expression of element i of n; ctype is its type.
func (t *text) expr(n *node, ctype string) string {
	switch n.kind {
	case memory:
		p := t.param("GLOBAL const " + ctype + " *")
		if t.memory != nil {
			return t.memory(n, ctype, p)
		}
		if scalars[ctype] {
			return fmt.Sprintf("IN(%s, %s)", ctype, p)
		}
		return p + "[i]"
	case indices:
		return t.from(n)
	case epilogueInput:
		return "x"
	case grid:
		cols := t.param("i64")
		index := t.from(n)
		local, each := "at_"+cols, &t.setup
		if t.inner != nil {
			each = t.inner
		}
		if n.placed {
			fmt.Fprintf(each, "\t%s %s;\n\t%s.Row = r;\n\t%s.Col = %s;\n", ctype, local, local, local, t.column())
			return local
		}
		quotient := index + " / " + cols
		if n.narrow { // GPUs divide 64-bit numbers slowly
			quotient = "(u32)" + index + " / (u32)" + cols
		}
		fmt.Fprintf(each, "\t%s %s;\n\t%s.Row = %s;\n", ctype, local, local, quotient)
		fmt.Fprintf(each, "\t%s.Col = %s - %s.Row * %s;\n", local, index, local, cols)
		return local
	case repeats:
		return t.repeats(n, ctype)
	case gathers:
		return t.gathers(n, ctype)
	case reverses:
		return t.reverses(ctype)
	case windowed:
		return n.fun.write(t, n)
	case computed:
	}
	t.declare(n.fun.reg, n.extra)
	args := make([]string, len(n.args))
	for k, a := range n.args {
		args[k] = t.expr(a, n.fun.reg.Params[k])
	}
	return t.call(n.fun, args, n.extra, t.index)
}

// from returns the C expression of the index of an element, as the user function sees it.
func (t *text) from(n *node) string {
	if !n.shifted {
		return t.index
	}
	if n.form.aligned && t.index == alignedIndex {
		return fmt.Sprintf("((i + (%s & -%d)) | k)", t.param("i64"), alignment)
	}
	return fmt.Sprintf("(%s + %s)", t.index, t.param("i64"))
}

// call returns the C call of a user function. It first writes the statements that set the
// extra argument. element is the C expression of the position of the input's element for
// which the call is made; "" if it is for no single one.
func (t *text) call(f *function, args []string, x *bound, element string) string {
	return t.callAs(f.reg.Ident, f, args, x, element)
}

// callAs is call for a function with another name in C.
func (t *text) callAs(ident string, f *function, args []string, x *bound, element string) string {
	if x != nil {
		args = append(args, t.extra(f, x, element))
	}
	return fmt.Sprintf("%s(CTX_A %s)", ident, strings.Join(args, ", "))
}

// function returns the C text of an accessor that is a user function.
func (t *text) function(a *accessor) string {
	reg := a.fun.reg
	t.declare(reg, nil)
	params := reg.Params
	if a.extra != nil {
		params = params[:len(params)-1]
	}
	var list strings.Builder
	args := make([]string, len(params))
	for i, c := range params {
		args[i] = fmt.Sprintf("e%d", i)
		list.WriteString(", " + c + " " + args[i])
	}
	call := t.call(a.fun, args, a.extra, "")
	return fmt.Sprintf("FUNC %s %s(CTX_P SRC_P %s) {\n%s\treturn %s;\n}\n",
		reg.Result, a.name, list.String()[2:], t.setup.String(), call)
}

// extra declares a local variable that holds the extra argument of the call for element, and
// returns its name.
func (t *text) extra(f *function, x *bound, element string) string {
	t.blocks++
	local := fmt.Sprintf("x%d", t.blocks)
	ctype := f.reg.Params[len(f.reg.Params)-1]
	fmt.Fprintf(&t.setup, "\t%s %s;\n", ctype, local)
	view, out := 0, 0
	for i, l := range f.reg.Extra {
		to := local + l.Path
		kind := x.plan.leaves[i].kind
		switch kind {
		case array.NoView:
			fmt.Fprintf(&t.setup, "\t%s = %s;\n", to, t.param(l.C))
			continue
		case array.WriteVector, array.WriteMatrix:
			fmt.Fprintf(&t.setup, "\t%s.p = %s;\n", to, t.param("GLOBAL "+l.C+" *"))
			t.writer(to, out, element)
			out++
		default:
			fmt.Fprintf(&t.setup, "\t%s.p = VIEW(%s, %s);\n", to, l.C, t.param("VIEW_P("+l.C+")"))
		}
		base := ""
		if x.shifted(view) { // the memory does not begin with the first row
			base = t.param("i64")
		}
		for j, name := range extentNames(kind) {
			v, is := x.shape.constant(2*view + j)
			value := strconv.Itoa(v)
			if !is {
				value = t.param("i64")
			}
			fmt.Fprintf(&t.setup, "\t%s.%s = %s;\n", to, name, value)
		}
		switch {
		case base != "" && kind == array.ReadVector || base != "" && kind == array.WriteVector:
			fmt.Fprintf(&t.setup, "\t%s.p -= %s;\n", to, base)
		case base != "":
			fmt.Fprintf(&t.setup, "\t%s.p -= %s * %s.cols;\n", to, base, to)
		}
		view++
	}
	return local
}

// writer tells checked mode that out-view number k of the launch, the variable view, is used
// for an element.
func (t *text) writer(view string, k int, element string) {
	each := &t.setup
	switch {
	case element == "":
		k, element = -1, "0"
	case t.inner != nil:
		each = t.inner
	}
	fmt.Fprintf(each, "\tWRITER(%s, %d, %s);\n", view, k, element)
}

// extentNames returns the names of the extents of a view in C.
func extentNames(k array.ViewKind) []string {
	if k == array.ReadVector || k == array.WriteVector {
		return []string{"n"}
	}
	return []string{"rows", "cols"}
}
