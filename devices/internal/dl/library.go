package dl

import (
	"errors"
	"fmt"
	"strings"
	"sync"
)

// ErrMissing is wrapped by the error of Load if the library is missing.
var ErrMissing = errors.New("not found")

// Library is a C library with the functions to load from it.
type Library struct {
	Title string          // "the CUDA driver library", for errors
	Names func() []string // file names to try, in order

	funcs  []*Func
	once   sync.Once
	handle uintptr
	path   string
	err    error
}

// Func declares a function that the library must have.
func (l *Library) Func(name string) *Func { return l.add(&Func{Name: name}) }

// Optional declares a function that the library may lack.
func (l *Library) Optional(name string) *Func { return l.add(&Func{Name: name, optional: true}) }

func (l *Library) add(f *Func) *Func {
	l.funcs = append(l.funcs, f)
	return f
}

// Load opens the library. Only the first call has an effect, and the library
// stays open.
func (l *Library) Load() error {
	if f := faked(); f != nil {
		return f.Load(l.Title)
	}
	l.once.Do(func() { l.err = l.load() })
	return l.err
}

// Symbol returns the address of a variable of the library, which must be loaded.
func (l *Library) Symbol(name string) (uintptr, error) {
	addr, err := symbol(l.handle, name)
	if err != nil {
		return 0, fmt.Errorf("%s (%s) has no %s", l.Title, l.path, name)
	}
	return addr, nil
}

// Share lets libraries that are opened later use the functions of this one, as
// plugins of a library may expect.
func (l *Library) Share() error { return share(l.path) }

// Path returns the file name with which the library was opened.
func (l *Library) Path() string { return l.path }

func (l *Library) load() error {
	var h uintptr
	names := l.Names()
	for _, name := range names {
		var err error
		if h, err = open(name); err == nil {
			l.handle, l.path = h, name
			break
		}
	}
	if h == 0 {
		return fmt.Errorf("%s was %w (tried %s)", l.Title, ErrMissing, strings.Join(names, ", "))
	}
	for _, f := range l.funcs {
		addr, err := symbol(h, f.Name)
		if err != nil && !f.optional {
			return fmt.Errorf("%s (%s) is too old: %s is missing", l.Title, l.path, f.Name)
		}
		if err == nil {
			f.addr = addr
		}
	}
	return nil
}
