package skel

import (
	"fmt"

	"github.com/skelgo/skelgo/devices/driver"
)

// gathers returns the C expression of element i of a Gather. Outside of checked mode an
// index out of range costs two instructions, which take no time compared with a random access.
func (t *text) gathers(n *node, ctype string) string {
	p, count := t.param("GLOBAL const "+ctype+" *"), t.param("i64")
	at := t.expr(n.args[0], "i64")
	return fmt.Sprintf("%s[ELEMENT_OR_0(%s, %s, %s)]", p, at, count, t.from(n))
}

// gathersArgs appends the values of the parameters of gathers or reverses.
func (n *node) gathersArgs(args []driver.Arg) ([]driver.Arg, error) {
	mem, err := n.array.Memory()
	if err != nil {
		return nil, err
	}
	args = append(args, mem.Arg(), driver.Value(int64(n.array.Len())))
	if n.kind == reverses {
		return args, nil
	}
	if args, err = n.args[0].arguments(args); err != nil {
		return nil, err
	}
	return n.baseArg(args), nil
}

// reverses returns the C expression of element i of a Reverse.
func (t *text) reverses(ctype string) string {
	p, count := t.param("GLOBAL const "+ctype+" *"), t.param("i64")
	return fmt.Sprintf("%s[%s - 1 - %s]", p, count, t.index)
}
