package skel

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/skelgo/skelgo/codegen/registry"
	"github.com/skelgo/skelgo/devices"
)

// function is a user function of a skeleton, with its device form.
type function struct {
	label string // "Map(kmeans.nearest)", for messages
	name  string // "kmeans.nearest"
	plan  *plan  // how the extra argument is passed; nil if there is none

	// write is set if the function takes a window, not elements. It writes the C code that computes the
	// result of node n, and returns the name of the result.
	write func(t *text, n *node) string

	once       sync.Once
	f          any
	setup      func()         // sets the native loops, from reg if it has them
	reg        *registry.Func // device form
	given      *registry.Func // that of a function made at run time; nil if the registry has it
	err        error          // why there is no device form
	last       atomic.Pointer[lastForm]
	shapes     shapes
	useful     []bool // extents that may be constants, see usefulExtents
	recent     recentSources
	lastReduce atomic.Pointer[kernelSource]    // text of the last reduction of all elements
	lastScan   [2]atomic.Pointer[kernelSource] // text of the last inclusive and exclusive scan of a tile
	spare      sync.Pool                       // expressions that earlier calls no longer need
	typed      string                          // C definition of T as the result's type
	orders     [5]atomic.Pointer[string]       // definitions for runs of 1, 2, 4, 8 and 16
}

// newFunction returns the function f of the skeleton that New+what creates. It panics
// if f is nil.
func newFunction(what string, f any) *function {
	v := reflect.ValueOf(f)
	if v.IsNil() {
		panic("skel: New" + what + ": the function is nil")
	}
	name := "?"
	if fn := runtime.FuncForPC(v.Pointer()); fn != nil {
		name = fn.Name()
		name = name[strings.LastIndexByte(name, '/')+1:]
		if ready, ok := strings.CutSuffix(name, "[...].func1"); ok && strings.HasPrefix(name, "skel.") {
			name = ready // an operator of this package, such as skel.Sum, returns a closure of its own
		}
	}
	return &function{label: fmt.Sprintf("%s(%s)", skeletonOf(what), name), name: name, f: f}
}

// skeletonOf returns the name of the skeleton that New+what creates, once its extra argument is bound.
func skeletonOf(what string) string {
	what = strings.TrimSuffix(what, "With")
	if strings.HasPrefix(what, "AllPairs") {
		return "AllPairs" // not AllPairsFold or AllPairsOf
	}
	return what
}

// ready looks up the device form once, when the function is first used: package
// variables often create skeletons before the init functions that fill the registry.
func (f *function) ready() {
	f.once.Do(func() {
		if f.reg = f.given; f.reg == nil {
			f.reg, f.err = registry.Of(f.f)
		}
		if f.err == nil {
			f.err = f.dump()
		}
		if f.err == nil {
			f.typed = "#define T " + f.reg.Result + "\n"
			functionNames.Store(f.reg.Ident, f.name)
			if f.plan != nil && f.checkLeaves() == nil {
				f.useful = usefulExtents(f.reg, f.plan)
			}
		}
		f.setup()
	})
}

// dump writes what the function means, and its C, if SKEL_DUMP is set.
func (f *function) dump() error {
	err := devices.Dump(f.name, ".ir", func() string {
		if f.reg.Program == nil {
			return fmt.Sprintf("// %s has no IR: the program made it\n", f.name)
		}
		return f.reg.Program.String()
	})
	if err != nil {
		return err
	}
	return devices.Dump(f.name, ".c", func() string {
		var b strings.Builder
		for _, d := range append(slices.Clip(f.reg.Decls), f.reg.Twice...) {
			b.WriteString(d.C + "\n")
		}
		return b.String()
	})
}

// loop returns a generated loop of f, and whether there is one of type L.
func loop[L any](f *function, pick func(*registry.Loops) any) (l L, ok bool) {
	if f.err != nil {
		return l, false
	}
	l, ok = pick(&f.reg.Loops).(L)
	return l, ok
}

// functionNames holds the names of functions, as strings, by their identifiers in
// generated code.
var functionNames sync.Map

// userFunction returns the name of the function that a frame of the native form
// belongs to. A generated loop, such as main.loop_main_nearest_4k2m9x_index, holds a
// copy of its function.
func userFunction(frame string) string {
	_, ident, isLoop := strings.Cut(frame, ".loop_")
	if !isLoop {
		return frame
	}
	ident, _, _ = strings.Cut(ident, ".")
	for ident != "" {
		if name, ok := functionNames.Load(ident); ok {
			return name.(string)
		}
		ident = ident[:max(0, strings.LastIndexByte(ident, '_'))] // a suffix tells a function's loops apart
	}
	return ""
}
