package opencl

import (
	"fmt"

	"github.com/skelgo/skelgo/devices/opencl/cl"
)

// parameter is what a kernel expects, if the compiler reports it: PoCL accepts
// an argument of the wrong size and then crashes.
type parameter struct {
	decl   string // "i64 n", for errors; "" if unknown
	memory bool
	size   int // size of a value; 0 if unknown, as for structs
}

// sizes holds the sizes of the types of values, except structs.
var sizes = map[string]int{
	"i8": 1, "i16": 2, "i32": 4, "i64": 8, "u8": 1, "u16": 2, "u32": 4, "u64": 8, "b8": 1, "f32": 4, "f64": 8,
	"char": 1, "short": 2, "int": 4, "long": 8, "uchar": 1, "ushort": 2, "uint": 4, "ulong": 8, "float": 4, "double": 8,
}

// parameters returns the n parameters of a kernel. They may be unknown for
// programs created from binaries.
func parameters(k *cl.Kernel, n int) []parameter {
	params := make([]parameter, n)
	for i := range params {
		info, err := k.ArgInfo(i)
		if err != nil {
			continue
		}
		params[i] = parameter{
			decl:   info.Type + " " + info.Name,
			memory: info.Address == cl.ArgGlobal || info.Address == cl.ArgConstant,
			size:   sizes[info.Type],
		}
	}
	return params
}

// accepts checks an argument: a buffer or a value with the given number of
// bytes.
func (p *parameter) accepts(buffer bool, bytes int) error {
	switch {
	case !buffer && bytes == 0:
		return fmt.Errorf("neither a buffer nor a value")
	case p.decl == "":
		return nil
	case p.memory && !buffer:
		return fmt.Errorf("a value of %d bytes for the buffer %s", bytes, p.decl)
	case !p.memory && buffer:
		return fmt.Errorf("a buffer for the value %s", p.decl)
	case !p.memory && p.size != 0 && p.size != bytes:
		return fmt.Errorf("a value of %d bytes for %s, which has %d", bytes, p.decl, p.size)
	}
	return nil
}
