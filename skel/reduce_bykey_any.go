package skel

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/skelgo/skelgo/devices"
	"github.com/skelgo/skelgo/devices/driver"
	"github.com/skelgo/skelgo/internal/array"
	"github.com/skelgo/skelgo/vector"
)

// Sums, minima and maxima of integers, and the operators on bits, give the same bits in
// every order (pass.Exact finds such operators). A GPU therefore folds the elements of a key
// as they come, by atomic operations in local memory. If the identity is not neutral, or
// there is no such operation or too little memory, the order of other operators remains.

// anyOrder is how a GPU folds the elements of each key in any order.
type anyOrder struct {
	lanes, replicas, groups int
	per, parts              int // keys that a group folds, and how many groups fold all keys
	chunk                   int // elements that a lane reads together
	local                   int // bytes of local memory
	defines                 string
}

// How groups share the keys. Every part reads all keys and elements: an H200 folds 2^26
// int32 with random keys in about 0.09 ms for each part, and sorts them in 3 ms. If all keys
// are in one part, that part's groups do all the work.
const (
	anyReplicated = 32 << 10 // the most bytes of replicated totals of a group
	anyParts      = 8
)

// word returns the C definitions of the words in which elements are folded in any order,
// and their size, or 0 if they cannot be.
func (o *operator[T]) word() (defines string, size int) {
	if o.fun.reg == nil || o.fun.reg.Exact == "" {
		return "", 0
	}
	ctype, bits := "u", 1
	t := reflect.TypeFor[T]()
	if t.Kind() != reflect.Bool {
		bits = t.Bits()
	}
	lowest, greatest := uint64(0), ^uint64(0)>>(64-bits) // values of T, as 64 bits in two's complement
	if reflect.Int <= t.Kind() && t.Kind() <= reflect.Int64 {
		ctype, greatest = "i", greatest>>1
		lowest = ^greatest
	}
	operation, neutral := o.fun.reg.Exact, uint64(0)
	switch operation {
	case "and":
		neutral = lowest | greatest
	case "min":
		neutral = greatest
	case "max":
		neutral = lowest
	}
	size = max(4, bits/8)
	if integerBits(o.identity) != neutral || size == 8 && (operation == "min" || operation == "max") {
		return "", 0 // OpenCL need not have the lesser or greater of 64 bits
	}
	if size == 8 {
		defines = "#define LONG\n"
	}
	unused := 64 - 8*size
	return defines + fmt.Sprintf("#define T %s\n#define FOLD_%s\n#define WORD %s%d\n#define UNSIGNED u%[4]d\n"+
		"#define NEUTRAL ((WORD)%#[5]x)\n",
		o.fun.reg.Result, strings.ToUpper(operation), ctype, 8*size, neutral<<unused>>unused), size
}

// integerBits returns the bits of an integer or a boolean.
func integerBits(x any) uint64 {
	switch v := reflect.ValueOf(x); {
	case v.Kind() == reflect.Bool:
		if v.Bool() {
			return 1
		}
		return 0
	case v.CanInt():
		return uint64(v.Int())
	default:
		return v.Uint()
	}
}

// inAnyOrder returns how d folds the elements of x by the keys of, or nil if it must keep
// their order.
func (o *operator[T]) inAnyOrder(d *devices.Device, x *expr[T], of *expr[int32], width, keys int) *anyOrder {
	if width != 1 {
		return o.inAnyOrderRows(d, of, width, keys)
	}
	if d.Kind() == driver.CPU || keys == 0 || x.node.heavy() || of.node.heavy() {
		return nil // what is costly to compute hides how elements are folded
	}
	defines, size := o.word()
	if size == 0 {
		return nil
	}
	g := &anyOrder{lanes: lanes, replicas: 1, groups: countGroups, defines: defines}
	for g.lanes < countLanes && 2*g.lanes <= d.Info().MaxGroup {
		g.lanes *= 2
	}
	g.chunk = min(countChunk, max(1, wholeVector/max(1, x.node.widest(), of.node.widest())))
	memory := int(d.Info().LocalMemory)
	room := memory - 1024 // the driver takes some
	if g.parts = (size*keys + room - 1) / room; g.parts > anyParts {
		return nil
	}
	g.per = (keys + g.parts - 1) / g.parts
	for g.replicas < 32 && 2*g.replicas*g.per*size <= min(anyReplicated, room) {
		g.replicas *= 2
	}
	g.local = (g.per*g.replicas*size + 15) &^ 15
	if g.groups*(g.local+1024) > memory {
		g.groups = 1
	}
	// No more rows of totals than elements for each key, so that combining them costs less
	// than folding.
	g.groups = min(d.Info().Units*g.groups/g.parts, 1+x.n/(g.lanes*g.chunk), x.n/keys)
	g.groups = max(1, g.groups)
	return g
}

// anyOrder sets the C form of p, which folds in any order.
func (k *keyed[T]) anyOrder(p *program, mem *devices.Buffer) {
	g := k.any
	p.kernel, p.files = "bykeyany", append(p.files, "foldany")
	if k.width > 1 {
		k.rowsInAnyOrder(p, mem)
		return
	}
	p.defines = g.defines + fmt.Sprintf("#define LANES %d\n#define REPLICAS %d\n", g.lanes, g.replicas)
	p.accessors = []accessor{
		{name: "load", ctype: k.operator.fun.reg.Result, node: k.x.node, chunk: g.chunk},
		{name: "key", ctype: "i32", node: k.of.node, chunk: g.chunk},
	}
	p.grid = driver.Grid{Groups: int64(g.groups * g.parts), Lanes: g.lanes, Local: g.local}
	p.args = []driver.Arg{
		mem.Arg(), driver.Value(int64(k.n)), driver.Value(int64(k.keys)), driver.Value(int64(g.per)),
		driver.Value(int32(g.parts)),
	}
}

// rowItems is the number of rows of which a lane reads the keys at a time.
const rowItems = 4

// inAnyOrderRows is inAnyOrder for rows of width elements. The lanes of a group share the
// elements of rows that have a key, so an element may be costly to compute.
func (o *operator[T]) inAnyOrderRows(d *devices.Device, of *expr[int32], width, keys int) *anyOrder {
	if d.Kind() == driver.CPU || keys == 0 || width == 0 {
		return nil
	}
	if of.node.kind == computed && costly(of.node.fun.reg) {
		return nil // such keys are stored, see storingKeys
	}
	defines, size := o.word()
	if size == 0 {
		return nil
	}
	g := &anyOrder{lanes: lanes, groups: countGroups, parts: 1, per: keys, defines: defines}
	for g.lanes < countLanes && 2*g.lanes <= d.Info().MaxGroup {
		g.lanes *= 2
	}
	batch := g.lanes * rowItems
	memory := int(d.Info().LocalMemory)
	g.local = (size*keys*width + 15) &^ 15
	shared := g.local + 4*batch + 1040 // the driver takes some
	if shared > memory || keys > 1<<32/batch {
		return nil
	}
	g.groups = max(1, min(d.Info().Units*min(g.groups, memory/shared), (of.n+batch-1)/batch))
	return g
}

// rowsInAnyOrder sets the C form of p, which folds rows in any order.
func (k *keyed[T]) rowsInAnyOrder(p *program, mem *devices.Buffer) {
	g := k.any
	p.kernel = "bykeyrows"
	p.defines = g.defines + fmt.Sprintf("#define LANES %d\n#define ITEMS %d\n", g.lanes, rowItems)
	s := k.operator.fun.shapes.of(&keyedSizes{k.keys, k.width})
	if v, is := s.constant(1); is {
		p.defines += fmt.Sprintf("#define WIDTH %d\n", v)
	}
	p.accessors = []accessor{
		{name: "load", ctype: k.operator.fun.reg.Result, node: k.x.node},
		{name: "key", ctype: "i32", node: k.of.node},
	}
	p.grid = driver.Grid{Groups: int64(g.groups), Lanes: g.lanes, Local: g.local}
	p.args = []driver.Arg{
		mem.Arg(), driver.Value(int64(k.n)), driver.Value(int64(k.keys)), driver.Value(int64(k.width)),
	}
}

// joining is the pending combination of the results of several devices, in any order, on the
// first of them. Until something needs it, no device waits for another one, and the next
// reduction starts at once.
type joining[T any] struct {
	operator *operator[T] // with its extra argument on the first device
	parts    []*array.Array
}

// joinParts returns the combination of parts, one on each device, and frees them when it is
// computed.
func (o *operator[T]) joinParts(parts []*array.Array) *vector.Vector[T] {
	n := parts[0].Len()
	for _, part := range parts {
		if err := part.Err(); err != nil {
			return failed[T](n, err)
		}
	}
	j := &joining[T]{o, parts}
	out := pending[T](n, parts[0].Distribution(), j, nil)
	if array.Recording() != nil { // the parts belong to this run of the loop
		_, _ = arrayOf(out).Memory() // out keeps an error
	}
	return out
}

// Settle computes the combination into dst.
func (j *joining[T]) Settle(dst *devices.Buffer) error {
	o := j.operator
	x, others := openArray[T](j.parts[0]), j.parts[1:]
	rest := (*vector.Vector[T])(array.Gathered[T](x.device(), others))
	for _, part := range others {
		part.Free()
	}
	if n := len(others); n > 1 {
		all := rest
		defer all.Free()
		rest = o.columns(openVector(all), n, x.n)
	}
	defer rest.Free()
	x = zipped(o.fun, x, openVector(rest), func(*watch) zipLoop[T, T, T] { return o.zip }, o.extra)
	err := x.Settle(dst)
	j.parts[0].Free()
	return err
}
