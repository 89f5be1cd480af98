package skel

import (
	"fmt"
	"hash/fnv"
	"reflect"
	"runtime"
	"strings"

	"github.com/skelgo/skelgo/codegen/registry"
)

// function is a user function: its Go loops are in the skeleton that holds
// it, its device form is here.
type function struct {
	label string         // "map(kmeans.nearest)", for people
	reg   *registry.Func // device form
	err   error          // why there is none
	id    uint64         // part of a kernel's key
	plan  *plan          // how its extra argument is passed; nil when there is none
}

// newFunction looks up the device form of f, made by the constructor what.
func newFunction(what string, f any) *function {
	v := reflect.ValueOf(f)
	if v.IsNil() {
		panic("skel: New" + what + ": the function is nil")
	}
	name := "?"
	if fn := runtime.FuncForPC(v.Pointer()); fn != nil {
		name = fn.Name()
		name = name[strings.LastIndexByte(name, '/')+1:]
	}
	fun := &function{label: fmt.Sprintf("%s(%s)", strings.ToLower(what), name)}
	fun.reg, fun.err = registry.Of(f)
	if fun.err == nil {
		h := fnv.New64a()
		h.Write([]byte(fun.reg.Name + fun.reg.Type + fun.reg.Pos + fun.reg.Hash))
		fun.id = h.Sum64()
	}
	return fun
}

// loops gives the generated loop of the registry as an L, if there is one.
func loop[L any](f *function, pick func(*registry.Loops) any) (l L, ok bool) {
	if f.reg == nil {
		return l, false
	}
	l, ok = pick(&f.reg.Loops).(L)
	return l, ok
}
