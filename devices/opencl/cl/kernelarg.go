package cl

var clGetKernelArgInfo = newFunction("clGetKernelArgInfo")

// AddressQualifier is the address space of a parameter.
type AddressQualifier uint32

// Address spaces; ArgPrivate is a value.
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

// ArgInfo describes a parameter of a kernel, as declared in its source.
type ArgInfo struct {
	Address AddressQualifier
	Type    string // "float*"
	Name    string
}

// ArgInfo describes parameter i. Some implementations support it only for
// programs built with -cl-kernel-arg-info, and none has to support it for
// binaries; otherwise the error is KernelArgInfoNotAvailable.
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
