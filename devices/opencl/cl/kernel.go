package cl

import (
	"errors"
	"unsafe"
)

var (
	clCreateKernel           = newFunction("clCreateKernel")
	clSetKernelArg           = newFunction("clSetKernelArg")
	clGetKernelInfo          = newFunction("clGetKernelInfo")
	clGetKernelWorkGroupInfo = newFunction("clGetKernelWorkGroupInfo")
	clReleaseKernel          = newFunction("clReleaseKernel")
)

// Kernel is one entry point of a program that has been built, and the arguments
// that it will be run with.
type Kernel struct {
	object
	name string
}

// CreateKernel finds an entry point.
func (p *Program) CreateKernel(name string) (*Kernel, error) {
	var code int32
	text := append([]byte(name), 0)
	h, err := clCreateKernel.create(&code, p.Handle(), uintptr(address(text)), uintptr(unsafe.Pointer(&code)))
	if err != nil {
		return nil, detail(err, "%s", name)
	}
	k := &Kernel{name: name}
	k.made(h, &live.kernels)
	return k, nil
}

// Name is the name of the entry point.
func (k *Kernel) Name() string { return k.name }

// Local is an argument that is local memory, so many bytes for each work-group.
type Local int

// SetArg sets an argument: a *MemObject, a Local, a number of a sized type, or
// any other value in a []byte that holds it as C would. (An int is refused: is
// the parameter an int or a long?)
func (k *Kernel) SetArg(i int, v any) error {
	switch v := v.(type) {
	case *MemObject:
		return k.SetArgBuffer(i, v)
	case Local:
		return k.SetArgLocal(i, int(v))
	case []byte:
		return k.SetArgBytes(i, v)
	case int8:
		return setArg(k, i, v)
	case uint8:
		return setArg(k, i, v)
	case int16:
		return setArg(k, i, v)
	case uint16:
		return setArg(k, i, v)
	case int32:
		return setArg(k, i, v)
	case uint32:
		return setArg(k, i, v)
	case int64:
		return setArg(k, i, v)
	case uint64:
		return setArg(k, i, v)
	case float32:
		return setArg(k, i, v)
	case float64:
		return setArg(k, i, v)
	}
	return refuse(clSetKernelArg.name, InvalidArgValue, "argument %d of %s is a %T: give a *MemObject, a Local, a number of a sized type or a []byte", i, k.name, v)
}

// SetArgs sets all arguments, as SetArg does.
func (k *Kernel) SetArgs(values ...any) error {
	var errs []error
	for i, v := range values {
		errs = append(errs, k.SetArg(i, v))
	}
	return errors.Join(errs...)
}

func setArg[T any](k *Kernel, i int, v T) error {
	return k.set(i, unsafe.Sizeof(v), unsafe.Pointer(&v))
}

// SetArgBuffer sets an argument that points at a buffer. It allocates nothing.
func (k *Kernel) SetArgBuffer(i int, m *MemObject) error {
	return k.set(i, unsafe.Sizeof(uintptr(0)), unsafe.Pointer(&m.h))
}

// SetArgBytes sets an argument to a value of len(p) bytes, which are copied. It
// allocates nothing when p is on the heap already.
func (k *Kernel) SetArgBytes(i int, p []byte) error {
	return k.set(i, uintptr(len(p)), address(p))
}

// SetArgLocal sets an argument that points at local memory, n bytes for each
// work-group.
func (k *Kernel) SetArgLocal(i, n int) error { return k.set(i, uintptr(n), nil) }

func (k *Kernel) set(i int, size uintptr, p unsafe.Pointer) error {
	err := clSetKernelArg.call5(k.Handle(), uintptr(i), size, uintptr(p), 0)
	if err != nil {
		return detail(err, "argument %d of %s, %d bytes", i, k.name, size)
	}
	return nil
}

// NumArgs is the number of the kernel's parameters.
func (k *Kernel) NumArgs() (int, error) {
	n, err := infoUint(clGetKernelInfo, uint32(KernelNumArgs), k.Handle())
	return int(n), err
}

// Info asks for a property of the kernel that is text.
func (k *Kernel) Info(param KernelParam) (string, error) {
	return infoString(clGetKernelInfo, uint32(param), k.Handle())
}

// WorkGroupInfo asks for a property of the kernel on a device; all are one
// number but KernelCompileWorkGroupSize, which is three.
func (k *Kernel) WorkGroupInfo(d *Device, param WorkGroupParam) ([]int, error) {
	return infoSizes(clGetKernelWorkGroupInfo, uint32(param), k.Handle(), d.h)
}

// Release gives the kernel back. Work that was enqueued still uses it.
func (k *Kernel) Release() error { return k.release(clReleaseKernel, &live.kernels) }
