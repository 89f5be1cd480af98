package cl

var clGetKernelArgInfo = newFunction("clGetKernelArgInfo")

// AddressQualifier says where a parameter points.
type AddressQualifier uint32

// Where a parameter points; ArgPrivate is a value.
const (
	ArgGlobal   AddressQualifier = 0x119B
	ArgLocal    AddressQualifier = 0x119C
	ArgConstant AddressQualifier = 0x119D
	ArgPrivate  AddressQualifier = 0x119E
)

const (
	kernelArgAddressQualifier = 0x1196
	kernelArgTypeName         = 0x1198
	kernelArgName             = 0x119A
)

// ArgInfo is one parameter of a kernel, as its source declares it.
type ArgInfo struct {
	Address AddressQualifier
	Type    string // "float*"
	Name    string
}

// ArgInfo tells of parameter i. Some implementations know it only of programs
// that were built with -cl-kernel-arg-info, and none has to know it of a
// binary; the error is then KernelArgInfoNotAvailable.
func (k *Kernel) ArgInfo(i int) (ArgInfo, error) {
	f := clGetKernelArgInfo
	address, err := infoUint(f, kernelArgAddressQualifier, k.Handle(), uintptr(i))
	if err != nil {
		return ArgInfo{}, err
	}
	typ, err := infoString(f, kernelArgTypeName, k.Handle(), uintptr(i))
	if err != nil {
		return ArgInfo{}, err
	}
	name, err := infoString(f, kernelArgName, k.Handle(), uintptr(i))
	return ArgInfo{AddressQualifier(address), typ, name}, err
}
