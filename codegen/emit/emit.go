package emit

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"io"
	"strings"

	"github.com/skelgo/skelgo/codegen/ir"
	"github.com/skelgo/skelgo/codegen/pass"
)

// C writes a verified program. Extra describes the last parameter whether or not a skeleton
// treats it as an extra argument.
func C(p *ir.Program) *Form {
	out := &Form{}
	e := &emitter{out: out, sites: map[uint32]bool{}}
	for _, t := range p.Types {
		out.Decls = append(out.Decls, decl(t.Ident, typeDecl(t)))
	}
	for _, f := range p.Funcs {
		out.Decls = append(out.Decls, decl(f.Ident, e.function(f)))
	}
	if f := p.Twice; f != nil {
		out.Twice = []Decl{decl(f.Result.Ident, typeDecl(f.Result)), decl(f.Ident, e.function(f))}
	}
	out.Ident, out.Share, out.Exact, out.Cost = p.Root.Ident, p.Share, p.Exact, pass.Cost(p.Root)
	out.Params, out.Result = types(p.Root)
	if n := len(p.Root.Params); n > 0 {
		for _, l := range ir.Leaves(p.Root.Params[n-1].Type) {
			out.Extra = append(out.Extra, leaf(l, p.Own[l.Path]))
		}
	}
	return out
}

// Function writes one function of a verified program, in which the loops in short are marked
// to be unrolled.
func Function(f *ir.Func, short map[*ir.For]bool) string {
	e := &emitter{out: &Form{}, sites: map[uint32]bool{}, short: short}
	return e.function(f)
}

// Same reports whether two programs mean the same by ident, a type or a function. Positions do
// not count: two modules that generate the same function see it at different ones.
func Same(p, q *ir.Program, ident string) bool {
	c := bare(p, ident)
	return c != "" && c == bare(q, ident)
}

// bare returns the text of a declaration without positions.
func bare(p *ir.Program, ident string) string {
	for _, t := range p.Types {
		if t.Ident == ident {
			return typeDecl(t)
		}
	}
	e := &emitter{bare: true}
	for _, f := range p.Funcs {
		if f.Ident == ident {
			return e.function(f)
		}
	}
	if f := p.Twice; f != nil && f.Ident == ident {
		return e.function(f)
	}
	return ""
}

// decl returns a declaration with its text, which ends with a line break.
func decl(ident, c string) Decl { return Decl{Ident: ident, C: strings.TrimSuffix(c, "\n")} }

// types returns the C types of f's parameters, and of its result or "".
func types(f *ir.Func) (params []string, result string) {
	for _, v := range f.Params {
		params = append(params, v.Type.Ident)
	}
	if f.Result != nil {
		result = f.Result.Ident
	}
	return params, result
}

// Hash returns a hash of what a program means on devices: of all but positions, which
// differ between the modules that generate the same function, and between its versions.
func Hash(p *ir.Program) string {
	h := sha256.New()
	for _, t := range p.Types {
		io.WriteString(h, typeDecl(t))
	}
	e := &emitter{bare: true}
	for _, f := range p.Funcs {
		io.WriteString(h, e.function(f))
	}
	if p.Twice != nil {
		io.WriteString(h, e.function(p.Twice))
	}
	params, result := types(p.Root)
	fmt.Fprint(h, params, result, p.Share, p.Exact, p.Own)
	return hex.EncodeToString(h.Sum(nil))[:32]
}

type emitter struct {
	out   *Form
	sites map[uint32]bool
	bare  bool             // write no positions
	short map[*ir.For]bool // loops to unroll
}

// site returns the number by which checked mode identifies a position.
func (e *emitter) site(pos ir.Pos) string {
	if e.bare {
		return "0"
	}
	h := fnv.New32a()
	io.WriteString(h, pos.String())
	id := h.Sum32()
	if !e.sites[id] {
		e.sites[id] = true
		e.out.Sites = append(e.out.Sites, Site{ID: id, Pos: pos.String()})
	}
	return fmt.Sprintf("0x%08xu", id)
}

// typeDecl declares a struct, array or view.
func typeDecl(t *ir.Type) string {
	var b strings.Builder
	switch t.Kind {
	case ir.Struct:
		b.WriteString("typedef struct {\n")
		for _, f := range t.Fields {
			fmt.Fprintf(&b, "\t%s %s;\n", f.Type.Ident, f.Name)
		}
		fmt.Fprintf(&b, "} %s;\n", t.Ident)
	case ir.Array:
		fmt.Fprintf(&b, "typedef struct { %s a[%d]; } %s;\n", t.Elem.Ident, t.Len, t.Ident)
	case ir.View:
		fmt.Fprintf(&b, "typedef struct { GLOBAL const %s *p; i64 n; } %s;\n", t.Elem.Ident, t.Ident)
	case ir.OutView:
		fmt.Fprintf(&b, "typedef struct { GLOBAL %s *p; i64 n; WRITES } %s;\n", t.Elem.Ident, t.Ident)
	case ir.MatView:
		fmt.Fprintf(&b, "typedef struct { GLOBAL const %s *p; i64 rows, cols; } %s;\n", t.Elem.Ident, t.Ident)
	case ir.Row:
		fmt.Fprintf(&b, "typedef struct { ROW_P(%s) p; i64 n, step; } %s;\n", t.Elem.Ident, t.Ident)
	case ir.MatOutView:
		fmt.Fprintf(&b, "typedef struct { GLOBAL %s *p; i64 rows, cols; WRITES } %s;\n", t.Elem.Ident, t.Ident)
	case ir.Window, ir.MatWindow:
		fmt.Fprintf(&b, "WINDOW(%s, %s);\n", t.Elem.Ident, t.Ident)
	default: // needs no declaration
	}
	return b.String()
}

var leafKinds = map[ir.Kind]LeafKind{
	ir.View: View, ir.OutView: OutView,
	ir.MatView: MatView, ir.MatOutView: MatOutView,
}

// leaf describes a part of an extra argument.
func leaf(l ir.Leaf, own bool) Leaf {
	if l.Type.IsView() {
		return Leaf{Path: l.Path, Kind: leafKinds[l.Type.Kind], C: l.Type.Elem.Ident, Own: own}
	}
	return Leaf{Path: l.Path, Kind: Plain, C: l.Type.Ident}
}
