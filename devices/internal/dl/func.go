package dl

import "sync"

// Func is a function of a library. Load sets its address.
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
// The directive keeps memory whose address is converted to uintptr in the
// argument list alive, and in place, until the call returns.
//
//go:uintptrescapes
func (f *Func) Call(args ...uintptr) int32 { return f.CallList(args) }

// Call4 is Call for frequent calls. It allocates nothing, whereas the argument
// list of a variadic function with this directive is allocated on the heap. A
// function with fewer parameters receives additional zeros, which it ignores.
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

// CallList calls the function with a list of arguments. The caller must keep
// the memory that they point to alive; it must not be on a stack.
func (f *Func) CallList(args []uintptr) int32 {
	if k := faked(); k != nil {
		return k.Call(f.Name, args)
	}
	if f.addr == 0 {
		panic("dl: " + f.Name + " called before its library was loaded")
	}
	return int32(invoke(f.addr, args))
}
