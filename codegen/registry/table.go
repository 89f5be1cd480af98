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

// A named function has a single entry point in a program, and so has an
// instantiation of a generic function (its type arguments are bound in a
// wrapper that the linker keeps once). A literal has a body for every place
// into which its surrounding function was inlined, and a runtime name that
// changes with inlining, so its file and line are the key. The signature
// distinguishes literals on one line.
type (
	entry struct {
		pc  uintptr
		typ string
	}
	place struct{ file, typ string }
)

// known is a function in the table. It has a form for each generated file that contains
// it: its own package's, and those of packages that pass it to skeletons.
type known struct {
	forms []*form

	once  sync.Once
	form  *Func // the form in use
	stale error
}

// form is a device form of a function.
type form struct {
	*Func
	source *Source // nil if it is unknown
	file   string  // the generated file
}

var table = struct {
	sync.RWMutex
	named   map[entry]*known
	literal map[place][]*known
	sources map[string][]*Source
	library map[string]*form // the forms of named functions in their own packages, by name; nil until needed
}{
	named:   map[entry]*known{},
	literal: map[place][]*known{},
	sources: map[string][]*Source{},
}

// Add adds f to the table without its source, so changes of the source are not
// detected. Generated files call the Add of a Source from init. Several of them may
// contain the same function, in several modules: Of chooses a form that is up to date.
// The function has the loops of all that are.
func Add(f Func) {
	_, file, _, _ := runtime.Caller(1)
	if err := add(&form{Func: &f, file: file}); err != nil {
		panic(err)
	}
}

func add(f *form) error {
	table.Lock()
	defer table.Unlock()
	k, err := slot(f)
	if err == nil {
		k.forms = append(k.forms, f)
		table.library = nil
	}
	return err
}

// complete sets the loops that l lacks: a package has only those of its own
// skeletons.
func (l *Loops) complete(other Loops) {
	to, from := reflect.ValueOf(l).Elem(), reflect.ValueOf(other)
	for i := range to.NumField() {
		if to.Field(i).IsNil() {
			to.Field(i).Set(from.Field(i))
		}
	}
}

// slot returns the function that f is a form of. The table is locked.
func slot(f *form) (*known, error) {
	v := reflect.ValueOf(f.Go)
	if f.Go != nil {
		if v.Kind() != reflect.Func {
			return nil, fmt.Errorf("skelgo: registry.Add(%s): Go is %T, not a function", f.Name, f.Go)
		}
		f.Type = v.Type().String() // package main has a different path in its own tests
	}
	if f.Go == nil || v.IsNil() {
		base := path.Base(strings.Split(f.Pos, ":")[0])
		at := place{path.Join(filepath.ToSlash(filepath.Dir(f.file)), base), f.Type}
		for _, k := range table.literal[at] {
			if old := k.forms[0]; old.Within == f.Within && old.Span == f.Span {
				return k, nil
			}
		}
		k := &known{}
		table.literal[at] = append(table.literal[at], k)
		return k, nil
	}
	at := entry{v.Pointer(), f.Type}
	if table.named[at] == nil {
		table.named[at] = &known{}
	}
	return table.named[at], nil
}

// Of returns the device form of a Go function. The error says what to do if the
// function has none or if the device form is out of date; the CPU device does
// not need one. Call Of when a function is first used: generated files call Add
// from init, which runs after the package's variables have been initialised.
func Of(f any) (*Func, error) {
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Func {
		return nil, fmt.Errorf("skelgo: %T is not a function", f)
	}
	if v.IsNil() {
		return nil, errors.New("skelgo: the function is nil")
	}
	k, err := find(v)
	if err != nil {
		return nil, err
	}
	k.once.Do(func() { k.form, k.stale = k.choose(v.Type()) })
	if k.stale != nil {
		text := strings.TrimPrefix(k.stale.Error(), "it ")
		if len(text) == len(k.stale.Error()) && !errors.As(k.stale, new(twoForms)) {
			text = "is out of date: " + text
		}
		if !errors.As(k.stale, new(elsewhere)) {
			text += ": run 'go generate ./...'"
		}
		return nil, fmt.Errorf("%s %s", describe(frame(v.Pointer())), text)
	}
	return k.form, nil
}

// find looks up a function in the table.
func find(v reflect.Value) (*known, error) {
	table.RLock()
	typ := v.Type().String()
	k := table.named[entry{v.Pointer(), typ}]
	table.RUnlock()
	if k != nil {
		return k, nil
	}
	at := frame(v.Pointer())
	table.RLock()
	list := table.literal[place{at.File, typ}]
	table.RUnlock()
	var found []*known
	for _, k := range list {
		if k.forms[0].at(path.Base(at.File), at.Line) {
			found = append(found, k)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return nil,
			fmt.Errorf("%s shares its line with another literal of the same type: put them on separate lines and "+
				"run 'go generate ./...'", describe(at))
	case len(list) > 0:
		return nil,
			fmt.Errorf("%s, or the declaration around it, is new or has changed since skelgen ran: run 'go "+
				"generate ./...'", describe(at))
	}
	return nil,
		fmt.Errorf("%s has no device form: run 'go generate ./...' (or add //go:generate go tool skelgen to the "+
			"package)", describe(at))
}

// frame returns the frame at which a function begins. Calls that were inlined
// into its first instruction precede it.
func frame(pc uintptr) runtime.Frame {
	frames := runtime.CallersFrames([]uintptr{pc + 1})
	f, more := frames.Next()
	for more {
		f, more = frames.Next()
	}
	return f
}

// describe returns a readable name of a function: kmeans.nearest, or the
// position of a literal.
func describe(f runtime.Frame) string {
	name := shortName(f.Function)
	last := name[strings.LastIndexByte(name, '.')+1:]
	if n, ok := strings.CutPrefix(last, "func"); ok && n != "" && strings.Trim(n, "0123456789") == "" {
		pkg, _, _ := strings.Cut(name, ".")
		return fmt.Sprintf("the function literal at %s:%d of package %s", filepath.Base(f.File), f.Line, pkg)
	}
	return name
}

// shortName removes the directories of an import path: kmeans.nearest.
func shortName(name string) string {
	end := len(name)
	if i := strings.IndexByte(name, '['); i >= 0 { // type arguments may contain paths too
		end = i
	}
	return name[strings.LastIndexByte(name[:end], '/')+1:]
}
