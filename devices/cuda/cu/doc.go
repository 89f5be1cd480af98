// Package cu is the CUDA driver API and NVRTC for Go: the objects, calls and
// constants that numerical programs need, under their own names, with every
// call checked. Building it needs no cgo, no headers and no CUDA toolkit:
// libraries are opened at run time, so one binary uses whatever CUDA the
// machine has, and reports an error if it has none.
//
// # The objects
//
// [Devices] is the entry point. A [Device] has a primary context, a [Ctx],
// which Retain returns. The context owns everything else: memory (a
// [DevicePtr], or pinned on the host as [HostMem]), a [Stream] for each
// sequence of work, an [Event] to mark a position in a stream, and a [Module]
// of code with a [Function] for each kernel. [Compile] compiles CUDA C++ text
// to a cubin with NVRTC.
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
// The example of [Device.Retain] is a complete program.
//
// # Threads
//
// In C a context is current on a thread, and a goroutine may run on another
// thread at every call. This package handles that: calls that create something
// make the context current first, and calls on a stream or event do so when
// CUDA requires it. Everything may be called from many goroutines, except that
// a [Call] must be used by one goroutine at a time.
//
// # Cost
//
// A call of C from Go costs 0.1 to 0.2 us. Launch, Record, WaitEvent, Query,
// Synchronize and the asynchronous copies allocate nothing.
//
// # Errors
//
// A failed call returns an [*Error], which has the name of the C function and
// wraps the [Result]:
//
//	fmt.Println(err) // cuMemAlloc_v2: CUDA_ERROR_OUT_OF_MEMORY (2): 17179869184 bytes
//	if errors.Is(err, cu.ErrorOutOfMemory) { ... }
//
// An error of a kernel is reported by a later call and breaks the context: see
// [Result.Sticky]. The error of a text that does not compile is a
// [*CompileError] with the compiler's log.
//
// # Lifetimes
//
// Every object must be released, by Free, Destroy, Unload or Release. A second
// call does nothing, except for device memory. There are no finalizers. [Live]
// counts the objects that have not been released, for tests.
//
// # Limitations
//
// Textures, arrays, virtual memory, external memory and graphs that are built
// node by node are missing. The Handle methods return what other calls of
// libcuda need.
//
// # Where to start reading
//
// library.go opens libcuda; ctx.go handles threads; nvrtc.go is the compiler;
// each kind of object has its own file.
package cu
