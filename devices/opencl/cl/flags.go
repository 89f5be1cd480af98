package cl

// DeviceType is a set of kinds of device.
type DeviceType uint64

// Kinds of device.
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

// Properties of a command queue.
const (
	QueueOutOfOrderExecModeEnable QueueProperties = 1 << 0
	QueueProfilingEnable          QueueProperties = 1 << 1
)

// MemFlags specify how a buffer is used, and where its memory comes from.
type MemFlags uint64

// Flags of a buffer.
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

// FPConfig is the set of floating-point capabilities of a device, as returned
// for DeviceSingleFPConfig and DeviceDoubleFPConfig.
type FPConfig uint64

// Floating-point capabilities of a device.
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

// ExecutionStatus is the status of a command; a negative value is the Status
// with which it failed.
type ExecutionStatus int32

// Execution statuses of a command.
const (
	Complete  ExecutionStatus = 0x0
	Running   ExecutionStatus = 0x1
	Submitted ExecutionStatus = 0x2
	Queued    ExecutionStatus = 0x3
)
