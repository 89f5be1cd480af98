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

// Kernel is an entry point of a built program, with its current arguments.
type Kernel struct {
	object
	name string
}

// CreateKernel returns the kernel of an entry point.
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

// Name returns the name of the entry point.
func (k *Kernel) Name() string { return k.name }

// Local is an argument that allocates local memory: the number of bytes for
// each work-group.
type Local int

// SetArg sets an argument: a *MemObject, a Local, a number of a sized type, or
// a []byte that holds any other value in its C representation. (SetArg rejects
// an int because the parameter may be an int or a long.)
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
	return refuse(clSetKernelArg.name, InvalidArgValue,
		"argument %d of %s is a %T: must be a *MemObject, a Local, a number of a sized type or a []byte", i, k.name, v)
}

// SetArgs calls SetArg for all arguments.
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

// SetArgBuffer sets an argument to a buffer. It allocates nothing.
func (k *Kernel) SetArgBuffer(i int, m *MemObject) error {
	return k.set(i, unsafe.Sizeof(uintptr(0)), unsafe.Pointer(&m.h))
}

// SetArgBytes sets an argument to a value of len(p) bytes, which are copied. It
// allocates nothing if p is already on the heap.
func (k *Kernel) SetArgBytes(i int, p []byte) error {
	return k.set(i, uintptr(len(p)), address(p))
}

// SetArgLocal sets an argument to local memory, n bytes for each work-group.
func (k *Kernel) SetArgLocal(i, n int) error { return k.set(i, uintptr(n), nil) }

func (k *Kernel) set(i int, size uintptr, p unsafe.Pointer) error {
	err := clSetKernelArg.call4(k.Handle(), uintptr(i), size, uintptr(p))
	if err != nil {
		return detail(err, "argument %d of %s, %d bytes", i, k.name, size)
	}
	return nil
}

// NumArgs returns the number of the kernel's parameters.
func (k *Kernel) NumArgs() (int, error) {
	n, err := infoUint(clGetKernelInfo, uint32(KernelNumArgs), k.Handle())
	return int(n), err
}

// Info returns a text property of the kernel.
func (k *Kernel) Info(param KernelParam) (string, error) {
	return infoString(clGetKernelInfo, uint32(param), k.Handle())
}

// WorkGroupInfo returns a property of the kernel on a device. All are one
// number, except that KernelCompileWorkGroupSize is three.
func (k *Kernel) WorkGroupInfo(d *Device, param WorkGroupParam) ([]int, error) {
	return infoSizes(clGetKernelWorkGroupInfo, uint32(param), k.Handle(), d.h)
}

// Release releases the kernel. Enqueued work still uses it.
func (k *Kernel) Release() error { return k.release(clReleaseKernel, &live.kernels) }
