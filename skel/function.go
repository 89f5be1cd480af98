package skel

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/skelgo/skelgo/codegen/registry"
)

// function is a user function: its device form, and how its loops are found.
type function struct {
	windows bool   // it is of one window, not of elements
	label   string // "map(kmeans.nearest)", for people
	name    string // "kmeans.nearest"
	plan    *plan  // how its extra argument is passed; nil when there is none

	once   sync.Once
	f      any
	setup  func()         // takes the loops from reg, when there is one
	reg    *registry.Func // device form
	err    error          // why there is none
	last   atomic.Pointer[lastForm]
	shapes shapes
	recent recentSources
	whole  atomic.Pointer[kernelSource]    // the text of the last reduction of all elements,
	tile   [2]atomic.Pointer[kernelSource] // and of the last scans of a tile, inclusive and exclusive
	spare  sync.Pool                       // expressions that calls before are done with
	typed  string                          // C definition of T as the result's type
	orders [5]atomic.Pointer[string]       // definitions for runs of 1, 2, 4, 8 and 16
}

// newFunction names f for the constructor what.
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
			name = ready // skel.Sum, say, returns an instance made inside it
		}
	}
	return &function{label: fmt.Sprintf("%s(%s)", strings.ToLower(what), name), name: name, f: f}
}

// ready looks up the device form. It is called when the function is first
// used: skeletons are often made before the init functions run that fill the
// registry.
func (f *function) ready() {
	f.once.Do(func() {
		if f.reg, f.err = registry.Of(f.f); f.err == nil {
			f.typed = "#define T " + f.reg.Result + "\n"
			functionNames.Store(f.reg.Ident, f.name)
		}
		f.setup()
	})
}

// loop gives a generated loop as an L, if there is one.
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
// belongs to. A generated loop, such as main.loop_main_nearest_bc4e_index, holds a
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
