// Package cl is raw OpenCL 1.2 for Go: the objects, calls and constants of the
// specification under their own names, each call checked, and nothing clever
// between. It needs no cgo, no headers and no C compiler: the library is opened
// when the program runs, so a binary that was built anywhere (CGO_ENABLED=0
// too) uses whatever OpenCL the machine has, and finds out politely when it has
// none.
//
// # The objects
//
// [Platforms] is where to begin. A [Platform] is one vendor's implementation,
// as the ICD loader found it (OCL_ICD_VENDORS and the like are the loader's
// business); it has [Device]s. A [Context] is made for devices of one platform
// and owns everything else: a [CommandQueue] for each device that is to work,
// a [MemObject] for memory, a [Program] for source text that is built, and a
// [Kernel] for each entry point. What is enqueued may leave an [Event] behind.
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
// Package example [CreateContext] is such a program in full.
//
// # Names
//
// clEnqueueFillBuffer is [CommandQueue.EnqueueFillBuffer]: the object that a
// call works on is its receiver. CL_MEM_READ_ONLY is [MemReadOnly]. Sizes and
// offsets of buffers are in bytes, as int64; those of an NDRange in work-items.
//
// # Errors
//
// A call that OpenCL refuses gives an [*Error], which has the name of the C
// function and wraps the [Status], so both of these work:
//
//	fmt.Println(err) // clCreateBuffer: CL_INVALID_BUFFER_SIZE (-61): 0 bytes
//	if errors.Is(err, cl.OutOfResources) { ... }
//
// A program that does not compile gives a [*BuildError] with the compiler's log.
//
// # Lifetimes
//
// Every object has a Release, which is to be called once it is no longer
// needed; a second call does nothing. Nothing is released behind your back:
// there are no finalizers, because OpenCL itself holds on to what enqueued work
// still uses, and a finalizer cannot know the order. [Live] counts what has not
// been released yet, for tests.
//
// # Memory of Go in the hands of OpenCL
//
// A blocking read or write takes any []byte, and [Bytes] makes one of any slice
// of numbers or plain structs. A non-blocking one returns while the library
// still uses the memory, so it must be given an [Event]: the event keeps the
// memory pinned until its Wait or Release. Without one the call is refused.
// Waiting in other ways, [CommandQueue.Finish] for instance, makes the memory
// free to use, but only the event's Wait or Release unpins it. CL_MEM_USE_HOST_PTR
// would need memory pinned for a buffer's whole life and is refused for memory
// of Go.
//
// # Goroutines
//
// As in OpenCL, everything may be called from many goroutines at once, except
// that a Kernel's arguments belong to the kernel: set them and enqueue it under
// one lock, or have a Kernel for each goroutine. An Event that is being filled
// by an enqueue must not be used meanwhile.
//
// # What is not here
//
// Images, samplers, mapping, user events, sub-devices and sharing with other
// libraries. Everything else of OpenCL 1.2 that a program for numbers needs is.
//
// # Where to start reading
//
// load.go finds the library and its functions, object.go is what all objects
// share; then a file for each kind of object.
package cl
