package codegen

import (
	"fmt"
	"go/types"
	"regexp"
	"strings"
)

// shape holds a function's types as texts for a loop.
type shape struct {
	callee string
	in     []string // parameter types except the extra argument
	first  types.Type
	extra  string // "" if there is none
	held   string // the name of the extra argument in the function's text, if the loop contains it
	out    string // "" if there is none
}

// loop is one field of registry.Loops and its text. If the text is the name of
// a function, decl declares it.
type loop struct{ field, text, decl string }

// shapeOf describes a use; callee is the expression with which the file calls
// the function.
func (n *names) shapeOf(u *Use, callee string) shape {
	s := shape{callee: callee}
	for i := range u.sig.Params().Len() {
		s.in = append(s.in, types.TypeString(u.sig.Params().At(i).Type(), n.qualifier))
	}
	if u.Extra {
		s.extra, s.in = s.in[len(s.in)-1], s.in[:len(s.in)-1]
	}
	if len(s.in) > 0 {
		s.first = u.sig.Params().At(0).Type()
	}
	if u.sig.Results().Len() == 1 {
		s.out = types.TypeString(u.sig.Results().At(0).Type(), n.qualifier)
	}
	return s
}

// loops returns the range loops for a function, which depend on its signature;
// an operator also has folds. ident is the function's name in C.
func (n *names) loops(u *Use, ident string, s shape) []loop {
	if u.Rows && len(s.in) > 0 && isRow(s.first) {
		return nil // a call takes long, and the function contains its own loop
	}
	var list []loop
	add := func(field, text string) { list = append(list, loop{field: field, text: text}) }
	if len(s.in) == 1 {
		switch {
		case isWindow(s.first):
			add("Window", windowLoop)
		case isIndex(s.first):
			add("Grid", s.either(gridLoop, gridVoid))
		default:
			add("Map", s.either(mapLoop, mapVoid))
		}
		if b, ok := s.first.(*types.Basic); ok && b.Kind() == types.Int {
			add("Index", s.either(indexLoop, indexVoid))
		}
	}
	if len(s.in) == 1 && u.Filters {
		add("Filter", filterLoop)
	}
	if len(s.in) == 2 {
		add("Zip", s.either(zipLoop, zipVoid))
	}
	if len(s.in) == 2 && u.Pairs && s.extra == "" {
		add("Pair", pairLoop)
	}
	if len(s.in) == 3 && s.in[0] == s.out {
		add("Fold", foldLoop)
	}
	if len(s.in) == 5 && s.in[0] == s.out && s.in[1] == s.out && s.in[2] == s.out {
		if s.in[3] == "int" && s.in[4] == "int" {
			add("Cells", cellsLoop)
		} else {
			add("Cells", cellsOfLoop)
		}
	}
	if len(s.in) == 2 && u.Operator {
		width, run := lanes(s.first), runLen(s.first)
		add("Runs", runsLoop(width, run))
		add("Tree", treeLoop(width))
		if u.Scans {
			add("Scan", scanLoop(width, run))
		}
	}
	if len(list) == 0 {
		return nil
	}
	text := ""
	switch {
	case n.holds(u):
		text, s.held = n.inline(u), u.extraName()
	case isWindow(s.first):
		text = n.inline(u)
	}
	if text != "" {
		s.callee = "$f"
	} else if s.held = ""; s.callee == "" {
		return nil
	}
	for i, l := range list {
		if text != "" {
			l.text = strings.Replace(l.text, "{\n", "{\n\t$f := §\n", 1)
		}
		l.text = n.fresh(s.fill(l.text), s.held)
		if name := "loop_" + ident; text != "" {
			if i > 0 {
				name += "_" + strings.ToLower(l.field)
			}
			l = n.separate(l, name, text)
		}
		list[i] = l
	}
	return list
}

func (s shape) either(value, void string) string {
	if s.out == "" {
		return void
	}
	return value
}

// fill inserts the types and the call into a loop's text.
func (s shape) fill(text string) string {
	b := ""
	if len(s.in) == 2 {
		b = s.in[1]
	}
	left, right := "", ""
	if len(s.in) == 3 {
		left, right = s.in[1], s.in[2]
	}
	row, col := "", ""
	if len(s.in) == 5 {
		row, col = s.in[3], s.in[4]
	}
	extra, arg := "", ""
	if s.extra != "" {
		extra, arg = ", $e "+s.extra, ", $e"
	}
	if s.held != "" {
		extra, arg = ", "+s.held+" "+s.extra, ""
	}
	return strings.NewReplacer("OUT", s.out, "IN", s.in[0], "LEFT", left, "RIGHT", right, "ROW", row, "COL", col,
		"B", b, ", EXTRA", extra, "CALL(", s.callee+"(", ", E)", arg+")").Replace(text)
}

var local = regexp.MustCompile(`\$(\w+)`)

// fresh chooses names for a loop's variables that hide nothing in the package
// and differ from held.
func (n *names) fresh(text, held string) string {
	return local.ReplaceAllStringFunc(text, func(v string) string {
		v = v[1:]
		for n.taken(v) || v == held {
			v += "_"
		}
		return v
	})
}

func isIndex(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == matrixPath && named.Obj().Name() == "Index"
}

// The loops. Reslicing to the length of dst lets the compiler eliminate bounds
// checks; the call is direct, so that it can be inlined.
const (
	mapLoop = `func($dst []OUT, $a []IN, EXTRA) {
	$a = $a[:len($dst)]
	for $i := range $dst {
		$dst[$i] = CALL($a[$i], E)
	}
}`
	mapVoid = `func($a []IN, EXTRA) {
	for $i := range $a {
		CALL($a[$i], E)
	}
}`
	// The store comes between the call and the use of its result, so that the compiler
	// computes the result without branches and adds it to k.
	filterLoop = `func($dst, $a []IN, EXTRA) int {
	$k := 0
	$dst = $dst[:len($a)]
	for _, $x := range $a {
		$keep := CALL($x, E)
		$dst[$k] = $x
		if $keep {
			$k++
		}
	}
	return $k
}`
	windowLoop = `func($dst []OUT, $w IN, EXTRA) {
	for $i := range $dst {
		$dst[$i] = CALL($w.Moved($i), E)
	}
}`
	zipLoop = `func($dst []OUT, $a []IN, $b []B, EXTRA) {
	$a, $b = $a[:len($dst)], $b[:len($dst)]
	for $i := range $dst {
		$dst[$i] = CALL($a[$i], $b[$i], E)
	}
}`
	zipVoid = `func($a []IN, $b []B, EXTRA) {
	$b = $b[:len($a)]
	for $i := range $a {
		CALL($a[$i], $b[$i], E)
	}
}`
	pairLoop = `func($dst []OUT, $x IN, $b []B) {
	$b = $b[:len($dst)]
	for $i := range $dst {
		$dst[$i] = CALL($x, $b[$i], E)
	}
}`
	// Four elements at a time: acc is read and written once for them, and their
	// four calls overlap with those of the neighbours.
	foldLoop = `func($acc []OUT, $a []LEFT, $b []RIGHT, $n int, EXTRA) {
	for ; len($a) >= 4; $a = $a[4:] {
		$x0, $x1, $x2, $x3 := $a[0], $a[1], $a[2], $a[3]
		$b0, $b1, $b2, $b3 := $b[:len($acc)], $b[$n:][:len($acc)], $b[2*$n:][:len($acc)], $b[3*$n:][:len($acc)]
		for $j, $y := range $acc {
			$y = CALL($y, $x0, $b0[$j], E)
			$y = CALL($y, $x1, $b1[$j], E)
			$y = CALL($y, $x2, $b2[$j], E)
			$acc[$j] = CALL($y, $x3, $b3[$j], E)
		}
		$b = $b[min(4*$n, len($b)):]
	}
	for _, $x := range $a {
		for $j, $y := range $b[:len($acc)] {
			$acc[$j] = CALL($acc[$j], $x, $y, E)
		}
		$b = $b[min($n, len($b)):]
	}
}`
	cellsLoop = `func($row []OUT, $nw, $w OUT, $i, $j, $by int, EXTRA) {
	for $k, $n := range $row {
		$w = CALL($nw, $n, $w, $i, $j, E)
		$row[$k], $nw = $w, $n
		$j += $by
	}
}`
	cellsOfLoop = `func($row []OUT, $nw, $w OUT, $r ROW, $s []COL, EXTRA) {
	$s = $s[:len($row)]
	for $k, $n := range $row {
		$w = CALL($nw, $n, $w, $r, $s[$k], E)
		$row[$k], $nw = $w, $n
	}
}`
	indexLoop = `func($dst []OUT, $lo int, EXTRA) {
	for $i := range $dst {
		$dst[$i] = CALL($lo+$i, E)
	}
}`
	indexVoid = `func($lo, $hi int, EXTRA) {
	for $i := $lo; $i < $hi; $i++ {
		CALL($i, E)
	}
}`
	gridLoop = `func($dst []OUT, $lo, $cols int, EXTRA) {
	$at := IN{Row: $lo / max($cols, 1), Col: $lo % max($cols, 1)}
	for $i := range $dst {
		$dst[$i] = CALL($at, E)
		if $at.Col++; $at.Col == $cols {
			$at.Row, $at.Col = $at.Row+1, 0
		}
	}
}`
	gridVoid = `func($lo, $hi, $cols int, EXTRA) {
	for $lo < $hi {
		$row, $col := $lo/$cols, $lo%$cols
		$end := min($cols, $col+$hi-$lo)
		$lo += $end - $col
		for ; $col < $end; $col++ {
			CALL(IN{Row: $row, Col: $col}, E)
		}
	}
}`
)

// list returns "f(0), f(1), ..." for n runs of the given length.
func list(n, run int, f string) string {
	parts := make([]string, n)
	for k := range parts {
		parts[k] = strings.NewReplacer("#+i", offset(run*k), "#*run", fmt.Sprint(run*k), "#", fmt.Sprint(k)).Replace(f)
	}
	return strings.Join(parts, ", ")
}

func offset(n int) string {
	if n == 0 {
		return "$i"
	}
	return fmt.Sprintf("%d+$i", n)
}
