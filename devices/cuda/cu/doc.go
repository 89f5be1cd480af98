// Package cu is the CUDA driver API and NVRTC for Go: the objects, calls and
// constants that programs for numbers need, under their own names, each call
// checked, and nothing clever between. It needs no cgo, no headers and no CUDA
// toolkit to be built: libraries are opened when the program runs, so one
// binary uses whatever CUDA a machine has, and finds out politely when it has
// none.
//
// # The objects
//
// [Devices] is where to begin. A [Device] has a primary context, a [Ctx], which
// Retain gives; it owns everything else: memory (a [DevicePtr], or pinned on the
// host as [HostMem]), a [Stream] for each sequence of work, an [Event] to mark a
// place in one, a [Module] of code with a [Function] for each kernel. [Compile]
// makes a cubin of CUDA C++ text, with NVRTC.
//
//	devices, err := cu.Devices()
//	ctx, err := devices[0].Retain()
//	stream, err := ctx.MakeStream(cu.StreamNonBlocking)
//	x, err := ctx.MemAlloc(4 * n)
//	err = ctx.MemcpyHtoD(x, cu.Bytes(host))
//	prog, err := cu.Compile("saxpy.cu", text, "--gpu-architecture=sm_90")
//	cubin, err := prog.CUBIN()
//	mod, err := ctx.LoadData(cubin)
//	fn, err := mod.Function("saxpy")
//	call := fn.NewCall(4, 8, 8, 8)
//	call.SetBits(0, uint64(math.Float32bits(2)))
//	call.SetPtr(1, x)
//	...
//	err = call.Launch(stream, cu.Dim3{X: blocks}, cu.Dim3{X: 256}, 0)
//	err = stream.Synchronize()
//
// Package example [Device.Retain] is such a program in full.
//
// # Threads
//
// In C a context is current on a thread, and a goroutine may be on another
// thread at every call. Here that is nobody's concern: calls that make something
// make the context current first, and calls on a stream or event do so when CUDA
// asks for it. Everything may be called from many goroutines at once but the
// methods of a [Call], which belongs to one at a time.
//
// # Cost
//
// A call of C from Go costs 0.1 to 0.2 us. Launch, Record, WaitEvent, Query,
// Synchronize and the asynchronous copies allocate nothing.
//
// # Errors
//
// A call that CUDA refuses gives an [*Error], which has the name of the C
// function and wraps the [Result]:
//
//	fmt.Println(err) // cuMemAlloc_v2: CUDA_ERROR_OUT_OF_MEMORY (2): 17179869184 bytes
//	if errors.Is(err, cu.ErrorOutOfMemory) { ... }
//
// What a kernel does wrong shows at a later call, and breaks the context: see
// [Result.Sticky]. Text that does not compile gives a [*CompileError] with the
// compiler's log.
//
// # Lifetimes
//
// What is made has to be given back, by Free, Destroy, Unload or Release; a
// second call does nothing, but for memory of the device. Nothing is given back
// behind your back. [Live] counts what has not been given back yet, for tests.
//
// # What is not here
//
// Textures, arrays, virtual memory, external memory and graphs that are built
// node by node. Handle gives what other calls of libcuda want.
//
// # Where to start reading
//
// library.go opens libcuda, ctx.go deals with threads; then a file for each kind
// of object. nvrtc.go is the compiler.
package cu
