package cl

import "unsafe"

var (
	clCreateContext       = newFunction("clCreateContext")
	clReleaseContext      = newFunction("clReleaseContext")
	clCreateCommandQueue  = newFunction("clCreateCommandQueue")
	clReleaseCommandQueue = newFunction("clReleaseCommandQueue")
)

const contextPlatform = 0x1084

// Context is what devices of one platform share: memory, programs and kernels.
type Context struct {
	object
	devices []*Device
}

// CreateContext makes a context for one or more devices of one platform.
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

// Devices is what the context was made for.
func (c *Context) Devices() []*Device { return append([]*Device{}, c.devices...) }

// Release gives the context back, when nothing of it is in use any more.
func (c *Context) Release() error { return c.release(clReleaseContext, &live.contexts) }

// CommandQueue is where work for one device is enqueued. It is in order unless
// it was made with QueueOutOfOrderExecModeEnable.
type CommandQueue struct {
	object
	device *Device
}

// CreateCommandQueue makes a queue for a device of the context.
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

// Device is what the queue is for.
func (q *CommandQueue) Device() *Device { return q.device }

// Release gives the queue back. What was enqueued is still done.
func (q *CommandQueue) Release() error { return q.release(clReleaseCommandQueue, &live.queues) }
