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

// Handle is the CUfunction.
func (f *Function) Handle() uintptr { return f.h }

// Name is the kernel's name.
func (f *Function) Name() string { return f.name }

// FunctionAttribute is a property of a kernel.
type FunctionAttribute int32

// Properties of a kernel. The last two can be set.
const (
	FuncMaxThreadsPerBlock      FunctionAttribute = 0
	FuncSharedSize              FunctionAttribute = 1 // static shared memory, in bytes
	FuncLocalSize               FunctionAttribute = 3 // what a thread spills, in bytes
	FuncNumRegs                 FunctionAttribute = 4
	FuncMaxDynamicSharedSize    FunctionAttribute = 8 // more than 48 KiB has to be asked for
	FuncPreferredSharedCarveout FunctionAttribute = 9 // per cent of L1 that is to be shared memory
	SharedCarveoutMax                             = 100
	SharedCarveoutMaxL1                           = 0
	SharedCarveoutDefault                         = -1
)

// Attribute is a property of the kernel.
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

// Param is where a parameter is among a kernel's parameters, and its size, in
// bytes.
type Param struct{ Offset, Size int }

// Params tells of the kernel's parameters, from CUDA 12.4 on.
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
				return nil // there are no more
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

// MaxActiveBlocks is how many blocks of so many threads and bytes of dynamic
// shared memory a multiprocessor runs at once.
func (f *Function) MaxActiveBlocks(threads, sharedBytes int) (int, error) {
	v := new(int32)
	err := f.ctx.do(func() error {
		return check(cuOccupancy, cuOccupancy.Call(uintptr(unsafe.Pointer(v)), f.h, uintptr(threads), uintptr(sharedBytes)))
	})
	if err != nil {
		return 0, detail(err, "blocks of %d threads of %s", threads, f.name)
	}
	return int(*v), nil
}
