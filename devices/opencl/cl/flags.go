package cl

// DeviceType is a set of kinds of device.
type DeviceType uint64

// The kinds of device.
const (
	DeviceTypeDefault     DeviceType = 1 << 0
	DeviceTypeCPU         DeviceType = 1 << 1
	DeviceTypeGPU         DeviceType = 1 << 2
	DeviceTypeAccelerator DeviceType = 1 << 3
	DeviceTypeCustom      DeviceType = 1 << 4
	DeviceTypeAll         DeviceType = 0xFFFFFFFF
)

// QueueProperties is a set of properties of a command queue.
type QueueProperties uint64

// The properties of a command queue.
const (
	QueueOutOfOrderExecModeEnable QueueProperties = 1 << 0
	QueueProfilingEnable          QueueProperties = 1 << 1
)

// MemFlags says how a buffer is used, and where its memory comes from.
type MemFlags uint64

// The flags of a buffer.
const (
	MemReadWrite     MemFlags = 1 << 0
	MemWriteOnly     MemFlags = 1 << 1
	MemReadOnly      MemFlags = 1 << 2
	MemUseHostPtr    MemFlags = 1 << 3
	MemAllocHostPtr  MemFlags = 1 << 4
	MemCopyHostPtr   MemFlags = 1 << 5
	MemHostWriteOnly MemFlags = 1 << 7
	MemHostReadOnly  MemFlags = 1 << 8
	MemHostNoAccess  MemFlags = 1 << 9
)

// FPConfig is what a device does for one floating-point type, as DeviceSingleFPConfig
// and DeviceDoubleFPConfig tell.
type FPConfig uint64

// What a device may do for a floating-point type.
const (
	FPDenorm                     FPConfig = 1 << 0
	FPInfNaN                     FPConfig = 1 << 1
	FPRoundToNearest             FPConfig = 1 << 2
	FPRoundToZero                FPConfig = 1 << 3
	FPRoundToInf                 FPConfig = 1 << 4
	FPFMA                        FPConfig = 1 << 5
	FPSoftFloat                  FPConfig = 1 << 6
	FPCorrectlyRoundedDivideSqrt FPConfig = 1 << 7
)

// ExecutionStatus says how far a command is; negative is the Status with which it failed.
type ExecutionStatus int32

// How far a command is.
const (
	Complete  ExecutionStatus = 0x0
	Running   ExecutionStatus = 0x1
	Submitted ExecutionStatus = 0x2
	Queued    ExecutionStatus = 0x3
)
