package cu

import "unsafe"

var (
	cuFuncGetAttribute = driver.Func("cuFuncGetAttribute")
	cuFuncSetAttribute = driver.Func("cuFuncSetAttribute")
	cuFuncGetParamInfo = driver.Optional("cuFuncGetParamInfo") // CUDA 12.4
	cuOccupancy        = driver.Func("cuOccupancyMaxActiveBlocksPerMultiprocessor")
)

// Function is a kernel of a module.
type Function struct {
	ctx  *Ctx
	h    uintptr
	name string
}

// Handle returns the CUfunction.
func (f *Function) Handle() uintptr { return f.h }

// Name returns the kernel's name.
func (f *Function) Name() string { return f.name }

// FunctionAttribute identifies a property of a kernel.
type FunctionAttribute int32

// Properties of a kernel. The last two can be set.
const (
	FuncMaxThreadsPerBlock      FunctionAttribute = 0
	FuncSharedSize              FunctionAttribute = 1 // static shared memory, in bytes
	FuncLocalSize               FunctionAttribute = 3 // local memory of a thread, in bytes
	FuncNumRegs                 FunctionAttribute = 4
	FuncMaxDynamicSharedSize    FunctionAttribute = 8 // must be set to use more than 48 KiB
	FuncPreferredSharedCarveout FunctionAttribute = 9 // percentage of L1 used as shared memory
	SharedCarveoutMax                             = 100
	SharedCarveoutMaxL1                           = 0
	SharedCarveoutDefault                         = -1
)

// Attribute returns a property of the kernel.
func (f *Function) Attribute(a FunctionAttribute) (int, error) {
	v := new(int32)
	err := f.ctx.do(func() error {
		return check(cuFuncGetAttribute, cuFuncGetAttribute.Call(uintptr(unsafe.Pointer(v)), uintptr(a), f.h))
	})
	if err != nil {
		return 0, detail(err, "attribute %d of %s", a, f.name)
	}
	return int(*v), nil
}

// SetAttribute sets a property of the kernel.
func (f *Function) SetAttribute(a FunctionAttribute, v int) error {
	err := f.ctx.do(func() error {
		return check(cuFuncSetAttribute, cuFuncSetAttribute.Call(f.h, uintptr(a), uintptr(v)))
	})
	if err != nil {
		return detail(err, "attribute %d of %s = %d", a, f.name, v)
	}
	return nil
}

// Param is the offset and the size of a kernel's parameter in bytes.
type Param struct{ Offset, Size int }

// Params returns the kernel's parameters. It requires CUDA 12.4.
func (f *Function) Params() ([]Param, error) {
	if err := need(cuFuncGetParamInfo); err != nil {
		return nil, err
	}
	params := []Param{}
	err := f.ctx.do(func() error {
		v := new([2]uint64)
		for i := uintptr(0); ; i++ {
			r := cuFuncGetParamInfo.Call(f.h, i, uintptr(unsafe.Pointer(&v[0])), uintptr(unsafe.Pointer(&v[1])))
			if Result(r) == ErrorInvalidValue {
				return nil // no more parameters
			}
			if r != 0 {
				return check(cuFuncGetParamInfo, r)
			}
			params = append(params, Param{int(v[0]), int(v[1])})
		}
	})
	if err != nil {
		return nil, detail(err, "parameters of %s", f.name)
	}
	return params, nil
}

// MaxActiveBlocks returns how many blocks, with the given numbers of threads
// and bytes of dynamic shared memory, run concurrently on a multiprocessor.
func (f *Function) MaxActiveBlocks(threads, sharedBytes int) (int, error) {
	v := new(int32)
	err := f.ctx.do(func() error {
		return check(cuOccupancy,
			cuOccupancy.Call(uintptr(unsafe.Pointer(v)), f.h, uintptr(threads), uintptr(sharedBytes)))
	})
	if err != nil {
		return 0, detail(err, "blocks of %d threads of %s", threads, f.name)
	}
	return int(*v), nil
}
