package registry

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
)

// A named function has one entry point in a program, whoever mentions it, and
// so has an instantiation of a generic one (its type arguments are bound in a
// wrapper that the linker keeps once). A literal has a body for every place
// that its surrounding function was inlined into, and a runtime name that
// changes with inlining, so its file and line are the key. The signature
// tells apart what stands on one line.
type (
	entry struct {
		pc  uintptr
		typ string
	}
	place struct{ file, typ string }
)

var table = struct {
	sync.RWMutex
	named   map[entry]*Func
	literal map[place][]*Func
	from    map[*Func]string // the generated file
}{
	named:   map[entry]*Func{},
	literal: map[place][]*Func{},
	from:    map[*Func]string{},
}

// Add puts f into the table. Generated files call it from init; two of them
// may hold the same function, from a package that both use, but it must be
// the same: Add panics when their sources differ.
func Add(f Func) {
	_, file, _, _ := runtime.Caller(1)
	if err := add(&f, file); err != nil {
		panic(err)
	}
}

func add(f *Func, file string) error {
	table.Lock()
	defer table.Unlock()
	old, err := slot(f, file)
	if err != nil {
		return err
	}
	if old == nil {
		table.from[f] = file
		return nil
	}
	if old.Hash == f.Hash {
		return nil
	}
	return fmt.Errorf("skelgo: %s has two device forms that differ: of %s in %s, and of %s in %s: run 'go generate' in both packages",
		shortName(f.Name), old.Pos, table.from[old], f.Pos, file)
}

// slot stores f, or returns the one that has its place.
func slot(f *Func, file string) (old *Func, err error) {
	v := reflect.ValueOf(f.Go)
	if f.Go != nil {
		if v.Kind() != reflect.Func {
			return nil, fmt.Errorf("skelgo: registry.Add(%s): Go is %T, not a function", f.Name, f.Go)
		}
		f.Type = v.Type().String() // package main has another path in its own tests
	}
	if f.Go == nil || v.IsNil() {
		base := path.Base(strings.Split(f.Pos, ":")[0])
		k := place{path.Join(filepath.ToSlash(filepath.Dir(file)), base), f.Type}
		for _, old := range table.literal[k] {
			if old.Lines[0] <= f.Lines[1] && f.Lines[0] <= old.Lines[1] {
				return old, nil
			}
		}
		table.literal[k] = append(table.literal[k], f)
		return nil, nil
	}
	k := entry{v.Pointer(), f.Type}
	if old := table.named[k]; old != nil {
		return old, nil
	}
	table.named[k] = f
	return nil, nil
}

// Of finds the device form of a Go function. The error says what to do when
// it has none; on the CPU device a function runs without. Ask when a function
// is first used: generated files call Add from init, which runs after the
// variables of the package have been initialised.
func Of(f any) (*Func, error) {
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Func {
		return nil, fmt.Errorf("skelgo: %T is not a function", f)
	}
	if v.IsNil() {
		return nil, errors.New("skelgo: the function is nil")
	}
	table.RLock()
	defer table.RUnlock()
	typ := v.Type().String()
	if d := table.named[entry{v.Pointer(), typ}]; d != nil {
		return d, nil
	}
	at := frame(v.Pointer())
	for _, d := range table.literal[place{at.File, typ}] {
		if d.Lines[0] <= at.Line && at.Line <= d.Lines[1] {
			return d, nil
		}
	}
	return nil, fmt.Errorf("%s has no device form: run 'go generate ./...' (or add //go:generate go tool skelgen to the package)", describe(at))
}

// frame says where a function begins. Calls that were inlined into its first
// instruction come before it.
func frame(pc uintptr) runtime.Frame {
	frames := runtime.CallersFrames([]uintptr{pc + 1})
	f, more := frames.Next()
	for more {
		f, more = frames.Next()
	}
	return f
}

// describe names a function as people do: kmeans.nearest, or for a literal
// its place.
func describe(f runtime.Frame) string {
	name := shortName(f.Function)
	last := name[strings.LastIndexByte(name, '.')+1:]
	if n, ok := strings.CutPrefix(last, "func"); ok && n != "" && strings.Trim(n, "0123456789") == "" {
		pkg, _, _ := strings.Cut(name, ".")
		return fmt.Sprintf("the function literal at %s:%d of package %s", filepath.Base(f.File), f.Line, pkg)
	}
	return name
}

// shortName drops the directories of an import path: kmeans.nearest.
func shortName(name string) string {
	end := len(name)
	if i := strings.IndexByte(name, '['); i >= 0 { // type arguments may hold paths too
		end = i
	}
	return name[strings.LastIndexByte(name[:end], '/')+1:]
}
