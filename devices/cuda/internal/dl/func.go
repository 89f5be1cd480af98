package dl

import "sync"

// Func is one function of a library. Its address is set by Load.
type Func struct {
	Name     string
	addr     uintptr
	optional bool
}

// Present reports whether the library has the function.
func (f *Func) Present() bool {
	if k := faked(); k != nil {
		return k.Has(f.Name)
	}
	return f.addr != 0
}

// Call calls the function, which returns an int.
//
// The pragma makes memory whose address is converted to uintptr in the
// argument list of a call stay where it is, and alive, until the call returns.
//
//go:uintptrescapes
func (f *Func) Call(args ...uintptr) int32 { return f.CallList(args) }

// Call4 is Call for what is called often: it allocates nothing, where the list
// of arguments of a variadic function with this pragma is on the heap each
// time. A function with fewer parameters is given zeros besides, which it does
// not look at.
//
//go:uintptrescapes
func (f *Func) Call4(a, b, c, d uintptr) int32 {
	list := lists.Get().(*[4]uintptr)
	*list = [4]uintptr{a, b, c, d}
	r := f.CallList(list[:])
	lists.Put(list)
	return r
}

var lists = sync.Pool{New: func() any { return new([4]uintptr) }}

// CallList calls the function with a list of arguments. What they point at is
// for the caller to keep alive; it must not be on a stack.
func (f *Func) CallList(args []uintptr) int32 {
	if k := faked(); k != nil {
		return k.Call(f.Name, args)
	}
	if f.addr == 0 {
		panic("cu: " + f.Name + " called before its library was loaded")
	}
	return int32(invoke(f.addr, args))
}
