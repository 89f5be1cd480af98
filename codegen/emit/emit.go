package emit

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"io"
	"strings"

	"github.com/skelgo/skelgo/codegen/ir"
	"github.com/skelgo/skelgo/codegen/registry"
)

// C prints a verified program. It fills in Ident, Params, Result, Decls, Twice,
// Sites, Extra, Cost, Share, Exact and Hash of the registry's entry; Name, Type, Pos
// and Loops are left to the caller, who knows how the function is used. Extra
// describes the last parameter whether or not the skeleton treats it as an extra
// argument.
func C(p *ir.Program) registry.Func {
	e := &emitter{sites: map[uint32]bool{}}
	out := &e.out
	for _, t := range p.Types {
		out.Decls = append(out.Decls, registry.Decl{Ident: t.Ident, C: typeDecl(t)})
	}
	for _, f := range p.Funcs {
		out.Decls = append(out.Decls, registry.Decl{Ident: f.Ident, C: e.function(f)})
	}
	if f := p.Twice; f != nil {
		out.Twice = []registry.Decl{{Ident: f.Result.Ident, C: typeDecl(f.Result)}, {Ident: f.Ident, C: e.function(f)}}
	}
	out.Ident, out.Share, out.Exact, out.Cost = p.Root.Ident, p.Share, p.Exact, ir.Cost(p.Root)
	for _, v := range p.Root.Params {
		out.Params = append(out.Params, v.Type.Ident)
	}
	if p.Root.Result != nil {
		out.Result = p.Root.Result.Ident
	}
	if n := len(p.Root.Params); n > 0 {
		for _, l := range ir.Leaves(p.Root.Params[n-1].Type) {
			out.Extra = append(out.Extra, leaf(l, p.Own[l.Path]))
		}
	}
	out.Hash = hash(p, out)
	return *out
}

// hash returns a hash of what a program means on devices: of all but positions, which
// differ between the modules that generate the same function, and between its versions.
func hash(p *ir.Program, f *registry.Func) string {
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
	fmt.Fprint(h, f.Params, f.Result, f.Share, f.Exact, p.Own)
	return hex.EncodeToString(h.Sum(nil))[:32]
}

type emitter struct {
	out   registry.Func
	sites map[uint32]bool
	bare  bool // write no positions
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
		e.out.Sites = append(e.out.Sites, registry.Site{ID: id, Pos: pos.String()})
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

var leafKinds = map[ir.Kind]registry.LeafKind{
	ir.View: registry.View, ir.OutView: registry.OutView,
	ir.MatView: registry.MatView, ir.MatOutView: registry.MatOutView,
}

// leaf describes a part of an extra argument.
func leaf(l ir.Leaf, own bool) registry.Leaf {
	if l.Type.IsView() {
		return registry.Leaf{Path: l.Path, Kind: leafKinds[l.Type.Kind], C: l.Type.Elem.Ident, Own: own}
	}
	return registry.Leaf{Path: l.Path, Kind: registry.Plain, C: l.Type.Ident}
}
