package codegen

import (
	"fmt"
	"go/types"
)

// Folding one run after the other is limited by the latency of the operator: an
// addition takes four cycles, and a core starts two in each. So several runs
// are folded at the same time, each in its own variable, as many as fit into
// registers. This code is written for the type's run length on 64-bit machines;
// other runs, such as those of the totals of tiles, are folded one by one.

var sizes = types.SizesFor("gc", "amd64")

// runLen returns the number of elements in a run, as defined by the order
// contract of package skel: up to 64 bytes and at most 16 elements.
func runLen(t types.Type) int {
	run := 16
	for size := int64(4); size < sizes.Sizeof(t) && run > 1; size *= 2 {
		run /= 2
	}
	return run
}

// lanes returns the number of runs of a type that are folded at the same time.
func lanes(t types.Type) int {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return 8
	case *types.Struct:
		for f := range u.Fields() {
			if _, ok := f.Type().Underlying().(*types.Basic); !ok {
				return 1
			}
		}
		if u.NumFields() <= 2 {
			return 4
		}
		if u.NumFields() <= 4 { // the compiler keeps these in registers
			return 2
		}
	}
	return 1
}

// runsLoop folds runs, n at a time if they have the length run.
func runsLoop(n, run int) string {
	wide := ""
	if n > 1 && run > 1 {
		wide = fmt.Sprintf(`for $run == %d && len($src) >= %d && len($dst) >= %d {
		$s := (*[%d]IN)($src)
		%s := %s
		for $i := 1; $i < %d; $i++ {
			%s = %s
		}
		$d := (*[%d]IN)($dst)
		%s = %s
		$src, $dst = $src[%d:], $dst[%d:]
	}
	`, run, run*n, n, run*n, list(n, run, "$x#"), list(n, run, "$s[#*run]"), run,
			list(n, run, "$x#"), list(n, run, "CALL($x#, $s[#+i], E)"),
			n, list(n, run, "$d[#]"), list(n, run, "$x#"), run*n, n)
	}
	return `func($dst, $src []IN, $run int, EXTRA) {
	` + wide + `for $r := range $dst {
		$s := $src[:min($run, len($src))]
		$x := $s[0]
		for _, $y := range $s[1:] {
			$x = CALL($x, $y, E)
		}
		$dst[$r] = $x
		$src = $src[len($s):]
	}
}`
}

// treeLoop combines pairs in place, level by level. Processing three levels at
// a time yields the same tree: a node of the third level covers eight
// neighbours, and the last one the rest, by the same rule.
func treeLoop(n int) string {
	wide := ""
	if n == 8 {
		wide = `for len($t) >= 16 {
		$h := len($t) / 8
		for $i, $u := 0, $t; $i < $h && len($u) >= 8; $i, $u = $i+1, $u[8:] {
			$s := (*[8]IN)($u)
			$x, $y := CALL($s[0], $s[1], E), CALL($s[4], $s[5], E)
			$x, $y = CALL($x, CALL($s[2], $s[3], E), E), CALL($y, CALL($s[6], $s[7], E), E)
			$t[$i] = CALL($x, $y, E)
		}
		if len($t)%8 > 0 {
			$t[$h] = $pairs($t[8*$h:])
			$h++
		}
		$t = $t[:$h]
	}
	`
	}
	pairs := `for len($t) > 1 {
		$h := len($t) / 2
		for $i, $s := 0, $t; $i < $h && len($s) >= 2; $i, $s = $i+1, $s[2:] {
			$t[$i] = CALL($s[0], $s[1], E)
		}
		if len($t)%2 == 1 {
			$t[$h] = $t[len($t)-1]
			$h++
		}
		$t = $t[:$h]
	}
	return $t[0]
`
	if wide != "" {
		return "func($t []IN, EXTRA) IN {\n$pairs := func($t []IN) IN {\n" + pairs + "}\n" + wide +
			"return $pairs($t)\n}"
	}
	return "func($t []IN, EXTRA) IN {\n" + pairs + "}"
}

// scanLoop scans runs, n at a time if they have the length run.
func scanLoop(n, run int) string {
	wide := ""
	if n > 1 && run > 1 {
		wide = fmt.Sprintf(`for $run == %d && len($src) >= %d && len($seed) >= %d {
		$s, $d, $p := (*[%d]IN)($src), (*[%d]IN)($dst), (*[%d]IN)($seed)
		%s := %s
		for $i := range %d {
			%s = %s
			%s = %s
		}
		$src, $dst, $seed = $src[%d:], $dst[%d:], $seed[%d:]
	}
	`, run, run*n, n, run*n, run*n, n, list(n, run, "$x#"), list(n, run, "$p[#]"),
			run, list(n, run, "$x#"), list(n, run, "CALL($x#, $s[#+i], E)"), list(n, run, "$d[#+i]"),
			list(n, run, "$x#"), run*n, run*n, n)
	}
	return `func($dst, $src, $seed []IN, $run int, $has bool, EXTRA) {
	if !$has && len($src) > 0 {
		$n := min($run, len($src))
		$x := $src[0]
		$dst[0] = $x
		for $i := 1; $i < $n; $i++ {
			$x = CALL($x, $src[$i], E)
			$dst[$i] = $x
		}
		$src, $dst, $seed = $src[$n:], $dst[$n:], $seed[1:]
	}
	` + wide + `for len($src) > 0 {
		$n := min($run, len($src))
		$x := $seed[0]
		for $i, $y := range $src[:$n] {
			$x = CALL($x, $y, E)
			$dst[$i] = $x
		}
		$src, $dst, $seed = $src[$n:], $dst[$n:], $seed[1:]
	}
}`
}
