package codegen

import (
	"fmt"
	"go/types"
)

// Operators are latency-bound when one run is folded after the other: an
// addition takes four cycles, and a core starts two in each. So several runs
// of 16 are in flight, one variable each, as many as fit into registers.

// lanes is how many runs of a type are folded side by side.
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
		if u.NumFields() <= 4 { // what the compiler keeps in registers
			return 2
		}
	}
	return 1
}

func runsLoop(n int) string {
	wide := ""
	if n > 1 {
		wide = fmt.Sprintf(`for len($src) >= %d && len($dst) >= %d {
		$s := (*[%d]IN)($src)
		%s := %s
		for $i := 1; $i < 16; $i++ {%s
		}
		$d := (*[%d]IN)($dst)
		%s = %s
		$src, $dst = $src[%d:], $dst[%d:]
	}
	`, 16*n, n, 16*n, list(n, "$x#"), list(n, "$s[#*16]"), each(n, "$x# = CALL($x#, $s[#+i], E)"),
			n, list(n, "$d[#]"), list(n, "$x#"), 16*n, n)
	}
	return `func($dst, $src []IN, EXTRA) {
	` + wide + `for $r := range $dst {
		$s := $src[:min(16, len($src))]
		$x := $s[0]
		for _, $y := range $s[1:] {
			$x = CALL($x, $y, E)
		}
		$dst[$r] = $x
		$src = $src[len($s):]
	}
}`
}

// treeLoop combines pairs in place, level by level. Three levels at a time are
// the same tree: a node of the third level is eight neighbours, and the last
// one what is left, by the same rule.
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
		return "func($t []IN, EXTRA) IN {\n$pairs := func($t []IN) IN {\n" + pairs + "}\n" + wide + "return $pairs($t)\n}"
	}
	return "func($t []IN, EXTRA) IN {\n" + pairs + "}"
}

func scanLoop(n int) string {
	wide := ""
	if n > 1 {
		wide = fmt.Sprintf(`for len($src) >= %d && len($seed) >= %d {
		$s, $d, $p := (*[%d]IN)($src), (*[%d]IN)($dst), (*[%d]IN)($seed)
		%s := %s
		for $i := range 16 {%s
			%s = %s
		}
		$src, $dst, $seed = $src[%d:], $dst[%d:], $seed[%d:]
	}
	`, 16*n, n, 16*n, 16*n, n, list(n, "$x#"), list(n, "$p[#]"),
			each(n, "$x# = CALL($x#, $s[#+i], E)"), list(n, "$d[#+i]"), list(n, "$x#"), 16*n, 16*n, n)
	}
	return `func($dst, $src, $seed []IN, $has bool, EXTRA) {
	if !$has && len($src) > 0 {
		$n := min(16, len($src))
		$x := $src[0]
		$dst[0] = $x
		for $i := 1; $i < $n; $i++ {
			$x = CALL($x, $src[$i], E)
			$dst[$i] = $x
		}
		$src, $dst, $seed = $src[$n:], $dst[$n:], $seed[1:]
	}
	` + wide + `for len($src) > 0 {
		$n := min(16, len($src))
		$x := $seed[0]
		for $i, $y := range $src[:$n] {
			$x = CALL($x, $y, E)
			$dst[$i] = $x
		}
		$src, $dst, $seed = $src[$n:], $dst[$n:], $seed[1:]
	}
}`
}
