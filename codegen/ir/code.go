package ir

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"math/bits"
	"reflect"
	"runtime"
	"slices"
)

// A coded program is a string of bytes: the version, and then the fields in the order of the method program. What
// occurs again is written once:
//
//	number      a Uvarint, or a Varint if it can be negative (encoding/binary)
//	booleans    the bits of a number, which is 1 for the first of them alone
//	string      k for the k-th string so far; 0 for a new one, with its length and bytes
//	type        0 for none, 1 to 11 for the basic ones, 12 for a new one, with its fields, and then
//	            13 for the first one so far
//	variable    as a string, in each function anew
//	run         likewise
//	function    its place in the list of those before
//	library     a function with a Library has only that name and its Ident. Functions that only others of
//	            this kind call are left out.
//	position    twice the difference of its line from that of the position before, plus 1 if the file
//	            is another; then the file, if it is another; the column
//	list        its length and its elements
//	expression  its place in exprKinds, 0 for none, and its fields
//	constant    its type and a number. The bytes of a float are reversed, so that usual ones are short.
//	statement   its place in stmtKinds, and its fields. The statement that a Break or a Continue leaves is
//	            given by its depth. An assignment that is in place has no left operand in its right side.
//
// A coder either writes the fields of a program or reads them: both are the same walk over it. It changes a
// program only if it reads it.

// codeVersion is the version of coded programs. It changes with the nodes, their fields and what these mean.
const codeVersion = 1

// Encode returns a verified program as a string of bytes, which Decode reads. Of functions with a Library, except
// the root, only the name is encoded. It panics if the program is deeper than Decode accepts.
func Encode(p *Program) string {
	c := &coder{}
	c.program(p)
	return string(c.out)
}

// Decode returns the program of which Encode has returned code, after verifying it. library returns a new program
// for the Library of a function; it may be nil if there is none. The error says that code is of another version,
// or damaged, or why there is no library.
func Decode(code string, library func(name string) (*Program, error)) (p *Program, err error) {
	c := &coder{in: []byte(code), reads: true, library: library}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case badCode:
			p, err = nil, cmp.Or(c.err, error(e))
		case runtime.Error: // a field that is impossible
			p, err = nil, fmt.Errorf("ir: a coded program is damaged: %w", e)
		default:
			panic(e)
		}
	}()
	p = &Program{}
	c.program(p)
	if len(c.in) > 0 {
		c.damaged("it goes on after its end")
	}
	if err := Verify(p); err != nil {
		return nil, fmt.Errorf("a coded program is damaged: %w", err)
	}
	return p, nil
}

// badCode is the error that ends reading.
type badCode string

func (e badCode) Error() string { return string(e) }

// coder writes a program to out or, if reads is true, reads it from in.
type coder struct {
	reads bool
	in    []byte
	out   []byte

	library func(name string) (*Program, error)
	err     error // of library

	strings []string
	types   []*Type
	funcs   []*Func
	last    Pos // the position before
	depth   int // of types, expressions and statements

	// Of the current function.
	vars   []*Var
	runs   []*Run
	inside []Stmt // what Break and Continue can leave
}

// maxDepth limits the depth of a program, so that a damaged one does not exhaust the stack.
const maxDepth = 10_000

func (c *coder) damaged(format string, args ...any) {
	if !c.reads {
		panic("ir: a program cannot be encoded: " + fmt.Sprintf(format, args...))
	}
	panic(badCode("ir: a coded program is damaged: " + fmt.Sprintf(format, args...)))
}

// nest counts the depth. Its result counts back.
func (c *coder) nest() func() {
	if c.depth++; c.depth > maxDepth {
		c.damaged("it is too deep")
	}
	return func() { c.depth-- }
}

func (c *coder) uint(x *uint64) {
	if !c.reads {
		c.out = binary.AppendUvarint(c.out, *x)
		return
	}
	v, n := binary.Uvarint(c.in)
	if n <= 0 {
		c.damaged("it is cut off")
	}
	*x, c.in = v, c.in[n:]
}

// int codes a number that can be negative.
func (c *coder) int(x *int64) {
	u := uint64(*x)<<1 ^ uint64(*x>>63)
	if c.uint(&u); c.reads {
		*x = int64(u>>1) ^ -int64(u&1)
	}
}

// upTo codes a number from 0 to limit.
func upTo[T ~int](c *coder, x *T, limit int) {
	u := uint64(*x)
	c.uint(&u)
	if limit < 0 || u > uint64(limit) {
		c.damaged("%d is more than %d", u, limit)
	}
	if c.reads {
		*x = T(u)
	}
}

// flags codes booleans in one number.
func (c *coder) flags(list ...*bool) {
	n := 0
	for i, x := range list {
		if *x {
			n |= 1 << i
		}
	}
	upTo(c, &n, 1<<len(list)-1)
	for i, x := range list {
		if c.reads {
			*x = n>>i&1 != 0
		}
	}
}

func (c *coder) string(x *string) {
	s, k := *x, 0
	if !c.reads {
		k = 1 + slices.Index(c.strings, s)
	}
	if upTo(c, &k, len(c.strings)); k > 0 {
		if c.reads {
			*x = c.strings[k-1]
		}
		return
	}
	n := len(s)
	if upTo(c, &n, len(c.in)+len(s)); c.reads {
		s, c.in = string(c.in[:n]), c.in[n:]
		*x = s
	} else {
		c.out = append(c.out, s...)
	}
	c.strings = append(c.strings, s)
}

// list codes a list, each element by code. No element has less than one byte.
func list[T any](c *coder, x *[]T, code func(*T)) {
	n := len(*x)
	upTo(c, &n, len(c.in)+len(*x))
	for i := range n {
		if c.reads { // it grows, because a damaged length may be that of what follows
			var zero T
			*x = append(*x, zero)
		}
		code(&(*x)[i])
	}
}

// shared codes a node that several others point to, and by code what is in it when it occurs first.
func shared[T any](c *coder, x **T, seen *[]*T, code func(*T)) {
	k := 0
	if !c.reads {
		k = 1 + slices.Index(*seen, *x)
	}
	if upTo(c, &k, len(*seen)); k > 0 {
		if c.reads {
			*x = (*seen)[k-1]
		}
		return
	}
	if c.reads {
		*x = new(T)
	}
	*seen = append(*seen, *x)
	code(*x)
}

func (c *coder) pos(x *Pos) {
	n, other := int64(x.Line-c.last.Line)*2, x.File != c.last.File
	if other {
		n++
	}
	if c.int(&n); n&1 != 0 {
		c.string(&x.File)
	}
	upTo(c, &x.Col, 1<<31-1)
	if c.reads {
		x.Line = c.last.Line + int(n>>1)
		if n&1 == 0 {
			x.File = c.last.File
		}
	}
	c.last = *x
}

func (c *coder) program(p *Program) {
	version := uint64(codeVersion)
	if c.uint(&version); version != codeVersion {
		panic(badCode(fmt.Sprintf("ir: it has version %d, and this skelgo reads version %d",
			version, codeVersion)))
	}
	list(c, &p.Types, func(t **Type) { c.typ(t) })
	c.functions(p)
	c.funcOf(&p.Root)
	optional(c, &p.Twice, func() { c.function(p.Twice) })
	c.string(&p.Exact)
	upTo(c, &p.Share, 1<<20)
	own := slices.Sorted(maps.Keys(p.Own))
	list(c, &own, c.string)
	for _, path := range own {
		if !c.reads {
			break
		}
		if p.Own == nil {
			p.Own = map[string]bool{}
		}
		p.Own[path] = true
	}
}

// typ codes a type, or none. Types with one Ident are one type.
func (c *coder) typ(x **Type) {
	const first = int(F64) + 2 // the code of a new type
	k := 0
	switch t := *x; {
	case t == nil:
	case t.Scalar():
		k = 1 + int(t.Kind)
	default:
		k = first + 1 + slices.IndexFunc(c.types, func(u *Type) bool { return u.Ident == t.Ident })
	}
	switch upTo(c, &k, first+len(c.types)); {
	case k == first:
	case !c.reads:
		return
	case k == 0:
		*x = nil
		return
	case k < first:
		*x = basic[k-1]
		return
	default:
		*x = c.types[k-first-1]
		return
	}
	defer c.nest()()
	if c.reads {
		*x = new(Type)
	}
	t := *x
	upTo(c, &t.Kind, int(MatWindow))
	c.string(&t.Ident)
	list(c, &t.Fields, func(f *Field) {
		c.string(&f.Name)
		c.typ(&f.Type)
		c.flags(&f.Blank)
	})
	c.typ(&t.Elem)
	c.int(&t.Len)
	c.pos(&t.Pos)
	if t.Scalar() || t.Len < 0 || slices.ContainsFunc(c.types, t.Is) {
		c.damaged("there are two types %s, or it is none", t.Ident)
	}
	c.types = append(c.types, t) // after those that it contains
}

func (c *coder) funcOf(x **Func) {
	k := max(0, slices.Index(c.funcs, *x)) // a verified program calls only functions that it has
	if upTo(c, &k, len(c.funcs)-1); c.reads {
		*x = c.funcs[k]
	}
}

// functions codes the functions of a program, those of libraries by name.
func (c *coder) functions(p *Program) {
	own := p.Funcs
	if !c.reads {
		own = withoutLibraries(p)
	}
	list(c, &own, func(f **Func) {
		if c.reads {
			*f = new(Func)
		}
		g := *f
		if c.present(g.Library != "" && g != p.Root) {
			c.string(&g.Library)
			if c.string(&g.Ident); c.reads {
				g = c.fromLibrary(p, g)
			}
		} else if c.function(g); c.reads {
			p.Funcs = append(p.Funcs, g)
		}
		c.funcs = append(c.funcs, g)
	})
}

func (c *coder) function(f *Func) {
	c.vars, c.runs, c.inside = nil, nil, nil
	c.string(&f.Ident)
	c.string(&f.Name)
	c.pos(&f.Pos)
	list(c, &f.Params, c.variable)
	c.typ(&f.Result)
	c.flags(&f.Pure)
	c.body(&f.Body)
}

func (c *coder) variable(x **Var) {
	shared(c, x, &c.vars, func(v *Var) {
		c.string(&v.Name)
		c.typ(&v.Type)
	})
}

func (c *coder) run(x **Run) {
	shared(c, x, &c.runs, func(r *Run) {
		c.string(&r.Name)
		first := Expr(r.First)
		if c.expr(&first); c.reads {
			r.First = first.(*At)
		}
		c.int(&r.Len)
		c.uint(&r.Multiple)
	})
}

// present codes whether a part is there, and returns it.
func (c *coder) present(there bool) bool {
	c.flags(&there)
	return there
}

// optional codes a node that may be nil by code.
func optional[T any](c *coder, x **T, code func()) {
	if c.present(*x != nil) {
		if c.reads {
			*x = new(T)
		}
		code()
	}
}

// kinds numbers the types of nodes.
type kinds map[reflect.Type]int

func kindsOf[N any](list []N) kinds {
	k := kinds{}
	for i, n := range list {
		k[reflect.TypeOf(n)] = i
	}
	return k
}

// node codes the kind of a node, which is a pointer. When it is read, it is a new one, or nil.
func node[N any](c *coder, x *N, list []N, kinds kinds) {
	k := kinds[reflect.TypeOf(*x)]
	upTo(c, &k, len(list)-1)
	if c.reads && k > 0 {
		*x = reflect.New(reflect.TypeOf(list[k]).Elem()).Interface().(N)
	}
}

func (c *coder) constant(e *Const) {
	if c.typ(&e.T); e.T.Float() {
		unused := 64 - e.T.Bits()
		u := bits.ReverseBytes64(e.Bits) >> unused
		if c.uint(&u); c.reads {
			e.Bits = bits.ReverseBytes64(u << unused)
		}
		return
	}
	n := int64(e.Bits)
	if c.int(&n); c.reads {
		e.Bits = uint64(n)
	}
}
