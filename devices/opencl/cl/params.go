package cl

// PlatformParam identifies a property of a platform.
type PlatformParam uint32

// Properties of a platform; all are strings.
const (
	PlatformProfile    PlatformParam = 0x0900
	PlatformVersion    PlatformParam = 0x0901
	PlatformName       PlatformParam = 0x0902
	PlatformVendor     PlatformParam = 0x0903
	PlatformExtensions PlatformParam = 0x0904
)

// DeviceParam identifies a property of a device.
type DeviceParam uint32

// Properties of a device. Names, versions and DeviceExtensions are strings,
// DeviceMaxWorkItemSizes is a list of sizes, and all others are numbers.
const (
	deviceType                       DeviceParam = 0x1000
	DeviceVendorID                   DeviceParam = 0x1001
	DeviceMaxComputeUnits            DeviceParam = 0x1002
	DeviceMaxWorkItemDimensions      DeviceParam = 0x1003
	DeviceMaxWorkGroupSize           DeviceParam = 0x1004
	DeviceMaxWorkItemSizes           DeviceParam = 0x1005
	DevicePreferredVectorWidthChar   DeviceParam = 0x1006
	DevicePreferredVectorWidthShort  DeviceParam = 0x1007
	DevicePreferredVectorWidthInt    DeviceParam = 0x1008
	DevicePreferredVectorWidthLong   DeviceParam = 0x1009
	DevicePreferredVectorWidthFloat  DeviceParam = 0x100A
	DevicePreferredVectorWidthDouble DeviceParam = 0x100B
	DeviceMaxClockFrequency          DeviceParam = 0x100C
	DeviceAddressBits                DeviceParam = 0x100D
	DeviceMaxMemAllocSize            DeviceParam = 0x1010
	DeviceMaxParameterSize           DeviceParam = 0x1017
	DeviceMemBaseAddrAlign           DeviceParam = 0x1019
	DeviceMinDataTypeAlignSize       DeviceParam = 0x101A
	DeviceSingleFPConfig             DeviceParam = 0x101B
	DeviceGlobalMemCacheType         DeviceParam = 0x101C
	DeviceGlobalMemCacheLineSize     DeviceParam = 0x101D
	DeviceGlobalMemCacheSize         DeviceParam = 0x101E
	DeviceGlobalMemSize              DeviceParam = 0x101F
	DeviceMaxConstantBufferSize      DeviceParam = 0x1020
	DeviceMaxConstantArgs            DeviceParam = 0x1021
	DeviceLocalMemType               DeviceParam = 0x1022
	DeviceLocalMemSize               DeviceParam = 0x1023
	DeviceErrorCorrectionSupport     DeviceParam = 0x1024
	DeviceProfilingTimerResolution   DeviceParam = 0x1025
	DeviceEndianLittle               DeviceParam = 0x1026
	DeviceAvailable                  DeviceParam = 0x1027
	DeviceCompilerAvailable          DeviceParam = 0x1028
	DeviceExecutionCapabilities      DeviceParam = 0x1029
	DeviceQueueProperties            DeviceParam = 0x102A
	DeviceName                       DeviceParam = 0x102B
	DeviceVendor                     DeviceParam = 0x102C
	DriverVersion                    DeviceParam = 0x102D
	DeviceProfile                    DeviceParam = 0x102E
	DeviceVersion                    DeviceParam = 0x102F
	DeviceExtensions                 DeviceParam = 0x1030
	DevicePlatform                   DeviceParam = 0x1031
	DeviceDoubleFPConfig             DeviceParam = 0x1032
	DevicePreferredVectorWidthHalf   DeviceParam = 0x1034
	DeviceHostUnifiedMemory          DeviceParam = 0x1035
	DeviceNativeVectorWidthChar      DeviceParam = 0x1036
	DeviceNativeVectorWidthShort     DeviceParam = 0x1037
	DeviceNativeVectorWidthInt       DeviceParam = 0x1038
	DeviceNativeVectorWidthLong      DeviceParam = 0x1039
	DeviceNativeVectorWidthFloat     DeviceParam = 0x103A
	DeviceNativeVectorWidthDouble    DeviceParam = 0x103B
	DeviceNativeVectorWidthHalf      DeviceParam = 0x103C
	DeviceOpenCLCVersion             DeviceParam = 0x103D
	DeviceLinkerAvailable            DeviceParam = 0x103E
	DeviceBuiltInKernels             DeviceParam = 0x103F
	DevicePreferredInteropUserSync   DeviceParam = 0x1048
	DevicePrintfBufferSize           DeviceParam = 0x1049
	DeviceComputeCapabilityMajorNV   DeviceParam = 0x4000 // of cl_nv_device_attribute_query
)

// ProgramParam identifies a property of a program.
type ProgramParam uint32

// Properties of a program.
const (
	ProgramNumDevices  ProgramParam = 0x1162
	ProgramDevices     ProgramParam = 0x1163
	ProgramSource      ProgramParam = 0x1164
	ProgramBinarySizes ProgramParam = 0x1165
	ProgramBinaries    ProgramParam = 0x1166
	ProgramNumKernels  ProgramParam = 0x1167
	ProgramKernelNames ProgramParam = 0x1168
)

// BuildParam identifies a property of a program build.
type BuildParam uint32

// Properties of a program build.
const (
	ProgramBuildStatus  BuildParam = 0x1181
	ProgramBuildOptions BuildParam = 0x1182
	ProgramBuildLog     BuildParam = 0x1183
)

// KernelParam identifies a property of a kernel.
type KernelParam uint32

// Properties of a kernel.
const (
	KernelFunctionName KernelParam = 0x1190
	KernelNumArgs      KernelParam = 0x1191
	KernelAttributes   KernelParam = 0x1195
)

// WorkGroupParam identifies a property of a kernel on a device.
type WorkGroupParam uint32

// Properties of a kernel on a device. KernelCompileWorkGroupSize is three
// sizes; the others are one number.
const (
	KernelWorkGroupSize                  WorkGroupParam = 0x11B0
	KernelCompileWorkGroupSize           WorkGroupParam = 0x11B1
	KernelLocalMemSize                   WorkGroupParam = 0x11B2
	KernelPreferredWorkGroupSizeMultiple WorkGroupParam = 0x11B3
	KernelPrivateMemSize                 WorkGroupParam = 0x11B4
)

// Properties of events: the status and the times of a command.
const (
	eventStatus     = 0x11D3
	profilingQueued = 0x1280
	profilingSubmit = 0x1281
	profilingStart  = 0x1282
	profilingEnd    = 0x1283
)
