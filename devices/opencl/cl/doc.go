// Package cl is raw OpenCL 1.2 for Go: the objects, calls and constants of the
// specification under their own names, with every call checked. It needs no
// cgo, no headers and no C compiler: the library is opened at run time, so a
// binary that was built anywhere (with CGO_ENABLED=0, too) uses whatever OpenCL
// the machine has, and reports an error if it has none.
//
// # The objects
//
// [Platforms] is the entry point. A [Platform] is one vendor's implementation,
// as found by the ICD loader (which handles OCL_ICD_VENDORS and similar
// variables). It has [Device]s. A [Context] is created for devices of one
// platform and owns everything else: a [CommandQueue] for each device in use, a
// [MemObject] for memory, a [Program] for source text, and a [Kernel] for each
// entry point. An enqueued command can return an [Event].
//
//	platforms, err := cl.Platforms()
//	devices, err := platforms[0].Devices(cl.DeviceTypeAll)
//	ctx, err := cl.CreateContext(devices...)
//	queue, err := ctx.CreateCommandQueue(devices[0], cl.QueueProfilingEnable)
//	buf, err := ctx.CreateBuffer(cl.MemReadWrite, 4*n, nil)
//	prog, err := ctx.CreateProgramWithSource(text)
//	err = prog.Build("-cl-std=CL1.2")
//	kernel, err := prog.CreateKernel("saxpy")
//	err = kernel.SetArgs(float32(2), x, y)
//	err = queue.EnqueueNDRangeKernel(kernel, nil, []int{n}, []int{64}, nil, nil)
//	err = queue.EnqueueReadBuffer(buf, true, 0, cl.Bytes(host), nil, nil)
//
// The example of [CreateContext] is a complete program.
//
// # Names
//
// clEnqueueFillBuffer is [CommandQueue.EnqueueFillBuffer]: the receiver is the
// object on which a call operates. CL_MEM_READ_ONLY is [MemReadOnly]. Sizes and
// offsets of buffers are in bytes, as int64; those of an NDRange are in
// work-items.
//
// # Errors
//
// A failed call returns an [*Error], which has the name of the C function and
// wraps the [Status], so both of these work:
//
//	fmt.Println(err) // clCreateBuffer: CL_INVALID_BUFFER_SIZE (-61): 0 bytes
//	if errors.Is(err, cl.OutOfResources) { ... }
//
// The error of a program that does not compile is a [*BuildError] with the
// compiler's log.
//
// # Lifetimes
//
// Every object has a Release method, which must be called when the object is no
// longer needed; a second call does nothing. There are no finalizers, because
// OpenCL itself retains what enqueued work still uses, and a finalizer cannot
// know the order. [Live] counts the objects that have not been released, for
// tests.
//
// # Go memory
//
// A blocking read or write takes any []byte, and [Bytes] converts any slice of
// numbers or plain structs. A non-blocking call returns while the library still
// uses the memory, so it requires an [Event], which keeps the memory pinned
// until its Wait or Release; without an event the call fails. Waiting in other
// ways, such as [CommandQueue.Finish], makes the memory free to use, but only
// the event's Wait or Release unpins it. CL_MEM_USE_HOST_PTR would need memory
// that is pinned for the lifetime of a buffer and is rejected for Go memory.
//
// # Goroutines
//
// As in OpenCL, everything may be called from many goroutines, except that a
// Kernel's arguments are part of the kernel: set them and enqueue the kernel
// under one lock, or use a Kernel for each goroutine. An Event must not be used
// while an Enqueue call fills it in.
//
// # Limitations
//
// Images, samplers, mapping, user events, sub-devices and sharing with other
// libraries are missing. The package has everything else in OpenCL 1.2 that a
// numerical program needs.
//
// # Where to start reading
//
// load.go finds the library and its functions, object.go holds what all objects
// share, and each kind of object has its own file.
package cl
