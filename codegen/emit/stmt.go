package emit

import (
	"fmt"
	"strings"

	"github.com/skelgo/skelgo/codegen/ir"
)

// writer prints one function.
type writer struct {
	*emitter
	lines
	fn     *ir.Func
	labels labels
}

func (e *emitter) function(f *ir.Func) string {
	w := &writer{emitter: e, fn: f, labels: findLabels(f.Body)}
	w.file, w.free = f.Pos.File, e.bare
	w.at(f.Pos)
	params := "CTX_P0"
	if len(f.Params) > 0 {
		list := make([]string, len(f.Params))
		for i, p := range f.Params {
			list[i] = variable(p)
		}
		params = "CTX_P " + strings.Join(list, ", ")
	}
	result := "void"
	if f.Result != nil {
		result = f.Result.Ident
	}
	w.open("FUNC %s %s(%s) {", result, f.Ident, params)
	w.stmts(f.Body)
	w.close("}")
	return string(w.lines.text)
}

func variable(v *ir.Var) string {
	if v.Type.Kind == ir.Pointer {
		return v.Type.Ident + v.Name
	}
	return v.Type.Ident + " " + v.Name
}

func (w *writer) stmts(list []ir.Stmt) {
	for _, s := range list {
		w.stmt(s)
	}
}

func (w *writer) stmt(s ir.Stmt) {
	if text := w.simpleText(s); text != "" {
		w.statement(s.Position(), text)
		return
	}
	w.at(s.Position())
	switch s := s.(type) {
	case *ir.Block:
		w.open("{")
		w.stmts(s.Body)
		w.close("}")
		w.done(s)
	case *ir.If:
		w.ifStmt(s)
	case *ir.For:
		w.loop(s)
	case *ir.Switch:
		w.choice(s)
	}
}

// simpleText returns the text of a statement without a block, or "" for others.
func (w *writer) simpleText(s ir.Stmt) string {
	switch s := s.(type) {
	case *ir.Declare:
		if s.Run != nil {
			return w.readRun(s.Run) + w.declare(s) + ";"
		}
		return w.declare(s) + ";"
	case *ir.Assign:
		return w.assign(s) + ";"
	case *ir.Do:
		if _, ok := s.X.(*ir.Call); ok {
			return w.emitter.text(s.X, 0) + ";"
		}
		return "(void)" + w.emitter.text(s.X, unary) + ";"
	case *ir.Break:
		return w.jump("break;", w.labels.done[s.Of], w.labels.jumps[s])
	case *ir.Continue:
		return w.jump("continue;", w.labels.next[s.Of], w.labels.jumps[s])
	case *ir.Return:
		if s.X == nil {
			return "return;"
		}
		return "return " + w.emitter.text(s.X, 0) + ";"
	case *ir.Panic:
		text := "CHECK_PANIC(" + w.site(s.Pos) + "); return"
		if w.fn.Result != nil {
			text += " " + w.emitter.text(ir.Zero(w.fn.Result), 0)
		}
		return text + ";"
	}
	return ""
}

func (w *writer) jump(plain, label string, needed bool) string {
	if needed {
		return "goto " + label + ";"
	}
	return plain
}

// done prints the label after a statement that a break leaves by goto.
func (w *writer) done(s ir.Stmt) {
	if label := w.labels.done[s]; label != "" {
		w.line("%s:;", label)
	}
}

func (w *writer) declare(s *ir.Declare) string {
	init := ""
	if c, ok := s.Init.(*ir.Composite); ok {
		init = w.braces(c)
	} else {
		init = w.emitter.text(s.Init, 0)
	}
	return variable(s.Var) + " = " + init
}

// assign returns the text of an assignment without its semicolon, shortened to
// ++, -- or op= if that means the same in C.
func (w *writer) assign(s *ir.Assign) string {
	l := w.place(s.L)
	b, ok := s.R.(*ir.Binary)
	if !ok || b.X != s.L || !inPlace(b) {
		return l + " = " + w.emitter.text(s.R, 0)
	}
	if c, ok := b.Y.(*ir.Const); ok && c.Bits == 1 && c.T.Integer() && (b.Op == ir.Add || b.Op == ir.Sub) {
		return l + b.Op.String() + b.Op.String()
	}
	return l + " " + b.Op.String() + "= " + w.emitter.text(b.Y, 0)
}

// inPlace reports whether C's op= has Go's semantics.
func inPlace(b *ir.Binary) bool {
	t := b.X.Type()
	switch b.Op {
	case ir.And, ir.Or, ir.Xor:
		return true
	case ir.Add, ir.Sub:
		return t.Float() || b.NoWrap || !t.Signed() || t.Bits() < 32
	case ir.Mul:
		return t.Float() || !t.Signed() && t.Bits() >= 32
	case ir.Div:
		return t.Float()
	default:
		return false
	}
}

func (w *writer) ifStmt(s *ir.If) {
	w.open("if (%s) {", w.emitter.text(s.Cond, 0))
	for {
		w.stmts(s.Then)
		if len(s.Else) == 0 {
			break
		}
		next, ok := s.Else[0].(*ir.If)
		if !ok || len(s.Else) > 1 {
			w.reopen("} else {")
			w.stmts(s.Else)
			break
		}
		w.reopen("} else if (%s) {", w.emitter.text(next.Cond, 0))
		s = next
	}
	w.close("}")
}

func (w *writer) loop(s *ir.For) {
	var init, cond string
	if s.Init != nil {
		init = w.declare(s.Init)
	}
	if s.Cond != nil {
		cond = w.emitter.text(s.Cond, 0)
	}
	post := make([]string, len(s.Post))
	for i, p := range s.Post {
		post[i] = w.assign(p)
	}
	if init == "" && len(post) == 0 && cond != "" {
		w.open("while (%s) {", cond)
	} else {
		head := ""
		for _, r := range s.Runs {
			head += w.readRun(r)
		}
		switch {
		case len(s.Runs) > 0:
			head += "OVER_RUN " // which unrolls the loop
		case w.short[s]:
			head += "UNROLL "
		}
		head += "for (" + init + ";"
		if cond != "" {
			head += " " + cond
		}
		head += ";"
		if len(post) > 0 {
			head += " " + strings.Join(post, ", ")
		}
		w.open("%s) {", head)
	}
	if label := w.labels.next[s]; label != "" {
		// The block keeps the jump from crossing a declaration.
		w.open("{")
		w.stmts(s.Body)
		w.close("}")
		w.line("%s:;", label)
	} else {
		w.stmts(s.Body)
	}
	w.close("}")
	w.done(s)
}

func (w *writer) choice(s *ir.Switch) {
	w.line("switch (%s) {", w.emitter.text(s.Tag, 0))
	for _, c := range s.Cases {
		w.at(c.Pos)
		var heads []string
		for _, v := range c.Values {
			n, _ := number(v)
			heads = append(heads, "case "+n+":")
		}
		if c.Default {
			heads = append(heads, "default:")
		}
		if len(heads) == 0 {
			continue
		}
		w.open("%s {", strings.Join(heads, " "))
		w.stmts(c.Body)
		switch {
		case c.Fallthrough:
			w.closeCase("} /* fall through */")
		case ir.Ends(c.Body):
			w.closeCase("}")
		default:
			w.closeCase("} break;")
		}
	}
	w.line("}")
	w.done(s)
}

// labels holds the labels of the jumps that need a goto.
type labels struct {
	done  map[ir.Stmt]string
	next  map[*ir.For]string
	jumps map[ir.Stmt]bool
	count int
}

func findLabels(body []ir.Stmt) labels {
	l := labels{map[ir.Stmt]string{}, map[*ir.For]string{}, map[ir.Stmt]bool{}, 0}
	l.find(body, nil, nil)
	return l
}

// find examines statements inside a loop and inside the statement that a C
// break leaves.
func (l *labels) find(list []ir.Stmt, loop *ir.For, breaks ir.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ir.Break:
			if s.Of != breaks {
				l.jumps[s] = true
				l.name(s.Of)
			}
			continue
		case *ir.Continue:
			if s.Of != loop {
				l.jumps[s] = true
				if l.next[s.Of] == "" {
					l.count++
					l.next[s.Of] = fmt.Sprintf("next_%d", l.count)
				}
			}
			continue
		}
		innerLoop, innerBreaks := loop, breaks
		switch s := s.(type) {
		case *ir.For:
			innerLoop, innerBreaks = s, s
		case *ir.Switch:
			innerBreaks = s
		}
		for _, body := range ir.Bodies(s) {
			l.find(body, innerLoop, innerBreaks)
		}
	}
}

func (l *labels) name(s ir.Stmt) {
	if l.done[s] == "" {
		l.count++
		l.done[s] = fmt.Sprintf("done_%d", l.count)
	}
}
