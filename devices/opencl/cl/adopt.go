package cl

var (
	clRetainContext       = newFunction("clRetainContext")
	clRetainCommandQueue  = newFunction("clRetainCommandQueue")
	clRetainMemObject     = newFunction("clRetainMemObject")
	clGetContextInfo      = newFunction("clGetContextInfo")
	clGetCommandQueueInfo = newFunction("clGetCommandQueueInfo")
	clGetMemObjectInfo    = newFunction("clGetMemObjectInfo")
)

const (
	contextDevices = 0x1081
	queueContext   = 0x1090
	queueDevice    = 0x1091
	memSize        = 0x1102
	memContext     = 0x1106
)

// RetainContext returns the cl_context with handle h, which other code in the
// process created, as a Context. Like the other Retain functions, it adds a
// reference to the object, which Release drops. A handle that does not refer to
// a live object of the right type is undefined behavior in OpenCL; most
// libraries crash.
func RetainContext(h uintptr) (*Context, error) {
	if err := retain(clRetainContext, h); err != nil {
		return nil, err
	}
	c := &Context{}
	c.made(h, &live.contexts)
	ids, err := infoSizes(clGetContextInfo, contextDevices, h)
	if err == nil {
		for _, id := range ids {
			var d *Device
			if d, err = deviceOf(uintptr(id)); err != nil {
				break
			}
			c.devices = append(c.devices, d)
		}
	}
	if err != nil {
		_ = c.Release() // the first error is the one to report
		return nil, err
	}
	return c, nil
}

// RetainCommandQueue returns the cl_command_queue with handle h as a
// CommandQueue. See RetainContext.
func RetainCommandQueue(h uintptr) (*CommandQueue, error) {
	if err := retain(clRetainCommandQueue, h); err != nil {
		return nil, err
	}
	q := &CommandQueue{}
	q.made(h, &live.queues)
	id, err := infoUint(clGetCommandQueueInfo, queueDevice, h)
	if err == nil {
		q.device, err = deviceOf(uintptr(id))
	}
	if err != nil {
		_ = q.Release() // the first error is the one to report
		return nil, err
	}
	return q, nil
}

// RetainMemObject returns the cl_mem with handle h, which must be a buffer, as
// a MemObject. See RetainContext.
func RetainMemObject(h uintptr) (*MemObject, error) {
	if err := retain(clRetainMemObject, h); err != nil {
		return nil, err
	}
	m := &MemObject{}
	m.made(h, &live.buffers)
	size, err := infoUint(clGetMemObjectInfo, memSize, h)
	if err != nil {
		_ = m.Release() // the first error is the one to report
		return nil, err
	}
	m.size = int64(size)
	return m, nil
}

func retain(f *function, h uintptr) error {
	if err := Load(); err != nil {
		return err
	}
	if h == 0 {
		return refuse(f.name, InvalidValue, "the handle is 0")
	}
	return f.call4(h, 0, 0, 0)
}

// deviceOf returns the device with handle h.
func deviceOf(h uintptr) (*Device, error) {
	platform, err := infoUint(clGetDeviceInfo, uint32(DevicePlatform), h)
	if err != nil {
		return nil, err
	}
	return &Device{h: h, platform: &Platform{h: uintptr(platform)}}, nil
}

// Context returns the context of the queue; release it when it is no longer
// needed.
func (q *CommandQueue) Context() (*Context, error) {
	h, err := infoUint(clGetCommandQueueInfo, queueContext, q.Handle())
	if err != nil {
		return nil, err
	}
	return RetainContext(uintptr(h))
}

// Context returns the context of the buffer; release it when it is no longer
// needed.
func (m *MemObject) Context() (*Context, error) {
	h, err := infoUint(clGetMemObjectInfo, memContext, m.Handle())
	if err != nil {
		return nil, err
	}
	return RetainContext(uintptr(h))
}
