package cl

import "unsafe"

var (
	clCreateContext       = newFunction("clCreateContext")
	clReleaseContext      = newFunction("clReleaseContext")
	clCreateCommandQueue  = newFunction("clCreateCommandQueue")
	clReleaseCommandQueue = newFunction("clReleaseCommandQueue")
)

const contextPlatform = 0x1084

// Context is the environment that devices of one platform share: memory,
// programs and kernels.
type Context struct {
	object
	devices []*Device
}

// CreateContext creates a context for one or more devices of one platform.
func CreateContext(devices ...*Device) (*Context, error) {
	if len(devices) == 0 {
		return nil, refuse("clCreateContext", InvalidValue, "no devices")
	}
	var code int32
	properties := []uintptr{contextPlatform, devices[0].platform.h, 0}
	hs := handles(devices)
	h, err := clCreateContext.create(&code, uintptr(address(properties)), uintptr(len(hs)), uintptr(address(hs)),
		0, 0, uintptr(unsafe.Pointer(&code)))
	if err != nil {
		return nil, detail(err, "%d devices of %s", len(devices), devices[0].platform.Name())
	}
	c := &Context{devices: append([]*Device{}, devices...)}
	c.made(h, &live.contexts)
	return c, nil
}

// Devices returns the devices for which the context was created.
func (c *Context) Devices() []*Device { return append([]*Device{}, c.devices...) }

// Release releases the context when none of its objects are in use any more.
func (c *Context) Release() error { return c.release(clReleaseContext, &live.contexts) }

// CommandQueue is a queue of commands for one device. It is in order unless it
// was created with QueueOutOfOrderExecModeEnable.
type CommandQueue struct {
	object
	device *Device
}

// CreateCommandQueue creates a queue for a device of the context.
func (c *Context) CreateCommandQueue(d *Device, properties QueueProperties) (*CommandQueue, error) {
	var code int32
	h, err := clCreateCommandQueue.create(&code, c.Handle(), d.h, uintptr(properties), uintptr(unsafe.Pointer(&code)))
	if err != nil {
		return nil, detail(err, "%s", d.Name())
	}
	q := &CommandQueue{device: d}
	q.made(h, &live.queues)
	return q, nil
}

// Device returns the queue's device.
func (q *CommandQueue) Device() *Device { return q.device }

// Release releases the queue. Commands already enqueued still run.
func (q *CommandQueue) Release() error { return q.release(clReleaseCommandQueue, &live.queues) }
